//! Move ordering: one node's moves, generated in stages, best first.
//!
//! In: a position, a hash move, killers, histories. Out: pseudo-legal moves one at a time, none of them twice.
//! Must not: test legality (the caller does, just before making a move), search, or allocate.

mod history;
mod killers;

use arrayvec::ArrayVec;

pub use history::{Context, HISTORY_MAX, History, HistoryView};
pub use killers::Killers;

use crate::game::{GameMove, MOVES_MAX, MoveList, Position};

/// Where a [`MovePicker`] stands; each stage generates or returns one class of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The move of the hash table.
    Hash,
    /// Generates captures.
    Captures,
    /// Captures that lose nothing (all of them without SEE ordering), most valuable first.
    GoodCaptures,
    /// The latest killer.
    FirstKiller,
    /// The killer before.
    SecondKiller,
    /// Generates quiet moves.
    Quiets,
    /// Quiet moves by history.
    OrderedQuiets,
    /// Captures put aside because they lose material.
    BadCaptures,
    /// In check: the move of the hash table.
    EvasionHash,
    /// In check: generates evasions.
    Evasions,
    /// Evasions: captures first, then by history.
    OrderedEvasions,
    /// Quiescence: the move of the hash table.
    QuiescenceHash,
    /// Quiescence: generates captures.
    QuiescenceCaptures,
    /// Quiescence: captures, most valuable first.
    OrderedCaptures,
    /// Nothing left.
    Done,
}

/// What to do with captures that lose material by static exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LosingCaptures {
    /// Try them last.
    Last,
    /// Do not tell them apart.
    InOrder,
}

/// Sets evading captures apart from quiet evasions, whose scores are at most `3 * HISTORY_MAX`.
const CAPTURE_FIRST: i32 = 1 << 18;

/// Bits of a key that hold the move's index; see [`key`].
const INDEX_BITS: u32 = 10;
const INDEX_MASK: i32 = (1 << INDEX_BITS) - 1;
const _: () = assert!(MOVES_MAX < 1 << INDEX_BITS);

/// Generates a node's moves stage by stage and hands out the best one left.
#[derive(Debug)]
pub struct MovePicker<P: Position> {
    stage: Stage,
    hash_move: P::Move,
    killers: [P::Move; 2],
    losing: LosingCaptures,
    skips_quiets: bool,
    moves: MoveList<P::Move>,
    /// One sort key a move, see [`key`].
    keys: ArrayVec<i32, MOVES_MAX>,
    /// Keys before this are handed out.
    cursor: usize,
    /// `keys[..bad_end]` are captures put aside (they overwrite keys handed out).
    bad_end: usize,
    /// Where the keys of captures end.
    captures_end: usize,
}

impl<P: Position> MovePicker<P> {
    /// All moves of a node of the main search. `hash_move` and `killers` may be any bit patterns.
    #[inline]
    pub fn new(position: &P, hash_move: P::Move, killers: [P::Move; 2], losing: LosingCaptures) -> Self {
        let stage = if position.in_check() {
            Stage::EvasionHash
        } else {
            Stage::Hash
        };
        Self::at(stage, position, hash_move, killers, losing)
    }

    /// The moves of quiescence search: evasions in check, captures otherwise.
    #[inline]
    pub fn quiescence(position: &P, hash_move: P::Move) -> Self {
        let stage = if position.in_check() {
            Stage::EvasionHash
        } else {
            Stage::QuiescenceHash
        };
        let none = P::Move::from_bits(0);
        Self::at(stage, position, hash_move, [none; 2], LosingCaptures::InOrder)
    }

    #[inline]
    fn at(
        stage: Stage,
        position: &P,
        hash_move: P::Move,
        killers: [P::Move; 2],
        losing: LosingCaptures,
    ) -> Self {
        let usable = hash_move.bits() != 0
            && position.is_pseudo_legal(hash_move)
            && (stage != Stage::QuiescenceHash || position.is_tactical(hash_move));
        MovePicker {
            stage,
            hash_move: if usable { hash_move } else { P::Move::from_bits(0) },
            killers,
            losing,
            skips_quiets: false,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            cursor: 0,
            bad_end: 0,
            captures_end: 0,
        }
    }

