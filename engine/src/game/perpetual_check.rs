//! The rule of perpetual check: who repeats by nothing but checks is at fault, in games that forbid it
//! ([`Position::PERPETUAL_CHECK_LOSES`]).

use super::path::PathEntry;
use super::position::Position;

/// How a repetition on the path scores for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// Nobody's fault.
    Draw,
    /// The opponent gave perpetual check.
    Win,
    /// The side to move gave perpetual check.
    Loss,
}

/// Judges a cycle, the position repeated last. A side gave perpetual check if all its moves in the cycle did.
pub(super) fn judge<P: Position>(cycle: &[PathEntry]) -> Repetition {
    if !P::PERPETUAL_CHECK_LOSES {
        return Repetition::Draw;
    }
    let checked_always = cycle.iter().rev().step_by(2).all(|entry| entry.in_check);
    let checking_always = cycle.iter().rev().skip(1).step_by(2).all(|entry| entry.in_check);
    match (checked_always, checking_always) {
        (true, false) => Repetition::Win,
        (false, true) => Repetition::Loss,
        _ => Repetition::Draw,
    }
}
