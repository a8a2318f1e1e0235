//! What a user tells a fleet from outside: a worker is to go, a run is to stop; and what the fleet tells of itself.
//!
//! In: the file of a coordinator. Out: signed orders; who is there. Must not: wait for a machine that says nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use async_nats::Client;
use async_nats::header::HeaderMap;
use futures_util::StreamExt;
use nkeys::KeyPair;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout_at};

use super::digest::{hex, of_hex};
use super::wire::{Announcement, Here, Message, SIGNATURE_HEADER, is_run};
use super::{CoordinatorFile, FleetError, connect};

/// Every worker and every run says something in this time.
const EAR: Duration = Duration::from_millis(2_500);

/// What a worker is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Order {
    /// Play what it has, take nothing more, and end.
    Drain,
}

impl Order {
    /// The order of a message that this coordinator has signed for the worker called `name`.
    pub(super) fn of_message(
        message: &async_nats::Message,
        name: &str,
        coordinator: &KeyPair,
    ) -> Option<Order> {
        let header = message.headers.as_ref()?.get(SIGNATURE_HEADER)?;
        let signature = of_hex(header.as_str())?;
        coordinator
            .verify(&signed_bytes(name, &message.payload), &signature)
            .ok()?;
        serde_json::from_slice(&message.payload).ok()
    }
}

/// An order is for one worker alone.
fn signed_bytes(name: &str, payload: &[u8]) -> Vec<u8> {
    [b"tanren order\n", name.as_bytes(), b"\n", payload].concat()
}

/// Where a worker hears orders.
pub(super) fn order_subject(name: &str) -> String {
    format!("tanren.order.{name}")
}

/// Where the coordinator of a run hears that it is to stop.
pub(super) fn stop_subject(run: &str) -> String {
    format!("tanren.run.stop-{run}")
}

/// What is there at the moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FleetStatus {
    /// Workers that said something, and those that have a key and said nothing.
    pub workers: BTreeMap<String, Option<Here>>,
    /// Runs that are being played.
    pub runs: BTreeMap<String, Announcement>,
}

/// Listens for a moment to what workers and coordinators say.
///
/// # Errors
/// There is no server, or it refuses the key.
pub fn status(file: &CoordinatorFile, is_insecure: bool) -> Result<FleetStatus, FleetError> {
    block_on(async {
        let client = connect(&file.access(is_insecure)).await?;
        let listen = |error| FleetError::server("listen to the fleet", error);
        let mut here = client.subscribe("tanren.here.*").await.map_err(listen)?;
        let mut runs = client.subscribe("tanren.run.*").await.map_err(listen)?;
        let mut status = FleetStatus::default();
        let silent = file.workers.keys().map(|name| (name.clone(), None));
        status.workers.extend(silent);
        let until = Instant::now() + EAR;
        loop {
            let heard = timeout_at(until, async {
                tokio::select! {
                    message = here.next() => (message, true),
                    message = runs.next() => (message, false),
                }
            });
            match heard.await {
                Err(_) | Ok((None, _)) => return Ok(status),
                Ok((Some(message), true)) => {
                    if let Some(here) = Here::of_bytes(&message.payload) {
                        status.workers.insert(here.name.clone(), Some(here));
                    }
                }
                Ok((Some(message), false)) => {
                    if let Some(run) = Announcement::of_bytes(&message.payload) {
                        status.runs.insert(run.run.clone(), run);
                    }
                }
            }
        }
    })
}

/// Tells the worker called `name` to play what it has and end.
///
/// # Errors
/// It has no key in the file, or the server fails.
pub fn drain(file: &CoordinatorFile, name: &str, is_insecure: bool) -> Result<(), FleetError> {
    if !file.workers.contains_key(name) {
        return Err(FleetError::UnknownWorker(name.to_owned()));
    }
    block_on(async {
        let client = connect(&file.access(is_insecure)).await?;
        let unusable = |error| FleetError::server("sign", error);
        let key = file.seed.key_pair().map_err(unusable)?;
        let payload = serde_json::to_vec(&Order::Drain).unwrap_or_default();
        let signature = key.sign(&signed_bytes(name, &payload)).map_err(unusable)?;
        let mut headers = HeaderMap::new();
        headers.insert(SIGNATURE_HEADER, hex(&signature));
        let sent = client.publish_with_headers(order_subject(name), headers, payload.into());
        sent.await
            .map_err(|error| FleetError::server("send an order", error))?;
        flush(&client).await
    })
}

/// Tells the coordinator of `run` to stop; its command goes on when it is given again.
///
/// # Errors
/// That is no run, or the server fails.
pub fn stop(file: &CoordinatorFile, run: &str, is_insecure: bool) -> Result<(), FleetError> {
    if !is_run(run) {
        return Err(FleetError::UnknownRun(run.to_owned()));
    }
    block_on(async {
        let client = connect(&file.access(is_insecure)).await?;
        let sent = client.publish(stop_subject(run), Vec::new().into()).await;
        sent.map_err(|error| FleetError::server("send an order", error))?;
        flush(&client).await
    })
}

async fn flush(client: &Client) -> Result<(), FleetError> {
    let flushed = client.flush().await;
    flushed.map_err(|error| FleetError::server("send an order", error))
}

fn block_on<T>(work: impl Future<Output = Result<T, FleetError>>) -> Result<T, FleetError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(FleetError::System)?.block_on(work)
}
