//! A worker: plays what its coordinator signed, with programs of its own engines file alone.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
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

use super::log::log_to;
use super::orders::{is_drain, order_subject};
use super::slots::{MakeTables, Slots};
use super::speed::Speed;
use super::wire::{Announcement, Heartbeat, Message, PRIORITIES, engine_of, is_timed_class};
use super::{FleetError, WorkerFile, connection, fetch};
use crate::interrupt::Interrupt;

const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);
/// How often it looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);
/// Jobs that are handed back at the end are waited for so long.
const FAREWELL: Duration = Duration::from_secs(10);
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);
/// A job of a run that was over a moment ago comes again after so long.
const OVER_PAUSE: Duration = Duration::from_secs(1);
/// A run that is over for so long is not resumed.
const OVER_FOR_GOOD: Duration = Duration::from_secs(60);

#[derive(Debug, Clone)]
pub struct WorkerOptions {
    pub file: WorkerFile,
    /// Pairs played at the same time.
    pub slots: usize,
    pub cores: usize,
    /// The share by which its speed may change before it plays no more timed games.
    pub speed_tolerance: f64,
    /// The name of its processor.
    pub cpu: String,
    /// May plain text go to another machine?
    pub is_insecure: bool,
    /// Where events are logged.
    pub log: Option<PathBuf>,
}

/// What a worker tells its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerNews {
    /// It is connected and waits for jobs.
    Ready,
    /// The connection was lost, or is there again.
    Connection(String),
    /// It takes jobs of a run for the first time.
    Joined(String),
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
    client: Client,
    pub(super) context: Context,
    pub(super) key: KeyPair,
    pub(super) coordinator: KeyPair,
    engine: String,
    pub(super) slots: Slots,
    pub(super) speed: Arc<Speed>,
    /// One permit for each slot.
    pub(super) free: Semaphore,
    /// Notified when a slot has become free.
    pub(super) freed: Notify,
    pub(super) process: Interrupt,
    pub(super) busy: AtomicU32,
    is_draining: AtomicBool,
    pub(super) pairs: AtomicU64,
    /// Jobs of each priority that wait for a slot.
    pub(super) waiting: [AtomicU32; PRIORITIES],
    runs: Mutex<HashMap<String, Interrupt>>,
    over: Mutex<HashMap<String, Instant>>,
    /// Runs that do not believe this machine.
    distrusting: Mutex<HashSet<String>>,
    tell: Box<dyn Fn(WorkerNews) + Send + Sync>,
}

