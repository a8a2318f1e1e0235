//! What a node remembers for the nodes below it.

use crate::search::score::{EVAL_NONE, PLY_MAX};

/// Frames of plies before the root, so that a node can look back without a test.
const BEFORE: usize = 4;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) eval: i32,
    pub(crate) piece_to: usize,
    /// Positions before this one on the path with no pass between.
    pub(crate) reversible: usize,
}

#[derive(Debug)]
pub(crate) struct Frames([Frame; PLY_MAX + BEFORE]);

impl Frames {
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

    #[inline]
    pub(crate) fn at(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + BEFORE - back]
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }
}
