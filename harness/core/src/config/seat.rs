//! A seat: a player and what bounds its moves.

use super::{MoveLimit, PlayerSpec};

/// Who sits at one side of a board, and what bounds its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// Who plays.
    pub player: PlayerSpec,
    /// The limit of each of its moves.
    pub limit: MoveLimit,
}
