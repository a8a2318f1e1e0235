//! What an engine used of a processor in the time that it was waited for, and the core that it shares with its worker.
//!
//! A question and its answer wake two threads. On one core one follows the other at once; on two, each wakes a core that had
//! fallen asleep, which costs tens of microseconds. So an engine that answers quickly, and never used more than one core, is kept
//! on that of its worker after its first game, for as long as the two have that core for themselves.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::platform::{keep_here, let_go, processor_time, threads};

/// Longer turns gain nothing.
const QUICK: Duration = Duration::from_millis(10);
/// How much of a turn may be spent on waking up and waiting for a core: more, and the core is not for the two alone.
const WAITING: Duration = Duration::from_micros(500);
/// Games before a core is tried again that others wanted, too.
const PAUSE: u32 = 20;
/// One that reads, one that searches, and one that looks at the clock.
const THREADS_MAX: usize = 3;
/// Percent of its turns that an engine uses at least: where it is less, another process does its work, such as one that a script
/// started, and nothing is known of that.
const USED_PERCENT: u32 = 5;

static UNUSED_US: AtomicU64 = AtomicU64::new(0);

/// How long engines of this process were waited for that used no processor meanwhile: they were woken up, or waited for a core.
pub fn unused_us() -> u64 {
    UNUSED_US.load(Ordering::Relaxed)
}

/// Of one engine in one game.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    turns: u32,
    time: Duration,
    used_before: Option<Duration>,
    /// The engine with the core that it was left on.
    kept: Option<(u32, usize)>,
    /// The engine that has too many threads for one core.
    unfit: Option<u32>,
    /// Games before the next try, after the core was not for the two alone.
    pause: u32,
}

impl Sharing {
    /// A game of the engine that the system knows by this number begins.
    pub(super) fn begin(&mut self, engine: u32) {
        (self.turns, self.time) = (0, Duration::ZERO);
        self.used_before = processor_time(engine);
    }

    pub(super) fn turn(&mut self, time: Duration) {
        self.turns += 1;
        self.time += time;
    }

    /// Counts the game that ended, and keeps the engine near if that pays and it may be.
    pub(super) fn end(&mut self, engine: u32, may_be_near: bool) {
        let Some((before, now)) = self.used_before.take().zip(processor_time(engine)) else {
            return;
        };
        let used = now.saturating_sub(before);
        if used * 100 >= self.time * USED_PERCENT {
            let unused = self.time.saturating_sub(used);
            UNUSED_US.fetch_add(unused.as_micros() as u64, Ordering::Relaxed);
        }
        let is_kept = self.kept.is_some_and(|(kept, _)| kept == engine);
        self.pause = self.pause.saturating_sub(1);
        if may_be_near && self.pause == 0 && self.is_to_be_near(used) && self.unfit != Some(engine) {
            self.kept = keep_here(engine, self.kept).map(|core| (engine, core));
            if !is_kept && self.kept.is_some() && threads(engine).is_none_or(|threads| threads > THREADS_MAX)
            {
                self.unfit = Some(engine);
                self.kept = None;
                let_go(engine);
            }
        } else if is_kept {
            (self.kept, self.pause) = (None, PAUSE);
            let_go(engine);
        }
    }

    fn is_to_be_near(&self, used: Duration) -> bool {
        let most = self.time + self.time / 10;
        self.turns > 0
            && used <= most
            && self.time < QUICK * self.turns
            && self.time.saturating_sub(used) < WAITING * self.turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_engines_of_one_thread_that_are_not_kept_waiting_are_to_be_near() {
        for (turns, time_us, used_us, expected) in [
            (50, 300, 250, true),
            (50, 300, 340, false),
            (50, 500_000, 490_000, false),
            (50, 400_000, 390_000, true),
            (50, 400_000, 370_000, false),
            (0, 0, 0, false),
        ] {
            let sharing = Sharing {
                turns,
                time: Duration::from_micros(time_us),
                ..Sharing::default()
            };
            let is_near = sharing.is_to_be_near(Duration::from_micros(used_us));
            assert_eq!(is_near, expected, "{time_us} {used_us}");
        }
    }
}
