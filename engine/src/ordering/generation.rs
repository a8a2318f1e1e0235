//! The moves of a stage, generated and scored.

use arrayvec::ArrayVec;

use super::key::{CAPTURE_FIRST, HANDED_OUT, INDEX_BITS, capture_score, greatest, key};
use super::{BLOCK, Context, GROUP, History, MovePicker, STAGED};
use crate::game::{GameMove, Position};

// Out of line, so that a call for the next move of a list that is there already saves few registers.
impl<P: Position> MovePicker<P> {
    #[inline(never)]
    pub(super) fn generate_captures(&mut self, position: &P, history: &History<P>) {
        if self.captures_end == STAGED {
            position.captures(&mut self.moves, self.early);
        }
        let end = self.moves.len().min(self.captures_end);
        for (index, &mv) in self.moves[..end].iter().enumerate() {
            self.keys.push(if mv == self.hash_move {
                HANDED_OUT
            } else {
                key(capture_score(position, mv, history), index)
            });
        }
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
        let history_of = history.near_scores(context);
        for (index, &mv) in self.moves[self.from..].iter().enumerate() {
            let is_done = mv == self.hash_move || mv == self.killers[0] || mv == self.killers[1];
            self.keys.push(if is_done {
                HANDED_OUT
            } else {
                key(history_of(position.piece_to(mv)), index)
            });
        }
        if history.has_distant() {
            self.add_distant(position, history, context);
        }
        if self.counter_move.bits() != 0 {
            self.drop_counter_move();
        }
        self.seal();
    }

    #[cold]
    fn drop_counter_move(&mut self) {
        let quiets = &self.moves[self.from..];
        if let Some(index) = quiets.iter().position(|&mv| mv == self.counter_move) {
            self.keys[index] = HANDED_OUT;
        }
    }

    #[inline(never)]
    pub(super) fn generate_evasions(&mut self, position: &P, history: &History<P>, context: Context) {
        if self.captures_end == STAGED {
            position.evasions(&mut self.moves, self.early);
        }
        let history_of = history.near_scores(context);
        for (index, &mv) in self.moves.iter().enumerate() {
            self.keys.push(if mv == self.hash_move {
                HANDED_OUT
            } else if position.is_tactical(mv) {
                key(CAPTURE_FIRST + capture_score(position, mv, history), index)
            } else {
                key(history_of(position.piece_to(mv)), index)
            });
        }
        if history.has_distant() {
            self.add_distant(position, history, context);
        }
        self.seal();
    }

    /// Notes the greatest key of each block, once all keys of a stage are what they stay.
    #[inline]
    pub(super) fn seal(&mut self) {
        fill_up::<BLOCK, _>(&mut self.keys);
        self.greatest.clear();
        for block in self.keys.as_chunks::<BLOCK>().0 {
            self.greatest.push(greatest(block));
        }
        fill_up::<GROUP, _>(&mut self.greatest);
    }

    /// Adds what a further history knows of the quiet moves generated; a pass of its own, so that it costs nothing when
    /// there is none.
    #[cold]
    fn add_distant(&mut self, position: &P, history: &History<P>, context: Context) {
        for (key, &mv) in self.keys.iter_mut().zip(&self.moves[self.from..]) {
            if *key != HANDED_OUT && !position.is_tactical(mv) {
                *key += history.distant_score(context, position.piece_to(mv)) << INDEX_BITS;
            }
        }
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
