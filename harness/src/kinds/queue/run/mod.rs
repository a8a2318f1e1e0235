//! The jobs of a queue, one after the other or several at the same time, each a run of its own.

mod estimate;
mod state;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use state::State;

use crate::interrupt::{Interrupt, Signal};
use crate::kinds::inspection::{Inspection, inspect};
use crate::kinds::queue::{Entry, Job, JobState, Queue, Step};
use crate::session::error::{ExperimentError, Result};
use crate::session::folder;
use crate::session::found::Found;
use crate::session::kind::Experiment;
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::options::RunOptions;
use crate::session::outcome::{Ending, Outcome, Progress, Unit};
use crate::session::stored::Run;

pub use estimate::JobForecast;

#[derive(Debug)]
pub struct QueueSpec {
    pub name: String,
    pub text: String,
    pub queue: Queue,
    pub jobs: Vec<PlannedJob>,
    pub jobs_max: NonZero<usize>,
}

#[derive(Debug)]
pub struct PlannedJob {
    pub job: Job,
    pub arguments: Vec<String>,
    pub experiment: Experiment,
    pub options: RunOptions,
}

impl PlannedJob {
    pub fn is_on_fleet(&self) -> bool {
        #[cfg(feature = "cluster")]
        let is_on_fleet = self.options.fleet.is_some();
        #[cfg(not(feature = "cluster"))]
        let is_on_fleet = false;
        is_on_fleet
    }

    pub fn plays_here(&self) -> bool {
        #[cfg(feature = "cluster")]
        if let Some(fleet) = &self.options.fleet {
            return fleet.slots > 0;
        }
        self.experiment.needs().suite.is_none()
    }
}

impl QueueSpec {
    pub fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome> {
        let folder = self.folder(options);
        let interrupt = options.interrupt()?;
        let mut run = QueueRun {
            spec: self,
            folder: &folder,
            state: State::open(&folder, self)?,
            interrupt: &interrupt,
        };
        let stopped = run.run(observer)?;
        let findings = run.state.findings();
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

    pub fn plan(&self, options: &RunOptions) -> Result<(PathBuf, Vec<JobForecast>)> {
        let folder = self.folder(options);
        let state = State::peek(&folder, self)?;
        let forecasts = estimate::plan(self, &state, &folder)?;
        Ok((folder, forecasts))
    }

    /// What the jobs take from outside, in their order; nothing of a job that is over or not to be played. Only with `starts_programs` is a
    /// program started.
    pub fn inspect(&self, options: &RunOptions, starts_programs: bool) -> Result<Vec<Inspection>> {
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

pub(crate) fn recount(run: &Run) -> Result<Box<dyn Found>> {
    let (folder, text) = (&run.folder, &run.manifest.spec_toml);
    let queue = Queue::parse(text, &folder.display().to_string())?;
    Ok(Box::new(state::recount(folder, queue.jobs())?))
}

struct QueueRun<'a> {
    spec: &'a QueueSpec,
    folder: &'a Path,
    state: State<'a>,
    interrupt: &'a Interrupt,
}

impl<'a> QueueRun<'a> {
    fn run(&mut self, observer: &mut dyn RunObserver) -> Result<Option<Signal>> {
        thread::scope(|scope| {
            let mut running = Running {
                scope,
                jobs: BTreeMap::new(),
                ended: channel(),
            };
            let stopped = self.run_in(&mut running, observer);
            if stopped.is_err() {
                running.end_all();
            }
            stopped
        })
    }

    fn run_in<'scope>(
        &mut self,
        running: &mut Running<'scope, '_>,
        observer: &mut dyn RunObserver,
    ) -> Result<Option<Signal>>
    where
        'a: 'scope,
    {
        let (jobs_max, of) = (self.spec.jobs_max.get(), self.spec.jobs.len());
        let mut endings = self.state.endings();
        let mut stopped = None;
        loop {
            let begun: Vec<usize> = running.jobs.keys().copied().collect();
            let step = match stopped {
                None => self.spec.queue.next(&endings, &begun),
                Some(_) => Step::Wait,
            };
            let (job, entry) = match step {
                Step::Skip(job) => (job, skipped(&self.spec.jobs[job])),
                Step::Run(job) if begun.len() < jobs_max => {
                    stopped = self.interrupt.signal();
                    if stopped.is_some() {
                        continue;
                    }
                    let number = endings.iter().flatten().count() + begun.len() + 1;
                    let run = self.job_run(job, [number, of], self.interrupt.for_job());
                    if jobs_max > 1 {
                        running.begin(job, run, observer)?;
                        continue;
                    }
                    let (entry, signal) = run.run(observer)?;
                    stopped = signal;
                    (job, entry)
                }
                _ if begun.is_empty() => return Ok(stopped),
                _ => {
                    let (job, ended) = running.next_end();
                    let (entry, signal) = ended?;
                    stopped = stopped.or(signal);
                    (job, entry)
                }
            };
            endings[job] = Some(entry.ending());
            self.keep(job, entry, observer)?;
        }
    }

    fn job_run(&self, job: usize, number: [usize; 2], interrupt: Interrupt) -> JobRun<'a> {
        JobRun {
            planned: &self.spec.jobs[job],
            number,
            spent: Duration::from_millis(self.state.entry(job).map_or(0, |entry| entry.time_ms)),
            folder: self.folder.join(&self.spec.jobs[job].job.name),
            interrupt,
        }
    }

