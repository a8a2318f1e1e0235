//! Workers on the threads of this machine. A worker takes a lock once a pair and never during one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::executor::{Delivery, Executor, Played, Stop, Work};
use crate::interrupt::Interrupt;
use crate::platform::Cores;
use crate::play::Unplayed;
use crate::player::EnvironmentError;

/// A search goes a hundred plies deep and keeps its move lists on the stack.
const STACK_BYTES: usize = 16 << 20;

/// How long a worker waits before it tries again what the machine lacked something for, one time after the other.
const WAITS_MS: [u64; 7] = [50, 100, 200, 400, 800, 1_600, 3_200];

pub struct LocalExecutor {
    /// The threads, also for work that is not pairs.
    pub pool: ThreadPool,
    /// Pairs given up because the process did not run while time counted.
    suspended: AtomicU64,
}

impl LocalExecutor {
    pub fn new(concurrency: usize) -> Result<LocalExecutor, ThreadPoolBuildError> {
        LocalExecutor::with_start(concurrency, |_| ())
    }

    /// Starts `concurrency` threads, each kept on one of `cores`.
    pub fn on_cores(concurrency: usize, cores: Cores) -> Result<LocalExecutor, ThreadPoolBuildError> {
        LocalExecutor::with_start(concurrency, move |index| {
            // Where it is not allowed, the thread runs as it would have.
            cores.pin(index);
        })
    }

    fn with_start(
        concurrency: usize,
        start: impl Fn(usize) + Send + Sync + 'static,
    ) -> Result<LocalExecutor, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(concurrency)
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("worker-{index}"))
            .start_handler(start)
            .build()?;
        Ok(LocalExecutor {
            pool,
            suspended: AtomicU64::new(0),
        })
    }
}

impl Executor for LocalExecutor {
    fn concurrency(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Each thread makes one table and keeps it.
    fn run(&self, work: &dyn Work, collect: &mut dyn FnMut(Receiver<Played>)) {
        let (sender, receiver) = channel();
        self.pool.in_place_scope(|scope| {
            scope.spawn_broadcast({
                let sender = sender.clone();
                move |_, _| play(work, &self.suspended, &sender)
            });
            drop(sender);
            collect(receiver);
        });
    }

    fn suspended_pairs(&self) -> u64 {
        self.suspended.load(Ordering::Relaxed)
    }
}

fn play(work: &dyn Work, suspended: &AtomicU64, sender: &Sender<Played>) {
    let interrupt = &work.queue().interrupt;
    let _guard = EndOnPanic(interrupt);
    // Made for the first pair, so that there are no more than pairs.
    let mut worker = None;
    let mut waits = WAITS_MS.iter();
    while let Some((plan, mut replayed)) = work.queue().next() {
        let seated = worker.get_or_insert_with(|| work.worker());
        let played = match seated(&plan, &mut replayed) {
            Ok(record) => {
                waits = WAITS_MS.iter();
                Ok(Delivery::from(record))
            }
            Err(Unplayed::Stopped(fault)) => Err(Stop::Fault(fault)),
            Err(Unplayed::Interrupted) => return,
            Err(Unplayed::Environment(EnvironmentError::Suspended)) => {
                suspended.fetch_add(1, Ordering::Relaxed);
                work.queue().give_back(plan, replayed);
                continue;
            }
            Err(Unplayed::Environment(environment_error)) => {
                work.queue().give_back(plan, replayed);
                let can_pass = matches!(
                    environment_error,
                    EnvironmentError::MissingResource { .. } | EnvironmentError::Connection { .. }
                );
                match waits.next().filter(|_| can_pass) {
                    Some(&wait_ms) => {
                        // What its players hold may be what is lacking.
                        worker = None;
                        interrupt.is_requested_within(Duration::from_millis(wait_ms));
                        continue;
                    }
                    None => Err(Stop::Environment(environment_error)),
                }
            }
        };
        let is_last = played.is_err();
        if sender.send(played).is_err() || is_last {
            return;
        }
    }
}

/// A worker that panics takes its pair with it; the others would wait for that pair for ever.
struct EndOnPanic<'a>(&'a Interrupt);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}
