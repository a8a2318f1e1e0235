//! Runs that somebody views, counted once for all viewers, and again only when they changed.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::run_index::StoredRun;
use crate::ledger::{LedgerStamp, is_being_written};
use crate::platform::lock;
use crate::report::{FirstGame, Fragment, games_json, json};
use crate::session::observer::NoObserver;
use crate::session::outcome::Outcome;
use crate::session::stored::Run;

const KEPT_MAX: usize = 16;
/// From so many pairs on a page says that they are being counted, and shows them when they are.
const SLOW_PAIRS: u64 = 50_000;
/// A run is counted again at most once in this time, or in this many times what counting takes.
const INTERVAL: Duration = Duration::from_secs(1);
const SHARE: u32 = 5;

#[derive(Default)]
pub(super) struct Cache {
    slots: Mutex<VecDeque<Arc<CacheSlot>>>,
}

struct CacheSlot {
    name: String,
    counted: Mutex<Option<Counted>>,
}

struct Counted {
    /// Of its own ledger and those below it, taken before they were read: what is written meanwhile is a change.
    stamps: Vec<LedgerStamp>,
    result: Result<(Outcome, Run), String>,
    fragment: Option<Result<Fragment, String>>,
    made: Instant,
    took: Duration,
}

impl Cache {
    pub(super) fn is_slow(&self, run: &StoredRun) -> bool {
        if run.finished() < SLOW_PAIRS {
            return false;
        }
        // Whoever counts it now holds the lock.
        let slot = self.slot(&run.name);
        slot.counted.try_lock().map_or(true, |counted| counted.is_none())
    }

    pub(super) fn fragment(&self, run: &StoredRun, stamps: &[LedgerStamp]) -> Result<Fragment, String> {
        self.with(run, stamps, |counted| {
            if let Some(fragment) = &counted.fragment {
                return fragment.clone();
            }
            let began = Instant::now();
            let whole = counted.result.as_ref().map_err(Clone::clone);
            let made = whole.and_then(|(outcome, run)| {
                Fragment::of(outcome, run, is_being_written(&outcome.folder))
                    .map_err(|error| error.to_string())
            });
            counted.took += began.elapsed();
            counted.fragment = Some(made.clone());
            made
        })
    }

    /// The fragment without a look at any file: all viewers ask for it at the moment of a change.
    pub(super) fn fresh(&self, name: &str) -> Option<String> {
        let slot = lock(&self.slots).iter().find(|slot| slot.name == name).cloned()?;
        let counted = slot.counted.try_lock().ok()?;
        let counted = counted.as_ref()?;
        let is_fresh = counted.made.elapsed() < counted.interval();
        let fragment = counted.fragment.as_ref().filter(|_| is_fresh)?;
        fragment.as_ref().ok().map(Fragment::html)
    }

    pub(super) fn json(&self, run: &StoredRun, stamps: &[LedgerStamp]) -> Result<Value, String> {
        self.with(run, stamps, |counted| {
            let (outcome, _) = counted.result.as_ref().map_err(Clone::clone)?;
            Ok(json(&*outcome.findings))
        })
    }

    /// So many games; `None` if the run holds none.
    pub(super) fn games(
        &self,
        run: &StoredRun,
        stamps: &[LedgerStamp],
        first: FirstGame,
        count: u64,
    ) -> Result<Option<Value>, String> {
        self.with(run, stamps, |counted| {
            let (outcome, run) = counted.result.as_ref().map_err(Clone::clone)?;
            games_json(outcome, run, first, count).map_err(|error| error.to_string())
        })
    }

    /// Counts it again if it changed; how long to wait before the next time.
    pub(super) fn refresh(&self, run: &StoredRun, stamps: &[LedgerStamp]) -> Duration {
        let slot = self.slot(&run.name);
        let mut counted = lock(&slot.counted);
        if counted.as_ref().is_none_or(|counted| counted.stamps != stamps) {
            *counted = Some(Counted::of(run, stamps));
        }
        counted.as_ref().map_or(INTERVAL, Counted::interval)
    }

    fn with<T>(&self, run: &StoredRun, stamps: &[LedgerStamp], read: impl FnOnce(&mut Counted) -> T) -> T {
        let slot = self.slot(&run.name);
        let mut counted = lock(&slot.counted);
        let is_kept = counted
            .as_ref()
            .is_some_and(|counted| counted.made.elapsed() < counted.interval() || counted.stamps == stamps);
        if !is_kept {
            *counted = None;
        }
        read(counted.get_or_insert_with(|| Counted::of(run, stamps)))
    }

    fn slot(&self, name: &str) -> Arc<CacheSlot> {
        let mut slots = lock(&self.slots);
        let found = slots
            .iter()
            .position(|slot| slot.name == name)
            .and_then(|index| slots.remove(index));
        let slot = found.unwrap_or_else(|| {
            Arc::new(CacheSlot {
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
    fn of(run: &StoredRun, stamps: &[LedgerStamp]) -> Counted {
        let began = Instant::now();
        let result = Run::open(&run.folder).and_then(|stored| {
            let outcome = stored.outcome(&mut NoObserver)?;
            Ok((outcome, stored))
        });
        Counted {
            stamps: stamps.to_vec(),
            result: result.map_err(|error| error.to_string()),
            fragment: None,
            made: Instant::now(),
            took: began.elapsed(),
        }
    }

    fn interval(&self) -> Duration {
        INTERVAL.max(self.took * SHARE)
    }
}
