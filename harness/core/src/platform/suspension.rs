//! Was this process stopped, or the machine asleep?
//!
//! A thread writes down the time five times a second. Whoever asks sees a gap that the thread has not noticed yet, so the answer is right
//! even in the first moment after the process resumes.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::system;

/// How often the time is written down.
const TICK: Duration = Duration::from_millis(200);
/// Longer than this between two looks, and the process did not run.
const GAP_MS: u64 = 1_200;
/// The lower bits are the time of the last look in milliseconds, the upper ones the gaps so far.
const TIME_BITS: u32 = 48;

/// How often this process was stopped, or slept with its machine, since the first call.
pub fn suspensions() -> u64 {
    static STATE: AtomicU64 = AtomicU64::new(0);
    static IS_WATCHED: OnceLock<bool> = OnceLock::new();
    let is_watched = IS_WATCHED.get_or_init(|| {
        STATE.store(pack(0, system::now_ms()), Ordering::Release);
        let watch = || {
            loop {
                thread::sleep(TICK);
                look(&STATE, system::now_ms(), true);
            }
        };
        let thread = thread::Builder::new().name("suspension".to_owned());
        thread.spawn(watch).is_ok()
    });
    // Without the thread everything would look like a gap.
    if *is_watched {
        look(&STATE, system::now_ms(), false)
    } else {
        0
    }
}

fn pack(gaps: u64, time_ms: u64) -> u64 {
    gaps << TIME_BITS | time_ms
}

/// Counts the gap between the last look and now, if there is one; `is_tick` writes the time down in any case.
fn look(state: &AtomicU64, now_ms: u64, is_tick: bool) -> u64 {
    let mut seen = state.load(Ordering::Acquire);
    loop {
        let (gaps, last_ms) = (seen >> TIME_BITS, seen & ((1 << TIME_BITS) - 1));
        let is_gap = now_ms.saturating_sub(last_ms) > GAP_MS;
        if !is_gap && !is_tick {
            return gaps;
        }
        let gaps = gaps + u64::from(is_gap);
        let next = pack(gaps, now_ms.max(last_ms));
        match state.compare_exchange_weak(seen, next, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return gaps,
            Err(other) => seen = other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_counted_once_whoever_sees_it_first() {
        let state = AtomicU64::new(pack(0, 1_000));
        assert_eq!(look(&state, 1_100, false), 0);
        assert_eq!(look(&state, 1_200, true), 0);
        // The process was stopped; a player asks before the thread gets to it.
        assert_eq!(look(&state, 9_000, false), 1);
        assert_eq!(look(&state, 9_001, true), 1);
        assert_eq!(look(&state, 9_100, false), 1);
        // And the other way round.
        assert_eq!(look(&state, 20_000, true), 2);
        assert_eq!(look(&state, 19_999, false), 2);
    }

    #[test]
    fn a_machine_that_is_awake_has_no_gaps() {
        let before = suspensions();
        thread::sleep(Duration::from_millis(10));
        assert_eq!(suspensions(), before);
    }
}
