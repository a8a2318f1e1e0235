//! When the answer is certain or good enough before a limit says so.

use super::{DECISIVE, MATE_IN_MAX};
use crate::config::SearchConfig;
use crate::time::Limits;

/// Does every root move but the best lose by force?
///
/// `second` is the greatest value of the other moves, `None` if not all were searched. Fail-soft makes it an upper bound
/// that can lie far below the best score; fail-hard lifts it to the window, and nothing is ever certain. While the best
/// move loses too, the search continues for the longest resistance.
pub(super) fn is_second_best_lost(config: &SearchConfig, score: i32, second: Option<i32>) -> bool {
    config.second_best_stop && score > -DECISIVE && second.is_some_and(|second| second <= -MATE_IN_MAX)
}

/// Are the root moves but the best, `unsure` of which are not known to be mated, few enough to be asked?
pub(super) fn asks_for_losses(config: &SearchConfig, score: i32, second: Option<i32>, unsure: usize) -> bool {
    config.second_best_stop
        && config.fail_soft
        && score > -DECISIVE
        && second.is_some()
        && (1..=config.second_best_stop_verify.unsigned_abs() as usize).contains(&unsure)
}

/// How many iterations are enough after a ponder hit: as many as the last search without pondering did (`reached`), and
/// some more, since they came for free.
pub(super) fn ponder_depth(config: &SearchConfig, limits: &Limits, reached: Option<u32>) -> Option<u32> {
    let enough = reached? + config.ponder_iterations_more.unsigned_abs();
    (config.ponder_iterations && limits.ponder && limits.time.is_some()).then_some(enough)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MATE;

    #[test]
    fn a_second_best_move_that_is_mated_leaves_no_choice_unless_the_best_is_lost_too() {
        let on = SearchConfig::with("second_best_stop=on");
        assert!(is_second_best_lost(&on, -900, Some(-MATE + 6)));
        assert!(!is_second_best_lost(&on, -900, Some(-2000)));
        assert!(!is_second_best_lost(&on, -900, None));
        assert!(!is_second_best_lost(&on, -MATE + 8, Some(-MATE + 6)));
        let off = SearchConfig::default();
        assert!(!is_second_best_lost(&off, -900, Some(-MATE + 6)));
    }
}
