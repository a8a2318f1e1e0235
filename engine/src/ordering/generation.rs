//! The moves of a stage, generated and scored.

use super::key::{CAPTURE_FIRST, GAIN_WEIGHT, HANDED_OUT, INDEX_BITS, capture_score, greatest, key};
use super::{BLOCK, CaptureHistory, Context, History, MovePicker, STAGED};
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
                key(capture_score(position, mv, history.capture_order), index)
            });
        }
        if history.captures.is_on() {
            self.add_capture_history(position, &history.captures);
        }
        self.seal();
    }

    #[inline(never)]
    pub(super) fn generate_quiets(&mut self, position: &P, history: &History<P>, context: Context) {
        self.from = self.moves.len().min(self.captures_end);
        if self.skips_quiets {
            self.seal();
            return;
        }
        if self.captures_end == STAGED {
            position.quiets(&mut self.moves, self.early);
        }
        let view = history.view(context);
        for (index, &mv) in self.moves.iter().enumerate().skip(self.from) {
            let is_done = mv == self.hash_move || mv == self.killers[0] || mv == self.killers[1];
            self.keys.push(if is_done {
                HANDED_OUT
            } else {
                key(view.score(position.piece_to(mv)), index)
            });
        }
        if history.has_distant() {
            self.add_distant(position, history.distant_row(context));
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
            self.keys[self.from + index] = HANDED_OUT;
        }
    }

    #[inline(never)]
    pub(super) fn generate_evasions(&mut self, position: &P, history: &History<P>, context: Context) {
        if self.captures_end == STAGED {
            position.evasions(&mut self.moves, self.early);
        }
        let view = history.view(context);
        for (index, &mv) in self.moves.iter().enumerate() {
            self.keys.push(if mv == self.hash_move {
                HANDED_OUT
            } else if position.is_tactical(mv) {
                key(
                    CAPTURE_FIRST + capture_score(position, mv, history.capture_order),
                    index,
                )
            } else {
                key(view.score(position.piece_to(mv)), index)
            });
        }
        if history.has_distant() {
            self.add_distant(position, history.distant_row(context));
        }
        if history.captures.is_on() {
            self.add_capture_history(position, &history.captures);
        }
        self.seal();
    }

    /// Notes the greatest key of each block, once all keys of a stage are what they stay.
    #[inline]
    pub(super) fn seal(&mut self) {
        self.greatest.clear();
        let blocks = self.keys[self.from..].chunks(BLOCK);
        self.greatest.extend(blocks.map(greatest));
    }

    /// Adds what captures did before to the material that they gain, in a pass of its own like the next.
    #[cold]
    fn add_capture_history(&mut self, position: &P, history: &CaptureHistory<P>) {
        for (key, &mv) in self.keys.iter_mut().zip(&self.moves) {
            if *key != HANDED_OUT && position.is_tactical(mv) {
                *key += (history.worth(position, mv) * GAIN_WEIGHT) << INDEX_BITS;
            }
        }
    }

    /// Adds what a further history knows of the quiet moves generated; a pass of its own, so that it costs nothing when
    /// there is none.
    #[cold]
    fn add_distant(&mut self, position: &P, row: &[i16]) {
        if row.is_empty() {
            return;
        }
        for (key, &mv) in self.keys.iter_mut().zip(&self.moves).skip(self.from) {
            if *key != HANDED_OUT && !position.is_tactical(mv) {
                *key += i32::from(row[position.piece_to(mv)]) << INDEX_BITS;
            }
        }
    }
}