    fn keep(&mut self, job: usize, entry: Entry, observer: &mut dyn RunObserver) -> Result<()> {
        self.state.set(job, entry)?;
        Ok(observer.on_event(RunEvent::Found {
            folder: self.folder,
            ledger: self.state.ledger(),
            found: &self.state.findings(),
        })?)
    }
}

/// As much as the first thread of a process has.
const STACK_BYTES: usize = 8 << 20;

type Message = (usize, thread::Result<Result<Ended>>);

struct Running<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    jobs: BTreeMap<usize, Interrupt>,
    ended: (Sender<Message>, Receiver<Message>),
}

impl<'scope> Running<'scope, '_> {
    fn begin(&mut self, job: usize, run: JobRun<'scope>, observer: &dyn RunObserver) -> Result<()> {
        let name = run.planned.job.name.clone();
        let (mut own, sender) = (observer.for_job(&name), self.ended.0.clone());
        let interrupt = run.interrupt.clone();
        let work = move || {
            let ended = catch_unwind(AssertUnwindSafe(|| run.run(&mut *own)));
            // Who waits for it holds the receiver.
            let _ = sender.send((job, ended));
        };
        let thread = thread::Builder::new().name(name).stack_size(STACK_BYTES);
        let begun = thread.spawn_scoped(self.scope, work);
        begun.map_err(ExperimentError::system("start a thread for a job"))?;
        self.jobs.insert(job, interrupt);
        Ok(())
    }

    fn next_end(&mut self) -> (usize, Result<Ended>) {
        let message = self.ended.1.recv();
        let (job, ended) = message.unwrap_or_else(|_| unreachable!("a sender is here"));
        self.jobs.remove(&job);
        let ended = ended.unwrap_or_else(|panic| {
            self.end_all();
            resume_unwind(panic)
        });
        (job, ended)
    }

    /// What they come to cannot be kept any more.
    fn end_all(&self) {
        self.jobs.values().for_each(Interrupt::end_job);
    }
}

pub(crate) type Ended = (Entry, Option<Signal>);

pub(crate) struct JobRun<'a> {
    pub(crate) planned: &'a PlannedJob,
    pub(crate) number: [usize; 2],
    pub(crate) spent: Duration,
    pub(crate) folder: PathBuf,
    pub(crate) interrupt: Interrupt,
}

impl JobRun<'_> {
    pub(crate) fn run(&self, observer: &mut dyn RunObserver) -> Result<Ended> {
        let planned = self.planned;
        observer.on_event(RunEvent::JobStarted {
            name: &planned.job.name,
            number: self.number,
            arguments: &planned.arguments,
        })?;
        let (entry, stopped) = self.attempt(observer)?;
        observer.on_event(RunEvent::JobEnded {
            error: entry.message.as_deref(),
        })?;
        Ok((entry, stopped))
    }

    fn attempt(&self, observer: &mut dyn RunObserver) -> Result<Ended> {
        let (planned, began) = (self.planned, Instant::now());
        let budget = planned.job.budget_time;
        let left = budget.map(|budget| budget.saturating_sub(self.spent));
        let timer = left
            .map(|left| self.interrupt.out_of_time_after(left))
            .transpose();
        let timer = timer.map_err(ExperimentError::system("start a timer"))?;
        let mut options = planned.options.clone();
        options.out = Some(self.folder.clone());
        options.interrupt = Some(self.interrupt.clone());
        let run = || planned.experiment.run(&options, observer);
        let result = catch_unwind(AssertUnwindSafe(run));
        drop(timer);
        let mut entry = entry_of(planned, JobState::Finished);
        entry.time_ms = (self.spent + began.elapsed()).as_millis() as u64;
        let mut stopped = None;
        match result {
            Ok(Ok(outcome)) => {
                observer.on_event(RunEvent::JobOutcome(&outcome))?;
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

fn take_in(outcome: &Outcome, entry: &mut Entry) -> Option<Signal> {
    entry.verdict = outcome.findings.verdict_name().map(str::to_owned);
    entry.pairs = outcome.findings.pairs();
    entry.p_value = outcome.findings.p_value();
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
            entry.message = Some(format!("invalid: {invalid}; {}", invalid.advice));
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

pub(crate) fn skipped(planned: &PlannedJob) -> Entry {
    entry_of(planned, JobState::Skipped)
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
        p_value: None,
    }
}