/// Works until `process` is raised; then it hands back what it has not finished.
pub fn work(
    options: WorkerOptions,
    tables: &Arc<dyn MakeTables>,
    process: &Interrupt,
    tell: Arc<dyn Fn(WorkerNews) + Send + Sync>,
) -> Result<(), FleetError> {
    options.log.as_deref().map_or(Ok(()), log_to)?;
    let (count, cores) = (options.slots, options.cores);
    let speed = Speed::measured(&**tables, count.min(cores), options.speed_tolerance);
    if count > cores {
        speed.rule_out(format!("it has {count} slots on {cores} cores"));
    }
    let speed = Arc::new(speed);
    let slots = Slots::start(count, tables, &speed).map_err(FleetError::System)?;
    let engine = tables.engine();
    let tell = move |news: WorkerNews| {
        tracing::info!("told: {news:?}");
        tell(news);
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(FleetError::System)?.block_on(async {
        let heard = tell.clone();
        let access = options.file.access(options.is_insecure);
        let client = connection::connect_and_hear(&access, move |event| {
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
            freed: Notify::new(),
            options,
            context: connection::worker_jetstream(client.clone()),
            client,
            key,
            coordinator,
            engine,
            slots,
            speed,
            process: process.clone(),
            busy: AtomicU32::new(0),
            is_draining: AtomicBool::new(false),
            pairs: AtomicU64::new(0),
            waiting: Default::default(),
            runs: Mutex::default(),
            over: Mutex::default(),
            distrusting: Mutex::default(),
            tell: Box::new(tell),
        };
        serve(Arc::new(shared), tables).await
    })
}

async fn serve(shared: Arc<Shared>, tables: &Arc<dyn MakeTables>) -> Result<(), FleetError> {
    let listen = |error| FleetError::server("listen to the coordinator", error);
    let mut runs = shared.client.subscribe("tanren.run.*").await.map_err(listen)?;
    let name = shared.options.file.name.clone();
    let mut orders = shared
        .client
        .subscribe(order_subject(&name))
        .await
        .map_err(listen)?;
    let (mut heartbeat, mut look) = (interval(HEARTBEAT_INTERVAL), interval(LOOK));
    let (mut classes, mut announced) = (HashSet::new(), HashSet::new());
    let mut fetchers = JoinSet::new();
    shared.tell(WorkerNews::Ready);
    let mut played = 0;
    while !shared.is_done() {
        tokio::select! {
            Some(message) = runs.next() => {
                let Some(announcement) = Announcement::of_bytes(&message.payload) else { continue };
                shared.on_event(&announcement);
                let class = announcement.class;
                let is_new = !classes.contains(&class);
                let fits = is_new && shared.can_play(&class, &announcement.engines, &**tables);
                let is_first = announced.insert(announcement.run.clone());
                if is_first {
                    shared.send_heartbeat(false).await;
                }
                if is_first && is_new && !fits && !announcement.is_over {
                    shared.tell(WorkerNews::Unfit(announcement.run));
                }
                if fits && !announcement.is_over && classes.insert(class.clone()) {
                    fetchers.spawn(fetch::fetch_all(Arc::clone(&shared), class));
                }
            }
            Some(message) = orders.next() => {
                if is_drain(&message, &name, &shared.coordinator) {
                    shared.tell(WorkerNews::Drained);
                    shared.is_draining.store(true, Ordering::Relaxed);
                }
            }
            _ = heartbeat.tick() => {
                shared.send_heartbeat(shared.is_leaving()).await;
                let pairs = shared.pairs.load(Ordering::Relaxed);
                if std::mem::replace(&mut played, pairs) != pairs {
                    shared.tell(WorkerNews::Played(pairs));
                }
            }
            _ = look.tick() => {}
        }
    }
    shared.send_heartbeat(true).await;
    // Every fetcher sees that it is to end, and hands back what it has.
    let _ = timeout(FAREWELL, async { while fetchers.join_next().await.is_some() {} }).await;
    // A server that is gone would be waited for.
    let _ = timeout(FLUSH_TIMEOUT, shared.client.flush()).await;
    Ok(())
}

impl Shared {
    pub(super) fn tell(&self, news: WorkerNews) {
        (self.tell)(news);
    }

    /// How a job is answered whose run is over or does not believe this machine.
    pub(super) fn barred(&self, run: &str) -> Option<AckKind> {
        if lock(&self.distrusting).contains(run) {
            return Some(AckKind::Nak(None));
        }
        let over = lock(&self.over).get(run).copied()?;
        if over.elapsed() > OVER_FOR_GOOD {
            return Some(AckKind::Term);
        }
        // The run may have been resumed, and its job come before that is announced.
        Some(AckKind::Nak(Some(OVER_PAUSE)))
    }

    /// Raised when the run is over.
    pub(super) fn interrupt_of(&self, run: &str) -> Interrupt {
        let mut runs = lock(&self.runs);
        if let Some(interrupt) = runs.get(run) {
            return interrupt.clone();
        }
        self.tell(WorkerNews::Joined(run.to_owned()));
        let interrupt = self.process.for_run();
        runs.insert(run.to_owned(), interrupt.clone());
        interrupt
    }

    fn can_play(&self, class: &str, engines: &BTreeMap<String, String>, tables: &dyn MakeTables) -> bool {
        let mut engines = engines.iter();
        engine_of(class) == Some(&self.engine)
            && self.has_time_for(class)
            && engines.all(|(name, digest)| tables.has_engine(name, digest))
    }

    /// Only machines of a steady speed play timed games.
    pub(super) fn has_time_for(&self, class: &str) -> bool {
        !is_timed_class(class) || self.speed.nps() > 0
    }

    /// Are no more jobs to be taken?
    pub(super) fn is_leaving(&self) -> bool {
        self.process.is_requested() || self.is_draining.load(Ordering::Relaxed)
    }

    fn is_done(&self) -> bool {
        let is_idle = self.busy.load(Ordering::Relaxed) == 0;
        self.process.is_requested() || (self.is_draining.load(Ordering::Relaxed) && is_idle)
    }

    fn on_event(&self, announcement: &Announcement) {
        let run = &announcement.run;
        let is_distrusted = announcement.distrusted.contains(&self.options.file.name);
        if !is_distrusted {
            lock(&self.distrusting).remove(run);
        } else if lock(&self.distrusting).insert(run.clone()) {
            self.tell(WorkerNews::Distrusted(run.clone()));
        }
        if announcement.is_over {
            lock(&self.over).insert(run.clone(), Instant::now());
        } else {
            lock(&self.over).remove(run);
        }
        if (announcement.is_over || is_distrusted)
            && let Some(interrupt) = lock(&self.runs).remove(run)
        {
            interrupt.end();
            if announcement.is_over {
                self.tell(WorkerNews::Over(run.clone()));
            }
        }
    }

    async fn send_heartbeat(&self, is_leaving: bool) {
        let heartbeat = Heartbeat {
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
        };
        tracing::info!(
            busy = heartbeat.busy,
            pairs = heartbeat.pairs,
            "sends a heartbeat"
        );
        let subject = format!("tanren.here.{}", heartbeat.name);
        // A lost one is repeated soon.
        let _ = self.client.publish(subject, heartbeat.to_bytes().into()).await;
    }
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
