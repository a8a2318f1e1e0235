//! A night's queue: its jobs one after the other, each an experiment of its own.
//!
//! In: a [`NightSpec`]. Out: the folders of its jobs, an [`Outcome`]. Must not: let one job's failure end the others, or
//! run what is finished.

mod estimate;
mod spec;
mod state;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::ExperimentError;
use super::experiment::Experiment;
use super::findings::{Found, NightFindings};
use super::folder;
use super::inspection::{Inspection, inspect};
use super::news::{Audience, News};
use super::options::RunOptions;
use super::outcome::{Ending, Findings, Outcome, Progress, Unit};
use crate::interrupt::{Interrupt, Signal};
use crate::queue::{Entry, Job, JobState, Queue, Step};
use state::State;

pub use estimate::JobForecast;
pub use spec::{NightSpec, PlannedJob};

impl NightSpec {
    /// Runs every job that is not over.
    ///
    /// # Errors
    /// The folder cannot be used; a job that fails is an entry.
    pub fn run(&self, options: &RunOptions, audience: &mut dyn Audience) -> Result<Outcome, ExperimentError> {
        let folder = self.folder(options);
        let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
        let mut night = Night {
            spec: self,
            folder: &folder,
            state: State::open(&folder, self)?,
            interrupt: &interrupt,
        };
        let stopped = night.run(audience)?;
        let findings = night.state.findings();
        let is_over = |(_, entry): &&(Job, Option<Entry>)| {
            entry
                .as_ref()
                .is_some_and(|entry| entry.state != JobState::Interrupted)
        };
        let progress = Progress {
            done: findings.jobs.iter().filter(is_over).count() as u64,
            of: self.jobs.len() as u64,
            unit: Unit::Jobs,
        };
        Ok(Outcome {
            ending: match stopped {
                Some(signal) => Ending::Stopped { signal, progress },
                None => Ending::Complete,
            },
            folder,
            findings: Findings::Night(findings),
        })
    }

    /// What would run, in which order and for how long; touches nothing.
    ///
    /// # Errors
    /// The folder cannot be read, or openings not.
    pub fn plan(&self, options: &RunOptions) -> Result<(PathBuf, Vec<JobForecast>), ExperimentError> {
        let folder = self.folder(options);
        let state = State::peek(&folder, self)?;
        let forecasts = estimate::plan(self, &state, &folder)?;
        Ok((folder, forecasts))
    }

    /// What the jobs take from outside, in their order; nothing of a job that is over. Only with `starts_programs` is a
    /// program started.
    ///
    /// # Errors
    /// The folder cannot be read, or a signal came.
    pub fn inspect(
        &self,
        options: &RunOptions,
        starts_programs: bool,
    ) -> Result<Vec<Inspection>, ExperimentError> {
        let endings = State::peek(&self.folder(options), self)?.endings();
        let open = |job: &usize| endings[*job].is_none();
        let jobs: Vec<usize> = (0..self.jobs.len()).filter(open).collect();
        let experiments: Vec<&Experiment> = jobs.iter().map(|&job| &self.jobs[job].experiment).collect();
        let mut inspections = vec![Inspection::default(); self.jobs.len()];
        for (job, inspection) in jobs.into_iter().zip(inspect(&experiments, starts_programs)?) {
            inspections[job] = inspection;
        }
        Ok(inspections)
    }

    fn folder(&self, options: &RunOptions) -> PathBuf {
        let name = folder::plain_name(&self.name);
        options.folder(|| folder::first_usable(&name, |folder| State::is_resumable(folder, self)))
    }
}

/// What the jobs in `folder` came to, of the queue of this text.
pub(super) fn recount(text: &str, folder: &Path) -> Result<NightFindings, ExperimentError> {
    let queue = Queue::parse(text, &folder.display().to_string())?;
    state::recount(folder, queue.jobs())
}

/// A night that is being run.
struct Night<'a> {
    spec: &'a NightSpec,
    folder: &'a Path,
    state: State<'a>,
    interrupt: &'a Interrupt,
}

