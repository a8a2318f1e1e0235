//! Futility: quiet moves that cannot lift the evaluation to alpha are dropped.

use crate::config::SearchConfig;

/// The most that a quiet move searched to `depth` (after reduction) can hope for, `None` if not judged.
#[inline]
pub(super) fn ceiling(config: &SearchConfig, depth: i32, eval: i32) -> Option<i32> {
    (config.futility && depth <= config.futility_depth_max)
        .then(|| eval + config.futility_base + config.futility_margin * depth)
}
