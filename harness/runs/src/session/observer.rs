//! What an experiment tells while it goes on, and who hears it: the only type that experiments share with what shows
//! them and writes their files.

use std::path::Path;
use std::sync::Arc;

use crate::crosstable::Crosstable;
use crate::document::file::FileError;
use crate::event::{Event, Warning};
use crate::ledger::Ledger;
use crate::play::GameListener;
use crate::session::found::Found;
use crate::session::outcome::{Outcome, Unit};

pub trait RunObserver {
    fn on_event(&mut self, event: RunEvent<'_>) -> Result<(), FileError>;

    /// Whoever hears of single games while they are played.
    fn game_listener(&self) -> Option<Arc<dyn GameListener>> {
        None
    }

    /// Whoever hears of the job of this name, which runs beside others in a thread of its own. What is heard of the night as a
    /// whole is told to this one.
    fn for_job(&self, job: &str) -> Box<dyn RunObserver + Send>;
}

#[derive(Debug, Clone, Copy, Default)]
pub struct NoObserver;

impl RunObserver for NoObserver {
    fn on_event(&mut self, _: RunEvent<'_>) -> Result<(), FileError> {
        Ok(())
    }

    fn for_job(&self, _: &str) -> Box<dyn RunObserver + Send> {
        Box::new(NoObserver)
    }
}

/// How a run stands.
#[derive(Debug, Default)]
pub struct Standings {
    /// Parts of the line of progress, the most important first.
    pub parts: Vec<String>,
    /// Lines below it on a terminal.
    pub lines: String,
}

pub enum RunEvent<'a> {
    Warning(Warning<'a>),
    /// Where the run goes, before anything is written there.
    Folder(&'a Path),
    Started {
        line: String,
        folder: &'a Path,
        pairs: u64,
    },
    /// Files that are not those of [`Found`](RunEvent::Found) are to be written, if any are.
    Write(&'a mut dyn FnMut() -> Result<(), FileError>),
    Line(String),
    /// What the matches that follow are called within their run.
    Part(String),
    /// A program that was started once, and the threads that it announced.
    Engine {
        label: &'a str,
        threads: Option<u64>,
    },
    /// The standings of a tournament: when it starts or resumes, and after each pair.
    Standings {
        crosstable: &'a Crosstable,
        is_begin: bool,
    },
    Play {
        event: &'a Event<'a>,
        labels: &'a [String; 2],
        pairs_max: u64,
        workers: usize,
    },
    Done {
        done: u64,
        of: u64,
        unit: Unit,
        /// What is shown of them, given how many are done in a second.
        about: &'a dyn Fn(f64) -> Standings,
    },
    /// Pairs were played, or searches made, a second time by another machine, and came out the same.
    Audited {
        count: u64,
        unit: Unit,
    },
    Over,
    /// What is known now: after each unit of work and at the end. Its files are to be written.
    Found {
        folder: &'a Path,
        /// What they are made from; a study has none.
        ledger: Option<&'a Ledger>,
        found: &'a dyn Found,
    },
    JobStarted {
        name: &'a str,
        number: [usize; 2],
        arguments: &'a [String],
    },
    JobOutcome(&'a Outcome),
    JobEnded {
        error: Option<&'a str>,
    },
}