impl Night<'_> {
    /// Runs job by job; a signal that ends the night is returned.
    fn run(&mut self, audience: &mut dyn Audience) -> Result<Option<Signal>, ExperimentError> {
        let mut endings = self.state.endings();
        loop {
            let over = endings.iter().flatten().count();
            let job = match self.spec.queue.next(&endings) {
                Step::End => return Ok(None),
                Step::Skip(job) => {
                    let entry = entry_of(&self.spec.jobs[job], JobState::Skipped);
                    endings[job] = Some(entry.ending());
                    self.keep(job, entry, audience)?;
                    continue;
                }
                Step::Run(job) => job,
            };
            if let Some(signal) = self.interrupt.signal() {
                return Ok(Some(signal));
            }
            let planned = &self.spec.jobs[job];
            audience.hear(News::JobBegins {
                name: &planned.job.name,
                number: [over + 1, self.spec.jobs.len()],
                arguments: &planned.arguments,
            })?;
            let spent = Duration::from_millis(self.state.entry(job).map_or(0, |entry| entry.time_ms));
            let (entry, stopped) = self.run_job(planned, spent, audience)?;
            audience.hear(News::JobEnds {
                error: entry.message.as_deref(),
            })?;
            endings[job] = Some(entry.ending());
            self.keep(job, entry, audience)?;
            if stopped.is_some() {
                return Ok(stopped);
            }
        }
    }

    fn keep(&mut self, job: usize, entry: Entry, audience: &mut dyn Audience) -> Result<(), ExperimentError> {
        self.state.set(job, entry)?;
        Ok(audience.hear(News::Found {
            folder: self.folder,
            ledger: self.state.ledger(),
            found: Found::Night(&self.state.findings()),
        })?)
    }

    /// Runs one job to its end, its budget or a signal; the signal is returned.
    fn run_job(
        &self,
        planned: &PlannedJob,
        spent: Duration,
        audience: &mut dyn Audience,
    ) -> Result<(Entry, Option<Signal>), ExperimentError> {
        let began = Instant::now();
        let left = planned.job.budget_time.map(|budget| budget.saturating_sub(spent));
        let timer = left
            .map(|left| self.interrupt.out_of_time_after(left))
            .transpose();
        let timer = timer.map_err(ExperimentError::system("start a timer"))?;
        let options = RunOptions {
            out: Some(self.folder.join(&planned.job.name)),
            ..planned.options.clone()
        };
        let run = || planned.experiment.run(&options, audience);
        let result = catch_unwind(AssertUnwindSafe(run));
        drop(timer);
        let mut entry = entry_of(planned, JobState::Finished);
        entry.time_ms = (spent + began.elapsed()).as_millis() as u64;
        let mut stopped = None;
        match result {
            Ok(Ok(outcome)) => {
                audience.hear(News::JobOutcome(&outcome))?;
                stopped = take_in(&outcome, &mut entry);
            }
            Ok(Err(ExperimentError::Stopped(signal))) => stopped = end_by(signal, &mut entry),
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
}

/// Completes `entry` from what its job came to; a signal that ends the night is returned.
fn take_in(outcome: &Outcome, entry: &mut Entry) -> Option<Signal> {
    entry.verdict = outcome.verdict_name().map(str::to_owned);
    entry.pairs = outcome.pairs();
    match &outcome.ending {
        Ending::Complete => None,
        Ending::Paused => {
            entry.state = JobState::OutOfBudget;
            None
        }
        Ending::Stopped { signal, .. } => end_by(*signal, entry),
        Ending::Fault(stopped) => {
            entry.state = JobState::Failed;
            entry.message = Some(stopped.to_string());
            None
        }
        Ending::Invalid(invalid) => {
            entry.state = JobState::Invalid;
            entry.message = Some(format!("invalid: {invalid}; {}", invalid.advice()));
            None
        }
    }
}

fn end_by(signal: Signal, entry: &mut Entry) -> Option<Signal> {
    if signal == Signal::OutOfTime {
        entry.state = JobState::OutOfBudget;
        return None;
    }
    entry.state = JobState::Interrupted;
    Some(signal)
}

fn entry_of(planned: &PlannedJob, state: JobState) -> Entry {
    Entry {
        job: planned.job.name.clone(),
        arguments: planned.arguments.clone(),
        state,
        verdict: None,
        pairs: None,
        time_ms: 0,
        message: None,
    }
}
