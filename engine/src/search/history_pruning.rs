//! History pruning: quiet moves that did badly before are dropped.

use crate::config::SearchConfig;

/// In a node of `depth` a quiet move whose history is below this is dropped. One that was below it when the moves were ordered ends the
/// generated quiet moves.
#[inline]
pub(super) fn floor(config: &SearchConfig, depth: i32) -> i32 {
    if depth <= config.history_pruning_depth_max {
        -config.history_pruning_margin * depth
    } else {
        i32::MIN
    }
}
