//! Workers on the threads of this machine.
//!
//! In: a dispenser of pairs and a maker of tables. Out: finished pairs, as they finish, through a channel.
//! Must not: count or store; a worker takes a lock once a pair and never during one.

use std::sync::mpsc::{Receiver, Sender, channel};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use tanren_engine::game::Position;

use super::dispenser::Dispenser;
use crate::interrupt::Interrupt;
use crate::openings::Opening;
use crate::platform::Cores;
use crate::play::{PlayPairs, Unplayed};
use crate::record::{PairFault, PairRecord};

/// A search goes a hundred plies deep and keeps its move lists on the stack.
const STACK_BYTES: usize = 16 << 20;

/// A finished pair, or the fault after which the run is to stop.
pub(super) type Played = Result<PairRecord, PairFault>;

/// A rayon pool that plays pairs.
pub struct LocalExecutor {
    pool: ThreadPool,
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
        Ok(LocalExecutor { pool })
    }

    /// The threads, for work that is not pairs.
    pub fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    /// How many pairs are played at the same time.
    pub fn concurrency(&self) -> usize {
        self.pool.current_num_threads()
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
                move |_, _| work(dispenser, openings, make_table, interrupt, &sender)
            });
            drop(sender);
            collect(receiver)
        })
    }
}

fn work<P: Position, T: PlayPairs<P>>(
    dispenser: &Dispenser,
    openings: &[Opening<P>],
    make_table: &(dyn Fn() -> T + Sync),
    interrupt: &Interrupt,
    sender: &Sender<Played>,
) {
    let _guard = EndOnPanic(interrupt);
    let mut table = make_table();
    while let Some(plan) = dispenser.next() {
        let played = match table.play_pair(&plan, &openings[plan.opening]) {
            Ok(record) => Ok(record),
            Err(Unplayed::Stopped(fault)) => Err(fault),
            Err(Unplayed::Interrupted) => return,
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
