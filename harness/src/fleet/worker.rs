//! A worker: plays what coordinators ask for.
//!
//! In: the file of a worker, messages. Out: signed results. Must not: play what its coordinator did not sign, or run a program that
//! is not its own.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::Event;
use futures_util::StreamExt;
use nkeys::KeyPair;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{interval, timeout};

use super::class::{audits_of, has_audits};
use super::machine::{Shared, WorkerNews, WorkerOptions};
use super::orders::{Order, order_subject};
use super::slots::Slots;
use super::speed::Speed;
use super::taking;
use super::wire::{Announcement, Message};
use super::{FleetError, MakeTables, link};
use crate::interrupt::Interrupt;

/// How often it says that it is there.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How often it looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);
/// Jobs that are handed back are waited for so long at the end.
const FAREWELL: Duration = Duration::from_secs(10);
/// The last words may take so long to be sent.
const LAST_WORDS: Duration = Duration::from_secs(2);

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
    let (slots, cores) = (options.slots, options.cores);
    let speed = Speed::measured(&**tables, slots.min(cores), options.speed_tolerance);
    if slots > cores {
        speed.rule_out(format!("it has {slots} slots on {cores} cores"));
    }
    let speed = Arc::new(speed);
    let slots = Slots::start(options.slots, tables, &speed).map_err(FleetError::System)?;
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
            speed,
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
                let is_first = announced.insert(announcement.run.clone());
                if is_first {
                    shared.say_here(false).await;
                }
                if is_first && is_new && !fits && !announcement.is_over {
                    (shared.tell)(WorkerNews::Unfit(announcement.run));
                }
                if fits && !announcement.is_over && classes.insert(class.clone()) {
                    if has_audits(&class, &announcement.engines) {
                        takers.spawn(taking::take_all(Arc::clone(&shared), audits_of(&class)));
                    }
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
