//! Delta pruning: captures that cannot lift the evaluation to alpha are dropped in quiescence search.

use crate::config::SearchConfig;

/// The most that a capture gaining `gain` can hope for in quiescence search, `None` if not judged.
#[inline]
pub(super) fn ceiling(config: &SearchConfig, eval: i32, gain: i32) -> Option<i32> {
    config
        .delta_pruning
        .then_some(eval + gain + config.delta_pruning_margin)
}
