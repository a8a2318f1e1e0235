//! What a run came to, as one plain value: the command line prints it, a queue decides by it, files are made from it.

use std::path::PathBuf;

use crate::document::invalid::InvalidRun;
use crate::interrupt::Signal;
use crate::session::error::StoppedByFault;
use crate::session::found::Found;

#[derive(Debug)]
pub struct Outcome {
    pub folder: PathBuf,
    pub ending: RunEnding,
    pub findings: Box<dyn Found>,
}

#[derive(Debug)]
pub enum RunEnding {
    Complete,
    Paused,
    Stopped {
        signal: Signal,
        progress: Progress,
    },
    Fault(StoppedByFault),
    /// Faults decided it, and not strength: nothing more is played, and nothing is accepted.
    Invalid(InvalidRun),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub done: u64,
    pub of: u64,
    pub unit: Unit,
}

impl Progress {
    pub(crate) fn new(done: u64, of: u64, unit: Unit) -> Progress {
        Progress { done, of, unit }
    }
}

/// Its name is that of several: `pairs`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Unit {
    #[default]
    Pairs,
    Batches,
    Rows,
    Iterations,
    Searches,
    Jobs,
}
