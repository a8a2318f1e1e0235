//! What one turn of a player cost and found.
//!
//! In: nothing. Out: [`Turn`] and [`Score`], plain data. Must not: know how they are stored.

/// What a player expects of a position, from its own view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// It mates in so many plies; if negative, is mated in so many; 0: it is mated now.
    Mate(i32),
}

/// One turn of a player, whether or not a move came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turn {
    /// What the player expected; `None` if it did not say.
    pub score: Option<Score>,
    /// Depth reached in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Thinking time, rounded so that a player's turns sum up to its rounded sum.
    pub time_ms: u64,
}
