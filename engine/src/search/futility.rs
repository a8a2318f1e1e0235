//! Pruning by margins: futility, reverse futility, razoring, late moves, delta.
//!
//! In: depth, evaluation, bounds. Out: margins and limits in centipawns and moves. Must not: search.

use crate::config::SearchConfig;

/// Reverse futility: the score to return when `eval` is so far above `beta` that no search is needed.
///
/// Halfway between both, since neither is a proven score.
#[inline]
pub(super) fn reverse(
    config: &SearchConfig,
    depth: i32,
    eval: i32,
    beta: i32,
    improving: bool,
) -> Option<i32> {
    let margin = config.reverse_futility_margin * (depth - i32::from(improving));
    let applies = config.reverse_futility && depth <= config.reverse_futility_depth_max;
    (applies && eval - margin >= beta).then(|| beta + (eval - beta) / 2)
}

/// Razoring: is `eval` so far below `alpha` that quiescence search should decide?
#[inline]
pub(super) fn razors(config: &SearchConfig, depth: i32, eval: i32, alpha: i32) -> bool {
    config.razoring
        && depth <= config.razoring_depth_max
        && eval + config.razoring_base + config.razoring_margin * depth < alpha
}

/// Futility: the most that a quiet move searched to `depth` (after reduction) can hope for, `None` if not judged.
#[inline]
pub(super) fn ceiling(config: &SearchConfig, depth: i32, eval: i32) -> Option<i32> {
    (config.futility && depth <= config.futility_depth_max)
        .then(|| eval + config.futility_base + config.futility_margin * depth)
}

/// Late move pruning: how many moves are tried before the remaining quiet ones are dropped; `None` for all.
#[inline]
pub(super) fn moves_max(config: &SearchConfig, depth: i32, improving: bool) -> Option<i32> {
    (config.lmp && depth <= config.lmp_depth_max).then(|| {
        let full = config.lmp_base + config.lmp_slope * depth * depth / 100;
        if improving { full } else { full / 2 }
    })
}

/// Delta pruning: the most that a capture gaining `gain` can hope for in quiescence search, `None` if not judged.
#[inline]
pub(super) fn capture_ceiling(config: &SearchConfig, eval: i32, gain: i32) -> Option<i32> {
    config
        .delta_pruning
        .then_some(eval + gain + config.delta_pruning_margin)
}
