//! Repetition: a position comes again on the path of a game.

use super::path::Path;
use super::perpetual_check::{Repetition, judge};
use super::position::Position;

impl Path {
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

    /// The earlier occurrence nearest to the present position within `plies_max`, judged for the side to move.
    #[inline]
    pub fn nearest_repetition<P: Position>(&self, plies_max: usize) -> Option<Repetition> {
        let last = self.entries.len().checked_sub(1)?;
        let key = self.entries[last].key;
        let mut distance = 4;
        while distance <= plies_max.min(last) {
            if self.entries[last - distance].key == key {
                return Some(judge::<P>(&self.entries[last - distance + 1..]));
            }
            distance += 2;
        }
        None
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
