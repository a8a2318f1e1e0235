//! The validated specification of a night.
//!
//! In: a queue, and its jobs as experiments. Out: a [`NightSpec`].

use crate::experiment::experiment::Experiment;
use crate::experiment::options::RunOptions;
use crate::queue::{Job, Queue};

/// A night that can be run.
#[derive(Debug)]
pub struct NightSpec {
    /// The name of its default folder.
    pub name: String,
    /// The text of the queue file.
    pub text: String,
    /// The jobs and their conditions.
    pub queue: Queue,
    /// The same jobs, checked, in the order of the file.
    pub jobs: Vec<PlannedJob>,
}

/// A job whose options have been understood.
#[derive(Debug)]
pub struct PlannedJob {
    /// The job.
    pub job: Job,
    /// What decides its results, as a command line.
    pub arguments: Vec<String>,
    /// What is run.
    pub experiment: Experiment,
    /// How; its folder is that of the night, then the job's name.
    pub options: RunOptions,
}
