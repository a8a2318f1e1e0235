//! Razoring: an evaluation far below alpha leaves a shallow node to quiescence search.

use crate::config::SearchConfig;

#[inline]
pub(super) fn applies(config: &SearchConfig, depth: i32, eval: i32, alpha: i32) -> bool {
    config.razoring
        && depth <= config.razoring_depth_max
        && eval + config.razoring_base + config.razoring_margin * depth < alpha
}
