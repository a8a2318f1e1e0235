//! How a job ended.

use serde::{Deserialize, Serialize};

use crate::standing::Verdict;

/// How far a job came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// It ran to its end.
    Finished,
    /// Its budget was used up; what it did is saved.
    OutOfBudget,
    /// It ended with an error.
    Failed,
    /// Faults decided it: it ran, and says nothing.
    Invalid,
    /// Its condition did not hold.
    Skipped,
    /// A signal stopped it; what it did is saved.
    Interrupted,
}

impl JobState {
    pub fn name(self) -> &'static str {
        match self {
            JobState::Finished => "finished",
            JobState::OutOfBudget => "out_of_budget",
            JobState::Failed => "failed",
            JobState::Invalid => "invalid",
            JobState::Skipped => "skipped",
            JobState::Interrupted => "interrupted",
        }
    }
}

/// What conditions can ask about a job that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// How far it came.
    pub state: JobState,
    /// What it accepted: H1 or H0.
    pub accepted: Option<Verdict>,
}

/// What is kept about a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub job: String,
    /// Its command line without folder and quietness: what decides its results.
    pub arguments: Vec<String>,
    /// How far it came.
    pub state: JobState,
    /// The verdict of its summary.
    pub verdict: Option<String>,
    /// The pairs of its summary.
    pub pairs: Option<u64>,
    /// How long it ran, all attempts together but those that were killed, in milliseconds.
    pub time_ms: u64,
    /// The error of a failed job.
    pub message: Option<String>,
    /// The probability that equal players are as far apart as those of its match; none of what is no match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
}

impl Entry {
    /// What conditions can ask.
    pub fn ending(&self) -> Ending {
        let verdicts = [Verdict::AcceptedH1, Verdict::AcceptedH0];
        let accepted = verdicts
            .into_iter()
            .find(|verdict| self.verdict.as_deref() == Some(verdict.name()));
        Ending {
            state: self.state,
            accepted,
        }
    }
}
