//! What the hash table keeps of a position.

use super::window::Window;
use crate::game::GameMove;

pub(crate) const DEPTH_MAX: i32 = 127;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    None = 0,
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

impl Bound {
    /// What `score`, found by a search with `window`, says.
    #[inline]
    pub(crate) fn of(score: i32, window: Window) -> Self {
        if score >= window.beta {
            Bound::Lower
        } else if score > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) mv: u16,
    /// Score; mates count from this position, not from the root.
    pub(crate) score: i16,
    pub(crate) eval: i16,
    /// Depth of the search that gave `score`, at most [`DEPTH_MAX`].
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    pub(crate) is_only_reply: bool,
}

impl Entry {
    #[inline]
    pub(crate) fn best<M: GameMove>(entry: Option<Entry>) -> M {
        M::from_bits(entry.map_or(0, |entry| entry.mv))
    }
}
