//! Info lines and scores.
//!
//! In: reports. Out: lines. Must not: write them.

use std::fmt::Write;

use super::chances::Chances;
use super::dialect::Dialect;
use crate::game::GameMove;
use crate::search::{Iteration, MATE, MATE_IN_MAX, Report};

/// `cp 12`, or `mate` and how far it is, in plies (USI) or in moves (UCI), negative when losing.
pub(super) fn score(dialect: Dialect, score: i32) -> String {
    let distance = |plies: i32| match dialect {
        Dialect::Usi => plies,
        Dialect::Uci => (plies + 1) / 2,
    };
    if score >= MATE_IN_MAX {
        format!("mate {}", distance(MATE - score))
    } else if score <= -MATE_IN_MAX {
        match (dialect, distance(MATE + score)) {
            (Dialect::Uci, 0) => "mate 0".to_owned(),
            (_, distance) => format!("mate -{distance}"),
        }
    } else {
        format!("cp {score}")
    }
}

/// The score, and what it is worth where somebody asked, who is told how many pieces there are.
fn valued(dialect: Dialect, value: i32, pieces: Option<usize>) -> String {
    let told = score(dialect, value);
    match pieces {
        Some(pieces) => format!("{told} {}", Chances::of(value, pieces)),
        None => told,
    }
}

/// The `info` line of an iteration, which names its rank if there are more `lines`, and chances if `pieces` are counted.
pub(super) fn info<M: GameMove>(
    dialect: Dialect,
    iteration: &Iteration<'_, M>,
    lines: usize,
    pieces: Option<usize>,
    time_ms: u64,
) -> String {
    let nps = iteration.nodes * 1000 / time_ms.max(1);
    let mut line = format!("info depth {} seldepth {}", iteration.depth, iteration.seldepth);
    if lines > 1 {
        let _ = write!(line, " multipv {}", iteration.rank);
    }
    let _ = write!(
        line,
        " score {} nodes {} nps {nps} hashfull {} time {time_ms}",
        valued(dialect, iteration.score, pieces),
        iteration.nodes,
        iteration.hash_permille,
    );
    if !iteration.pv.is_empty() {
        line.push_str(" pv");
        for mv in iteration.pv {
            let _ = write!(line, " {mv}");
        }
    }
    line
}

/// The last `info` line of a search: what it came to in all.
pub(super) fn total<M>(dialect: Dialect, report: &Report<M>, pieces: Option<usize>, time_ms: u64) -> String {
    format!(
        "info depth {} score {} nodes {} time {time_ms}",
        report.depth,
        valued(dialect, report.score, pieces),
        report.nodes
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_plies_in_shogi_and_moves_in_chess_and_losing_ones_are_negative() {
        let both = |value| [Dialect::Usi, Dialect::Uci].map(|dialect| score(dialect, value));
        assert_eq!(both(120), ["cp 120", "cp 120"]);
        assert_eq!(both(MATE - 5), ["mate 5", "mate 3"]);
        assert_eq!(both(MATE - 1), ["mate 1", "mate 1"]);
        assert_eq!(both(-MATE + 4), ["mate -4", "mate -2"]);
        assert_eq!(both(-MATE), ["mate -0", "mate 0"]);
    }
}
