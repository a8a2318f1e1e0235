//! Hands out what is left of a run, not further ahead of the count than a window, so that little is played in vain when the match is
//! decided and results that wait for their turn stay few.

use std::collections::{BTreeMap, HashSet};
use std::iter::Peekable;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::executor::{Executor, PlayedElsewhere};
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError};
use crate::record::PairFault;
use crate::schedule::PairPlan;

/// How often a waiting worker looks whether it should stop.
const POLL: Duration = Duration::from_millis(50);

/// How many pairs a worker may be ahead of the count, for each worker.
pub(super) const PAIRS_PER_WORKER: u64 = 16;

/// How far workers may be ahead of the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Pairs that are handed out under the same condition.
    pub block: u64,
    /// A block is handed out when at most so many before it are not wholly counted.
    pub ahead: u64,
}

impl Window {
    /// So many pairs at most that are not counted, at least one.
    fn of_pairs(pairs: u64) -> Window {
        Window {
            block: 1,
            ahead: pairs - 1,
        }
    }

    pub const WHOLE: Window = Window {
        block: 1,
        ahead: u64::MAX / 2,
    };

    /// What so many need who play at the same time.
    fn of_workers(concurrency: usize) -> Window {
        Window::of_pairs(PAIRS_PER_WORKER * (concurrency as u64).max(1))
    }

