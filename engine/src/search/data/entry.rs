//! What the hash table keeps of a position.
//!
//! In: nothing. Out: [`Entry`] and its [`Bound`].

use super::window::Window;
use crate::game::GameMove;

/// The greatest depth that an entry holds.
pub(crate) const DEPTH_MAX: i32 = 127;

/// What an entry's score says about the true score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// There is no score, only a static evaluation.
    None = 0,
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// This is the score.
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

/// What is remembered of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Best move in bits, 0 for none.
    pub(crate) mv: u16,
    /// Score; mates count from this position, not from the root.
    pub(crate) score: i16,
    /// Static evaluation.
    pub(crate) eval: i16,
    /// Depth of the search that gave `score`, at most [`DEPTH_MAX`].
    pub(crate) depth: u8,
    /// What `score` means.
    pub(crate) bound: Bound,
    /// Is the best move known to be the only legal one?
    pub(crate) is_only_reply: bool,
}

impl Entry {
    /// The move remembered, bits 0 for none.
    #[inline]
    pub(crate) fn best<M: GameMove>(entry: Option<Entry>) -> M {
        M::from_bits(entry.map_or(0, |entry| entry.mv))
    }
}
