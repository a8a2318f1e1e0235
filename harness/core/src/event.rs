//! What happens during a run, for whoever shows it: the only type that runner and report share.

use std::path::Path;

use crate::match_state::MatchState;
use crate::plural::plural;
use crate::record::{PairOutcome, Reason};

#[derive(Debug)]
pub enum Event<'a, C = MatchState> {
    /// Play begins or is resumed, with what was counted before.
    Started {
        count: &'a C,
    },
    Counted {
        count: &'a C,
        pair: &'a PairOutcome,
    },
    Ended {
        count: &'a C,
    },
}

/// Something the user should know about a run that goes on nevertheless.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Warning<'a> {
    /// A and B are the same.
    #[error(
        "a and b play the same in every position, so every pair must end 1-1 and nothing can be learnt; \
         --node-jitter makes their games differ"
    )]
    Mirror,
    /// Two players of a tournament are the same.
    #[error(
        "{} and {} play the same in every position, so nothing can be learnt from their games; --node-jitter makes them differ",
        labels[0], labels[1]
    )]
    MirrorAmong { labels: [&'a str; 2] },
    /// A file among an engine's arguments; it may be its log, or what it plays by.
    #[error(
        "'{}', an argument of {label}, changed since this folder was played last; if {label} plays by it, play anew in another --out",
        path.display()
    )]
    ChangedArgument { label: &'a str, path: &'a Path },
    #[error("{} of the opening file skipped: duplicates of earlier positions", plural(*lines as u64, "line"))]
    RepeatedOpenings { lines: usize },
    #[error(
        "the first opening is number {first}, but the book has {}: starting with number {}", plural(*openings as u64, "opening"), (*first - 1) % *openings as u64 + 1
    )]
    FirstOpening { first: u64, openings: usize },
    #[error("{pairs} pairs but only {}: openings are reused once all have been played", plural(*openings as u64, "opening"))]
    ReusedOpenings { pairs: u64, openings: usize },
    /// Neighbours of the openings are relatives, and are used in a row.
    #[error(
        "neighbouring openings in the file are similar ({neighbours:.1} identical ranks on average, \
         {far_apart:.1} for openings far apart), so --order sequential covers few kinds of openings and tests \
         err more often; use --order random"
    )]
    RelatedOpenings {
        /// Mean ranks of the diagram that neighbours have in common.
        neighbours: f64,
        /// The same of openings far apart.
        far_apart: f64,
    },
    /// A tuning begins at values that are not those of its player; the first of them by name.
    #[error(
        "start values that differ from the player's: {count} ({name} is {start} here, {own} in the player); was \
         the space printed by `tanren params --space` for another game or player?"
    )]
    OtherStarts {
        count: usize,
        name: &'a str,
        start: f64,
        own: f64,
    },
    #[error(
        "{pairs} of {} ({} games) repeat earlier ones move for move and add no information; use more openings or \
         --node-jitter",
        plural(*of, "pair"),
        2 * pairs
    )]
    RepeatedPairs { pairs: u64, of: u64 },
    /// A player lost more games on time than a sound match has.
    #[error("{label} lost {losses} of {games} games on time: the result may not measure strength")]
    TimeLosses { label: &'a str, losses: u64, games: u64 },
    /// A test is not likely to decide anything with the pairs that it has.
    #[error(
        "the test will probably end undecided: it is expected to take {expected} pairs, and within {} it ends with a \
         probability of {:.1} %; give more --pairs, or hypotheses that are farther apart",
        plural(*pairs, "pair"),
        100.0 * probability
    )]
    ShortTest {
        pairs: u64,
        expected: u64,
        probability: f64,
    },
    /// The file of a queue was edited while it runs, and jobs that have begun do not take their new keys.
    #[error("the file of the queue changes jobs that have begun, which counts from the next start: {jobs}")]
    BegunJobs { jobs: &'a str },
    #[error(
        "the changed queue file has an error, so its jobs stay as they were until that is fixed\n\n{message}"
    )]
    WrongQueue { message: &'a str },
    /// External engines were at fault.
    #[error("{label}: {}: {example}{}", reason.name(), played_again(*replayed))]
    Faults {
        label: &'a str,
        /// The reason that its games ended with.
        reason: Reason,
        /// How often the pair was played again.
        replayed: u64,
        /// The first time in words.
        example: &'a str,
    },
    /// An external engine plays by other rules than the referee.
    #[error("{label}: {warning}")]
    OtherRules { label: &'a str, warning: &'a str },
    /// This process was stopped, or the machine slept, while time counted: pairs that were given up and played again.
    #[error(
        "this process was suspended, or the machine slept, during timed games; pairs discarded and replayed: {pairs}"
    )]
    Suspended { pairs: u64 },
    /// Pairs of a machine that is not believed were taken out of the ledger.
    #[error("{why}")]
    Distrust { why: &'a str },
    /// A ledger was damaged, and what is whole was taken over.
    #[error(
        "the ledger was damaged ({why}); {kept} pairs or searches with valid checksums are kept and the rest is \
         replayed; the damaged file is kept as '{}'",
        file.display()
    )]
    RepairedLedger {
        file: &'a Path,
        /// What was wrong with it, in words.
        why: &'a str,
        /// Pairs or searches that were taken over.
        kept: u64,
    },
    /// A program gave no answer where it was to search.
    #[error(
        "{label}: no search of {}, which no ratio counts; first in line {line}: {fault}",
        plural(*failed as u64, "position")
    )]
    FailedSearches {
        label: &'a str,
        failed: usize,
        /// The line of the first of them in its file.
        line: u32,
        fault: &'a str,
    },
}

/// How many pairs with faults were played again, to stand behind them.
fn played_again(pairs: u64) -> String {
    match pairs {
        0 => String::new(),
        pairs => format!(" ({} played again)", plural(pairs, "pair")),
    }
}
