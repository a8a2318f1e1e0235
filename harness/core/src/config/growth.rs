//! How a tournament grew.

/// Players that were added to a tournament: before the pair of this number only so many took part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    pub players: u16,
    pub pair: u64,
}
