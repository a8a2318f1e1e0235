//! The path of a game, and the repetitions on it.

use std::collections::{HashMap, HashSet};

use super::position::Position;

/// The positions of a game so far, the present one last: what repetition rules look at.
#[derive(Debug, Clone)]
pub struct Path {
    entries: Vec<PathEntry>,
    /// How many entries have their key in each [`bucket`]. An entry alone in its bucket repeats no other.
    buckets: Box<[u32; BUCKETS]>,
}

/// 8 KiB. Of 200 positions one in ten shares its bucket.
const BUCKETS: usize = 2048;

#[inline]
fn bucket(key: u64) -> usize {
    (key >> (u64::BITS - BUCKETS.ilog2())) as usize
}

impl Default for Path {
    fn default() -> Self {
        Path {
            entries: Vec::with_capacity(1024),
            buckets: Box::new([0; BUCKETS]),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct PathEntry {
    /// The key of the position for search and its hash table.
    key: u64,
    /// The key by which the rules call two positions the same.
    repetition_key: u64,
    in_check: bool,
}

impl Path {
    /// A path that starts (and stands) at `position`.
    pub fn new<P: Position>(position: &P) -> Self {
        let mut path = Path::default();
        path.push(position);
        path
    }

    /// Starts again at `position`, keeping the allocation.
    pub fn restart<P: Position>(&mut self, position: &P) {
        self.entries.clear();
        self.buckets.fill(0);
        self.push(position);
    }

    /// Becomes the same path as `other`, keeping the allocation.
    pub fn copy_from(&mut self, other: &Path) {
        self.entries.clone_from(&other.entries);
        self.buckets.copy_from_slice(other.buckets.as_slice());
    }

    /// Appends the position reached.
    #[inline]
    pub fn push<P: Position>(&mut self, position: &P) {
        let key = position.key();
        self.buckets[bucket(key)] += 1;
        self.entries.push(PathEntry {
            key,
            repetition_key: position.repetition_key(),
            in_check: position.in_check(),
        });
    }

    /// Drops the last position.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(entry) = self.entries.pop() {
            self.buckets[bucket(entry.key)] -= 1;
        }
    }

    /// Number of positions on the path, the present one included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True before the first position.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How often the present position has stood on the path, itself included.
    pub fn occurrences(&self) -> usize {
        let Some(last) = self.entries.last() else { return 0 };
        self.entries
            .iter()
            .rev()
            .step_by(2)
            .filter(|entry| entry.repetition_key == last.repetition_key)
            .count()
    }

    /// The keys of the positions that must not stand once more: the game would end.
    pub fn worn_out<P: Position>(&self) -> HashSet<u64> {
        let mut counts = HashMap::new();
        for entry in &self.entries {
            *counts.entry(entry.repetition_key).or_insert(0) += 1;
        }
        let is_worn_out = |entry: &&PathEntry| counts[&entry.repetition_key] + 1 >= P::REPETITIONS;
        self.entries
            .iter()
            .filter(is_worn_out)
            .map(|entry| entry.key)
            .collect()
    }

    /// The earlier occurrence nearest to the present position within `plies_max`, judged for the side to move.
    #[inline]
    pub fn nearest_repetition<P: Position>(&self, plies_max: usize) -> Option<Repetition> {
        let (last, earlier) = self.entries.split_last()?;
        if self.buckets[bucket(last.key)] == 1 {
            return None;
        }
        let within = &earlier[earlier.len().saturating_sub(plies_max)..];
        // Two plies to a chunk, from four plies ago.
        let back = within[..within.len().saturating_sub(2)]
            .rchunks_exact(2)
            .position(|plies| plies[0].key == last.key)?;
        Some(judge::<P>(&self.entries[self.entries.len() - (4 + 2 * back)..]))
    }

    /// The verdict once the present position has occurred `P::REPETITIONS` times, for the side to move; `None` before that.
    pub fn referee_repetition<P: Position>(&self) -> Option<Repetition> {
        if self.occurrences() < P::REPETITIONS {
            return None;
        }
        let last = self.entries.len() - 1;
        let key = self.entries[last].repetition_key;
        let first = (last % 2..last)
            .step_by(2)
            .find(|&index| self.entries[index].repetition_key == key)?;
        Some(judge::<P>(&self.entries[first + 1..]))
    }

    /// Could a move of the side to move complete a perpetual check? In one its last move gave check too, so that most positions
    /// need no trial of their moves.
    #[inline]
    pub fn may_be_perpetual<P: Position>(&self) -> bool {
        P::PERPETUAL_CHECK_LOSES
            && self
                .entries
                .iter()
                .rev()
                .nth(1)
                .is_some_and(|entry| entry.in_check)
    }

    /// Takes a legal move to genuinely legal: it does not complete a perpetual check by repetition.
    pub fn is_genuine_legal<P: Position>(&mut self, position: &mut P, mv: P::Move) -> bool {
        if !self.may_be_perpetual::<P>() {
            return true;
        }
        let undo = position.make(mv);
        // Who is not in check now is not in perpetual check, and the path need not be searched: the root asks this of every move.
        let is_perpetual = position.in_check() && {
            self.push(position);
            let verdict = self.referee_repetition::<P>();
            self.pop();
            verdict == Some(Repetition::Win)
        };
        position.unmake(mv, undo);
        !is_perpetual
    }
}

/// How a repetition on the path scores for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// Neither side gave perpetual check.
    Draw,
    /// The opponent gave perpetual check.
    Win,
    /// The side to move gave perpetual check.
    Loss,
}

/// Judges a cycle, the position repeated last. A side gave perpetual check if all its moves in the cycle did.
fn judge<P: Position>(cycle: &[PathEntry]) -> Repetition {
    if !P::PERPETUAL_CHECK_LOSES {
        return Repetition::Draw;
    }
    let checked_always = cycle.iter().rev().step_by(2).all(|entry| entry.in_check);
    let checking_always = cycle.iter().rev().skip(1).step_by(2).all(|entry| entry.in_check);
    match (checked_always, checking_always) {
        (true, false) => Repetition::Win,
        (false, true) => Repetition::Loss,
        _ => Repetition::Draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::{Board, Move};

    #[test]
    fn a_repetition_is_found_on_copies_and_after_positions_were_taken_back() {
        let mut board = Board::start();
        let mut path = Path::new(&board);
        for text in ["2h5h", "8b5b", "5h2h", "5b8b"] {
            board.make(Move::parse(text).unwrap());
            path.push(&board);
        }
        let mut copy = Path::default();
        copy.copy_from(&path);
        for mut path in [path.clone(), copy] {
            assert_eq!(path.nearest_repetition::<Board>(32), Some(Repetition::Draw));
            assert_eq!(path.nearest_repetition::<Board>(3), None);
            path.pop();
            assert_eq!(path.nearest_repetition::<Board>(32), None);
            path.push(&board);
            assert_eq!(path.nearest_repetition::<Board>(32), Some(Repetition::Draw));
            path.restart(&board);
            assert_eq!(path.nearest_repetition::<Board>(32), None);
        }
    }
}
