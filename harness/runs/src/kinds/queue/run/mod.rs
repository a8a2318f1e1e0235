//! The jobs of a queue, one after the other or several at the same time, each a run of its own.

mod changes;
mod estimate;
mod state;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use state::JobStates;

use crate::event::Warning;
use crate::interrupt::{Interrupt, Signal};
use crate::kinds::inspection::{Inspection, inspect};
use crate::kinds::queue::{JobEntry, JobOutcome, JobState, Queue, QueueJob, QueueStep};
use crate::ledger::LedgerError;
use crate::session::error::{ExperimentError, Result};
use crate::session::folder;
use crate::session::found::Found;
use crate::session::kind::Experiment;
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, Progress, RunEnding, Unit};
use crate::session::stored::Run;

pub use estimate::JobForecast;

#[derive(Debug)]
pub struct QueueSpec {
    pub name: String,
    pub text: String,
    pub queue: Queue,
    pub jobs: Vec<Arc<PlannedJob>>,
    pub jobs_max: NonZero<usize>,
}

#[derive(Debug)]
pub struct PlannedJob {
    pub job: QueueJob,
    pub arguments: Vec<String>,
    pub experiment: Experiment,
    pub options: RunOptions,
}

impl PlannedJob {
    fn entry(&self, state: JobState) -> JobEntry {
        JobEntry {
            job: self.job.name.clone(),
            arguments: self.arguments.clone(),
            state,
            ..JobEntry::default()
        }
    }

    /// What [`inspect`] looks at.
    pub fn inspected(&self) -> (&Experiment, &RunOptions) {
        (&self.experiment, &self.options)
    }

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

/// The queue that its file says by now, or what is wrong with it; nothing as long as the file is as it was.
pub type Reread<'a> = dyn FnMut(&QueueSpec) -> Option<Result<QueueSpec, String>> + 'a;

impl QueueSpec {
    /// Plays the jobs, and those that its file gets meanwhile.
    pub fn run(
        self,
        options: &RunOptions,
        observer: &mut dyn RunObserver,
        reread: &mut Reread<'_>,
    ) -> Result<Outcome> {
        let folder = self.folder(options);
        let interrupt = options.interrupt()?;
        let state = JobStates::open(&folder, &self)?;
        let mut run = QueueRun {
            endings: state.endings(&self),
            spec: self,
            folder: &folder,
            state,
            interrupt: &interrupt,
            reread,
        };
        let stopped = run.run(observer)?;
        let findings = run.state.findings(&folder, &run.spec);
        let entries = findings.jobs.iter().filter_map(|found| found.entry.as_ref());
        let over = entries.filter(|entry| entry.state != JobState::Interrupted);
        let progress = Progress::new(over.count() as u64, findings.jobs.len() as u64, Unit::Jobs);
        Ok(Outcome {
            ending: match stopped {
                Some(signal) => RunEnding::Stopped { signal, progress },
                None => RunEnding::Complete,
            },
            folder,
            findings: Box::new(findings),
        })
    }

    pub fn plan(&self, options: &RunOptions, taken: &[Inspection]) -> Result<(PathBuf, Vec<JobForecast>)> {
        let folder = self.folder(options);
        let state = JobStates::peek(&folder, self)?;
        let forecasts = estimate::plan(self, &state, &folder, taken)?;
        Ok((folder, forecasts))
    }

    /// What the jobs take from outside, in their order; nothing of a job that is over, not to be played or the same in the queue `before`.
    /// Only with `starts_programs` is a program started.
    pub fn inspect(
        &self,
        options: &RunOptions,
        starts_programs: bool,
        before: Option<&QueueSpec>,
    ) -> Result<Vec<Inspection>> {
        let endings = JobStates::peek(&self.folder(options), self)?.endings(self);
        let is_known = |job: &PlannedJob| {
            let mut known = before.iter().flat_map(|before| &before.jobs);
            known.any(|other| other.job.name == job.job.name && other.arguments == job.arguments)
        };
        let open =
            |job: &usize| endings[*job].is_none() && self.queue.plays(*job) && !is_known(&self.jobs[*job]);
        let jobs: Vec<usize> = (0..self.jobs.len()).filter(open).collect();
        let experiments: Vec<_> = jobs.iter().map(|&job| self.jobs[job].inspected()).collect();
        let mut inspections = vec![Inspection::default(); self.jobs.len()];
        for (job, inspection) in jobs.into_iter().zip(inspect(&experiments, starts_programs)?) {
            inspections[job] = inspection;
        }
        Ok(inspections)
    }

