//! A worker: plays what its coordinator signed, with programs of its own engines file alone.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use async_nats::jetstream::AckKind;
use async_nats::jetstream::context::Context;
use async_nats::{Client, Event};
use futures_util::StreamExt;
use nkeys::KeyPair;
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{interval, timeout};

use super::fetch::{self, OpenClass};
use super::orders::{block_on, drain_subject};
use super::speed::Speed;
use super::tables::{MakeTables, Readiness};
use super::timeouts::{
    FAREWELL, GONE_AFTER, HAND_BACK_TIMEOUT, HEARTBEAT_INTERVAL, LOOK, OVER_FOR_GOOD, OVER_PAUSE,
};
use super::wire::{
    Announcement, GAMES_MAX, GameOfRun, Heartbeat, Message, PRIORITIES, UNREADY_MAX, Unready, digest_of,
    engine_of, is_timed_class,
};
use super::{FleetError, WorkerFile, connection, log_to};
use crate::interrupt::Interrupt;
use crate::platform::lock;
use crate::play::{LiveGames, LiveSlot};
use crate::plural::plural;

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

/// What all tasks of a worker share.
pub(super) struct WorkerState {
    pub(super) options: WorkerOptions,
    client: Client,
    pub(super) context: Context,
    pub(super) key: KeyPair,
    pub(super) coordinator: KeyPair,
    engine: String,
    session: String,
    began: Instant,
    pub(super) tables: Arc<dyn MakeTables>,
    pub(super) speed: Speed,
    /// One permit for each slot.
    pub(super) free: Arc<Semaphore>,
    pub(super) process: Interrupt,
    is_draining: AtomicBool,
    pub(super) pairs: AtomicU64,
    /// Jobs of each priority that wait for a slot.
    pub(super) waiting: [AtomicU32; PRIORITIES],
    runs: Mutex<HashMap<String, KnownRun>>,
    is_building: AtomicBool,
    pub(super) tell: Box<dyn Fn(&str) + Send + Sync>,
}

/// A run as its coordinator announced it.
#[derive(Default)]
struct KnownRun {
    /// Of what is played for it; raised when the run is over.
    interrupt: Option<Interrupt>,
    live_games: Arc<LiveGames>,
    over_since: Option<Instant>,
    /// Does it not believe this machine?
    is_distrusting: bool,
    /// Why it has no part in it, or not yet, and when it was announced.
    unready: Option<(String, Instant)>,
}

/// Works until `process` is raised; then it hands back what it has not finished. `tell` is called with what its user should know.
pub fn work(
    options: WorkerOptions,
    tables: Arc<dyn MakeTables>,
    process: &Interrupt,
    tell: impl Fn(&str) + Clone + Send + Sync + 'static,
) -> Result<(), FleetError> {
    options.log.as_deref().map_or(Ok(()), log_to)?;
    let (count, cores) = (options.slots, options.cores);
    let speed = Speed::measured(|| tables.nps(), count.min(cores), options.speed_tolerance);
    if count > cores {
        speed.rule_out(format!(
            "it has {count} slots on {cores} cores; start the worker with --slots {cores}"
        ));
    }
    let tell = move |text: &str| {
        tracing::info!("told: {text}");
        tell(text);
    };
    block_on(async {
        let heard = tell.clone();
        let access = options.file.access(options.is_insecure);
        let client = connection::connect_and_hear(&access, move |event| {
            if let Event::Connected | Event::Disconnected = event {
                heard(&event.to_string());
            }
        });
        let client = client.await?;
        let shared = WorkerState {
            free: Arc::new(Semaphore::new(count)),
            context: connection::worker_jetstream(client.clone()),
            session: digest_of(&client.new_inbox()),
            began: Instant::now(),
            client,
            key: options.file.seed.key_pair()?,
            coordinator: KeyPair::from_public_key(&options.file.coordinator)?,
            options,
            engine: tables.engine(),
            tables,
            speed,
            process: process.clone(),
            is_draining: AtomicBool::new(false),
            pairs: AtomicU64::new(0),
            waiting: Default::default(),
            runs: Mutex::default(),
            is_building: AtomicBool::new(false),
            tell: Box::new(tell),
        };
        serve(Arc::new(shared)).await
    })
}

