//! From a `go` to the limits of a search.

use super::Protocol;
use super::command::{Go, small};
use crate::game::Side;
use crate::time::{Limits, TimeLimit};

/// How late a search notices that its `movetime` is over, and its answer arrives: measured on two busy cores, 0.8 ms at the median and
/// 1.4 ms in nine of ten answers.
const LATENESS_MS: u64 = 2;

/// The limits of a `go` for the side to move; the overhead is taken off clocks, which it runs on.
pub(super) fn limits(protocol: Protocol, go: &Go, side: Side, overhead_ms: u64) -> Limits {
    let (remaining_ms, increment_ms) = if side == protocol.black() {
        (go.btime_ms, go.binc_ms)
    } else {
        (go.wtime_ms, go.winc_ms)
    };
    // A GUI that sends one clock has two: one that is missing or unreadable counts as used up.
    let clocks = [go.btime_ms, go.wtime_ms, go.binc_ms, go.winc_ms, go.byoyomi_ms];
    let has_clock = clocks.iter().any(Option::is_some);
    let increment_ms = increment_ms.unwrap_or(0);
    let time = if go.infinite {
        None
    } else if let Some(move_ms) = go.movetime_ms {
        Some(TimeLimit::MoveTime { move_ms })
    } else {
        has_clock.then(|| TimeLimit::Clock {
            remaining_ms: match remaining_ms.unwrap_or(0) {
                ms if protocol.clock_has_increment() => ms,
                ms => ms + increment_ms,
            },
            increment_ms,
            byoyomi_ms: go.byoyomi_ms.unwrap_or(0),
        })
    };
    Limits {
        nodes_max: go.nodes,
        depth_max: go.depth,
        mate_plies_max: go.mate_limit.map(|moves| small(moves).saturating_mul(2)),
        time,
        // Chess GUIs send it only above 0; none left to the next time control is read as sudden death.
        moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
        overhead_ms: match time {
            Some(TimeLimit::MoveTime { .. }) => overhead_ms.min(LATENESS_MS),
            _ => overhead_ms,
        },
        ponder: go.ponder,
    }
}

/// Does the search end by itself?
pub(super) fn has_limit(protocol: Protocol, go: &Go) -> bool {
    let limits = limits(protocol, go, Side::First, 0);
    limits.nodes_max.is_some()
        || limits.depth_max.is_some()
        || limits.mate_plies_max.is_some()
        || limits.time.is_some()
}

/// Must the answer wait for `stop` or `ponderhit`, whatever the search finds?
pub(super) fn waits(protocol: Protocol, go: &Go) -> bool {
    go.infinite || go.ponder || !has_limit(protocol, go)
}

#[cfg(test)]
mod tests {
    use super::super::command::ProtocolCommand;
    use super::*;

    fn read(line: &str) -> Go {
        match ProtocolCommand::parse(line) {
            ProtocolCommand::Go(go) => go,
            other => panic!("not a go: {other:?}"),
        }
    }

    #[test]
    fn no_move_to_the_next_time_control_is_sudden_death() {
        let moves = |line| limits(Protocol::Uci, &read(line), Side::First, 0).moves_to_go;
        assert_eq!(moves("go wtime 1000 movestogo 0"), None);
        assert_eq!(moves("go wtime 1000 movestogo 2"), Some(2));
    }

    #[test]
    fn each_side_gets_its_own_clock_and_one_that_is_not_told_has_run_out() {
        let both = "go btime 1 wtime 2 winc 3";
        // White is the first side in chess, and its clock holds the increment already.
        for (protocol, line, side, [remaining_ms, increment_ms]) in [
            (Protocol::Usi, both, Side::First, [1, 0]),
            (Protocol::Usi, both, Side::Second, [5, 3]),
            (Protocol::Uci, both, Side::First, [2, 3]),
            (Protocol::Uci, both, Side::Second, [1, 0]),
            (Protocol::Uci, "go btime 1000", Side::First, [0, 0]),
        ] {
            let expected = TimeLimit::Clock {
                remaining_ms,
                increment_ms,
                byoyomi_ms: 0,
            };
            assert_eq!(
                limits(protocol, &read(line), side, 0).time,
                Some(expected),
                "{line}"
            );
        }
        assert!(!waits(Protocol::Uci, &read("go btime 1000")));
        assert!(waits(Protocol::Uci, &Go::default()), "a bare go waits for stop");
    }

    #[test]
    fn the_overhead_is_taken_off_clocks_and_a_movetime_is_used() {
        for (line, overhead_ms, expected) in [
            ("go movetime 20", 30, LATENESS_MS),
            ("go movetime 20", 0, 0),
            ("go byoyomi 20", 30, 30),
        ] {
            let limits = limits(Protocol::Usi, &read(line), Side::First, overhead_ms);
            assert_eq!(limits.overhead_ms, expected, "{line}");
        }
    }
}
