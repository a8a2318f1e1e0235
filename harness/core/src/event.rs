//! What happens during a run, for whoever shows it: the only type that runner and report share.

use std::fmt;
use std::path::Path;

use crate::match_state::MatchState;
use crate::record::Reason;

#[derive(Debug)]
pub enum Event<'a> {
    /// Play begins or goes on, with what was counted before.
    Started {
        standing: &'a MatchState,
    },
    Counted {
        standing: &'a MatchState,
    },
    Ended {
        standing: &'a MatchState,
    },
}

/// Something the user should know about a run that goes on nevertheless.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Warning<'a> {
    /// A and B are the same.
    Mirror,
    /// Two players of a tournament are the same.
    MirrorAmong {
        labels: [&'a str; 2],
    },
    RepeatedOpenings {
        lines: usize,
    },
    /// Neighbours of the openings are relatives, and are used in a row.
    RelatedOpenings {
        /// Mean ranks of the diagram that neighbours have in common.
        neighbours: f64,
        /// The same of openings far apart.
        far_apart: f64,
    },
    /// A tuning begins at values that are not those of its player.
    OtherStarts(OtherStarts<'a>),
    RepeatedPairs {
        pairs: u64,
        of: u64,
    },
    /// Players that are other programs were at fault.
    Faults {
        label: &'a str,
        /// The reason that its games ended with.
        reason: Reason,
        count: u64,
        /// How often of these the pair was played again.
        excused: u64,
        /// The first time in words.
        example: &'a str,
    },
    /// This process was stopped, or the machine slept, while time counted.
    Suspended {
        /// Pairs that were given up and played again.
        pairs: u64,
    },
    /// Pairs of a machine that is not believed were taken out of the ledger.
    Distrust {
        why: &'a str,
    },
    /// A ledger was damaged, and what is whole was taken over.
    RepairedLedger {
        file: &'a Path,
        /// What was wrong with it, in words.
        why: &'a str,
        /// Pairs or searches that were taken over.
        kept: u64,
    },
    /// A program gave no answer where it was to search.
    FailedSearches {
        label: &'a str,
        failed: usize,
        /// The line of the first of them in its file.
        line: u32,
        fault: &'a str,
    },
}

/// Numbers of a tuning that begin elsewhere than its player has them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OtherStarts<'a> {
    pub count: usize,
    /// The first of them.
    pub name: &'a str,
    pub start: f64,
    pub own: f64,
}

impl fmt::Display for OtherStarts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OtherStarts {
            count,
            name,
            start,
            own,
        } = self;
        write!(
            f,
            "numbers that begin elsewhere than the player has them: {count} ({name} at {start}, the player has {own}); so does a space that \
             `tanren params --space` printed for another game or player"
        )
    }
}

impl fmt::Display for Warning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Mirror => f.write_str(
                "a and b play the same in every position, so every pair must end 1-1 and nothing can be learnt; \
                 --node-jitter makes their games differ",
            ),
            Warning::MirrorAmong { labels: [one, two] } => write!(
                f,
                "{one} and {two} play the same in every position, so nothing can be learnt from their games; \
                 --node-jitter makes them differ"
            ),
            Warning::RepeatedOpenings { lines } => {
                write!(f, "{lines} lines of the opening file repeat earlier positions and are left out")
            }
            Warning::RelatedOpenings {
                neighbours,
                far_apart,
            } => write!(
                f,
                "neighbours of the openings are relatives ({neighbours:.1} ranks alike, {far_apart:.1} of openings far apart), and \
                 --order sequential plays them in a row: a match sees few families, and tests err more often than they say; \
                 use --order random"
            ),
            Warning::OtherStarts(start) => start.fmt(f),
            Warning::Distrust { why } => f.write_str(why),
            Warning::RepairedLedger { file, why, kept } => write!(
                f,
                "the ledger was damaged ({why}); the {kept} pairs or searches in it that are proved by their checksums are \
                 kept, everything else is played again, and the damaged file is '{}'",
                file.display()
            ),
            Warning::RepeatedPairs { pairs, of } => write!(
                f,
                "{pairs} of {of} pairs ({} games) repeat earlier ones move for move: they carry no information, so \
                 every interval and LLR here is too confident; use more openings or --node-jitter",
                2 * pairs
            ),
            Warning::Suspended { pairs } => write!(
                f,
                "this process was stopped, or the machine slept, while clocks ran: pairs given up and played again: {pairs}"
            ),
            Warning::FailedSearches {
                label,
                failed,
                line,
                fault,
            } => {
                let positions = if *failed == 1 { "position" } else { "positions" };
                write!(
                    f,
                    "{label}: no search of {failed} {positions}, which no ratio counts; first in line {line}: {fault}"
                )
            }
            Warning::Faults {
                label,
                reason,
                count,
                excused,
                example,
            } => write!(
                f,
                "{label}: {} {}: {example}{}",
                reason.name(),
                how_often(*count),
                played_again(*excused)
            ),
        }
    }
}

/// How often something was, before its first example.
fn how_often(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        _ => format!("{count} times, first"),
    }
}

/// How many pairs with faults were played again, to stand behind them.
fn played_again(pairs: u64) -> String {
    match pairs {
        0 => String::new(),
        1 => " (1 pair played again)".to_owned(),
        _ => format!(" ({pairs} pairs played again)"),
    }
}