    fn folder(&self, options: &RunOptions) -> PathBuf {
        let name = folder::dated(&folder::plain_name(&self.name));
        options.folder(|| folder::first_usable(&name, |folder| JobStates::is_resumable(folder, self)))
    }
}

pub(crate) fn recount(run: &Run) -> Result<Box<dyn Found>> {
    let (folder, text) = (&run.folder, &run.manifest.spec_toml);
    let queue = Queue::parse(text, &folder.display().to_string())?;
    Ok(Box::new(state::recount(folder, queue.jobs())?))
}

/// How often the file of the queue is looked at while jobs run side by side.
const LOOK: Duration = Duration::from_secs(1);

struct QueueRun<'a> {
    spec: QueueSpec,
    folder: &'a Path,
    state: JobStates,
    /// Of the jobs that are over.
    endings: Vec<Option<JobOutcome>>,
    interrupt: &'a Interrupt,
    reread: &'a mut Reread<'a>,
}

impl QueueRun<'_> {
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

    fn run_in(
        &mut self,
        running: &mut Running<'_, '_>,
        observer: &mut dyn RunObserver,
    ) -> Result<Option<Signal>> {
        let mut stopped = None;
        loop {
            if stopped.is_none() {
                self.take_changes(running, observer)?;
            }
            let jobs_max = self.spec.jobs_max.get();
            let begun: Vec<usize> = running
                .jobs
                .keys()
                .filter_map(|name| self.spec.number(name))
                .collect();
            let step = match stopped {
                None => self.spec.queue.next(&self.endings, &begun),
                Some(_) => QueueStep::Wait,
            };
            let (job, entry) = match step {
                QueueStep::Skip(job) => (job, self.spec.jobs[job].entry(JobState::Skipped)),
                QueueStep::Run(job) if begun.len() < jobs_max => {
                    stopped = self.interrupt.signal();
                    if stopped.is_some() {
                        continue;
                    }
                    let number = self.endings.iter().flatten().count() + begun.len() + 1;
                    let run = self.job_run(job, [number, self.spec.jobs.len()], self.interrupt.for_job());
                    if jobs_max > 1 {
                        running.begin(run, observer)?;
                        continue;
                    }
                    let (entry, signal) = run.run(observer)?;
                    stopped = signal;
                    (job, entry)
                }
                _ if begun.is_empty() => return Ok(stopped),
                _ => {
                    let Some((name, ended)) = running.next_end() else {
                        continue;
                    };
                    let (entry, signal) = ended?;
                    stopped = stopped.or(signal);
                    let job = self.spec.number(&name);
                    (job.unwrap_or_else(|| unreachable!("what runs is kept")), entry)
                }
            };
            self.endings[job] = Some(entry.ending());
            self.state.set(job, entry)?;
            self.tell(observer)?;
        }
    }

    /// Reads the file of the queue again: jobs that have not begun are as it says now.
    fn take_changes(&mut self, running: &Running<'_, '_>, observer: &mut dyn RunObserver) -> Result<()> {
        let mut now = match (self.reread)(&self.spec) {
            None => return Ok(()),
            Some(Err(message)) => {
                let warning = Warning::WrongQueue { message: &message };
                return Ok(observer.on_event(RunEvent::Warning(warning))?);
            }
            Some(Ok(now)) => now,
        };
        let has_begun = |(job, name): (usize, &String)| {
            let is_over = self.endings[job].is_some_and(|ending| ending.state != JobState::Skipped);
            (is_over || running.jobs.contains_key(name)).then_some(job)
        };
        let names = self.spec.jobs.iter().map(|job| &job.job.name).enumerate();
        let begun: Vec<usize> = names.filter_map(has_begun).collect();
        let mut of_begun: Vec<(usize, Option<JobOutcome>)> = Vec::with_capacity(begun.len());
        let changes = self.spec.changes(&now, &begun);
        for job in begun {
            let number = now.keep(&self.spec, job);
            of_begun.push((number, self.endings[job]));
        }
        self.spec = now;
        self.state.go_on_with(self.folder, &self.spec)?;
        self.endings = self.state.endings(&self.spec);
        for (job, ending) in of_begun {
            self.endings[job] = ending;
        }
        if let Some(line) = changes.line() {
            observer.on_event(RunEvent::Line(line))?;
        }
        if let Some(jobs) = changes.begun() {
            observer.on_event(RunEvent::Warning(Warning::BegunJobs { jobs: &jobs }))?;
        }
        self.tell(observer)
    }

    fn job_run(&self, job: usize, number: [usize; 2], interrupt: Interrupt) -> JobRun {
        JobRun {
            planned: Arc::clone(&self.spec.jobs[job]),
            number,
            spent: Duration::from_millis(self.state.entries[job].as_ref().map_or(0, |entry| entry.time_ms)),
            folder: self.folder.join(&self.spec.jobs[job].job.name),
            interrupt,
        }
    }

    fn tell(&self, observer: &mut dyn RunObserver) -> Result<()> {
        Ok(observer.on_event(RunEvent::Found {
            folder: self.folder,
            ledger: self.state.ledger.as_ref(),
            found: &self.state.findings(self.folder, &self.spec),
        })?)
    }
}

