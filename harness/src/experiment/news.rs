//! What an experiment tells while it goes on, and who hears it: the only type that experiments share with what shows
//! them and writes their files.
//!
//! In: nothing. Out: [`News`], [`Audience`]. Numbers are given as numbers; only the audience formats them.

use std::path::Path;

use super::FileError;
use super::findings::{Found, OddsFindings};
use super::outcome::{Outcome, Unit};
use super::tuning::power::Power;
use super::tuning::spec::TuningSpec;
use crate::event::{Event, Warning};
use crate::ledger::Ledger;
use crate::standing::Standing;
use crate::study::ablate::{AblationRow, Skipped};
use crate::tune::Step;

/// Shows what happens, and writes the files of what is known.
pub trait Audience {
    /// Takes in what happened.
    ///
    /// # Errors
    /// A file that was to be written cannot be.
    fn hear(&mut self, news: News<'_>) -> Result<(), FileError>;

    /// Whoever hears of the job of this name, which runs beside others in a thread of its own. What is heard of the night as a
    /// whole is told to this one.
    fn beside(&self, job: &str) -> Box<dyn Audience + Send>;
}

/// An audience that shows and writes nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Audience for Silent {
    fn hear(&mut self, _: News<'_>) -> Result<(), FileError> {
        Ok(())
    }

    fn beside(&self, _: &str) -> Box<dyn Audience + Send> {
        Box::new(Silent)
    }
}

/// Something happened.
pub enum News<'a> {
    /// Something the user should know; the run goes on.
    Warning(Warning<'a>),
    /// A run begins or goes on.
    Begins(Begins<'a>),
    /// A match is played, on its own or as a part; counts so far.
    Play {
        /// What happened.
        event: &'a Event<'a>,
        /// Pairs until its end or pause.
        pairs_max: u64,
        /// Pairs played at the same time.
        workers: usize,
    },
    /// Units of a run that is no match are done.
    Done {
        /// So many.
        done: u64,
        /// Of so many.
        of: u64,
        /// Pairs, searches, ….
        unit: Unit,
    },
    /// A search of a count of nodes is finished, or is found to be when the count begins.
    Searched {
        /// Who searches.
        players: usize,
        /// What is searched.
        positions: usize,
        /// Last depth in plies.
        depth: u32,
        /// Searches that are done.
        done: usize,
        /// Its folder.
        folder: &'a Path,
    },
    /// An iteration of a tuning was applied.
    Step {
        /// The tuning.
        spec: &'a TuningSpec,
        /// What became of it.
        step: &'a Step,
    },
    /// Pairs were played, or searches made, a second time by another machine, and came out the same.
    Audited {
        /// How many.
        count: u64,
        /// Of what.
        unit: Unit,
    },
    /// What was shown of units of a run can go.
    Over,
    /// What is known now: after each unit of work and at the end. Its files are to be written.
    Found {
        /// Their folder.
        folder: &'a Path,
        /// What they are made from; a study has none.
        ledger: Option<&'a Ledger>,
        /// What is known.
        found: Found<'a>,
    },
    /// A row of an ablation is finished.
    Row {
        /// Its number from 1, and that of all rows.
        number: [usize; 2],
        /// The row.
        row: &'a AblationRow,
        /// Seconds until all are, at the pace so far.
        left_s: Option<f64>,
    },
    /// Pairs of the budget of an ablation were spent on one of its rows.
    Spent {
        /// The row as it stands now.
        row: &'a AblationRow,
        /// Pairs of all rows together, and how many there may be.
        pairs: [u64; 2],
    },
    /// A batch of a study of odds is finished.
    Batch {
        /// Its number from 1, and that of all batches.
        number: [u64; 2],
        /// What is known after it.
        found: &'a OddsFindings,
    },
    /// A job of a night begins.
    JobBegins {
        /// Its name.
        name: &'a str,
        /// Its number from 1, and that of all jobs.
        number: [usize; 2],
        /// Its command line.
        arguments: &'a [String],
    },
    /// A job of a night came to an outcome.
    JobOutcome(&'a Outcome),
    /// A job of a night is over.
    JobEnds {
        /// What went wrong.
        error: Option<&'a str>,
    },
}

/// What begins, where, and how much of it is done.
#[derive(Debug)]
pub enum Begins<'a> {
    /// A match.
    Match {
        /// What A and B are called.
        labels: [&'a str; 2],
        /// The count so far.
        standing: &'a Standing,
        /// Pairs until its end or pause.
        pairs_max: u64,
        /// Its folder.
        folder: &'a Path,
    },
    /// A tournament.
    Tournament {
        /// Players.
        players: usize,
        /// Pairings.
        pairings: usize,
        /// Pairs of each.
        rounds: u64,
        /// Pairs of all that are done.
        done: u64,
        /// Its folder.
        folder: &'a Path,
    },
    /// A tuning.
    Tuning {
        /// What is tuned, and how.
        spec: &'a TuningSpec,
        /// Its folder.
        folder: &'a Path,
    },
    /// What the confirming match of a tuning can show.
    Power(Power),
    /// The widths of a tuning are measured.
    Widths,
    /// The confirming match of a tuning.
    Confirming {
        /// Pairs at most.
        pairs: u64,
    },
    /// A study of odds.
    Odds {
        /// What A and B are called.
        labels: &'a [String; 2],
        /// Batches.
        batches: u64,
        /// Pairs of each.
        pairs: u64,
        /// What B plays by.
        limit: crate::config::MoveLimit,
        /// Its folder.
        folder: &'a Path,
    },
    /// An ablation.
    Ablation {
        /// What the full engine is called.
        label: &'a str,
        /// Changes of it.
        rows: usize,
        /// Pairs of each.
        pairs: u64,
        /// What both play by.
        limit: crate::config::MoveLimit,
        /// Settings without a row.
        skipped: &'a [Skipped],
        /// Its folder.
        folder: &'a Path,
    },
    /// A row of an ablation.
    Row {
        /// Its number from 1, and that of all rows.
        number: [usize; 2],
        /// What is changed.
        assignment: &'a str,
    },
    /// Pairs are added to a row of an ablation.
    MorePairs {
        /// The changed setting.
        assignment: &'a str,
        /// That it will have then.
        pairs: u64,
    },
}
