//! Hands out pairs to workers.
//!
//! In: the schedule, the pairs that are finished already, how far the count is. Out: the next pair to play.
//! Must not: let a worker run further ahead of the count than the window, so that little is played in vain when the
//! match is decided and results waiting for their turn stay few.

use std::collections::{BTreeMap, HashSet};
use std::iter::Peekable;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::executor::Next;
use crate::interrupt::Interrupt;
use crate::record::PairFault;
use crate::schedule::PairPlan;

/// How often a waiting worker looks whether it should stop.
const PATIENCE: Duration = Duration::from_millis(50);

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
    pub(super) fn of_pairs(pairs: u64) -> Window {
        Window {
            block: 1,
            ahead: pairs - 1,
        }
    }

    /// All that there are.
    pub const WHOLE: Window = Window {
        block: 1,
        ahead: u64::MAX / 2,
    };

    /// What so many need who play at the same time.
    pub(super) fn of_workers(concurrency: usize) -> Window {
        Window::of_pairs(PAIRS_PER_WORKER * (concurrency as u64).max(1))
    }

    fn holds(self, pair: u64, counted: u64) -> bool {
        pair / self.block <= counted / self.block + self.ahead
    }
}

/// The schedule as workers see it; locked once a pair.
pub struct Dispenser {
    state: Mutex<State>,
    moved_on: Condvar,
    interrupt: Interrupt,
}

struct State {
    window: Window,
    /// All pairs of the schedule.
    pairs: u64,
    schedule: Peekable<Box<dyn Iterator<Item = PairPlan> + Send>>,
    finished: HashSet<u64>,
    /// Handed out and given back unplayed, by number.
    returned: BTreeMap<u64, (PairPlan, Vec<PairFault>)>,
    counted: u64,
}

impl Dispenser {
    /// Hands out those of the `pairs` of `schedule` that are not `finished`, as far ahead of the `counted` ones as `window` allows.
    pub fn new(
        schedule: impl Iterator<Item = PairPlan> + Send + 'static,
        pairs: u64,
        finished: HashSet<u64>,
        counted: u64,
        window: Window,
        interrupt: Interrupt,
    ) -> Self {
        let state = State {
            window,
            pairs,
            schedule: (Box::new(schedule) as Box<dyn Iterator<Item = PairPlan> + Send>).peekable(),
            finished,
            returned: BTreeMap::new(),
            counted,
        };
        Dispenser {
            state: Mutex::new(state),
            moved_on: Condvar::new(),
            interrupt,
        }
    }

    /// The next pair to play, and the faults in it that were excused already; waits while that is too far ahead. `None`: there
    /// is nothing left to do.
    pub fn next(&self) -> Option<(PairPlan, Vec<PairFault>)> {
        let mut state = self.lock();
        loop {
            match self.poll_locked(&mut state) {
                Next::Pair(plan, excused) => return Some((plan, excused)),
                Next::Never => return None,
                Next::Later => {
                    let waited = self.moved_on.wait_timeout(state, PATIENCE);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// As [`next`](Dispenser::next), without waiting.
    pub fn poll(&self) -> Next {
        self.poll_locked(&mut self.lock())
    }

    fn poll_locked(&self, state: &mut State) -> Next {
        if self.interrupt.is_requested() {
            return Next::Never;
        }
        if let Some((_, (plan, excused))) = state.returned.pop_first() {
            return Next::Pair(plan, excused);
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

    /// From now on workers may be so far ahead.
    pub fn set_window(&self, window: Window) {
        self.lock().window = window;
        self.moved_on.notify_all();
    }

    /// Takes back a pair that was not played, with what was `excused` in it; the next one who asks gets it.
    pub fn give_back(&self, plan: PairPlan, excused: Vec<PairFault>) {
        self.lock().returned.insert(plan.pair, (plan, excused));
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
    use crate::record::Reason;
    use crate::schedule::Schedule;

    #[test]
    fn finished_pairs_are_skipped_and_the_window_moves_with_the_count() {
        let interrupt = Interrupt::default();
        let finished = HashSet::from([0, 2]);
        let dispenser = Dispenser::new(
            Schedule::new(1, 9, 6),
            6,
            finished,
            0,
            Window::of_pairs(4),
            interrupt.clone(),
        );
        assert_eq!(dispenser.next().unwrap().0.pair, 1);
        assert_eq!(dispenser.next().unwrap().0.pair, 3);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| dispenser.next().map(|(plan, _)| plan.pair));
            dispenser.set_counted(1);
            assert_eq!(waiting.join().unwrap(), Some(4));
        });
        interrupt.end();
        assert_eq!(dispenser.next(), None);
    }

    #[test]
    fn a_pair_that_was_given_back_is_the_next_one() {
        let schedule = Schedule::new(1, 9, 2);
        let dispenser = Dispenser::new(
            schedule,
            2,
            HashSet::new(),
            0,
            Window::of_pairs(4),
            Interrupt::default(),
        );
        let (first, mut excused) = dispenser.next().unwrap();
        assert!(excused.is_empty());
        excused.push(PairFault {
            pair: 0,
            game: 1,
            player: 0,
            reason: Reason::Crash,
        });
        dispenser.give_back(first, excused);
        let order: Vec<(u64, usize)> = std::iter::from_fn(|| dispenser.next())
            .take(2)
            .map(|(plan, excused)| (plan.pair, excused.len()))
            .collect();
        assert_eq!(order, [(0, 1), (1, 0)]);
    }

    #[test]
    fn the_end_of_the_schedule_is_the_end_once_all_of_it_is_counted() {
        let dispenser = Dispenser::new(
            Schedule::new(1, 9, 1),
            1,
            HashSet::new(),
            0,
            Window::of_pairs(4),
            Interrupt::default(),
        );
        let (plan, excused) = dispenser.next().unwrap();
        assert_eq!(dispenser.poll(), Next::Later, "who plays it may give it back");
        dispenser.give_back(plan, excused);
        assert!(dispenser.next().is_some());
        dispenser.set_counted(1);
        assert!(dispenser.next().is_none());
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
