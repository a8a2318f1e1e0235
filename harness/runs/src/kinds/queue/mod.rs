//! An overnight queue: jobs, the conditions between them, and which one is next.

mod condition;
mod file;
pub mod report;
pub mod run;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use condition::Condition;

use crate::config::{Mistakes, Source, did_you_mean};
use crate::document::Document;
use crate::document::gathered::Gathered;
use crate::ledger::{RunSummary, is_being_written};
use crate::match_state::Verdict;
use crate::session::found::Found;
use crate::session::kind::KindInfo;
use crate::session::outcome::{Progress, Unit};
use crate::session::overview::{ExpectedProgress, Overview};

pub use file::KEYS;

/// The kind that its ledger says.
pub const STORED: &str = "queue";

pub const EXAMPLE: &str = include_str!("queue.default.toml");

#[derive(Debug, Clone)]
pub struct QueueJob {
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

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    #[default]
    Finished,
    /// Its budget was used up; what it did is saved.
    OutOfBudget,
    /// It could not be run, or ended with an error.
    #[serde(alias = "failed")]
    Error,
    /// Faults decided it: it ran, and says nothing.
    Invalid,
    /// Its condition did not hold.
    Skipped,
    /// A signal stopped it; what it did is saved.
    Interrupted,
}

impl JobState {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobOutcome {
    pub state: JobState,
    pub accepted: Option<Verdict>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JobEntry {
    pub job: String,
    /// Its command line without folder and quietness: what decides its results.
    pub arguments: Vec<String>,
    pub state: JobState,
    #[serde(flatten)]
    pub overview: Overview,
    /// Of an adaptive tournament that left pairs out: how many were counted, those included. A budget of pairs is of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<u64>,
    /// How long it ran, all attempts together but those that were killed, in milliseconds.
    pub time_ms: u64,
    pub message: Option<String>,
}

impl JobEntry {
    pub fn ending(&self) -> JobOutcome {
        let verdicts = [Verdict::AcceptedH1, Verdict::AcceptedH0];
        let accepted = verdicts
            .into_iter()
            .find(|verdict| self.overview.verdict.as_deref() == Some(verdict.name()));
        JobOutcome {
            state: self.state,
            accepted,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Queue {
    jobs: Vec<QueueJob>,
    /// The jobs to play, whatever their conditions; all by their conditions if there is none.
    only: Vec<usize>,
}

impl Queue {
    pub fn jobs(&self) -> &[QueueJob] {
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

    /// Conditions that ask for the verdict of a job that has none, of `has_test`: they would never hold.
    pub fn unanswerable(&self, has_test: impl Fn(usize) -> bool) -> Mistakes {
        let mut mistakes = Mistakes::default();
        for job in &self.jobs {
            let questions = job.only_if.iter().flat_map(|(only_if, _)| only_if.questions());
            for (asked, _) in questions.filter(|(asked, fact)| fact.needs_verdict() && !has_test(*asked)) {
                let (name, command) = (&self.jobs[asked].name, self.jobs[asked].command.name);
                let remedy = match command {
                    "match" => "give it sprt, such as sprt = \"0,5\", or ask whether it finished",
                    _ => "ask whether it finished",
                };
                let message = format!(
                    "job '{name}' runs {command} without a test, so it never passes or fails: {remedy}"
                );
                mistakes.add(job.source.mistake("only_if", message));
            }
        }
        mistakes
    }

    /// Adds a job that was taken out of the file after it had begun.
    pub(crate) fn keep(&mut self, job: QueueJob) {
        self.jobs.push(job);
    }

    pub fn plays(&self, job: usize) -> bool {
        self.only.is_empty() || self.only.contains(&job)
    }
}

#[derive(Debug, Clone)]
pub struct QueueFindings {
    pub jobs: Vec<FoundJob>,
}

#[derive(Debug, Clone)]
pub struct FoundJob {
    pub job: QueueJob,
    pub entry: Option<JobEntry>,
    pub is_running: bool,
    /// Pairs or searches that are stored of it; nothing if it was never begun.
    pub stored: Option<u64>,
}

impl FoundJob {
    /// Of a queue in this folder.
    pub(crate) fn of(job: &QueueJob, entry: Option<JobEntry>, folder: &Path) -> FoundJob {
        FoundJob {
            is_running: is_being_written(&folder.join(&job.name)),
            stored: RunSummary::of(&folder.join(&job.name))
                .ok()
                .map(|run| run.finished),
            job: job.clone(),
            entry,
        }
    }
}

impl Found for QueueFindings {
    fn kind(&self) -> Option<&'static str> {
        Some(STORED)
    }

    fn document<'a>(&'a self, _: Option<&Gathered>) -> Document<'a> {
        report::document(self)
    }

    fn numbers(&self) -> Overview {
        let is_over = |entry: &JobEntry| entry.state != JobState::Interrupted;
        let over = self
            .jobs
            .iter()
            .filter(|found| found.entry.as_ref().is_some_and(is_over));
        let progress = Progress::new(over.count() as u64, self.jobs.len() as u64, Unit::Jobs);
        Overview {
            games: self
                .jobs
                .iter()
                .filter_map(|found| found.entry.as_ref()?.overview.games)
                .reduce(|sum, games| sum + games),
            progress: Some(ExpectedProgress::of(progress)),
            ..Overview::default()
        }
    }

    /// It is the file of the queue, which is elsewhere.
    fn has_run_file(&self) -> bool {
        false
    }

    fn files(&self) -> &'static [(&'static str, &'static str)] {
        &[("Table", "queue.csv")]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueStep {
    Run(usize),
    Skip(usize),
    /// Nothing can begin before a job that is running ends.
    Wait,
    End,
}

impl Queue {
    /// The next step: of the jobs that are not over and whose conditions are known, one that is to be skipped, or else
    /// the one of highest priority that is not `running`; the first in the file among equals.
    pub fn next(&self, endings: &[Option<JobOutcome>], running: &[usize]) -> QueueStep {
        let is_open = |job: usize| endings[job].is_none() && !running.contains(&job) && self.plays(job);
        let open = || (0..self.jobs.len()).filter(|&job| is_open(job));
        let truth = |job: usize| match &self.jobs[job].only_if {
            Some((condition, _)) if self.only.is_empty() => condition.holds(endings),
            _ => Some(true),
        };
        if let Some(job) = open().find(|&job| truth(job) == Some(false)) {
            return QueueStep::Skip(job);
        }
        let ready = open().filter(|job| truth(*job) == Some(true));
        // `max_by_key` takes the last of equals, so the order is turned round.
        let best = ready.rev().max_by_key(|&job| self.jobs[job].priority);
        let rest = if running.is_empty() {
            QueueStep::End
        } else {
            QueueStep::Wait
        };
        best.map_or(rest, QueueStep::Run)
    }

    pub fn rank(&self, job: usize) -> usize {
        let own = self.jobs[job].priority;
        let priorities: BTreeSet<i64> = self.jobs.iter().map(|job| job.priority).collect();
        priorities.into_iter().filter(|&priority| priority > own).count()
    }

    /// The order of the jobs if each runs and conditions become known only when every job they name is over.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::with_capacity(self.jobs.len());
        while order.len() < self.jobs.len() {
            let is_ready = |job: usize| {
                let questions = self.jobs[job]
                    .only_if
                    .iter()
                    .flat_map(|(only_if, _)| only_if.questions());
                !order.contains(&job)
                    && questions
                        .map(|(asked, _)| asked)
                        .all(|asked| order.contains(&asked))
            };
            let ready = (0..self.jobs.len()).rev().filter(|&job| is_ready(job));
            match ready.max_by_key(|&job| self.jobs[job].priority) {
                Some(job) => order.push(job),
                None => break,
            }
        }
        order.retain(|&job| self.plays(job));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NIGHT: &str = r#"
        [[job]]
        name = "first"
        command = "match"
        [[job]]
        name = "after"
        command = "nodes"
        only_if = "first.passed"
        priority = 9
        [[job]]
        name = "other"
        command = "nodes"
        only_if = "not first.passed"
        [[job]]
        name = "urgent"
        command = "nodes"
        priority = 5
        [[job]]
        name = "last"
        command = "nodes"
    "#;

    fn steps(verdict: Verdict) -> Vec<String> {
        let queue = Queue::parse(NIGHT, "night.toml").unwrap();
        let mut endings = vec![None; queue.jobs().len()];
        let mut steps = Vec::new();
        loop {
            let (job, state) = match queue.next(&endings, &[]) {
                QueueStep::Run(job) => (job, JobState::Finished),
                QueueStep::Skip(job) => (job, JobState::Skipped),
                QueueStep::Wait | QueueStep::End => return steps,
            };
            let name = &queue.jobs()[job].name;
            steps.push(if state == JobState::Skipped {
                format!("({name})")
            } else {
                name.clone()
            });
            let accepted = (name == "first").then_some(verdict);
            endings[job] = Some(JobOutcome { state, accepted });
        }
    }

    #[test]
    fn the_highest_priority_of_those_whose_condition_is_known_runs_first() {
        let accepted = ["urgent", "first", "(other)", "after", "last"];
        assert_eq!(steps(Verdict::AcceptedH1), accepted);
        let rejected = ["urgent", "first", "(after)", "other", "last"];
        assert_eq!(steps(Verdict::AcceptedH0), rejected);
    }

    #[test]
    fn jobs_side_by_side_are_those_whose_conditions_are_known_from_what_is_over() {
        let queue = Queue::parse(NIGHT, "night.toml").unwrap();
        let mut endings = vec![None; queue.jobs().len()];
        let mut running = Vec::new();
        while let QueueStep::Run(job) = queue.next(&endings, &running) {
            running.push(job);
        }
        assert_eq!(running, [3, 0, 4]);
        assert_eq!(queue.next(&endings, &running), QueueStep::Wait);
        let ending = |state, accepted| Some(JobOutcome { state, accepted });
        running.remove(1);
        endings[0] = ending(JobState::Finished, Some(Verdict::AcceptedH1));
        assert_eq!(queue.next(&endings, &running), QueueStep::Skip(2));
        endings[2] = ending(JobState::Skipped, None);
        assert_eq!(queue.next(&endings, &running), QueueStep::Run(1));
    }

    #[test]
    fn ranks_count_the_priorities_above_and_the_plan_has_every_job_after_those_it_asks_about() {
        let queue = Queue::parse(NIGHT, "night.toml").unwrap();
        let ranks: Vec<usize> = (0..queue.jobs().len()).map(|job| queue.rank(job)).collect();
        assert_eq!(ranks, [2, 0, 2, 1, 2]);
        assert_eq!(queue.order(), [3, 0, 1, 2, 4]);
    }
}