/// As much as the first thread of a process has.
const STACK_BYTES: usize = 8 << 20;

type JobMessage = (String, thread::Result<Result<FinishedJob>>);

struct Running<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    /// By their names.
    jobs: BTreeMap<String, Interrupt>,
    ended: (Sender<JobMessage>, Receiver<JobMessage>),
}

impl<'scope> Running<'scope, '_> {
    fn begin(&mut self, run: JobRun, observer: &dyn RunObserver) -> Result<()> {
        let name = run.planned.job.name.clone();
        let (mut own, sender) = (observer.for_job(&name), self.ended.0.clone());
        let interrupt = run.interrupt.clone();
        let job = name.clone();
        let work = move || {
            let ended = catch_unwind(AssertUnwindSafe(|| run.run(&mut *own)));
            // Who waits for it holds the receiver.
            let _ = sender.send((job, ended));
        };
        let thread = thread::Builder::new().name(name.clone()).stack_size(STACK_BYTES);
        let begun = thread.spawn_scoped(self.scope, work);
        begun.map_err(ExperimentError::system("start a thread for a job"))?;
        self.jobs.insert(name, interrupt);
        Ok(())
    }

    /// Waits for the end of a job, but not for long.
    fn next_end(&mut self) -> Option<(String, Result<FinishedJob>)> {
        let (job, ended) = match self.ended.1.recv_timeout(LOOK) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("a sender is here"),
        };
        self.jobs.remove(&job);
        let ended = ended.unwrap_or_else(|panic| {
            self.end_all();
            resume_unwind(panic)
        });
        Some((job, ended))
    }

    /// What they come to cannot be kept any more.
    fn end_all(&self) {
        self.jobs.values().for_each(Interrupt::end_job);
    }
}

type FinishedJob = (JobEntry, Option<Signal>);

struct JobRun {
    planned: Arc<PlannedJob>,
    number: [usize; 2],
    spent: Duration,
    folder: PathBuf,
    interrupt: Interrupt,
}

impl JobRun {
    fn run(&self, observer: &mut dyn RunObserver) -> Result<FinishedJob> {
        let planned = &self.planned;
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

    fn attempt(&self, observer: &mut dyn RunObserver) -> Result<FinishedJob> {
        let (planned, began) = (&self.planned, Instant::now());
        let left = planned
            .job
            .budget_time
            .map(|budget| budget.saturating_sub(self.spent));
        let timer = left
            .map(|left| self.interrupt.out_of_time_after(left))
            .transpose();
        let timer = timer.map_err(ExperimentError::system("start a timer"))?;
        let options = RunOptions {
            out: Some(self.folder.clone()),
            interrupt: Some(self.interrupt.clone()),
            ..planned.options.clone()
        };
        let run = || planned.experiment.run(&options, observer);
        let result = catch_unwind(AssertUnwindSafe(run));
        drop(timer);
        let mut entry = planned.entry(JobState::Finished);
        entry.time_ms = (self.spent + began.elapsed()).as_millis() as u64;
        let mut stopped = None;
        let mut by_signal = |signal| {
            if signal == Signal::OutOfTime {
                return (JobState::OutOfBudget, None);
            }
            stopped = Some(signal);
            (JobState::Interrupted, None)
        };
        (entry.state, entry.message) = match result {
            Ok(Ok(outcome)) => {
                observer.on_event(RunEvent::JobOutcome(&outcome))?;
                let found = &outcome.findings;
                entry.overview = found.overview();
                entry.counted = found.pairs().filter(|_| found.pairs() != entry.overview.pairs);
                match &outcome.ending {
                    RunEnding::Complete => (JobState::Finished, None),
                    RunEnding::Paused => (JobState::OutOfBudget, None),
                    RunEnding::Stopped { signal, .. } => by_signal(*signal),
                    RunEnding::Fault(stopped) => {
                        let message =
                            format!("{stopped}; give the command of the queue again to resume it here");
                        (JobState::Error, Some(message))
                    }
                    RunEnding::Invalid(invalid) => {
                        let message = format!("invalid: {invalid}; {}", invalid.advice);
                        (JobState::Invalid, Some(message))
                    }
                }
            }
            Ok(Err(ExperimentError::Stopped(signal))) => by_signal(signal),
            // The folder of a job is below that of the queue.
            Ok(Err(ExperimentError::Ledger(LedgerError::OtherSpec { differences, .. }))) => {
                let differences = differences.join("; ");
                let folder = self.folder.display();
                let message = format!(
                    "it was played with other options: {differences}; delete the folder {folder} to play it again, or give the job its old options"
                );
                (JobState::Error, Some(message))
            }
            Ok(Err(error)) => (JobState::Error, Some(error.to_string())),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                let message = format!("panicked: {}", text.unwrap_or("without a message"));
                (JobState::Error, Some(message))
            }
        };
        Ok((entry, stopped))
    }
}
