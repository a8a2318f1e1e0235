//! One job of a queue.
//!
//! In: nothing. Out: plain data. Must not: know what a command's keys mean.

use std::time::Duration;

use super::condition::Condition;
use crate::config::Place;

/// What a job runs: a command of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobCommand {
    /// `tanren match`.
    Match,
    /// `tanren tournament`.
    Tournament,
    /// `tanren nodes`.
    Nodes,
    /// `tanren ablate`.
    Ablate,
    /// `tanren odds`.
    Odds,
    /// `tanren tune`.
    Tune,
    /// `tanren openings check`.
    OpeningsCheck,
}

impl JobCommand {
    /// All commands that a queue runs.
    pub const ALL: [JobCommand; 7] = [
        JobCommand::Match,
        JobCommand::Tournament,
        JobCommand::Nodes,
        JobCommand::Ablate,
        JobCommand::Odds,
        JobCommand::Tune,
        JobCommand::OpeningsCheck,
    ];

    /// The name in queue files.
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

    /// The command of this name.
    pub fn from_name(name: &str) -> Option<JobCommand> {
        JobCommand::ALL.into_iter().find(|command| command.name() == name)
    }

    /// Can it accept or reject something?
    pub fn has_verdict(self) -> bool {
        matches!(self, JobCommand::Match | JobCommand::Tune)
    }
}

/// One option of a job's command.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The option's name with `_` for `-`.
    pub name: String,
    /// Its value; an array stands for an option that is given several times.
    pub value: toml::Value,
    /// Where it stands.
    pub place: Place,
    /// Where the elements of its value stand, if that is an array.
    pub elements: Vec<Place>,
}

/// One job of a queue.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Its name, and the name of its folder.
    pub name: String,
    /// What it runs.
    pub command: JobCommand,
    /// A file with more of the command's keys.
    pub spec: Option<(String, Place)>,
    /// The command's keys.
    pub keys: Vec<Key>,
    /// When it runs at all, with the text that said so.
    pub only_if: Option<(Condition, String)>,
    /// Higher runs first.
    pub priority: i64,
    /// It stops after so many pairs.
    pub budget_pairs: Option<(u64, Place)>,
    /// It stops after so long.
    pub budget_time: Option<Duration>,
    /// Where it stands.
    pub place: Place,
}
