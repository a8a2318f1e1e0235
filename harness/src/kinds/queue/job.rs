use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::condition::Condition;

use crate::config::Source;
use crate::match_state::Verdict;
use crate::session::kind::KindInfo;

#[derive(Debug, Clone)]
pub struct Job {
    pub name: String,
    pub command: &'static KindInfo,
    pub spec: Option<String>,
    /// Its keys and their places, those of the queue itself among them.
    pub source: Source,
    pub only_if: Option<(Condition, String)>,
    pub priority: i64,
    pub budget_pairs: Option<u64>,
    pub budget_time: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    Finished,
    /// Its budget was used up; what it did is saved.
    OutOfBudget,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    pub state: JobState,
    pub accepted: Option<Verdict>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub job: String,
    /// Its command line without folder and quietness: what decides its results.
    pub arguments: Vec<String>,
    pub state: JobState,
    pub verdict: Option<String>,
    pub pairs: Option<u64>,
    /// How long it ran, all attempts together but those that were killed, in milliseconds.
    pub time_ms: u64,
    pub message: Option<String>,
    /// The probability that equal players are as far apart as those of its match; none of what is no match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
}

impl Entry {
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
