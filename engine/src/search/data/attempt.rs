//! The moves of a node on their way through it.

use arrayvec::ArrayVec;

use super::node::NodeKind;
use super::window::Window;
use crate::game::GameMove;
use crate::search::score::INFINITE;

const QUIETS_MAX: usize = 64;
const CAPTURES_MAX: usize = 32;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome<M> {
    pub(crate) best: i32,
    pub(crate) best_move: M,
    /// The move that the best score is of, whether it raised alpha or not.
    pub(crate) top: M,
    /// Greatest score of the others.
    pub(crate) second: i32,
    pub(crate) searched: i32,
    pub(crate) seen: i32,
    pub(crate) leaves_out: bool,
}

impl<M: GameMove> Outcome<M> {
    #[inline]
    pub(crate) fn none() -> Self {
        Outcome {
            best: -INFINITE,
            best_move: M::from_bits(0),
            top: M::from_bits(0),
            second: -INFINITE,
            searched: 0,
            seen: 0,
            leaves_out: false,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt<M> {
    pub(crate) mv: M,
    pub(crate) piece_to: usize,
    pub(crate) is_quiet: bool,
    pub(crate) history: i32,
    pub(crate) is_losing: bool,
    pub(crate) gives_check: bool,
    /// Legal moves seen before, and this one.
    pub(crate) number: i32,
    pub(crate) reduction: i32,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Descent {
    pub(crate) window: Window,
    /// The parent's kind.
    pub(crate) kind: NodeKind,
    /// Ply of the child.
    pub(crate) ply: usize,
    pub(crate) depth: i32,
    pub(crate) reduction: i32,
    pub(crate) is_first: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Tried {
    /// Quiet moves, by [`Position::piece_to`](crate::game::Position::piece_to).
    pub(crate) quiets: ArrayVec<usize, QUIETS_MAX>,
    /// Captures, by their place in the capture history.
    pub(crate) captures: ArrayVec<usize, CAPTURES_MAX>,
}
