//! Search techniques and their numbers.
//!
//! In: nothing. Out: [`SearchConfig`]. Must not: hold a number that a technique's file could not explain.

use super::declare::{choice, settings};

choice! {
    /// What a successful null-move search does.
    NullMove {
        /// No null-move search.
        Off = "off",
        /// Return at once.
        Prune = "prune",
        /// Lower the depth of the node.
        Reduce = "reduce",
    }
}

settings! {
    /// Search techniques and their numbers, common to all games.
    SearchConfig {
        fail_soft "fail_soft": switch = true, "return the best value found instead of clamping it to the window";
        null_move "null_move": choice(NullMove) = Reduce, "search a pass first: off, return on success, or reduce on success";
        null_move_depth_min "null_move.depth_min": int = 4 in 1..20 step 1, "least depth of a node that tries a pass";
        null_move_shallower "null_move.shallower": int = 4 in 1..10 step 1, "how much shallower the search after a pass is";
        null_move_reduction "null_move.reduction": int = 3 in 1..10 step 1, "reduction of the node when the pass succeeds (null_move=reduce)";
    }
}

impl SearchConfig {
    /// Alpha-beta with every optional technique switched off.
    pub(super) fn plain() -> Self {
        SearchConfig {
            null_move: NullMove::Off,
            ..SearchConfig::default()
        }
    }
}
