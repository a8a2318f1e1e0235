//! How long an engine is waited for: no line that it says puts the end off.

use std::time::Duration;

use super::clock_times::ClockTimes;
use crate::config::{MoveLimit, Timeouts};
use crate::record::Reason;

/// How long the answer to a `go` is waited for, and what it means if it does not come: under node and depth limits the
/// engine is stuck, by a time or a clock it has lost on time, `margin_ms` past what it had.
pub(super) fn of_move(
    limit: MoveLimit,
    times: &ClockTimes,
    margin_ms: u64,
    timeouts: Timeouts,
) -> (Duration, Reason) {
    let time_ms = match limit {
        MoveLimit::Nodes(_) | MoveLimit::Depth(_) => return (timeouts.stall(), Reason::Stall),
        MoveLimit::MoveTimeMs(time_ms) => time_ms,
        MoveLimit::Clock(_) => times.allowed_ms(),
    };
    (Duration::from_millis(time_ms + margin_ms), Reason::TimeLoss)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_its_margin_and_nodes_a_timeout() {
        let timeouts = Timeouts::default();
        let of = |limit| of_move(limit, &ClockTimes::default(), 100, timeouts);
        assert_eq!(
            of(MoveLimit::MoveTimeMs(50)),
            (Duration::from_millis(150), Reason::TimeLoss)
        );
        assert_eq!(of(MoveLimit::Nodes(1)), (timeouts.stall(), Reason::Stall));
        assert_eq!(of(MoveLimit::Depth(1)), (timeouts.stall(), Reason::Stall));
    }
}
