//! One job of a queue, whatever the keys of its command mean.

use std::time::Duration;

use super::condition::Condition;

use crate::config::Source;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobCommand {
    Match,
    Tournament,
    Nodes,
    Ablate,
    Odds,
    Tune,
    OpeningsCheck,
}

impl JobCommand {
    pub const ALL: [JobCommand; 7] = [
        JobCommand::Match,
        JobCommand::Tournament,
        JobCommand::Nodes,
        JobCommand::Ablate,
        JobCommand::Odds,
        JobCommand::Tune,
        JobCommand::OpeningsCheck,
    ];

    pub fn name(self) -> &'static str {
        match self {
            JobCommand::Match => "match",
            JobCommand::Tournament => "tournament",
            JobCommand::Nodes => "nodes",
            JobCommand::Ablate => "ablate",
            JobCommand::Odds => "odds",
            JobCommand::Tune => "tune",
            JobCommand::OpeningsCheck => "openings-check",
        }
    }

    pub fn words(self) -> impl Iterator<Item = &'static str> {
        self.name().split('-')
    }

    pub fn from_name(name: &str) -> Option<JobCommand> {
        JobCommand::ALL.into_iter().find(|command| command.name() == name)
    }

    pub fn has_verdict(self) -> bool {
        matches!(self, JobCommand::Match | JobCommand::Tune)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub name: String,
    pub command: JobCommand,
    pub spec: Option<String>,
    /// Its keys and their places, those of the queue itself among them.
    pub source: Source,
    pub only_if: Option<(Condition, String)>,
    pub priority: i64,
    pub budget_pairs: Option<u64>,
    pub budget_time: Option<Duration>,
}
