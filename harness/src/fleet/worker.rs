//! A worker: plays what coordinators ask for.
//!
//! In: the file of a worker, messages. Out: signed results. Must not: play what its coordinator did not sign, or run a program that
//! is not its own.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::context::Context;
use async_nats::{Client, Event};
use futures_util::StreamExt;
use nkeys::KeyPair;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{interval, timeout};

use super::orders::{Order, order_subject};
use super::slots::Slots;
use super::taking;
use super::wire::{Announcement, Here, Message};
use super::{FleetError, MakeTables, WorkerFile, link, parts_of_class};
use crate::interrupt::Interrupt;

/// How often it says that it is there.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How often it looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);
/// Jobs that are handed back are waited for so long at the end.
const FAREWELL: Duration = Duration::from_secs(10);
/// The last words may take so long to be sent.
const LAST_WORDS: Duration = Duration::from_secs(2);
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
    /// Its processor.
    pub cpu: String,
    /// Nodes per second on one slot, all of them busy.
    pub nps: u64,
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
    /// A job cannot be played here, and why.
    Refused(String),
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
    /// One permit for each slot.
    pub(super) free: Semaphore,
    /// Told when a slot has become free.
    pub(super) moved_on: Notify,
    pub(super) process: Interrupt,
    pub(super) busy: AtomicU32,
    is_draining: AtomicBool,
    pub(super) pairs: AtomicU64,
    /// Jobs of each priority that wait for a slot.
    pub(super) waiting: [AtomicU32; 10],
    runs: Mutex<HashMap<String, Interrupt>>,
    over: Mutex<HashMap<String, Instant>>,
    /// Runs that do not believe this machine.
    distrusting: Mutex<HashSet<String>>,
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
    fn can_play(&self, class: &str, engines: &BTreeMap<String, String>, tables: &dyn MakeTables) -> bool {
        let is_alike = parts_of_class(class).is_some_and(|(_, engine)| engine == self.engine);
        is_alike
            && engines
                .iter()
                .all(|(name, digest)| tables.has_engine(name, digest))
    }

    /// Are no more jobs to be taken?
    pub(super) fn is_leaving(&self) -> bool {
        self.process.is_requested() || self.is_draining.load(Ordering::Relaxed)
    }

    /// Is there nothing left to do?
    fn is_done(&self) -> bool {
        let is_idle = self.busy.load(Ordering::Relaxed) == 0;
        self.process.is_requested() || (self.is_draining.load(Ordering::Relaxed) && is_idle)
    }

    fn hear(&self, announcement: &Announcement) {
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

    fn here(&self, is_leaving: bool) -> Here {
        Here {
            name: self.options.file.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine: self.engine.clone(),
            cpu: self.options.cpu.clone(),
            slots: self.options.slots as u32,
            busy: self.busy.load(Ordering::Relaxed).min(self.options.slots as u32),
            nps: self.options.nps,
            pairs: self.pairs.load(Ordering::Relaxed),
            is_leaving,
        }
    }

    async fn say_here(&self, is_leaving: bool) {
        let subject = format!("tanren.here.{}", self.options.file.name);
        let payload = self.here(is_leaving).to_bytes();
        // It is said again soon.
        let _ = self.client.publish(subject, payload.into()).await;
    }
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Works until `process` is raised; then it hands back what it has not finished.
///
/// # Errors
/// There is no server, it refuses this machine, or the system refuses threads.
pub fn work(
    options: WorkerOptions,
    tables: &Arc<dyn MakeTables>,
    process: &Interrupt,
    tell: Arc<dyn Fn(WorkerNews) + Send + Sync>,
) -> Result<(), FleetError> {
    let slots = Slots::start(options.slots, tables).map_err(FleetError::System)?;
    let engine = tables.engine();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(FleetError::System)?;
    runtime.block_on(async {
        let heard = Arc::clone(&tell);
        let access = options.file.access(options.is_insecure);
        let client = link::connect_and_hear(&access, move |event| {
            if let Event::Connected | Event::Disconnected = event {
                heard(WorkerNews::Connection(event.to_string()));
            }
        });
        let client = client.await?;
        let unusable = |error| FleetError::server("sign", error);
        let key = options.file.seed.key_pair().map_err(unusable)?;
        let coordinator = KeyPair::from_public_key(&options.file.coordinator).map_err(unusable)?;
        let shared = Shared {
            free: Semaphore::new(options.slots),
            moved_on: Notify::new(),
            options,
            context: link::worker_jetstream(client.clone()),
            client,
            key,
            coordinator,
            engine,
            slots,
            process: process.clone(),
            busy: AtomicU32::new(0),
            is_draining: AtomicBool::new(false),
            pairs: AtomicU64::new(0),
            waiting: Default::default(),
            runs: Mutex::default(),
            over: Mutex::default(),
            distrusting: Mutex::default(),
            tell,
        };
        serve(Arc::new(shared), tables).await
    })
}

async fn serve(shared: Arc<Shared>, tables: &Arc<dyn MakeTables>) -> Result<(), FleetError> {
    let runs = shared.client.subscribe("tanren.run.*").await;
    let mut runs = runs.map_err(|error| FleetError::server("listen to coordinators", error))?;
    let orders = shared
        .client
        .subscribe(order_subject(&shared.options.file.name))
        .await;
    let mut orders = orders.map_err(|error| FleetError::server("listen to orders", error))?;
    let (mut heartbeat, mut look) = (interval(HEARTBEAT), interval(LOOK));
    let (mut classes, mut announced) = (HashSet::new(), HashSet::new());
    let mut takers = JoinSet::new();
    (shared.tell)(WorkerNews::Ready);
    let mut played = 0;
    while !shared.is_done() {
        tokio::select! {
            Some(message) = runs.next() => {
                let Some(announcement) = Announcement::of_bytes(&message.payload) else { continue };
                shared.hear(&announcement);
                let class = announcement.class;
                let is_new = !classes.contains(&class);
                let fits = is_new && shared.can_play(&class, &announcement.engines, &**tables);
                if announced.insert(announcement.run) {
                    shared.say_here(false).await;
                }
                if fits && !announcement.is_over && classes.insert(class.clone()) {
                    takers.spawn(taking::take_all(Arc::clone(&shared), class));
                }
            }
            Some(message) = orders.next() => {
                let name = &shared.options.file.name;
                if let Some(Order::Drain) = Order::of_message(&message, name, &shared.coordinator) {
                    (shared.tell)(WorkerNews::Drained);
                    shared.is_draining.store(true, Ordering::Relaxed);
                }
            }
            _ = heartbeat.tick() => {
                shared.say_here(shared.is_leaving()).await;
                let pairs = shared.pairs.load(Ordering::Relaxed);
                if std::mem::replace(&mut played, pairs) != pairs {
                    (shared.tell)(WorkerNews::Played(pairs));
                }
            }
            _ = look.tick() => {}
        }
    }
    shared.say_here(true).await;
    // Every taker sees that it is to end, and hands back what it has.
    let _ = timeout(FAREWELL, async { while takers.join_next().await.is_some() {} }).await;
    // A server that is gone would be waited for.
    let _ = timeout(LAST_WORDS, shared.client.flush()).await;
    Ok(())
}
