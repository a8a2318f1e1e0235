//! What is known of the jobs of a queue, kept through every end of the process.

use std::path::Path;
use std::sync::Arc;

use super::{PlannedJob, QueueSpec};

use crate::config::Identity;
use crate::kinds::queue::{FoundJob, JobEntry, JobOutcome, JobState, Queue, QueueFindings, QueueJob, STORED};
use crate::ledger::{Holds, Ledger, Manifest};
use crate::session::error::{ExperimentError, Result};
use crate::shard::Shard;

const ENTRIES: &str = "jobs";

pub(crate) struct JobStates {
    pub(super) entries: Vec<Option<JobEntry>>,
    /// Of jobs without an entry: the keys that changed since a job of that name was run.
    pub(super) changes: Vec<Option<String>>,
    pub(super) ledger: Option<Ledger>,
}

impl JobStates {
    /// What is known without touching anything.
    pub(crate) fn peek(folder: &Path, spec: &QueueSpec) -> Result<JobStates> {
        let stored = stored(folder)?;
        let entry = |job: &Arc<PlannedJob>| {
            let mut found = stored.iter().filter(|entry| entry.job == job.job.name);
            found.find(|entry| entry.arguments == job.arguments).cloned()
        };
        let changes = |job: &Arc<PlannedJob>| {
            let mut named = stored.iter().filter(|entry| entry.job == job.job.name).peekable();
            let first = named
                .peek()
                .map(|entry| changes(&entry.arguments, &job.arguments))?;
            named
                .all(|entry| entry.arguments != job.arguments)
                .then_some(first)
        };
        Ok(JobStates {
            entries: spec.jobs.iter().map(entry).collect(),
            changes: spec.jobs.iter().map(changes).collect(),
            ledger: None,
        })
    }

    /// Opens the folder for this process alone, or makes it.
    pub(crate) fn open(folder: &Path, spec: &QueueSpec) -> Result<JobStates> {
        let ledger = Ledger::open_or_create_with(folder, &manifest(spec), Holds::Among)?;
        let mut state = JobStates::peek(folder, spec)?;
        state.ledger = Some(ledger);
        Ok(state)
    }

    /// Goes on with the jobs that the queue has now.
    pub(crate) fn go_on_with(&mut self, folder: &Path, spec: &QueueSpec) -> Result<()> {
        let mut ledger = self.ledger.take();
        if let Some(ledger) = &mut ledger {
            ledger.describe_as(&manifest(spec))?;
        }
        *self = JobStates {
            ledger,
            ..JobStates::peek(folder, spec)?
        };
        Ok(())
    }

    /// Is it of a queue that has a job in common with this one?
    pub(crate) fn is_resumable(folder: &Path, spec: &QueueSpec) -> bool {
        let is_known = |job: &QueueJob| {
            let mut own = spec.queue.jobs().iter();
            own.any(|own| own.source.table == job.source.table)
        };
        let shares_a_job = || {
            let text = Ledger::open_existing(folder).and_then(|ledger| Ok(ledger.manifest()?.spec_toml));
            let queue = Queue::parse(&text.ok()?, "").ok()?;
            queue.jobs().iter().any(is_known).then_some(())
        };
        Ledger::is_resumable(folder, &identity(), Shard::WHOLE) && shares_a_job().is_some()
    }

    /// How the jobs ended that need not run again.
    pub(crate) fn endings(&self, spec: &QueueSpec) -> Vec<Option<JobOutcome>> {
        let over = self.entries.iter().zip(&spec.jobs).map(|(entry, job)| {
            let entry = entry.as_ref()?;
            let is_over = match entry.state {
                JobState::Finished => true,
                JobState::OutOfBudget => is_used_up(entry, &job.job),
                JobState::Error | JobState::Invalid | JobState::Skipped | JobState::Interrupted => false,
            };
            is_over.then(|| entry.ending())
        });
        over.collect()
    }

    pub(crate) fn set(&mut self, job: usize, entry: JobEntry) -> Result<()> {
        self.entries[job] = Some(entry);
        let known: Vec<&JobEntry> = self.entries.iter().flatten().collect();
        let text = serde_json::to_string(&known).map_err(ExperimentError::system("describe the jobs"))?;
        let keep = |ledger: &mut Ledger| ledger.keep(ENTRIES, &text);
        Ok(self.ledger.as_mut().map_or(Ok(()), keep)?)
    }

    pub(crate) fn findings(&self, folder: &Path, spec: &QueueSpec) -> QueueFindings {
        let jobs = spec.queue.jobs().iter().zip(&self.entries);
        QueueFindings {
            jobs: jobs
                .map(|(job, entry)| FoundJob::of(job, entry.clone(), folder))
                .collect(),
        }
    }
}

pub(crate) fn recount(folder: &Path, jobs: &[QueueJob]) -> Result<QueueFindings> {
    let stored = stored(folder)?;
    let entry = |job: &QueueJob| stored.iter().find(|entry| entry.job == job.name).cloned();
    Ok(QueueFindings {
        jobs: jobs
            .iter()
            .map(|job| FoundJob::of(job, entry(job), folder))
            .collect(),
    })
}

/// `nodes=50 (now nodes=60)`
fn changes(old: &[String], new: &[String]) -> String {
    let only = |these: &[String], others: &[String]| {
        let own = these.iter().filter(|word| !others.contains(word));
        let own: Vec<&str> = own.map(|word| word.trim_start_matches('-')).collect();
        if own.is_empty() {
            "without".to_owned()
        } else {
            own.join(", ")
        }
    };
    format!("{} (now {})", only(old, new), only(new, old))
}

fn manifest(spec: &QueueSpec) -> Manifest {
    Manifest {
        kind: STORED.to_owned(),
        identity: identity(),
        spec_toml: spec.text.clone(),
        labels: spec.queue.jobs().iter().map(|job| job.name.clone()).collect(),
        ..Manifest::default()
    }
}

/// A queue is known by its jobs alone: they may change from one command to the next.
fn identity() -> Identity {
    let mut identity = Identity::default();
    identity.push("study", STORED);
    identity
}

/// Is there still nothing left of a budget that was used up?
fn is_used_up(entry: &JobEntry, job: &QueueJob) -> bool {
    let (time, counted) = (job.budget_time, entry.counted.or(entry.overview.pairs));
    time.is_some_and(|budget| u128::from(entry.time_ms) >= budget.as_millis())
        || (job.budget_pairs).is_some_and(|budget| counted.is_some_and(|pairs| pairs >= budget))
}

fn stored(folder: &Path) -> Result<Vec<JobEntry>> {
    if !Ledger::exists(folder) {
        return Ok(Vec::new());
    }
    let Some(text) = Ledger::open_existing(folder)?.kept(ENTRIES)? else {
        return Ok(Vec::new());
    };
    serde_json::from_str(&text).map_err(|error| {
        let message = format!(
            "the job list in '{}' cannot be read: {error}; delete its ledger.sqlite and run again: finished \
             jobs are rechecked, not replayed",
            folder.display()
        );
        ExperimentError::Input(message)
    })
}
