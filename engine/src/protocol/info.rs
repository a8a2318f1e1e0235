//! Info lines and scores.

use std::fmt::Write;

use super::Protocol;
use super::wdl::Wdl;
use crate::dfpn::{Solution, Verdict};
use crate::game::GameMove;
use crate::search::{Iteration, MATE, MATE_IN_MAX, Report};

/// `cp 12`, or `mate` and how far it is, in plies (USI) or in moves (UCI), negative when losing.
pub(super) fn score(protocol: Protocol, score: i32) -> String {
    let distance = |plies: i32| match protocol {
        Protocol::Usi => plies,
        Protocol::Uci => (plies + 1) / 2,
    };
    if score >= MATE_IN_MAX {
        format!("mate {}", distance(MATE - score))
    } else if score <= -MATE_IN_MAX {
        match (protocol, distance(MATE + score)) {
            (Protocol::Uci, 0) => "mate 0".to_owned(),
            (_, distance) => format!("mate -{distance}"),
        }
    } else {
        format!("cp {score}")
    }
}

/// The score, with `wdl` if the number of pieces is given.
fn score_with_wdl(protocol: Protocol, value: i32, pieces: Option<usize>) -> String {
    let told = score(protocol, value);
    match pieces {
        Some(pieces) => format!("{told} {}", Wdl::of(value, pieces)),
        None => told,
    }
}

/// The `info` line of an iteration, with `multipv` if there are more `lines`, and `wdl` if `pieces` are counted.
pub(super) fn info<M: GameMove>(
    protocol: Protocol,
    iteration: &Iteration<'_, M>,
    lines: usize,
    pieces: Option<usize>,
    tablebase_hits: Option<u64>,
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
        score_with_wdl(protocol, iteration.score, pieces),
        iteration.nodes,
        iteration.hash_permille,
    );
    if let Some(hits) = tablebase_hits {
        let _ = write!(line, " tbhits {hits}");
    }
    push_pv(&mut line, iteration.pv);
    line
}

fn push_pv<M: GameMove>(line: &mut String, pv: &[M]) {
    if !pv.is_empty() {
        line.push_str(" pv");
    }
    for mv in pv {
        let _ = write!(line, " {mv}");
    }
}

/// The last `info` line of a search. Of several `lines` each has been told with its score and moves, if an iteration was finished.
pub(super) fn total<M: GameMove>(
    protocol: Protocol,
    report: &Report<M>,
    lines: usize,
    pieces: Option<usize>,
    time_ms: u64,
) -> String {
    let (depth, nodes) = (report.depth, report.nodes);
    if lines > 1 && depth > 0 {
        return format!("info depth {depth} nodes {nodes} time {time_ms}");
    }
    let score = score_with_wdl(protocol, report.score, pieces);
    let mut line = format!("info depth {depth} score {score} nodes {nodes} time {time_ms}");
    push_pv(&mut line, &report.pv);
    line
}

/// The `info` and `checkmate` lines of a search for a mate.
pub(super) fn mate<M: GameMove>(solution: &Solution<M>, time_ms: u64) -> [String; 2] {
    let nodes = solution.nodes;
    let mut info = format!(
        "info nodes {nodes} nps {} time {time_ms}",
        nodes * 1000 / time_ms.max(1)
    );
    let answer = match &solution.verdict {
        Verdict::Mate(line) => {
            let _ = write!(info, " score mate {} pv", line.len());
            line.iter().map(|mv| format!(" {mv}")).collect()
        }
        Verdict::NoMate => " nomate".to_owned(),
        Verdict::Unknown => " timeout".to_owned(),
    };
    if matches!(solution.verdict, Verdict::Mate(_)) {
        info.push_str(&answer);
    }
    [info, format!("checkmate{answer}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_plies_in_shogi_and_moves_in_chess_and_losing_ones_are_negative() {
        let both = |value| [Protocol::Usi, Protocol::Uci].map(|protocol| score(protocol, value));
        assert_eq!(both(120), ["cp 120", "cp 120"]);
        assert_eq!(both(MATE - 5), ["mate 5", "mate 3"]);
        assert_eq!(both(MATE - 1), ["mate 1", "mate 1"]);
        assert_eq!(both(-MATE + 4), ["mate -4", "mate -2"]);
        assert_eq!(both(-MATE), ["mate -0", "mate 0"]);
    }
}
