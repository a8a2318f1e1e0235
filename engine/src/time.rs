//! Time management: what a clock allows becomes a soft and a hard bound.
//!
//! In: [`Limits`]. Out: [`TimeBounds`]. Must not: read a clock.

/// What the clock allows for this move, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// Exactly this long.
    MoveTime {
        /// The time.
        move_ms: u64,
    },
    /// A game clock.
    Clock {
        /// Left on the clock, the coming increment excluded.
        remaining_ms: u64,
        /// Added after each move.
        increment_ms: u64,
        /// Free for each move once `remaining_ms` is used up.
        byoyomi_ms: u64,
    },
}

/// When a search must end; no limit at all means "until told to stop".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Most nodes.
    pub nodes_max: Option<u64>,
    /// Last iteration.
    pub depth_max: Option<u32>,
    /// Time.
    pub time: Option<TimeLimit>,
}

/// When to stop thinking, in milliseconds since the start of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBounds {
    /// Start no new iteration after this.
    pub soft_ms: u64,
    /// Break off after this.
    pub hard_ms: u64,
}
