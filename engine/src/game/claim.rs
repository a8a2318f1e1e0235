//! Claims: a side may end the game without a move, where a game counts points and the players agreed on how many decide.

/// The points from which a claim holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClaimPoints {
    /// For a win, by [`Side::index`](super::Side::index).
    pub win: [u32; 2],
    /// For a draw, where one can be claimed.
    pub draw: Option<u32>,
}

/// What a claim by the side to move would be worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The conditions are not met: claiming loses.
    Invalid,
    /// The conditions are met for a draw.
    Draw,
    /// The conditions are met for a win.
    Win,
}