async fn serve(shared: Arc<WorkerState>) -> Result<(), FleetError> {
    let listen = |error| FleetError::server("listen to the coordinator", error);
    let hear = async |subject: String| shared.client.subscribe(subject).await.map_err(listen);
    let name = shared.options.file.name.clone();
    let mut runs = hear("tanren.run.*".to_owned()).await?;
    let mut orders = hear(drain_subject(&name)).await?;
    let mut namesakes = hear(Heartbeat::subject(&name)).await?;
    let (mut heartbeat, mut look) = (interval(HEARTBEAT_INTERVAL), interval(LOOK));
    let (mut classes, mut announced) = (HashMap::new(), HashSet::new());
    let mut fetchers = JoinSet::new();
    let slots = shared.options.slots;
    (shared.tell)(&format!(
        "ready with {slots} slots; Ctrl-C hands back what is not finished"
    ));
    let (mut played, mut is_second) = (0, false);
    while !shared.is_done() && !is_second {
        tokio::select! {
            Some(message) = runs.next() => {
                let Some(announcement) = Announcement::of_bytes(&message.payload) else { continue };
                shared.on_event(&announcement);
                shared.open_or_close(&announcement, &mut classes, &mut fetchers);
                if announced.insert(announcement.run) {
                    shared.send_heartbeat(false).await;
                }
            }
            Some(_) = orders.next() => {
                (shared.tell)("asked to exit: finishing its pairs, taking no new ones");
                shared.is_draining.store(true, Ordering::Relaxed);
            }
            Some(message) = namesakes.next() => {
                let heard = Heartbeat::of_bytes(&message.payload);
                is_second = heard.is_some_and(|heard| shared.is_second(&heard));
            }
            _ = heartbeat.tick() => {
                shared.send_heartbeat(shared.is_leaving()).await;
                let pairs = shared.pairs.load(Ordering::Relaxed);
                if std::mem::replace(&mut played, pairs) != pairs {
                    (shared.tell)(&format!("{} played", plural(pairs, "pair")));
                }
            }
            _ = look.tick() => {}
        }
    }
    if is_second {
        shared.process.end();
    } else {
        shared.send_heartbeat(true).await;
    }
    // Every fetcher sees that it is to end, and hands back what it has.
    let _ = timeout(HAND_BACK_TIMEOUT, async {
        while fetchers.join_next().await.is_some() {}
    })
    .await;
    // A server that is gone would be waited for.
    let _ = timeout(FAREWELL, shared.client.flush()).await;
    if is_second {
        return Err(FleetError::KeyInUse(name));
    }
    Ok(())
}

impl WorkerState {
    /// How a job is answered whose run is over or does not believe this machine.
    pub(super) fn barred(&self, run: &str) -> Option<AckKind> {
        let runs = lock(&self.runs);
        let known = runs.get(run)?;
        if known.is_distrusting {
            return Some(AckKind::Nak(None));
        }
        if known.over_since?.elapsed() > OVER_FOR_GOOD {
            return Some(AckKind::Term);
        }
        // The run may have been resumed, and its job come before that is announced.
        Some(AckKind::Nak(Some(OVER_PAUSE)))
    }

    /// What is raised when the run is over, and where its games are shown.
    pub(super) fn join(&self, run: &str) -> (Interrupt, LiveSlot) {
        let mut runs = lock(&self.runs);
        let known = runs.entry(run.to_owned()).or_default();
        let begin = || {
            (self.tell)(&format!("plays for run {run}"));
            self.process.for_run()
        };
        let interrupt = known.interrupt.get_or_insert_with(begin).clone();
        (interrupt, known.live_games.slot())
    }

    /// Some of the games in progress.
    fn games(&self) -> Vec<GameOfRun> {
        let runs = lock(&self.runs);
        let games = runs.iter().flat_map(|(run, known)| {
            let games = known.live_games.games();
            known.live_games.ask();
            let of_run = |game| GameOfRun {
                run: run.clone(),
                game,
            };
            games.into_iter().map(of_run)
        });
        games.take(GAMES_MAX).collect()
    }

    /// Takes jobs of the run's class among `classes` from now on, or no more: an engine may be replaced while it plays.
    fn open_or_close(
        self: &Arc<Self>,
        announcement: &Announcement,
        classes: &mut HashMap<String, Arc<OpenClass>>,
        fetchers: &mut JoinSet<()>,
    ) {
        if announcement.is_over {
            return;
        }
        let name = &announcement.class;
        if !self.is_ready(announcement, fetchers) {
            if let Some(open) = classes.remove(name) {
                open.is_closed.store(true, Ordering::Relaxed);
            }
        } else if !classes.contains_key(name) {
            let open = Arc::new(OpenClass {
                name: name.clone(),
                engines: announcement.engines.clone(),
                is_closed: AtomicBool::new(false),
            });
            classes.insert(name.clone(), Arc::clone(&open));
            fetchers.spawn(fetch::fetch_all(Arc::clone(self), open));
        }
    }

    /// Can it play for this run? If an engine must be built for that, a task among `tasks` does so.
    fn is_ready(self: &Arc<Self>, announcement: &Announcement, tasks: &mut JoinSet<()>) -> bool {
        let unready = self.unready(announcement, tasks);
        let mut runs = lock(&self.runs);
        let known = runs.entry(announcement.run.clone()).or_default();
        let before = known.unready.take().map(|(why, _)| why);
        if let Some(why) = unready.as_ref().filter(|_| before != unready) {
            (self.tell)(&format!("run {}: {why}", announcement.run));
        }
        known.unready = unready.map(|why| (why, Instant::now()));
        known.unready.is_none()
    }

