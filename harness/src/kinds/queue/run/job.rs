//! One job of a night, from its beginning to its entry.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::PlannedJob;

use crate::interrupt::{Interrupt, Signal};
use crate::kinds::queue::{Entry, JobState};
use crate::session::error::ExperimentError;
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::outcome::{Ending, Outcome};

/// What came of a job, and the signal that ends the night.
pub(crate) type Ended = (Entry, Option<Signal>);

pub(crate) struct JobRun<'a> {
    pub(crate) planned: &'a PlannedJob,
    /// Its number from 1, and that of all jobs.
    pub(crate) number: [usize; 2],
    pub(crate) spent: Duration,
    pub(crate) folder: PathBuf,
    /// What ends it before its end: a signal, or its time.
    pub(crate) interrupt: Interrupt,
}

impl JobRun<'_> {
    pub(crate) fn run(&self, observer: &mut dyn RunObserver) -> Result<Ended, ExperimentError> {
        let planned = self.planned;
        observer.on_event(RunEvent::JobBegins {
            name: &planned.job.name,
            number: self.number,
            arguments: &planned.arguments,
        })?;
        let (entry, stopped) = self.attempt(observer)?;
        observer.on_event(RunEvent::JobEnds {
            error: entry.message.as_deref(),
        })?;
        Ok((entry, stopped))
    }

    fn attempt(&self, observer: &mut dyn RunObserver) -> Result<Ended, ExperimentError> {
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

/// Completes `entry` from what its job came to; a signal that ends the night is returned.
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
