//! A night's queue: its jobs one after the other, or several of them beside one another, each an experiment of its own.
//!
//! In: a [`NightSpec`]. Out: the folders of its jobs, an [`Outcome`]. Must not: let one job's failure end the others, or
//! run what is finished.

mod beside;
mod estimate;
mod job;
mod spec;
mod state;

use std::path::{Path, PathBuf};
use std::time::Duration;

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
use job::{JobRun, skipped};
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
        let interrupt = options.interrupt()?;
        let mut night = Night {
            spec: self,
            folder: &folder,
            state: State::open(&folder, self)?,
            interrupt: &interrupt,
        };
        let stopped = if self.jobs_max.get() > 1 {
            night.run_beside(audience)?
        } else {
            night.run(audience)?
        };
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

    /// What the jobs take from outside, in their order; nothing of a job that is over or not to be played. Only with `starts_programs` is a
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
        let open = |job: &usize| endings[*job].is_none() && self.queue.plays(*job);
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

impl<'a> Night<'a> {
    /// Runs job by job; a signal that ends the night is returned.
    fn run(&mut self, audience: &mut dyn Audience) -> Result<Option<Signal>, ExperimentError> {
        let mut endings = self.state.endings();
        loop {
            let over = endings.iter().flatten().count();
            let job = match self.spec.queue.next(&endings, &[]) {
                Step::Wait | Step::End => return Ok(None),
                Step::Skip(job) => {
                    let entry = skipped(&self.spec.jobs[job]);
                    endings[job] = Some(entry.ending());
                    self.keep(job, entry, audience)?;
                    continue;
                }
                Step::Run(job) => job,
            };
            if let Some(signal) = self.interrupt.signal() {
                return Ok(Some(signal));
            }
            let run = self.job_run(job, [over + 1, self.spec.jobs.len()], self.interrupt.for_job());
            let (entry, stopped) = run.run(audience)?;
            endings[job] = Some(entry.ending());
            self.keep(job, entry, audience)?;
            if stopped.is_some() {
                return Ok(stopped);
            }
        }
    }

    /// What there is to run of a job, the one of this number of all.
    fn job_run(&self, job: usize, number: [usize; 2], interrupt: Interrupt) -> JobRun<'a> {
        JobRun {
            planned: &self.spec.jobs[job],
            number,
            spent: Duration::from_millis(self.state.entry(job).map_or(0, |entry| entry.time_ms)),
            folder: self.folder.join(&self.spec.jobs[job].job.name),
            interrupt,
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
}
