//! SEE pruning: moves that lose material by static exchange are dropped.

use crate::config::SearchConfig;

/// A move whose static exchange does not reach this (in centipawns) is dropped; `None` if moves are not judged here.
///
/// `quiet_depth` is the depth left after reduction for a quiet move, `None` for a capture.
#[inline]
pub(super) fn exchange_floor(config: &SearchConfig, depth: i32, quiet_depth: Option<i32>) -> Option<i32> {
    (config.see_pruning && depth <= config.see_pruning_depth_max).then(|| match quiet_depth {
        Some(reduced) => -config.see_pruning_quiet * reduced * reduced,
        None => -config.see_pruning_capture * depth,
    })
}

/// How much more (below 0: less) a capture may lose for its history, in centipawns.
pub(super) fn capture_allowance(config: &SearchConfig, history: i32) -> i32 {
    history * config.capture_history_see / config.history_limit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_that_did_well_may_lose_more_and_one_that_did_badly_less() {
        let config = SearchConfig::with("capture_history.see=100");
        assert_eq!(capture_allowance(&config, config.history_limit), 100);
        assert_eq!(capture_allowance(&config, -config.history_limit / 2), -50);
        assert_eq!(capture_allowance(&config, 0), 0);
    }
}