    fn unready(self: &Arc<Self>, announcement: &Announcement, tasks: &mut JoinSet<()>) -> Option<String> {
        if engine_of(&announcement.class) != Some(&self.engine) {
            return Some("another version of tanren coordinates it".to_owned());
        }
        if is_timed_class(&announcement.class)
            && let Some(why) = self.speed.why_unfit()
        {
            return Some(format!("it plays no games by time: {why}"));
        }
        let mut to_build = None;
        for engine in &announcement.engines {
            match self.tables.readiness(engine.0, engine.1) {
                Readiness::Ready => {}
                Readiness::ToBuild => to_build = to_build.or(Some(engine)),
                Readiness::Refused(why) => return Some(why),
            }
        }
        let (name, digest) = to_build?;
        if !self.is_building.swap(true, Ordering::Relaxed) {
            tasks.spawn(Arc::clone(self).build(name.clone(), digest.clone()));
        }
        Some(format!("it builds {name} first"))
    }

    /// No games are played meanwhile: they would have less time than they seem to.
    async fn build(self: Arc<Self>, name: String, digest: String) {
        let slots = Arc::clone(&self.free).acquire_many_owned(self.options.slots as u32);
        let slots = slots.await;
        let this = Arc::clone(&self);
        let built = spawn_blocking(move || {
            let _slots = slots;
            if !this.is_leaving() {
                this.tables.build(&name, &digest, &this.process);
            }
        });
        // A panic was reported when it happened.
        let _ = built.await;
        self.is_building.store(false, Ordering::Relaxed);
    }

    /// Only machines of a steady speed play timed games.
    pub(super) fn has_time_for(&self, class: &str) -> bool {
        !is_timed_class(class) || self.speed.nps() > 0
    }

    /// Are no more jobs to be taken?
    pub(super) fn is_leaving(&self) -> bool {
        self.process.is_requested() || self.is_draining.load(Ordering::Relaxed)
    }

    pub(super) fn busy(&self) -> usize {
        self.options.slots - self.free.available_permits()
    }

    fn is_done(&self) -> bool {
        self.process.is_requested() || (self.is_draining.load(Ordering::Relaxed) && self.busy() == 0)
    }

    fn on_event(&self, announcement: &Announcement) {
        let run = &announcement.run;
        let mut runs = lock(&self.runs);
        let known = runs.entry(run.clone()).or_default();
        let is_distrusting = announcement.distrusted.contains(&self.options.file.name);
        if is_distrusting && !known.is_distrusting {
            (self.tell)(&format!(
                "the coordinator of run {run} rejects all results of this machine from now on"
            ));
        }
        known.is_distrusting = is_distrusting;
        known.over_since = announcement.is_over.then(Instant::now);
        if announcement.is_over {
            known.unready = None;
        }
        if (announcement.is_over || is_distrusting)
            && let Some(interrupt) = known.interrupt.take()
        {
            interrupt.end();
            if announcement.is_over {
                (self.tell)(&format!("run {run} is over"));
            }
        }
    }

    fn unready_runs(&self) -> Vec<Unready> {
        let runs = lock(&self.runs);
        let unready = runs.iter().filter_map(|(run, known)| {
            let (why, at) = known.unready.as_ref()?;
            (at.elapsed() < GONE_AFTER).then(|| Unready::new(run, why))
        });
        unready.take(UNREADY_MAX).collect()
    }

    fn age_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Is this the heartbeat of an older process with the key of this one?
    fn is_second(&self, heartbeat: &Heartbeat) -> bool {
        let age = (heartbeat.age_ms, &heartbeat.session);
        !heartbeat.is_leaving && heartbeat.session != self.session && age > (self.age_ms(), &self.session)
    }

    async fn send_heartbeat(&self, is_leaving: bool) {
        let heartbeat = Heartbeat {
            name: self.options.file.name.clone(),
            session: self.session.clone(),
            age_ms: self.age_ms(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine: self.engine.clone(),
            cpu: self.options.cpu.clone(),
            slots: self.options.slots as u32,
            busy: self.busy() as u32,
            pairs: self.pairs.load(Ordering::Relaxed),
            nps: self.speed.nps(),
            is_leaving,
            games: self.games(),
            unready: self.unready_runs(),
        };
        tracing::info!(
            busy = heartbeat.busy,
            pairs = heartbeat.pairs,
            "sends a heartbeat"
        );
        let subject = Heartbeat::subject(&heartbeat.name);
        // A lost one is repeated soon.
        let _ = self.client.publish(subject, heartbeat.to_bytes().into()).await;
    }
}
