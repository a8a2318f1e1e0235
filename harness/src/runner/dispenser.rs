//! Hands out pairs to workers.
//!
//! In: the schedule, the pairs that are finished already, how far the count is. Out: the next pair to play.
//! Must not: let a worker run further ahead of the count than the window, so that little is played in vain when the
//! match is decided and results waiting for their turn stay few.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::interrupt::Interrupt;
use crate::record::PairFault;
use crate::schedule::{PairPlan, Schedule};

/// How often a waiting worker looks whether it should stop.
const PATIENCE: Duration = Duration::from_millis(50);

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

    fn holds(self, pair: u64, counted: u64) -> bool {
        pair / self.block <= counted / self.block + self.ahead
    }
}

/// The schedule as workers see it; locked once a pair.
pub(super) struct Dispenser {
    state: Mutex<State>,
    moved_on: Condvar,
    window: Window,
    interrupt: Interrupt,
}

struct State {
    schedule: std::iter::Peekable<Schedule>,
    finished: HashSet<u64>,
    /// Handed out and given back unplayed, by number.
    returned: BTreeMap<u64, PairPlan>,
    /// What attempts at pairs without a record excused, by number.
    excused: BTreeMap<u64, Vec<PairFault>>,
    counted: u64,
}

impl Dispenser {
    /// Hands out the pairs of `schedule` that are not `finished`, as far ahead of the `counted` ones as `window` allows.
    pub(super) fn new(
        schedule: Schedule,
        finished: HashSet<u64>,
        counted: u64,
        window: Window,
        interrupt: Interrupt,
    ) -> Self {
        let state = State {
            schedule: schedule.peekable(),
            finished,
            returned: BTreeMap::new(),
            excused: BTreeMap::new(),
            counted,
        };
        Dispenser {
            state: Mutex::new(state),
            moved_on: Condvar::new(),
            window,
            interrupt,
        }
    }

    /// The next pair to play; waits while that is too far ahead. `None`: there is nothing left to do.
    pub(super) fn next(&self) -> Option<PairPlan> {
        let mut state = self.lock();
        loop {
            if self.interrupt.is_requested() {
                return None;
            }
            if let Some((_, plan)) = state.returned.pop_first() {
                return Some(plan);
            }
            let plan = *state.schedule.peek()?;
            if state.finished.remove(&plan.pair) {
                state.schedule.next();
                continue;
            }
            if self.window.holds(plan.pair, state.counted) {
                return state.schedule.next();
            }
            let waited = self.moved_on.wait_timeout(state, PATIENCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes back a pair that was not played; the next one who asks gets it.
    pub(super) fn give_back(&self, plan: PairPlan) {
        self.lock().returned.insert(plan.pair, plan);
        self.moved_on.notify_all();
    }

    /// The faults that earlier attempts at this pair excused; they are the caller's now.
    pub(super) fn take_excused(&self, pair: u64) -> Vec<PairFault> {
        self.lock().excused.remove(&pair).unwrap_or_default()
    }

    /// Keeps what attempts at this pair excused for the next one.
    pub(super) fn keep_excused(&self, pair: u64, excused: Vec<PairFault>) {
        if !excused.is_empty() {
            self.lock().excused.insert(pair, excused);
        }
    }

    /// Tells how many pairs have been counted.
    pub(super) fn set_counted(&self, counted: u64) {
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

    #[test]
    fn finished_pairs_are_skipped_and_the_window_moves_with_the_count() {
        let interrupt = Interrupt::default();
        let finished = HashSet::from([0, 2]);
        let dispenser = Dispenser::new(
            Schedule::new(1, 9, 6),
            finished,
            0,
            Window::of_pairs(4),
            interrupt.clone(),
        );
        assert_eq!(dispenser.next().unwrap().pair, 1);
        assert_eq!(dispenser.next().unwrap().pair, 3);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| dispenser.next().map(|plan| plan.pair));
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
            HashSet::new(),
            0,
            Window::of_pairs(4),
            Interrupt::default(),
        );
        let first = dispenser.next().unwrap();
        dispenser.give_back(first);
        let order: Vec<u64> = std::iter::from_fn(|| dispenser.next())
            .map(|plan| plan.pair)
            .collect();
        assert_eq!(order, [0, 1]);
    }

    #[test]
    fn what_was_excused_in_a_pair_waits_for_the_next_attempt_at_it_alone() {
        let (schedule, window) = (Schedule::new(1, 9, 2), Window::of_pairs(4));
        let dispenser = Dispenser::new(schedule, HashSet::new(), 0, window, Interrupt::default());
        let fault = PairFault {
            pair: 1,
            game: 1,
            player: 0,
            reason: Reason::Crash,
        };
        dispenser.keep_excused(1, vec![fault]);
        dispenser.keep_excused(0, Vec::new());
        let taken = [0, 1, 1].map(|pair| dispenser.take_excused(pair));
        assert_eq!(taken, [vec![], vec![fault], vec![]]);
    }

    #[test]
    fn the_end_of_the_schedule_is_the_end() {
        let dispenser = Dispenser::new(
            Schedule::new(1, 9, 1),
            HashSet::new(),
            0,
            Window::of_pairs(4),
            Interrupt::default(),
        );
        assert!(dispenser.next().is_some());
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
