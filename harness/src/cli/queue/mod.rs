//! A night's queue: its jobs one after the other, each like a command of its own.
//!
//! In: a queue file. Out: the folders of its jobs, `night.csv`, a table. Must not: let one job's failure end the others,
//! or run what is finished.

mod estimate;
mod line;
mod night;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::CliError;
use super::folder;
use super::play::PlayOptions;
use crate::interrupt::{Interrupt, Signal};
use crate::queue::{Entry, JobState, Queue, Step};
use crate::report::{describe_night, describe_plan, night_json, note, plan_json, print_data, set_label};
use line::{Added, Line};
use night::Night;
pub(super) use night::STATE_FILE;

/// A queue and where it goes.
pub(super) struct QueueRun<'a> {
    /// The file, for messages.
    pub(super) path: &'a Path,
    /// Its jobs.
    pub(super) queue: &'a Queue,
    /// Where results go, if the user said so.
    pub(super) out: Option<&'a Path>,
    /// What every job is given.
    pub(super) options: &'a PlayOptions,
}

impl QueueRun<'_> {
    /// Runs every job that is not over.
    pub(super) fn run(&self) -> Result<(), CliError> {
        let folder = self.folder()?;
        let lines = self.lines(&folder)?;
        let interrupt = Interrupt::install().map_err(CliError::system("watch for signals"))?;
        folder::set_queue_folder(&folder);
        let mut night = Night::open(&folder, &lines)?;
        let result = self.run_jobs(&mut night, &lines, &folder, &interrupt);
        set_label(None);
        let rows = night.rows();
        if self.options.json {
            print_data(&night_json(&rows).to_string()).map_err(CliError::system("print the result"))?;
        } else if !self.options.quiet {
            let text = format!("\n{}files  {}\n", describe_night(&rows), folder.display());
            print_data(&text).map_err(CliError::system("print the result"))?;
        }
        result?;
        let failed = rows
            .iter()
            .filter(|row| row.entry.is_some_and(|entry| entry.state == JobState::Failed))
            .count();
        match failed {
            0 => Ok(()),
            failed => Err(CliError::JobsFailed {
                failed,
                jobs: rows.len(),
            }),
        }
    }

    /// Says what would run, in which order and for how long, and touches nothing.
    pub(super) fn plan(&self) -> Result<(), CliError> {
        let folder = self.folder()?;
        let lines = self.lines(&folder)?;
        let night = Night::peek(&folder, &lines)?;
        let rows = estimate::plan(self.queue, &lines, &night, &folder)?;
        let text = if self.options.json {
            plan_json(&rows).to_string()
        } else {
            format!(
                "{}results would go to {}\n",
                describe_plan(&rows),
                folder.display()
            )
        };
        print_data(&text).map_err(CliError::system("print the plan"))
    }

    /// `--out`, or the default folder. Lines are made twice because they name the folder.
    fn folder(&self) -> Result<PathBuf, CliError> {
        if let Some(out) = self.out {
            return Ok(out.to_owned());
        }
        let lines = self.lines(Path::new(""))?;
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let name = folder::plain_name(&stem);
        Ok(folder::first_usable(&name, |folder| {
            Night::is_resumable(folder, &lines)
        }))
    }

    fn lines(&self, folder: &Path) -> Result<Vec<Line<'_>>, CliError> {
        let origin = self.path.display().to_string();
        let added = Added {
            folder,
            is_quiet: self.options.quiet || self.options.json,
            pins_cores: self.options.pin_cores,
            concurrency: self.options.concurrency,
        };
        let jobs = self.queue.jobs().iter();
        jobs.map(|job| Line::new(job, &origin, &added)).collect()
    }

    fn run_jobs(
        &self,
        night: &mut Night<'_>,
        lines: &[Line<'_>],
        folder: &Path,
        interrupt: &Interrupt,
    ) -> Result<(), CliError> {
        let mut endings = night.endings();
        loop {
            let over = endings.iter().flatten().count();
            let job = match self.queue.next(&endings) {
                Step::End => return Ok(()),
                Step::Skip(job) => {
                    let entry = entry_of(&lines[job], JobState::Skipped);
                    endings[job] = Some(entry.ending());
                    night.set(job, entry)?;
                    continue;
                }
                Step::Run(job) => job,
            };
            if let Some(signal) = interrupt.signal() {
                return Err(CliError::Stopped(signal));
            }
            let line = &lines[job];
            set_label(None);
            if !self.options.quiet {
                let (number, jobs, words) = (over + 1, lines.len(), line.arguments.join(" "));
                note(&format!(
                    "job {} ({number} of {jobs}): tanren {words}",
                    line.job.name
                ));
            }
            set_label(Some(&line.job.name));
            let spent = Duration::from_millis(night.entry(job).map_or(0, |entry| entry.time_ms));
            let (entry, stopped) = run_job(line, &folder.join(&line.job.name), spent, interrupt)?;
            if let Some(message) = &entry.message {
                note(&format!("error: {message}"));
            }
            endings[job] = Some(entry.ending());
            night.set(job, entry)?;
            if let Some(signal) = stopped {
                return Err(CliError::Stopped(signal));
            }
        }
    }
}

