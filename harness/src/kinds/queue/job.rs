//! One job of a queue, whatever the keys of its command mean.

use std::time::Duration;

use super::condition::Condition;

use crate::config::Source;

/// What a job runs: a command of the program.
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

    /// The words of the command line.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        self.name().split('-')
    }

    pub fn from_name(name: &str) -> Option<JobCommand> {
        JobCommand::ALL.into_iter().find(|command| command.name() == name)
    }

    /// Can it accept or reject something?
    pub fn has_verdict(self) -> bool {
        matches!(self, JobCommand::Match | JobCommand::Tune)
    }
}

/// One job of a queue.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Its name, and the name of its folder.
    pub name: String,
    pub command: JobCommand,
    /// A file with more of the command's keys.
    pub spec: Option<String>,
    /// Its keys and their places, those of the queue itself among them.
    pub source: Source,
    /// When it runs at all, with the text that said so.
    pub only_if: Option<(Condition, String)>,
    /// Higher runs first.
    pub priority: i64,
    /// It stops after so many pairs.
    pub budget_pairs: Option<u64>,
    /// It stops after so long.
    pub budget_time: Option<Duration>,
}
