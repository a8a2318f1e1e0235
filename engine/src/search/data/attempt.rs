//! The moves of a node on their way through it.
//!
//! In: nothing. Out: [`Attempt`], [`Descent`], [`Outcome`], [`Tried`].

use arrayvec::ArrayVec;

use super::node::NodeKind;
use super::window::Window;
use crate::game::GameMove;
use crate::search::score::INFINITE;

/// Quiet moves of a node that are punished when a later one cuts.
const QUIETS_MAX: usize = 64;
/// The same for captures.
const CAPTURES_MAX: usize = 32;

/// What the moves of a node came to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome<M> {
    /// Best score.
    pub(crate) best: i32,
    /// The move that raised alpha last, bits 0 if none did.
    pub(crate) best_move: M,
    /// The move that the best score is of, whether it raised alpha or not.
    pub(crate) top: M,
    /// Greatest score of the others.
    pub(crate) second: i32,
    /// Legal moves searched.
    pub(crate) searched: i32,
    /// Legal moves seen, dropped ones included.
    pub(crate) seen: i32,
    /// Was a legal move left out as if it had not been generated?
    pub(crate) leaves_out: bool,
}

impl<M: GameMove> Outcome<M> {
    /// Before any move.
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

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt<M> {
    pub(crate) mv: M,
    pub(crate) piece_to: usize,
    pub(crate) is_quiet: bool,
    /// What its history says.
    pub(crate) history: i32,
    pub(crate) is_losing: bool,
    pub(crate) gives_check: bool,
    /// Legal moves seen before, and this one.
    pub(crate) number: i32,
    /// What late move reductions would take off, in 1/1024 plies; 0 when switched off.
    pub(crate) reduction: i32,
}

/// How to search below a move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Descent {
    /// The parent's window, alpha raised so far.
    pub(crate) window: Window,
    /// The parent's kind.
    pub(crate) kind: NodeKind,
    /// Ply of the child.
    pub(crate) ply: usize,
    /// Full depth of the child.
    pub(crate) depth: i32,
    /// What to take off at first, in 1/1024 plies.
    pub(crate) reduction: i32,
    /// The first move of its node?
    pub(crate) is_first: bool,
}

/// The moves of a node that were searched and did not cut.
#[derive(Debug, Default)]
pub(crate) struct Tried {
    /// Quiet moves, by [`Position::piece_to`](crate::game::Position::piece_to).
    pub(crate) quiets: ArrayVec<usize, QUIETS_MAX>,
    /// Captures, by their place in the capture history.
    pub(crate) captures: ArrayVec<usize, CAPTURES_MAX>,
}
