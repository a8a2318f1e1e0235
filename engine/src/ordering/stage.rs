//! The stages of a node's moves.
//!
//! In: nothing. Out: [`Stage`]. Must not: generate a move.

/// Where a [`MovePicker`](super::MovePicker) stands; each stage generates or returns one class of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The move of the hash table.
    Hash,
    /// Generates captures.
    Captures,
    /// Captures that lose nothing (all of them without SEE ordering), most valuable first.
    GoodCaptures,
    /// The latest killer.
    FirstKiller,
    /// The killer before.
    SecondKiller,
    /// The move that last cut after the opponent's move.
    CounterMove,
    /// Generates quiet moves.
    Quiets,
    /// Quiet moves by history.
    OrderedQuiets,
    /// Captures put aside because they lose material.
    BadCaptures,
    /// In check: the move of the hash table.
    EvasionHash,
    /// In check: generates evasions.
    Evasions,
    /// Evasions: captures first, then by history.
    OrderedEvasions,
    /// Quiescence: the move of the hash table.
    QuiescenceHash,
    /// Quiescence: generates captures.
    QuiescenceCaptures,
    /// Quiescence: captures, most valuable first.
    OrderedCaptures,
    /// Nothing left.
    Done,
}

impl Stage {
    /// Where the generated moves start.
    #[inline]
    pub(super) fn after_hash(self) -> Stage {
        match self {
            Stage::Hash => Stage::Captures,
            Stage::EvasionHash => Stage::Evasions,
            _ => Stage::QuiescenceCaptures,
        }
    }
}
