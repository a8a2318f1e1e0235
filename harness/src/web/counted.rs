//! Runs that somebody looks at, counted once for all who do.
//!
//! In: a run. Out: its page's parts, its JSON, its games. Must not: count again what did not change, or count without end.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde_json::Value;

use super::shelf::{Stored, lock};
use crate::experiment::{Outcome, Run, Silent};
use crate::ledger::{LedgerStamp, is_being_written};
use crate::report::{Fragment, games_json, json};

/// Runs that are kept as they were counted.
const KEPT_MAX: usize = 16;
/// From so many pairs on a page says that they are being counted, and shows them when they are.
const SLOW_PAIRS: u64 = 50_000;
/// A run is counted again at most once in this time, or in this many times what it takes.
const PAUSE: Duration = Duration::from_secs(1);
const SHARE: u32 = 5;

/// The runs that were looked at last.
#[derive(Default)]
pub(super) struct Desk {
    slots: Mutex<VecDeque<Arc<Slot>>>,
}

struct Slot {
    name: String,
    counted: Mutex<Option<Counted>>,
}

/// A run as it was counted.
struct Counted {
    /// Of its own ledger and those below it, before they were read: what is written meanwhile is a change.
    stamps: Vec<LedgerStamp>,
    result: Result<Whole, String>,
    fragment: Option<Result<Fragment, String>>,
    /// The fragment as it is sent, one text for all who ask.
    body: Option<Bytes>,
    made: Instant,
    took: Duration,
}

struct Whole {
    outcome: Outcome,
    run: Run,
}

impl Desk {
    /// Would it take a while to make its page?
    pub(super) fn is_slow(&self, run: &Stored) -> bool {
        if run.finished() < SLOW_PAIRS {
            return false;
        }
        // Whoever counts it now holds the lock.
        let slot = self.slot(&run.name);
        slot.counted.try_lock().map_or(true, |counted| counted.is_none())
    }

    /// The part of its page that changes.
    pub(super) fn fragment(&self, run: &Stored, stamps: &[LedgerStamp]) -> Result<Fragment, String> {
        self.with(run, stamps, |counted| {
            if let Some(fragment) = &counted.fragment {
                return fragment.clone();
            }
            let began = Instant::now();
            let whole = counted.result.as_ref().map_err(Clone::clone);
            let made = whole.and_then(|whole| {
                Fragment::of(
                    &whole.outcome,
                    &whole.run,
                    is_being_written(&whole.outcome.folder),
                )
                .map_err(|error| error.to_string())
            });
            counted.took += began.elapsed();
            counted.body = made.as_ref().ok().map(|made| Bytes::from(made.html.clone()));
            counted.fragment = Some(made.clone());
            made
        })
    }

    /// The same as it is sent, if it is there and needs no look at a file: whoever hears of a change asks at once, as all others do.
    pub(super) fn fresh(&self, name: &str) -> Option<Bytes> {
        let slot = lock(&self.slots).iter().find(|slot| slot.name == name).cloned()?;
        let counted = slot.counted.try_lock().ok()?;
        let counted = counted.as_ref()?;
        let is_fresh = counted.made.elapsed() < counted.pause();
        counted.body.clone().filter(|_| is_fresh)
    }

    /// What it found, with the names of the manual.
    pub(super) fn json(&self, run: &Stored, stamps: &[LedgerStamp]) -> Result<Value, String> {
        self.with(run, stamps, |counted| {
            let whole = counted.result.as_ref().map_err(Clone::clone)?;
            Ok(json(&whole.outcome.findings))
        })
    }

    /// Games from the one of this index, or the last; `None` if it holds none.
    pub(super) fn games(
        &self,
        run: &Stored,
        stamps: &[LedgerStamp],
        from: Option<u64>,
        count: u64,
    ) -> Result<Option<Value>, String> {
        self.with(run, stamps, |counted| {
            let whole = counted.result.as_ref().map_err(Clone::clone)?;
            let games = whole.outcome.pairs().map_or(0, |pairs| 2 * pairs);
            let from = from.unwrap_or(games.saturating_sub(count));
            games_json(&whole.outcome, &whole.run, from, count).map_err(|error| error.to_string())
        })
    }

    /// Counts it again if it changed, whenever that was done last; how long to wait before the next time.
    pub(super) fn refresh(&self, run: &Stored, stamps: &[LedgerStamp]) -> Duration {
        let slot = self.slot(&run.name);
        let mut counted = lock(&slot.counted);
        if counted.as_ref().is_none_or(|counted| counted.stamps != stamps) {
            *counted = Some(Counted::of(run, stamps));
        }
        counted.as_ref().map_or(PAUSE, Counted::pause)
    }

    fn with<T>(&self, run: &Stored, stamps: &[LedgerStamp], look: impl FnOnce(&mut Counted) -> T) -> T {
        let slot = self.slot(&run.name);
        let mut counted = lock(&slot.counted);
        let is_kept = counted
            .as_ref()
            .is_some_and(|counted| counted.made.elapsed() < counted.pause() || counted.stamps == stamps);
        if !is_kept {
            *counted = None;
        }
        look(counted.get_or_insert_with(|| Counted::of(run, stamps)))
    }

    fn slot(&self, name: &str) -> Arc<Slot> {
        let mut slots = lock(&self.slots);
        let found = slots
            .iter()
            .position(|slot| slot.name == name)
            .and_then(|index| slots.remove(index));
        let slot = found.unwrap_or_else(|| {
            Arc::new(Slot {
                name: name.to_owned(),
                counted: Mutex::default(),
            })
        });
        slots.push_front(Arc::clone(&slot));
        slots.truncate(KEPT_MAX);
        slot
    }
}

impl Counted {
    fn of(run: &Stored, stamps: &[LedgerStamp]) -> Counted {
        let began = Instant::now();
        let result = Run::open(&run.folder).and_then(|stored| {
            let outcome = stored.outcome(&mut Silent)?;
            Ok(Whole { outcome, run: stored })
        });
        Counted {
            stamps: stamps.to_vec(),
            result: result.map_err(|error| error.to_string()),
            fragment: None,
            body: None,
            made: Instant::now(),
            took: began.elapsed(),
        }
    }

    fn pause(&self) -> Duration {
        PAUSE.max(self.took * SHARE)
    }
}
