//! The validated specification of a night.

use std::num::NonZero;

use crate::kinds::kind::Experiment;
use crate::kinds::queue::{Job, Queue};
use crate::session::options::RunOptions;

#[derive(Debug)]
pub struct QueueSpec {
    pub name: String,
    pub text: String,
    pub queue: Queue,
    /// The same jobs, checked, in the order of the file.
    pub jobs: Vec<PlannedJob>,
    /// So many run at the same time at most.
    pub jobs_max: NonZero<usize>,
}

/// A job whose options have been understood.
#[derive(Debug)]
pub struct PlannedJob {
    pub job: Job,
    /// What decides its results, as a command line.
    pub arguments: Vec<String>,
    pub experiment: Experiment,
    /// How; its folder is that of the night, then the job's name.
    pub options: RunOptions,
}

impl PlannedJob {
    /// Do the machines of a fleet play or search for it?
    pub fn is_on_fleet(&self) -> bool {
        #[cfg(feature = "cluster")]
        let is_on_fleet = self.options.fleet.is_some();
        #[cfg(not(feature = "cluster"))]
        let is_on_fleet = false;
        is_on_fleet
    }

    /// Does it want cores of this machine to play or search on?
    pub fn plays_here(&self) -> bool {
        #[cfg(feature = "cluster")]
        if let Some(fleet) = &self.options.fleet {
            return fleet.slots > 0;
        }
        self.experiment.is_stored()
    }
}
