//! USI texts: options, info lines, scores.
//!
//! In: settings and reports. Out: lines. Must not: write them.

use std::fmt::Write;

use crate::config::{Kind, Setting};
use crate::game::GameMove;
use crate::search::{Iteration, MATE, MATE_IN_MAX, Report};

/// The `option` line of a setting.
pub(super) fn option(setting: &Setting) -> String {
    let name = setting.name;
    match setting.kind {
        Kind::Switch { default } => format!("option name {name} type check default {default}"),
        Kind::Choice { default, choices } => {
            let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("option name {name} type combo default {}{vars}", choices[default])
        }
        Kind::Int {
            default, min, max, ..
        } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
    }
}

/// `cp 12`, or `mate` and the number of plies, negative when losing.
pub(super) fn score(score: i32) -> String {
    if score >= MATE_IN_MAX {
        format!("mate {}", MATE - score)
    } else if score <= -MATE_IN_MAX {
        format!("mate -{}", MATE + score)
    } else {
        format!("cp {score}")
    }
}

/// The `info` line of an iteration.
pub(super) fn info<M: GameMove>(iteration: &Iteration<'_, M>, time_ms: u64) -> String {
    let nps = iteration.nodes * 1000 / time_ms.max(1);
    let mut line = format!(
        "info depth {} seldepth {} score {} nodes {} nps {nps} hashfull {} time {time_ms}",
        iteration.depth,
        iteration.seldepth,
        score(iteration.score),
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
pub(super) fn total<M>(report: &Report<M>, time_ms: u64) -> String {
    format!(
        "info depth {} score {} nodes {} time {time_ms}",
        report.depth,
        score(report.score),
        report.nodes
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_plies_and_losing_ones_are_negative() {
        assert_eq!(score(120), "cp 120");
        assert_eq!(score(MATE - 5), "mate 5");
        assert_eq!(score(-MATE + 4), "mate -4");
    }
}