    /// Is the move last returned a capture put aside because it loses material?
    #[inline]
    pub fn is_losing(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// Is it a killer that this node could play?
    #[inline]
    pub fn is_killer(&self, mv: P::Move) -> bool {
        self.killers.contains(&mv)
    }

    /// Returns no quiet move from now on (evasions are all returned).
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    /// The best move left.
    pub fn next(&mut self, position: &P, history: &History<P>, context: Context) -> Option<P::Move> {
        loop {
            match self.stage {
                Stage::Hash | Stage::EvasionHash | Stage::QuiescenceHash => {
                    self.stage = match self.stage {
                        Stage::Hash => Stage::Captures,
                        Stage::EvasionHash => Stage::Evasions,
                        _ => Stage::QuiescenceCaptures,
                    };
                    if self.hash_move.bits() != 0 {
                        return Some(self.hash_move);
                    }
                }
                Stage::Captures | Stage::QuiescenceCaptures => {
                    self.generate_captures(position);
                    self.stage = match self.stage {
                        Stage::Captures => Stage::GoodCaptures,
                        _ => Stage::OrderedCaptures,
                    };
                }
                Stage::GoodCaptures => match self.next_good_capture(position) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::FirstKiller,
                },
                Stage::FirstKiller | Stage::SecondKiller => {
                    let index = usize::from(self.stage == Stage::SecondKiller);
                    if let Some(mv) = self.killer(position, index) {
                        return Some(mv);
                    }
                }
                Stage::Quiets => {
                    self.generate_quiets(position, history, context);
                    self.stage = Stage::OrderedQuiets;
                }
                Stage::OrderedQuiets => match self.next_quiet() {
                    Some(mv) => return Some(mv),
                    None => {
                        self.stage = Stage::BadCaptures;
                        self.cursor = 0;
                    }
                },
                Stage::BadCaptures => {
                    if self.cursor == self.bad_end {
                        self.stage = Stage::Done;
                        continue;
                    }
                    self.cursor += 1;
                    return Some(self.move_of(self.keys[self.cursor - 1]));
                }
                Stage::Evasions => {
                    self.generate_evasions(position, history, context);
                    self.stage = Stage::OrderedEvasions;
                }
                Stage::OrderedEvasions | Stage::OrderedCaptures => match self.pop_best() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// The killer of this index, if it can be played here; moves on to the next stage.
    #[inline]
    fn killer(&mut self, position: &P, index: usize) -> Option<P::Move> {
        self.stage = if index == 0 {
            Stage::SecondKiller
        } else {
            Stage::Quiets
        };
        let mv = self.killers[index];
        let playable = !self.skips_quiets
            && mv.bits() != 0
            && mv != self.hash_move
            && position.is_pseudo_legal(mv)
            && !position.is_tactical(mv);
        if !playable {
            self.killers[index] = P::Move::from_bits(0);
            return None;
        }
        Some(mv)
    }

    fn next_good_capture(&mut self, position: &P) -> Option<P::Move> {
        loop {
            let mv = self.pop_best()?;
            if self.losing == LosingCaptures::InOrder || position.see_ge(mv, 0) {
                return Some(mv);
            }
            self.keys[self.bad_end] = self.keys[self.cursor - 1];
            self.bad_end += 1;
        }
    }

    #[inline]
    fn next_quiet(&mut self) -> Option<P::Move> {
        if self.skips_quiets { None } else { self.pop_best() }
    }

    fn generate_captures(&mut self, position: &P) {
        position.captures(&mut self.moves);
        for (index, &mv) in self.moves.iter().enumerate() {
            if mv != self.hash_move {
                self.keys.push(key(capture_score(position, mv), index));
            }
        }
        self.captures_end = self.keys.len();
    }

    fn generate_quiets(&mut self, position: &P, history: &History<P>, context: Context) {
        self.cursor = self.captures_end;
        if self.skips_quiets {
            return;
        }
        let from = self.moves.len();
        position.quiets(&mut self.moves);
        let view = history.view(context);
        for (index, &mv) in self.moves.iter().enumerate().skip(from) {
            if mv != self.hash_move && mv != self.killers[0] && mv != self.killers[1] {
                self.keys.push(key(view.score(position.piece_to(mv)), index));
            }
        }
    }

    fn generate_evasions(&mut self, position: &P, history: &History<P>, context: Context) {
        position.evasions(&mut self.moves);
        let view = history.view(context);
        for (index, &mv) in self.moves.iter().enumerate() {
            if mv == self.hash_move {
                continue;
            }
            let score = if position.is_tactical(mv) {
                CAPTURE_FIRST + capture_score(position, mv)
            } else {
                view.score(position.piece_to(mv))
            };
            self.keys.push(key(score, index));
        }
    }

    /// Takes the greatest key left.
    #[inline]
    fn pop_best(&mut self) -> Option<P::Move> {
        let left = &mut self.keys[self.cursor..];
        let (&first, rest) = left.split_first()?;
        let (mut best, mut best_at) = (first, 0);
        for (index, &candidate) in rest.iter().enumerate() {
            if candidate > best {
                (best, best_at) = (candidate, index + 1);
            }
        }
        left.swap(0, best_at);
        self.cursor += 1;
        Some(self.move_of(best))
    }

    #[inline]
    fn move_of(&self, key: i32) -> P::Move {
        self.moves[(INDEX_MASK - (key & INDEX_MASK)).unsigned_abs() as usize]
    }
}

/// A score and a move's index in one number that sorts by score, earlier generated first among equals: no two keys are
/// equal, so the order of moves does not depend on how they are sorted.
#[inline]
fn key(score: i32, index: usize) -> i32 {
    (score << INDEX_BITS) | (INDEX_MASK - index as i32)
}

/// Most valuable victim first, among equals the least valuable attacker.
#[inline]
fn capture_score<P: Position>(position: &P, mv: P::Move) -> i32 {
    position.gain(mv) * 16 - position.mover_value(mv)
}

#[cfg(test)]
mod tests;
