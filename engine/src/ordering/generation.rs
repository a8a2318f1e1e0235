//! The moves of a stage, generated and scored.

use arrayvec::ArrayVec;

use super::key::{CAPTURE_FIRST, HANDED_OUT, capture_score, greatest, key};
use super::{BLOCK, Context, GROUP, History, MovePicker, Place, STAGED};
use crate::game::{GameMove, MOVES_MAX, Position};

// Out of line, so that a call for the next move of a list that is there already saves few registers.
impl<P: Position> MovePicker<P> {
    #[inline(never)]
    pub(super) fn generate_captures(&mut self, position: &P, history: &History<P>) {
        if self.captures_end == STAGED {
            position.captures(&mut self.moves, self.early);
        }
        let end = self.moves.len().min(self.captures_end);
        let keys = self.moves[..end].iter().enumerate();
        self.keys
            .extend(keys.map(|(index, &mv)| key(capture_score(position, mv, history), index)));
        self.drop_tried([self.hash_move]);
        self.seal();
    }

    #[inline(never)]
    pub(super) fn generate_quiets(&mut self, position: &P, history: &History<P>, context: Context) {
        self.from = self.moves.len().min(self.captures_end);
        self.keys.clear();
        if self.skips_quiets {
            self.seal();
            return;
        }
        if self.captures_end == STAGED {
            position.quiets(&mut self.moves, self.early);
        }
        let history_of = history.scores(context);
        let attacked = *self.attacked(position, history);
        let moves = &self.moves[self.from..];
        // There is room for each move that there can be.
        let _ = self.keys.try_extend_from_slice(&[0; MOVES_MAX][..moves.len()]);
        let _ = self
            .places
            .try_extend_from_slice(&[Place::default(); MOVES_MAX][..moves.len()]);
        // In two passes: one alone needs more registers than there are. The first leaves in the keys what checks are worth.
        if history.check > 0 {
            let squares = position.check_squares();
            for ((worth, place), &mv) in self.keys.iter_mut().zip(&mut self.places).zip(moves) {
                *place = Place::of(position, mv, &attacked);
                *worth = history.check * i32::from(position.checks_directly(mv, &squares));
            }
        } else {
            for (place, &mv) in self.places.iter_mut().zip(moves) {
                *place = Place::of(position, mv, &attacked);
            }
        }
        for (index, (at, &place)) in self.keys.iter_mut().zip(&self.places).enumerate() {
            *at = key(history_of(place) + *at, index);
        }
        let [first, second] = self.killers;
        self.drop_tried([self.hash_move, first, second, self.counter_move]);
        self.seal();
    }

    #[inline(never)]
    pub(super) fn generate_evasions(&mut self, position: &P, history: &History<P>, context: Context) {
        if self.captures_end == STAGED {
            position.evasions(&mut self.moves, self.early);
        }
        let history_of = history.scores(context);
        let attacked = *self.attacked(position, history);
        self.keys
            .extend(self.moves.iter().enumerate().map(|(index, &mv)| {
                if position.is_tactical(mv) {
                    key(CAPTURE_FIRST + capture_score(position, mv, history), index)
                } else {
                    key(history_of(Place::of(position, mv, &attacked)), index)
                }
            }));
        self.drop_tried([self.hash_move]);
        self.seal();
    }

    /// Hands out no move of `tried` again; bits 0 are none.
    #[inline]
    fn drop_tried<const COUNT: usize>(&mut self, tried: [P::Move; COUNT]) {
        for mv in tried.into_iter().filter(|mv| mv.bits() != 0) {
            let generated = self.moves[self.from..].iter().zip(&mut self.keys);
            if let Some((_, key)) = generated.into_iter().find(|&(&other, _)| other == mv) {
                *key = HANDED_OUT;
            }
        }
    }

    /// Notes the greatest key of each block, once all keys of a stage are what they stay.
    #[inline]
    pub(super) fn seal(&mut self) {
        self.greatest.clear();
        if self.keys.is_empty() {
            return;
        }
        fill_up::<BLOCK, _>(&mut self.keys);
        for block in self.keys.as_chunks::<BLOCK>().0 {
            self.greatest.push(greatest(block));
        }
        fill_up::<GROUP, _>(&mut self.greatest);
    }
}

/// Makes the number of `keys` a multiple of `COUNT`, so that they are compared without a test of where they end.
#[inline]
fn fill_up<const COUNT: usize, const MAX: usize>(keys: &mut ArrayVec<i32, MAX>) {
    let len = keys.len().next_multiple_of(COUNT);
    // There is room for one more than the greatest number.
    let _ = keys.try_extend_from_slice(&[HANDED_OUT; COUNT]);
    keys.truncate(len);
}