    fn holds(self, pair: u64, counted: u64) -> bool {
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
    state: Mutex<State>,
    moved_on: Condvar,
    /// Does the window depend on how many play at the same time?
    is_elastic: bool,
    /// Raised when no more is to be played.
    pub(super) interrupt: Interrupt,
    /// Tells the run from every other one: 16 hexadecimal digits.
    pub(super) run_id: String,
    /// The machines that are not believed any more.
    pub(super) distrusted: Vec<String>,
    /// Pairs that the executor's auditor chooses and that were stored before this command began: whether they were played a
    /// second time, nobody remembers.
    pub(super) doubted: Vec<PlayedElsewhere>,
}

struct State {
    window: Window,
    pairs: u64,
    schedule: Peekable<Box<dyn Iterator<Item = PairPlan> + Send>>,
    finished: HashSet<u64>,
    /// Handed out and given back unplayed, by number.
    returned: BTreeMap<u64, (PairPlan, Vec<PairFault>)>,
    counted: u64,
}

impl PairQueue {
    /// What `ledger` does not hold of the `pairs` of `schedule`, of which so many are `counted`; without a window as far ahead as
    /// those who play need.
    pub fn of(
        schedule: impl Iterator<Item = PairPlan> + Clone + Send + 'static,
        [pairs, counted]: [u64; 2],
        window: Option<Window>,
        ledger: &Ledger,
        executor: &dyn Executor,
        interrupt: &Interrupt,
    ) -> Result<PairQueue, LedgerError> {
        let run_id = ledger.run_id();
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
            state: Mutex::new(State {
                window: window.unwrap_or_else(|| Window::of_workers(executor.concurrency())),
                pairs,
                schedule: all.peekable(),
                finished: ledger.finished()?,
                returned: BTreeMap::new(),
                counted,
            }),
            moved_on: Condvar::new(),
            is_elastic: window.is_none(),
            interrupt: interrupt.clone(),
            run_id,
            distrusted: ledger.distrusted()?,
            doubted,
        })
    }

    /// The next pair to play, and the faults after which it was played again already; waits while that is too far ahead. `None`: there
    /// is nothing left to do.
    pub fn next(&self) -> Option<(PairPlan, Vec<PairFault>)> {
        let mut state = self.lock();
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

    /// As [`next`](PairQueue::next), without waiting.
    pub fn poll(&self) -> Next {
        self.poll_locked(&mut self.lock())
    }

    fn poll_locked(&self, state: &mut State) -> Next {
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
            if !state.window.holds(plan.pair, state.counted) {
                return Next::Later;
            }
            state.schedule.next();
            return Next::Pair(plan, Vec::new());
        }
        // What others play may be given back.
        if state.counted < state.pairs {
            return Next::Later;
        }
        Next::Never
    }

    /// So many pairs are played at the same time from now on.
    pub(super) fn set_concurrency(&self, concurrency: usize) {
        if self.is_elastic {
            self.lock().window = Window::of_workers(concurrency);
            self.moved_on.notify_all();
        }
    }

    /// Takes back a pair that was not played, with the faults that were `replayed`; the next one who asks gets it.
    pub fn give_back(&self, plan: PairPlan, replayed: Vec<PairFault>) {
        self.lock().returned.insert(plan.pair, (plan, replayed));
        self.moved_on.notify_all();
    }

    /// Tells how many pairs have been counted.
    pub fn set_counted(&self, counted: u64) {
        self.lock().counted = counted;
        self.moved_on.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is valid between any two statements, so a panic elsewhere does not spoil it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Manifest;
    use crate::record::Reason;
    use crate::runner::LocalExecutor;
    use crate::schedule::Schedule;

    fn queue_of(schedule: Schedule, pairs: u64, finished: &[u64], interrupt: &Interrupt) -> PairQueue {
        let ledger = Ledger::in_memory(&Manifest {
            kind: "match".to_owned(),
            labels: vec![String::new(), String::new()],
            ..Manifest::default()
        });
        let executor = LocalExecutor::new(1).unwrap();
        let window = Some(Window::of_pairs(4));
        let queue = PairQueue::of(schedule, [pairs, 0], window, &ledger, &executor, interrupt).unwrap();
        queue.lock().finished.extend(finished);
        queue
    }

    #[test]
    fn finished_pairs_are_skipped_and_the_window_moves_with_the_count() {
        let interrupt = Interrupt::default();
        let queue = queue_of(Schedule::new(1, 9, 6), 6, &[0, 2], &interrupt);
        assert_eq!(queue.next().unwrap().0.pair, 1);
        assert_eq!(queue.next().unwrap().0.pair, 3);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| queue.next().map(|(plan, _)| plan.pair));
            queue.set_counted(1);
            assert_eq!(waiting.join().unwrap(), Some(4));
        });
        interrupt.end();
        assert_eq!(queue.next(), None);
    }

    #[test]
    fn a_pair_that_was_given_back_is_the_next_one() {
        let schedule = Schedule::new(1, 9, 2);
        let queue = queue_of(schedule, 2, &[], &Interrupt::default());
        let (first, mut replayed) = queue.next().unwrap();
        assert!(replayed.is_empty());
        replayed.push(PairFault {
            pair: 0,
            game: 1,
            player: 0,
            reason: Reason::Crash,
        });
        queue.give_back(first, replayed);
        let order: Vec<(u64, usize)> = std::iter::from_fn(|| queue.next())
            .take(2)
            .map(|(plan, replayed)| (plan.pair, replayed.len()))
            .collect();
        assert_eq!(order, [(0, 1), (1, 0)]);
    }

    #[test]
    fn the_end_of_the_schedule_is_the_end_once_all_of_it_is_counted() {
        let queue = queue_of(Schedule::new(1, 9, 1), 1, &[], &Interrupt::default());
        let (plan, replayed) = queue.next().unwrap();
        assert_eq!(queue.poll(), Next::Later, "who plays it may give it back");
        queue.give_back(plan, replayed);
        assert!(queue.next().is_some());
        queue.set_counted(1);
        assert!(queue.next().is_none());
    }

    #[test]
    fn a_block_is_handed_out_whole_once_those_before_its_window_are_counted() {
        let window = Window { block: 3, ahead: 1 };
        assert!(window.holds(5, 0) && !window.holds(6, 0));
        assert!(!window.holds(6, 2) && window.holds(8, 3));
        let pairs = Window::of_pairs(4);
        assert!(pairs.holds(3, 0) && !pairs.holds(4, 0));
    }
}
