//! An overnight queue: jobs, the conditions between them, and which one is next.

mod condition;
mod ending;
mod file;
mod found;
mod job;
mod next;
pub(crate) mod report;
pub mod run;

use crate::config::did_you_mean;

pub use ending::{Ending, Entry, JobState};
pub use file::{Draft, KEYS};
pub use found::QueueFindings;
pub use job::{Job, JobCommand};
pub use next::Step;

pub const EXAMPLE: &str = include_str!("night.default.toml");

#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    jobs: Vec<Job>,
    /// The jobs to play, whatever their conditions; all by their conditions if there is none.
    only: Vec<usize>,
}

impl Queue {
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    pub fn play_only(&mut self, names: &[String]) -> Result<(), String> {
        for name in names {
            let names = || self.jobs.iter().map(|job| job.name.as_str());
            let job = names().position(|job| job == name);
            self.only
                .push(job.ok_or_else(|| format!("'{name}'{}", did_you_mean(name, names())))?);
        }
        Ok(())
    }

    pub fn plays(&self, job: usize) -> bool {
        self.only.is_empty() || self.only.contains(&job)
    }
}
