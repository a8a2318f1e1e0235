//! A worker's machine: what all its tasks share.
//!
//! In: the file of a worker, what coordinators announce. Out: flags of runs, what the machine says of itself. Must not: take a job.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::context::Context;
use nkeys::KeyPair;
use tokio::sync::{Notify, Semaphore};

use super::class::{RANKS, is_timed_class, parts_of_class};
use super::slots::Slots;
use super::speed::Speed;
use super::wire::{Announcement, Here, Message};
use super::{MakeTables, WorkerFile};
use crate::interrupt::Interrupt;

/// A job of a run that was over a moment ago is given again after so long.
const OVER_PAUSE: Duration = Duration::from_secs(1);
/// A run that is over is not taken up again after so long.
const OVER_FOR_GOOD: Duration = Duration::from_secs(60);

/// How a machine works for a fleet.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Its file.
    pub file: WorkerFile,
    /// Pairs played at the same time.
    pub slots: usize,
    /// So many can be played at the same time without one waiting for another.
    pub cores: usize,
    /// The share by which its speed may change before it plays no more games by time.
    pub speed_tolerance: f64,
    /// Its processor.
    pub cpu: String,
    /// May plain text go to another machine?
    pub is_insecure: bool,
}

/// What a worker has to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerNews {
    /// It is connected and waits for jobs.
    Ready,
    /// The connection was lost, or is there again.
    Connection(String),
    /// It takes jobs of a run for the first time.
    Joined(String),
    /// A run is over.
    Over(String),
    /// Jobs of a run are for others: its coordinator's engine is another one, or it takes engines that are not here.
    Unfit(String),
    /// A job cannot be played here, and why.
    Refused(String),
    /// The server takes a result only later, and why.
    Unheard(String),
    /// So many pairs were finished since it began.
    Played(u64),
    /// It is to take no more jobs and to end.
    Drained,
    /// A coordinator does not believe this machine any more.
    Distrusted(String),
}

/// What all tasks of a worker share.
pub(super) struct Shared {
    pub(super) options: WorkerOptions,
    pub(super) client: Client,
    pub(super) context: Context,
    pub(super) key: KeyPair,
    pub(super) coordinator: KeyPair,
    pub(super) engine: String,
    pub(super) slots: Slots,
    pub(super) speed: Arc<Speed>,
    /// One permit for each slot.
    pub(super) free: Semaphore,
    /// Told when a slot has become free.
    pub(super) moved_on: Notify,
    pub(super) process: Interrupt,
    pub(super) busy: AtomicU32,
    pub(super) is_draining: AtomicBool,
    pub(super) pairs: AtomicU64,
    /// Jobs of each rank that wait for a slot.
    pub(super) waiting: [AtomicU32; RANKS],
    pub(super) runs: Mutex<HashMap<String, Interrupt>>,
    pub(super) over: Mutex<HashMap<String, Instant>>,
    /// Runs that do not believe this machine.
    pub(super) distrusting: Mutex<HashSet<String>>,
    pub(super) tell: Arc<dyn Fn(WorkerNews) + Send + Sync>,
}

impl Shared {
    /// What the server is told of jobs of this run that are not to be played.
    pub(super) fn barred(&self, run: &str) -> Option<AckKind> {
        if lock(&self.distrusting).contains(run) {
            return Some(AckKind::Nak(None));
        }
        let over = lock(&self.over).get(run).copied()?;
        if over.elapsed() > OVER_FOR_GOOD {
            return Some(AckKind::Term);
        }
        // It may have been taken up again, and its job be here before that is said.
        Some(AckKind::Nak(Some(OVER_PAUSE)))
    }

    /// The flag of a run.
    pub(super) fn interrupt_of(&self, run: &str) -> Interrupt {
        let mut runs = lock(&self.runs);
        if let Some(interrupt) = runs.get(run) {
            return interrupt.clone();
        }
        (self.tell)(WorkerNews::Joined(run.to_owned()));
        let interrupt = runs.entry(run.to_owned());
        interrupt.or_insert_with(|| self.process.for_run()).clone()
    }

    /// Has it all that jobs of this class take?
    pub(super) fn can_play(
        &self,
        class: &str,
        engines: &BTreeMap<String, String>,
        tables: &dyn MakeTables,
    ) -> bool {
        let is_alike = parts_of_class(class).is_some_and(|(_, engine)| engine == self.engine);
        is_alike
            && self.has_time_for(class)
            && engines
                .iter()
                .all(|(name, digest)| tables.has_engine(name, digest))
    }

    /// Does it play games of this class, by time or not?
    pub(super) fn has_time_for(&self, class: &str) -> bool {
        !is_timed_class(class) || self.speed.nps() > 0
    }

    /// Are no more jobs to be taken?
    pub(super) fn is_leaving(&self) -> bool {
        self.process.is_requested() || self.is_draining.load(Ordering::Relaxed)
    }

    /// Is there nothing left to do?
    pub(super) fn is_done(&self) -> bool {
        let is_idle = self.busy.load(Ordering::Relaxed) == 0;
        self.process.is_requested() || (self.is_draining.load(Ordering::Relaxed) && is_idle)
    }

    pub(super) fn hear(&self, announcement: &Announcement) {
        let (run, name) = (&announcement.run, &self.options.file.name);
        let is_distrusted = announcement.distrusted.contains(name);
        if !is_distrusted {
            lock(&self.distrusting).remove(run);
        } else if lock(&self.distrusting).insert(run.clone()) {
            (self.tell)(WorkerNews::Distrusted(run.clone()));
        }
        if !announcement.is_over {
            // It may have been taken up again.
            lock(&self.over).remove(run);
        }
        if (announcement.is_over || is_distrusted)
            && let Some(interrupt) = lock(&self.runs).remove(run)
        {
            interrupt.end();
            if announcement.is_over {
                (self.tell)(WorkerNews::Over(run.clone()));
            }
        }
        if announcement.is_over {
            lock(&self.over).insert(run.clone(), Instant::now());
        }
    }

    pub(super) fn here(&self, is_leaving: bool) -> Here {
        Here {
            name: self.options.file.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine: self.engine.clone(),
            cpu: self.options.cpu.clone(),
            slots: self.options.slots as u32,
            busy: self.busy.load(Ordering::Relaxed).min(self.options.slots as u32),
            pairs: self.pairs.load(Ordering::Relaxed),
            nps: self.speed.nps(),
            is_leaving,
            games: self.slots.games(),
        }
    }

    pub(super) async fn say_here(&self, is_leaving: bool) {
        let subject = format!("tanren.here.{}", self.options.file.name);
        let payload = self.here(is_leaving).to_bytes();
        // It is said again soon.
        let _ = self.client.publish(subject, payload.into()).await;
    }
}

pub(super) fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
