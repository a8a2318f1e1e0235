//! Orders from outside (a worker is to go, a run is to stop), and the status of a fleet.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::StreamExt;
use tokio::time::{Instant, timeout, timeout_at};

use super::timeouts::STATUS_TIME;
use super::wire::{Announcement, Heartbeat, Message, is_run};
use super::{CoordinatorFile, FleetError, connect};

/// Where a worker hears that it is to play what it has, take nothing more, and end. Nobody but the coordinator may write there.
pub(super) fn drain_subject(worker: &str) -> String {
    format!("tanren.order.{worker}")
}

pub(super) fn stop_subject(run: &str) -> String {
    format!("tanren.run.stop-{run}")
}

/// A search goes a hundred plies deep and keeps its move lists on the stack.
const STACK_BYTES: usize = 16 << 20;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct FleetStatus {
    /// `None`: it has a key and sent no heartbeat.
    pub workers: BTreeMap<String, Option<Heartbeat>>,
    /// Of which heartbeats of two processes came.
    pub doubled: BTreeSet<String>,
    pub runs: BTreeMap<String, Announcement>,
}

/// Listens for a moment to workers and coordinators.
pub fn status(file: &CoordinatorFile, is_insecure: bool) -> Result<FleetStatus, FleetError> {
    block_on(async {
        let client = connect(&file.access(is_insecure)).await?;
        let listen = |error| FleetError::server("listen to the fleet", error);
        let mut heartbeats = client.subscribe("tanren.here.*").await.map_err(listen)?;
        let mut runs = client.subscribe("tanren.run.*").await.map_err(listen)?;
        let silent = file.workers.keys().map(|name| (name.clone(), None));
        let mut status = FleetStatus {
            workers: silent.collect(),
            doubled: BTreeSet::new(),
            runs: BTreeMap::new(),
        };
        let listening = async {
            loop {
                tokio::select! {
                    Some(message) = heartbeats.next() => if let Some(heartbeat) = Heartbeat::of_message(&message.subject, &message.payload) {
                        let (name, session) = (heartbeat.name.clone(), heartbeat.session.clone());
                        let before = status.workers.insert(name.clone(), Some(heartbeat)).flatten();
                        if before.is_some_and(|before| before.session != session && !before.is_leaving) {
                            status.doubled.insert(name);
                        }
                    },
                    Some(message) = runs.next() => if let Some(run) = Announcement::of_bytes(&message.payload) {
                        status.runs.insert(run.run.clone(), run);
                    },
                    else => break,
                }
            }
        };
        let _ = timeout_at(Instant::now() + STATUS_TIME, listening).await;
        Ok(status)
    })
}

pub fn drain(file: &CoordinatorFile, name: &str, is_insecure: bool) -> Result<(), FleetError> {
    if !file.workers.contains_key(name) {
        return Err(FleetError::UnknownWorker(name.to_owned()));
    }
    order(file, drain_subject(name), is_insecure, async |client| {
        let is_it = |message: &async_nats::Message| {
            let heartbeat = Heartbeat::of_message(&message.subject, &message.payload);
            heartbeat.is_some_and(|heartbeat| !heartbeat.is_leaving)
        };
        let is_there = is_heard(client, Heartbeat::subject(name), is_it).await?;
        Ok((!is_there).then(|| FleetError::AbsentWorker(name.to_owned())))
    })
}

pub fn stop(file: &CoordinatorFile, run: &str, is_insecure: bool) -> Result<(), FleetError> {
    if !is_run(run) {
        return Err(FleetError::UnknownRun(run.to_owned()));
    }
    order(file, stop_subject(run), is_insecure, async |client| {
        let is_it = |message: &async_nats::Message| {
            let announcement = Announcement::of_bytes(&message.payload);
            announcement.is_some_and(|announcement| !announcement.is_over)
        };
        let is_there = is_heard(client, format!("tanren.run.{run}"), is_it).await?;
        Ok((!is_there).then(|| FleetError::AbsentRun(run.to_owned())))
    })
}

/// Does such a message come at `subject` in the time in which every machine says something?
async fn is_heard(
    client: &async_nats::Client,
    subject: String,
    is_it: impl Fn(&async_nats::Message) -> bool,
) -> Result<bool, FleetError> {
    let listen = |error| FleetError::server("listen to the fleet", error);
    let mut messages = client.subscribe(subject).await.map_err(listen)?;
    let listening = async {
        while let Some(message) = messages.next().await {
            if is_it(&message) {
                return true;
            }
        }
        false
    };
    Ok(timeout(STATUS_TIME, listening).await.unwrap_or(false))
}

/// Sends an order, unless `refusal` has a reason why nobody would hear it.
fn order(
    file: &CoordinatorFile,
    subject: String,
    is_insecure: bool,
    refusal: impl AsyncFnOnce(&async_nats::Client) -> Result<Option<FleetError>, FleetError>,
) -> Result<(), FleetError> {
    block_on(async {
        let client = connect(&file.access(is_insecure)).await?;
        if let Some(refusal) = refusal(&client).await? {
            return Err(refusal);
        }
        let sent = client.publish(subject, Vec::new().into()).await;
        sent.map_err(|error| FleetError::server("send an order", error))?;
        let flushed = client.flush().await;
        flushed.map_err(|error| FleetError::server("send an order", error))
    })
}

/// What it spawns to block are games: as many as it likes, and deep.
pub(super) fn block_on<T>(work: impl Future<Output = Result<T, FleetError>>) -> Result<T, FleetError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(1 << 16)
        .thread_stack_size(STACK_BYTES)
        .build();
    runtime.map_err(FleetError::System)?.block_on(work)
}
