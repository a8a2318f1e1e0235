//! Futility: moves that cannot lift the evaluation to alpha are dropped.

use crate::config::SearchConfig;

/// The most that a quiet move searched to `depth` (after reduction) can hope for, `None` if not judged.
#[inline]
pub(super) fn quiet_ceiling(config: &SearchConfig, depth: i32, eval: i32, improving: bool) -> Option<i32> {
    (config.futility && depth <= config.futility_depth_max).then(|| {
        let more = if improving { config.futility_improving } else { 0 };
        eval + config.futility_base + more + config.futility_margin * depth
    })
}

/// The same for a capture that gains `gain` centipawns and has done well or badly before, by its `history`.
#[inline]
pub(super) fn capture_ceiling(
    config: &SearchConfig,
    depth: i32,
    eval: i32,
    history: i32,
    gain: impl FnOnce() -> i32,
) -> Option<i32> {
    let margin = config.futility_capture;
    (config.futility && margin != 0 && depth <= config.futility_depth_max)
        .then(|| eval + gain() + margin * (1 + depth) + margin * history / config.history_limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_hopes_for_what_it_gains_and_for_more_the_deeper_it_is_searched_and_the_better_it_did() {
        let config = SearchConfig::with("futility.capture=100");
        let ceiling = |depth, history| capture_ceiling(&config, depth, -500, history, || 300);
        assert_eq!(ceiling(0, 0), Some(-100));
        assert_eq!(ceiling(2, config.history_limit), Some(200));
        assert_eq!(ceiling(2, -config.history_limit), Some(0));
        assert_eq!(ceiling(config.futility_depth_max + 1, 0), None);
        let off = SearchConfig::with("futility.capture=0");
        assert_eq!(capture_ceiling(&off, 0, -500, 0, || 300), None);
    }
}
