//! What a search found.

use super::MATE;
use crate::game::Position;

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report<M> {
    /// The move to play; `None` if there is no legal move.
    pub best: Option<M>,
    /// The answer that the opponent is expected to give.
    pub ponder: Option<M>,
    /// Score from the side to move's view.
    pub score: i32,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// The deepest ply that was reached, extensions and quiescence search included.
    pub seldepth: u32,
    /// Nodes that were visited, those of quiescence search included.
    pub nodes: u64,
    /// Principal variation, starting with `best`.
    pub pv: Vec<M>,
}

impl<M> Report<M> {
    /// The report on a position without a legal move.
    pub(super) fn without_move<P: Position<Move = M>>(position: &P) -> Self {
        let is_lost = position.in_check() || P::STALEMATE_LOSES;
        Report {
            best: None,
            ponder: None,
            score: if is_lost { -MATE } else { 0 },
            depth: 0,
            seldepth: 0,
            nodes: 0,
            pv: Vec::new(),
        }
    }
}
