//! A night's queue: its jobs one after the other, or several of them beside one another, each an experiment of its own.

mod beside;
mod estimate;
mod job;
mod spec;
mod state;

use std::path::{Path, PathBuf};
use std::time::Duration;

use job::{JobRun, skipped};
use state::State;

use crate::config::Source;
use crate::interrupt::{Interrupt, Signal};
use crate::kinds::inspection::{Inspection, inspect};
use crate::kinds::kind::{AnyKind, Experiment, StoredGames};
use crate::kinds::queue::{Entry, Job, JobState, Queue, Step};
use crate::ledger::RunKind;
use crate::session::error::ExperimentError;
use crate::session::folder;
use crate::session::found::Found;
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::options::RunOptions;
use crate::session::outcome::{Ending, Outcome, Progress, Unit};
use crate::session::stored::{Run, StoredSeats};

pub use estimate::JobForecast;
pub use spec::{PlannedJob, QueueSpec};

impl QueueSpec {
    /// Runs every job that is not over.
    pub fn run(
        &self,
        options: &RunOptions,
        observer: &mut dyn RunObserver,
    ) -> Result<Outcome, ExperimentError> {
        let folder = self.folder(options);
        let interrupt = options.interrupt()?;
        let mut night = QueueRun {
            spec: self,
            folder: &folder,
            state: State::open(&folder, self)?,
            interrupt: &interrupt,
        };
        let stopped = if self.jobs_max.get() > 1 {
            night.run_beside(observer)?
        } else {
            night.run(observer)?
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
            findings: Box::new(findings),
        })
    }

    /// What would run, in which order and for how long; touches nothing.
    pub fn plan(&self, options: &RunOptions) -> Result<(PathBuf, Vec<JobForecast>), ExperimentError> {
        let folder = self.folder(options);
        let state = State::peek(&folder, self)?;
        let forecasts = estimate::plan(self, &state, &folder)?;
        Ok((folder, forecasts))
    }

    /// What the jobs take from outside, in their order; nothing of a job that is over or not to be played. Only with `starts_programs` is a
    /// program started.
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

/// A queue, which no file of a run describes.
pub struct QueueKind;

impl AnyKind for QueueKind {
    fn name(&self) -> &'static str {
        "run"
    }

    fn stored(&self) -> Option<RunKind> {
        Some(RunKind::QueueRun)
    }

    fn parse(&self, _: &Source) -> Result<Experiment, ExperimentError> {
        let message = "a queue is no single run".to_owned();
        Err(ExperimentError::Input(message))
    }

    fn recount(&self, run: &Run, _: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool), ExperimentError> {
        let (folder, text) = (run.folder(), &run.manifest().spec_toml);
        let queue = Queue::parse(text, &folder.display().to_string())?;
        let found = state::recount(folder, queue.jobs())?;
        Ok((Box::new(found), true))
    }

    fn games(&self, _: &Run) -> Result<Option<StoredGames>, ExperimentError> {
        Ok(None)
    }

    fn seats(&self, _: &Run) -> Result<Result<StoredSeats, String>, ExperimentError> {
        Ok(Err("a queue; its jobs have folders of their own".to_owned()))
    }
}

struct QueueRun<'a> {
    spec: &'a QueueSpec,
    folder: &'a Path,
    state: State<'a>,
    interrupt: &'a Interrupt,
}

impl<'a> QueueRun<'a> {
    /// Runs job by job; a signal that ends the night is returned.
    fn run(&mut self, observer: &mut dyn RunObserver) -> Result<Option<Signal>, ExperimentError> {
        let mut endings = self.state.endings();
        loop {
            let over = endings.iter().flatten().count();
            let job = match self.spec.queue.next(&endings, &[]) {
                Step::Wait | Step::End => return Ok(None),
                Step::Skip(job) => {
                    let entry = skipped(&self.spec.jobs[job]);
                    endings[job] = Some(entry.ending());
                    self.keep(job, entry, observer)?;
                    continue;
                }
                Step::Run(job) => job,
            };
            if let Some(signal) = self.interrupt.signal() {
                return Ok(Some(signal));
            }
            let run = self.job_run(job, [over + 1, self.spec.jobs.len()], self.interrupt.for_job());
            let (entry, stopped) = run.run(observer)?;
            endings[job] = Some(entry.ending());
            self.keep(job, entry, observer)?;
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

    fn keep(
        &mut self,
        job: usize,
        entry: Entry,
        observer: &mut dyn RunObserver,
    ) -> Result<(), ExperimentError> {
        self.state.set(job, entry)?;
        Ok(observer.on_event(RunEvent::Found {
            folder: self.folder,
            ledger: self.state.ledger(),
            found: &self.state.findings(),
        })?)
    }
}
