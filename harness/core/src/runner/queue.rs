//! Hands out what is left of a run, not further ahead of the count than a window, so that little is played in vain when the match is
//! decided and results that wait for their turn stay few.

use std::collections::{BTreeMap, HashSet};
use std::iter::Peekable;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::executor::{Executor, PlayedElsewhere};
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError};
use crate::platform::lock;
use crate::record::PairFault;
use crate::schedule::{PairPlan, Rounds};
use crate::shard::Shard;

/// How often a waiting worker looks whether it should stop.
const POLL: Duration = Duration::from_millis(50);

/// How many pairs a worker may be ahead of the count, for each worker.
pub(super) const PAIRS_PER_WORKER: u64 = 16;

/// How far workers may be ahead of the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueWindow {
    /// Pairs that are handed out under the same condition.
    pub block: u64,
    /// A block is handed out when at most so many before it are not wholly counted.
    pub ahead: u64,
}

impl QueueWindow {
    pub const WHOLE: QueueWindow = QueueWindow {
        block: 1,
        ahead: u64::MAX / 2,
    };

    /// What so many need who play at the same time.
    fn of_workers(concurrency: usize) -> QueueWindow {
        QueueWindow {
            block: 1,
            ahead: PAIRS_PER_WORKER * (concurrency as u64).max(1) - 1,
        }
    }

    pub(super) fn holds(self, pair: u64, counted: u64) -> bool {
        pair / self.block <= counted / self.block + self.ahead
    }
}

/// What there is to play at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    Pair(PairPlan, Vec<PairFault>),
    /// Nothing before more has been counted.
    Later,
    Never,
}

/// What is left of a run as workers see it; locked once a pair.
pub struct PairQueue {
    state: Mutex<QueueState>,
    moved_on: Condvar,
    /// Does the window depend on how many play at the same time?
    is_elastic: bool,
    /// What they leave out is not handed out.
    pub(super) rounds: Option<Arc<Rounds>>,
    /// Raised when no more is to be played.
    pub interrupt: Interrupt,
    /// Tells the run from every other one: 16 hexadecimal digits.
    pub run_id: String,
    /// The machines that are not believed any more.
    pub distrusted: Vec<String>,
    /// Pairs that the executor's auditor chooses and that were stored before this command began: whether they were played a
    /// second time, nobody remembers.
    pub doubted: Vec<PlayedElsewhere>,
}

struct QueueState {
    window: QueueWindow,
    pairs: u64,
    schedule: Peekable<Box<dyn Iterator<Item = PairPlan> + Send>>,
    finished: HashSet<u64>,
    /// Handed out and given back unplayed, by number.
    returned: BTreeMap<u64, (PairPlan, Vec<PairFault>)>,
    counted: u64,
    shard: Shard,
}

impl PairQueue {
    /// What `ledger` does not hold of the `pairs` of its share of `schedule`, of which so many are `counted`; without a window as far ahead as
    /// those who play need.
    pub fn of(
        schedule: impl Iterator<Item = PairPlan> + Clone + Send + 'static,
        [pairs, counted]: [u64; 2],
        window: Option<QueueWindow>,
        ledger: &Ledger,
        executor: &dyn Executor,
        interrupt: &Interrupt,
    ) -> Result<PairQueue, LedgerError> {
        let (run_id, shard) = (ledger.run_id(), ledger.shard());
        let schedule = schedule.filter(move |plan| shard.holds(plan.pair));
        let mut doubted = Vec::new();
        if let Some(auditor) = executor.auditor(&run_id) {
            let mut chosen = HashSet::new();
            ledger.for_each_origin(|number, _| chosen.extend(auditor(number).then_some(number)))?;
            for plan in schedule.clone().take(pairs as usize) {
                if chosen.contains(&plan.pair)
                    && let Some((record, Some(origin))) = ledger.unit(plan.pair)?
                {
                    doubted.push(PlayedElsewhere { plan, record, origin });
                }
            }
        }
        let all: Box<dyn Iterator<Item = PairPlan> + Send> = Box::new(schedule);
        Ok(PairQueue {
            state: Mutex::new(QueueState {
                window: window.unwrap_or_else(|| QueueWindow::of_workers(executor.concurrency())),
                pairs,
                schedule: all.peekable(),
                finished: ledger.finished()?,
                returned: BTreeMap::new(),
                counted,
                shard,
            }),
            moved_on: Condvar::new(),
            is_elastic: window.is_none(),
            rounds: None,
            interrupt: interrupt.clone(),
            run_id,
            distrusted: ledger.distrusted()?,
            doubted,
        })
    }

    /// The next pair to play, and the faults after which it was played again already; waits while that is too far ahead. `None`: there
    /// is nothing left to do.
    pub fn next(&self) -> Option<(PairPlan, Vec<PairFault>)> {
        let mut state = lock(&self.state);
        loop {
            match self.poll_locked(&mut state) {
                Next::Pair(plan, replayed) => return Some((plan, replayed)),
                Next::Never => return None,
                Next::Later => {
                    let waited = self.moved_on.wait_timeout(state, POLL);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// The same as [`next`](PairQueue::next), without waiting.
    pub fn poll(&self) -> Next {
        self.poll_locked(&mut lock(&self.state))
    }

    fn poll_locked(&self, state: &mut QueueState) -> Next {
        if self.interrupt.is_requested() {
            return Next::Never;
        }
        if let Some((_, (plan, replayed))) = state.returned.pop_first() {
            return Next::Pair(plan, replayed);
        }
        while let Some(plan) = state.schedule.peek().copied() {
            if state.finished.remove(&plan.pair) {
                state.schedule.next();
                continue;
            }
            if !state.window.holds(state.shard.place(plan.pair), state.counted) {
                return Next::Later;
            }
            state.schedule.next();
            if self
                .rounds
                .as_ref()
                .is_some_and(|rounds| rounds.leave_out(plan.pair))
            {
                continue;
            }
            return Next::Pair(plan, Vec::new());
        }
        // What others play may be given back.
        if state.counted < state.pairs {
            return Next::Later;
        }
        Next::Never
    }

    /// So many pairs are played at the same time from now on.
    pub fn set_concurrency(&self, concurrency: usize) {
        if self.is_elastic {
            lock(&self.state).window = QueueWindow::of_workers(concurrency);
            self.moved_on.notify_all();
        }
    }

    /// Takes back a pair that was not played, with the faults that were `replayed`; the next one who asks gets it.
    pub fn give_back(&self, plan: PairPlan, replayed: Vec<PairFault>) {
        lock(&self.state).returned.insert(plan.pair, (plan, replayed));
        self.moved_on.notify_all();
    }

    /// Tells how many pairs have been counted.
    pub fn set_counted(&self, counted: u64) {
        lock(&self.state).counted = counted;
        self.moved_on.notify_all();
    }
}
