//! The folder of a night: what is known of each job, kept through every end of the process.
//!
//! In: entries. Out: `queue.json`, the truth, and `night.csv`, made from it. Must not: run a job.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::super::error::CliError;
use super::line::Line;
use crate::ledger::{FolderLock, LockError};
use crate::queue::{Ending, Entry, JobState};
use crate::report::{NightRow, night_csv, write_atomically};

/// In the folder of every queue.
pub(in crate::cli) const STATE_FILE: &str = "queue.json";

/// What is known of the jobs of a queue, by their index.
pub(super) struct Night<'a> {
    folder: PathBuf,
    lines: &'a [Line<'a>],
    entries: Vec<Option<Entry>>,
    _lock: Option<FolderLock>,
}

impl<'a> Night<'a> {
    /// What is known without touching anything.
    pub(super) fn peek(folder: &Path, lines: &'a [Line<'a>]) -> Result<Night<'a>, CliError> {
        let stored = read(&folder.join(STATE_FILE))?;
        let entry = |line: &Line<'_>| {
            let mut found = stored.iter().filter(|entry| entry.job == line.job.name);
            found.find(|entry| entry.arguments == line.arguments).cloned()
        };
        Ok(Night {
            folder: folder.to_owned(),
            lines,
            entries: lines.iter().map(entry).collect(),
            _lock: None,
        })
    }

    /// Opens the folder for this process alone, or makes it.
    pub(super) fn open(folder: &Path, lines: &'a [Line<'a>]) -> Result<Night<'a>, CliError> {
        let lock = FolderLock::acquire(folder, FolderLock::QUEUE).map_err(|error| match error {
            LockError::InUse => CliError::Input(format!(
                "'{}' is in use by another process; wait for it, or give another --out",
                folder.display()
            )),
            LockError::Refused(source) => CliError::Unwritable {
                path: folder.to_owned(),
                source,
            },
        })?;
        let mut night = Night::peek(folder, lines)?;
        night._lock = Some(lock);
        Ok(night)
    }

    /// Is there a night of these jobs?
    pub(super) fn is_resumable(folder: &Path, lines: &[Line<'_>]) -> bool {
        let is_known = |entry: &Entry| {
            let same = |line: &Line<'_>| line.job.name == entry.job && line.arguments == entry.arguments;
            lines.iter().any(same)
        };
        let path = folder.join(STATE_FILE);
        path.exists() && read(&path).is_ok_and(|entries| entries.iter().all(is_known))
    }

    pub(super) fn entry(&self, job: usize) -> Option<&Entry> {
        self.entries[job].as_ref()
    }

    /// How the jobs ended that need not run again.
    pub(super) fn endings(&self) -> Vec<Option<Ending>> {
        let over = self.entries.iter().zip(self.lines).map(|(entry, line)| {
            let entry = entry.as_ref()?;
            let is_over = match entry.state {
                JobState::Finished => true,
                JobState::OutOfBudget => is_used_up(entry, line),
                JobState::Failed | JobState::Skipped | JobState::Interrupted => false,
            };
            is_over.then(|| entry.ending())
        });
        over.collect()
    }

    /// Keeps what is known of a job now.
    pub(super) fn set(&mut self, job: usize, entry: Entry) -> Result<(), CliError> {
        self.entries[job] = Some(entry);
        let known: Vec<&Entry> = self.entries.iter().flatten().collect();
        let text = serde_json::to_string_pretty(&known).map_err(CliError::system("describe the jobs"))?;
        write_atomically(&self.folder.join(STATE_FILE), |output| {
            output.write_all(text.as_bytes())
        })?;
        write_atomically(&self.folder.join("night.csv"), |output| {
            output.write_all(&night_csv(&self.rows())?)
        })?;
        Ok(())
    }

    /// Every job with what is known of it.
    pub(super) fn rows(&self) -> Vec<NightRow<'_>> {
        let jobs = self.lines.iter().map(|line| line.job);
        let rows = jobs.zip(&self.entries).map(|(job, entry)| NightRow {
            job,
            entry: entry.as_ref(),
        });
        rows.collect()
    }
}

/// Is there still nothing left of a budget that was used up?
fn is_used_up(entry: &Entry, line: &Line<'_>) -> bool {
    let time = line.job.budget_time;
    let pairs = line.job.budget_pairs;
    time.is_some_and(|budget| u128::from(entry.time_ms) >= budget.as_millis())
        || pairs.is_some_and(|(budget, _)| entry.pairs.is_some_and(|pairs| pairs >= budget))
}

fn read(path: &Path) -> Result<Vec<Entry>, CliError> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(CliError::Input(format!("cannot read '{}': {source}", path.display()))),
        Ok(text) => serde_json::from_str(&text).map_err(|error| {
            let message = format!(
                "'{}' is not what a queue writes: {error}; without it finished jobs are looked at again, but not \
                 played again",
                path.display()
            );
            CliError::Input(message)
        }),
    }
}
