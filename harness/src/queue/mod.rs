//! A night's queue: jobs, the conditions between them, and which one is next.
//!
//! In: the text of a queue file, how the jobs so far ended. Out: a [`Queue`] of checked jobs, the next [`Step`].
//! Must not: run, read or write anything, or know the options of a command.

mod condition;
mod ending;
mod file;
mod job;
mod next;

pub use ending::{Ending, Entry, JobState};
pub use file::{Draft, KEYS, keys_of};
pub use job::{Job, Key};
pub use next::Step;

/// Every key of a queue file with its meaning, as a file that can be played.
pub const EXAMPLE: &str = include_str!("night.default.toml");

/// The jobs of one file, in its order.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    jobs: Vec<Job>,
}

impl Queue {
    /// The jobs, in file order.
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }
}
