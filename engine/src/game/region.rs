//! Where a quiet move acts, for pruning by region.

/// What a quiet move does, as pruning by region sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// It attacks an enemy piece.
    Attack,
    /// It answers an attack.
    Defence,
    /// Neither.
    Other,
}

/// How the distance of two squares is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Moves of a king (Chebyshev distance).
    KingMoves,
    /// Files and ranks between them added (Manhattan distance).
    Steps,
}

/// How pruning by region looks at moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RegionRules {
    /// The measure of distances.
    pub metric: Metric,
    /// Are moves of the king and of fast pieces left out?
    pub exempts: bool,
}

/// Where a quiet move acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Region {
    /// What it does.
    pub kind: RegionKind,
    /// From what it does to the king concerned; less than [`Region::DISTANCES`].
    pub distance: u8,
}

impl Region {
    /// More than every distance of every game and metric.
    pub const DISTANCES: usize = 17;
}
