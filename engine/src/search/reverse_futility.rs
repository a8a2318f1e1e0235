//! Reverse futility: an evaluation far above beta settles a shallow node.

use crate::config::SearchConfig;

/// The score to return when `eval` is so far above `beta` that no search is needed.
///
/// Halfway between both, since neither is a proven score.
#[inline]
pub(super) fn score(config: &SearchConfig, depth: i32, eval: i32, beta: i32, improving: bool) -> Option<i32> {
    let margin = config.reverse_futility_margin * (depth - i32::from(improving));
    let applies = config.reverse_futility && depth <= config.reverse_futility_depth_max;
    (applies && eval - margin >= beta).then(|| beta + (eval - beta) / 2)
}
