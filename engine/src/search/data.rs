//! What the parts of the search hand to each other, as plain data.

use arrayvec::ArrayVec;

use super::{EVAL_NONE, INFINITE, PLY_MAX};
use crate::game::{GameMove, Position};
use crate::ordering::{Context, Place};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

impl Window {
    /// The window of one value that asks "more than `alpha`?".
    #[inline]
    pub(crate) fn zero(alpha: i32) -> Self {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The same window from the opponent's view.
    #[inline]
    pub(crate) fn flipped(self) -> Self {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    pub(crate) fn is_zero(self) -> bool {
        self.beta - self.alpha == 1
    }
}

pub(crate) const DEPTH_MAX: i32 = 127;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    None = 0,
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

impl Bound {
    /// What `score`, found by a search with `window`, says.
    #[inline]
    pub(crate) fn of(score: i32, window: Window) -> Self {
        if score >= window.beta {
            Bound::Lower
        } else if score > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HashEntry {
    pub(crate) mv: u16,
    /// Score; mates count from this position, not from the root.
    pub(crate) score: i16,
    /// Depth of the search that gave `score`, at most [`DEPTH_MAX`].
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    pub(crate) is_only_reply: bool,
}

impl HashEntry {
    pub(crate) fn best<M: GameMove>(entry: Option<HashEntry>) -> M {
        M::from_bits(entry.map_or(0, |entry| entry.mv))
    }
}

/// What a node expects of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Pv,
    Cut,
    All,
}

impl NodeKind {
    /// What a child expects that is searched with a window of one value.
    #[inline]
    pub(crate) fn opposite(self) -> Self {
        match self {
            NodeKind::Cut => NodeKind::All,
            NodeKind::Pv | NodeKind::All => NodeKind::Cut,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoveSubset {
    All,
    /// All but the move of the hash table.
    Others,
    Only,
}

#[derive(Debug)]
pub(crate) struct Node<P: Position> {
    pub(crate) window: Window,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    pub(crate) kind: NodeKind,
    pub(crate) in_check: bool,
    /// Static evaluation, corrected by what searches found and by the hash table;
    /// [`EVAL_NONE`](super::score::EVAL_NONE) in check.
    pub(crate) eval: i32,
    /// Static evaluation as it is, for the hash table.
    pub(crate) raw_eval: i32,
    pub(crate) is_improving: bool,
    pub(crate) hash_move: P::Move,
    /// What the opponent attacks, if the evaluation found that out.
    pub(crate) attacked: Option<P::Squares>,
    /// What the hash table knew, and its score as seen from this ply.
    pub(crate) known: Option<(HashEntry, i32)>,
    pub(crate) choice: MoveSubset,
    /// Plies by which the move of the hash table is extended.
    pub(crate) hash_extension: i32,
    pub(crate) context: Context,
}

/// Frames of plies before the root, so that a node can look back without a test.
const BEFORE: usize = 4;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) eval: i32,
    pub(crate) piece_to: usize,
    /// Where the move that leads on from here has its history, if it is a quiet one.
    pub(crate) quiet: Option<Place>,
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
            quiet: None,
            reversible: 0,
        };
        let mut frames = [before; PLY_MAX + BEFORE];
        frames[BEFORE].reversible = reversible;
        Frames(frames)
    }

    pub(crate) fn at(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + BEFORE - back]
    }

    pub(crate) fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }
}

const QUIETS_MAX: usize = 64;
const CAPTURES_MAX: usize = 32;

#[derive(Debug, Clone, Copy)]
pub(crate) struct MovesOutcome<M> {
    pub(crate) best: i32,
    pub(crate) best_move: M,
    /// The move that the best score is of, whether it raised alpha or not.
    pub(crate) top: M,
    /// Greatest score of the others.
    pub(crate) second: i32,
    pub(crate) searched: i32,
    pub(crate) seen: i32,
    pub(crate) leaves_out: bool,
    /// Was a generated quiet move hopeless? Those that come later are too, unless they give check (`futility.rest`).
    pub(crate) only_checks: bool,
}

impl<M: GameMove> MovesOutcome<M> {
    #[inline]
    pub(crate) fn none() -> Self {
        MovesOutcome {
            best: -INFINITE,
            best_move: M::from_bits(0),
            top: M::from_bits(0),
            second: -INFINITE,
            searched: 0,
            seen: 0,
            leaves_out: false,
            only_checks: false,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt<M> {
    pub(crate) mv: M,
    /// Where the move has its history, if it is a quiet one.
    pub(crate) quiet: Option<Place>,
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
    pub(crate) kind: NodeKind,
    /// Ply of the child.
    pub(crate) ply: usize,
    pub(crate) depth: i32,
    pub(crate) reduction: i32,
    pub(crate) is_first: bool,
}

#[derive(Debug, Default)]
pub(crate) struct TriedMoves {
    /// Quiet moves, by where they have their history.
    pub(crate) quiets: ArrayVec<Place, QUIETS_MAX>,
    /// Captures, by their place in the capture history.
    pub(crate) captures: ArrayVec<usize, CAPTURES_MAX>,
}

#[cfg(test)]
impl<P: Position> Node<P> {
    /// A node out of check at the root of a tree that asks "at least `beta`?".
    pub(super) fn cut(no_move: usize, eval: i32, beta: i32, depth: i32) -> Self {
        Node {
            window: Window::zero(beta - 1),
            depth,
            ply: 0,
            kind: NodeKind::Cut,
            in_check: false,
            eval,
            raw_eval: eval,
            is_improving: false,
            hash_move: P::Move::from_bits(0),
            attacked: None,
            known: None,
            choice: MoveSubset::All,
            hash_extension: 0,
            context: [no_move; 3],
        }
    }
}

#[cfg(test)]
impl HashEntry {
    pub(crate) fn sample(mv: u16, score: i16, depth: u8, bound: Bound) -> Self {
        HashEntry {
            mv,
            score,
            depth,
            bound,
            is_only_reply: false,
        }
    }
}
