//! A fault that ended a game which is not a result.
//!
//! In: nothing. Out: [`PairFault`], plain data. Must not: say what follows from it.

use super::Reason;

/// A fault of a player in a game that does not count: its pair is played again, or was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairFault {
    /// Place of the pair in the schedule, from 0.
    pub pair: u64,
    /// 0 for the game that A began, 1 for the other.
    pub game: u8,
    /// Which of the run's players is at fault.
    pub player: u16,
    /// What it did.
    pub reason: Reason,
}
