//! Workers on the threads of this machine.
//!
//! In: a dispenser of pairs and a maker of tables. Out: finished pairs, as they finish, through a channel.
//! Must not: count or store; a worker takes a lock once a pair and never during one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use tanren_engine::game::Position;

use super::dispenser::Dispenser;
use crate::interrupt::Interrupt;
use crate::openings::Opening;
use crate::platform::Cores;
use crate::play::{PlayPairs, Unplayed};
use crate::player::Hindrance;
use crate::record::{PairFault, PairRecord};

/// A search goes a hundred plies deep and keeps its move lists on the stack.
const STACK_BYTES: usize = 16 << 20;

/// How long a worker waits before it tries again what the machine lacked something for, one time after the other.
const WAITS_MS: [u64; 7] = [50, 100, 200, 400, 800, 1_600, 3_200];

/// A finished pair, or why the run is to stop.
pub(super) type Played = Result<PairRecord, Stop>;

/// Why a run is to stop before it is decided.
#[derive(Debug)]
pub(super) enum Stop {
    /// The user wants it to after this fault.
    Fault(PairFault),
    /// It cannot go on.
    Hindered(Hindrance),
}

/// A rayon pool that plays pairs.
pub struct LocalExecutor {
    pool: ThreadPool,
    /// Pairs given up because the process did not run while time counted.
    suspended: AtomicU64,
}

impl LocalExecutor {
    /// Starts `concurrency` threads.
    ///
    /// # Errors
    /// The system refuses to start them.
    pub fn new(concurrency: usize) -> Result<LocalExecutor, ThreadPoolBuildError> {
        LocalExecutor::with_start(concurrency, |_| ())
    }

    /// Starts `concurrency` threads, each kept on one of `cores`.
    ///
    /// # Errors
    /// The system refuses to start them.
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

    /// The threads, for work that is not pairs.
    pub fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    /// How many pairs are played at the same time.
    pub fn concurrency(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// How many pairs were given up, and played again, because this process was stopped or the machine slept while time
    /// counted.
    pub fn suspended_pairs(&self) -> u64 {
        self.suspended.load(Ordering::Relaxed)
    }

    /// Runs `work` on the threads of the pool.
    pub(super) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Plays what `dispenser` hands out until it has no more, while `collect` receives the results on the calling
    /// thread. Each worker makes one table and keeps it.
    pub(super) fn run<P: Position, T: PlayPairs<P>, R>(
        &self,
        dispenser: &Dispenser,
        openings: &[Opening<P>],
        make_table: &(dyn Fn() -> T + Sync),
        interrupt: &Interrupt,
        collect: impl FnOnce(Receiver<Played>) -> R,
    ) -> R {
        let (sender, receiver) = channel();
        self.pool.in_place_scope(|scope| {
            scope.spawn_broadcast({
                let sender = sender.clone();
                move |_, _| {
                    let worker = Worker {
                        dispenser,
                        interrupt,
                        suspended: &self.suspended,
                    };
                    worker.work(openings, make_table, &sender);
                }
            });
            drop(sender);
            collect(receiver)
        })
    }
}

/// What all workers share.
struct Worker<'a> {
    dispenser: &'a Dispenser,
    interrupt: &'a Interrupt,
    suspended: &'a AtomicU64,
}

impl Worker<'_> {
    /// Plays pair after pair until there are no more.
    fn work<P: Position, T: PlayPairs<P>>(
        &self,
        openings: &[Opening<P>],
        make_table: &(dyn Fn() -> T + Sync),
        sender: &Sender<Played>,
    ) {
        let _guard = EndOnPanic(self.interrupt);
        let mut table = Some(make_table());
        let mut waits = WAITS_MS.iter();
        while let Some(plan) = self.dispenser.next() {
            let seated = table.get_or_insert_with(make_table);
            let mut excused = self.dispenser.take_excused(plan.pair);
            let played = seated.play_pair(&plan, &openings[plan.opening], &mut excused);
            self.dispenser.keep_excused(plan.pair, excused);
            let played = match played {
                Ok(record) => {
                    waits = WAITS_MS.iter();
                    Ok(record)
                }
                Err(Unplayed::Stopped(fault)) => Err(Stop::Fault(fault)),
                Err(Unplayed::Interrupted) => return,
                Err(Unplayed::Hindered(Hindrance::Suspended)) => {
                    self.suspended.fetch_add(1, Ordering::Relaxed);
                    self.dispenser.give_back(plan);
                    continue;
                }
                Err(Unplayed::Hindered(hindrance)) => {
                    self.dispenser.give_back(plan);
                    let can_pass = matches!(hindrance, Hindrance::Lack { .. });
                    match waits.next().filter(|_| can_pass) {
                        Some(&wait_ms) => {
                            // What its players hold may be what is lacking.
                            table = None;
                            self.interrupt.is_requested_within(Duration::from_millis(wait_ms));
                            continue;
                        }
                        None => Err(Stop::Hindered(hindrance)),
                    }
                }
            };
            let is_last = played.is_err();
            if sender.send(played).is_err() || is_last {
                return;
            }
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
