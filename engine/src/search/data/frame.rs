//! What a node remembers for the nodes below it.
//!
//! In: nothing. Out: [`Frame`], and [`Frames`] of one line.

use crate::search::score::{EVAL_NONE, PLY_MAX};

/// Frames of plies before the root, so that a node can look back without a test.
const BEFORE: usize = 4;

/// What a node remembers for the nodes below it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// Static evaluation, corrected by what searches found, [`EVAL_NONE`] in check.
    pub(crate) eval: i32,
    /// The move made here ([`Position::piece_to`](crate::game::Position::piece_to)), `PIECE_TO` for a pass.
    pub(crate) piece_to: usize,
    /// Positions before this one on the path with no pass between.
    pub(crate) reversible: usize,
}

/// The frames of the line that is being searched.
#[derive(Debug)]
pub(crate) struct Frames([Frame; PLY_MAX + BEFORE]);

impl Frames {
    /// Those of a root that `reversible` positions lead to; `no_move` is the number of the moves before.
    pub(crate) fn new(no_move: usize, reversible: usize) -> Self {
        let before = Frame {
            eval: EVAL_NONE,
            piece_to: no_move,
            reversible: 0,
        };
        let mut frames = [before; PLY_MAX + BEFORE];
        frames[BEFORE].reversible = reversible;
        Frames(frames)
    }

    /// The frame `back` plies above `ply`.
    #[inline]
    pub(crate) fn at(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + BEFORE - back]
    }

    /// The frame of `ply`.
    #[inline]
    pub(crate) fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }
}
