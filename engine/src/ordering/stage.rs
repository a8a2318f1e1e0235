//! The stages of a node's moves.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Hash,
    Captures,
    /// Captures that lose nothing (all of them without SEE ordering), most valuable first.
    GoodCaptures,
    FirstKiller,
    SecondKiller,
    CounterMove,
    Quiets,
    OrderedQuiets,
    BadCaptures,
    EvasionHash,
    /// In check: generates evasions.
    Evasions,
    OrderedEvasions,
    QuiescenceHash,
    QuiescenceCaptures,
    OrderedCaptures,
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
