//! The runs that this process coordinates: of two that are the same, one after the other.
//!
//! In: the names of runs. Out: the right to begin. Must not: know of other processes; the lease does.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::interrupt::Interrupt;

/// Between two looks at a run that is to end first.
const LOOK: Duration = Duration::from_millis(50);

static AT_PLAY: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Nobody else in this process coordinates the run while it lives.
pub(super) struct Turn(String);

impl Turn {
    /// Waits for the turn of `run`, and says so if it has to; `None` if an end was asked for first.
    pub(super) fn take(run: &str, interrupt: &Interrupt, say_waiting: impl Fn()) -> Option<Turn> {
        let mut is_said = false;
        while !at_play().insert(run.to_owned()) {
            if interrupt.is_requested() {
                return None;
            }
            if !is_said {
                say_waiting();
                is_said = true;
            }
            thread::sleep(LOOK);
        }
        Some(Turn(run.to_owned()))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        at_play().remove(&self.0);
    }
}

fn at_play() -> MutexGuard<'static, BTreeSet<String>> {
    AT_PLAY.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn the_same_run_waits_for_the_first_one_and_another_run_does_not() {
        let interrupt = Interrupt::default();
        let waits = AtomicUsize::new(0);
        let take = |run: &str| {
            Turn::take(run, &interrupt, || {
                waits.fetch_add(1, Ordering::Relaxed);
            })
        };
        let first = take("turn-a").unwrap();
        let _other = take("turn-b").unwrap();
        assert_eq!(waits.load(Ordering::Relaxed), 0);
        thread::scope(|scope| {
            let second = scope.spawn(|| take("turn-a").is_some());
            while waits.load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
            assert!(!second.is_finished());
            drop(first);
            assert!(second.join().unwrap());
        });
        assert_eq!(waits.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn who_waits_for_its_turn_hears_that_an_end_is_wanted() {
        let interrupt = Interrupt::default();
        let _first = Turn::take("turn-c", &interrupt, || ()).unwrap();
        let ended = Turn::take("turn-c", &interrupt, || interrupt.end_job());
        assert!(ended.is_none());
    }
}
