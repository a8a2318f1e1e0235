//! Orders from outside (a worker is to go, a run is to stop), and the status of a fleet.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::StreamExt;
use tokio::time::{Instant, timeout_at};

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
    order(file, drain_subject(name), is_insecure)
}

pub fn stop(file: &CoordinatorFile, run: &str, is_insecure: bool) -> Result<(), FleetError> {
    if !is_run(run) {
        return Err(FleetError::UnknownRun(run.to_owned()));
    }
    order(file, stop_subject(run), is_insecure)
}

fn order(file: &CoordinatorFile, subject: String, is_insecure: bool) -> Result<(), FleetError> {
    block_on(async {
        let client = connect(&file.access(is_insecure)).await?;
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
