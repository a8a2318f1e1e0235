//! Several jobs of a night at the same time, each in a thread of its own.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};

use super::job::{Ended, JobRun, skipped};
use super::{ExperimentError, QueueRun};

use crate::interrupt::{Interrupt, Signal};
use crate::kinds::queue::{Ending, Step};
use crate::session::observer::RunObserver;

/// As much as the first thread of a process has.
const STACK_BYTES: usize = 8 << 20;

/// The index of a job, and what came of it unless it panicked.
type Message = (usize, thread::Result<Result<Ended, ExperimentError>>);

/// Jobs at work, by their index.
struct Desk<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    running: BTreeMap<usize, Interrupt>,
    ended: (Sender<Message>, Receiver<Message>),
}

impl<'scope> Desk<'scope, '_> {
    fn begin(
        &mut self,
        job: usize,
        run: JobRun<'scope>,
        observer: &dyn RunObserver,
    ) -> Result<(), ExperimentError> {
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
        self.running.insert(job, interrupt);
        Ok(())
    }

    fn next_end(&mut self) -> (usize, Result<Ended, ExperimentError>) {
        let message = self.ended.1.recv();
        let (job, ended) = message.unwrap_or_else(|_| unreachable!("a sender is here"));
        self.running.remove(&job);
        let ended = ended.unwrap_or_else(|panic| {
            self.end_all();
            resume_unwind(panic)
        });
        (job, ended)
    }

    /// What they come to cannot be kept any more.
    fn end_all(&self) {
        self.running.values().for_each(Interrupt::end_job);
    }
}

impl<'a> QueueRun<'a> {
    /// Runs jobs beside one another, as many as the night has room for; a signal that ends it is returned when all have ended.
    pub(crate) fn run_beside(
        &mut self,
        observer: &mut dyn RunObserver,
    ) -> Result<Option<Signal>, ExperimentError> {
        thread::scope(|scope| {
            let mut desk = Desk {
                scope,
                running: BTreeMap::new(),
                ended: channel(),
            };
            let served = self.serve(&mut desk, observer);
            if served.is_err() {
                desk.end_all();
            }
            served
        })
    }

    fn serve<'scope>(
        &mut self,
        desk: &mut Desk<'scope, '_>,
        observer: &mut dyn RunObserver,
    ) -> Result<Option<Signal>, ExperimentError>
    where
        'a: 'scope,
    {
        let mut endings = self.state.endings();
        let mut stopped = None;
        loop {
            self.fill(desk, &mut endings, &mut stopped, observer)?;
            if desk.running.is_empty() {
                return Ok(stopped);
            }
            let (job, ended) = desk.next_end();
            let (entry, signal) = ended?;
            endings[job] = Some(entry.ending());
            self.keep(job, entry, observer)?;
            stopped = stopped.or(signal);
        }
    }

    /// Begins and skips jobs as long as there is one, and room for it, and no wish to stop.
    fn fill<'scope>(
        &mut self,
        desk: &mut Desk<'scope, '_>,
        endings: &mut [Option<Ending>],
        stopped: &mut Option<Signal>,
        observer: &mut dyn RunObserver,
    ) -> Result<(), ExperimentError>
    where
        'a: 'scope,
    {
        while stopped.is_none() {
            let running: Vec<usize> = desk.running.keys().copied().collect();
            match self.spec.queue.next(endings, &running) {
                Step::Wait | Step::End => break,
                Step::Skip(job) => {
                    let entry = skipped(&self.spec.jobs[job]);
                    endings[job] = Some(entry.ending());
                    self.keep(job, entry, observer)?;
                }
                Step::Run(_) if running.len() >= self.spec.jobs_max.get() => break,
                Step::Run(job) => {
                    *stopped = self.interrupt.signal();
                    if stopped.is_none() {
                        let number = endings.iter().flatten().count() + running.len() + 1;
                        let run = self.job_run(job, [number, self.spec.jobs.len()], self.interrupt.for_job());
                        desk.begin(job, run, observer)?;
                    }
                }
            }
        }
        Ok(())
    }
}