/// Runs one job to its end, its budget or a signal; the signal is returned.
fn run_job(
    line: &Line<'_>,
    folder: &Path,
    spent: Duration,
    interrupt: &Interrupt,
) -> Result<(Entry, Option<Signal>), CliError> {
    let began = Instant::now();
    let left = line.job.budget_time.map(|budget| budget.saturating_sub(spent));
    let timer = left.map(|left| interrupt.out_of_time_after(left)).transpose();
    let timer = timer.map_err(CliError::system("start a timer"))?;
    let result = catch_unwind(AssertUnwindSafe(|| line.command.run()));
    drop(timer);
    let mut entry = entry_of(line, JobState::Finished);
    entry.time_ms = (spent + began.elapsed()).as_millis() as u64;
    (entry.verdict, entry.pairs) = read_summary(folder);
    let mut stopped = None;
    match result {
        Ok(Ok(())) => {
            let is_paused = line
                .job
                .budget_pairs
                .is_some_and(|(budget, _)| entry.pairs == Some(budget));
            if is_paused && entry.ending().accepted.is_none() {
                entry.state = JobState::OutOfBudget;
            }
        }
        Ok(Err(CliError::Stopped(Signal::OutOfTime))) => entry.state = JobState::OutOfBudget,
        Ok(Err(CliError::Stopped(signal))) => {
            entry.state = JobState::Interrupted;
            stopped = Some(signal);
        }
        Ok(Err(error)) => {
            entry.state = JobState::Failed;
            entry.message = Some(error.to_string());
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            entry.state = JobState::Failed;
            entry.message = Some(format!("panicked: {}", text.unwrap_or("without a message")));
        }
    }
    Ok((entry, stopped))
}

fn entry_of(line: &Line<'_>, state: JobState) -> Entry {
    Entry {
        job: line.job.name.clone(),
        arguments: line.arguments.clone(),
        state,
        verdict: None,
        pairs: None,
        time_ms: 0,
        message: None,
    }
}

/// Verdict and number of pairs, if the job left a summary; a tournament has pairs alone.
fn read_summary(folder: &Path) -> (Option<String>, Option<u64>) {
    if let Ok(mut reader) = csv::Reader::from_path(folder.join("pairings.csv")) {
        let header = reader.headers().cloned().unwrap_or_default();
        let pairs = header.iter().position(|column| column == "pairs");
        let pairs = pairs.map(|index| {
            let rows = reader.records().flatten();
            rows.filter_map(|row| row.get(index)?.parse::<u64>().ok()).sum()
        });
        return (None, pairs);
    }
    let Ok(mut reader) = csv::Reader::from_path(folder.join("summary.csv")) else {
        return (None, None);
    };
    let header = reader.headers().cloned().unwrap_or_default();
    let Some(Ok(row)) = reader.records().next() else {
        return (None, None);
    };
    let column = |name: &str| {
        let index = header.iter().position(|column| column == name);
        index.and_then(|index| row.get(index))
    };
    let pairs = column("pairs").and_then(|pairs| pairs.parse().ok());
    (column("verdict").map(str::to_owned), pairs)
}
