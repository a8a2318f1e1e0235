//! Orders from outside (a worker is to go, a run is to stop), and the status of a fleet.

use std::collections::BTreeMap;
use std::time::Duration;

use async_nats::Client;
use async_nats::header::HeaderMap;
use futures_util::StreamExt;
use nkeys::KeyPair;
use tokio::time::{Instant, timeout_at};

use super::wire::{Announcement, Heartbeat, Message, SIGNATURE_HEADER, hex, is_run, of_hex};
use super::{CoordinatorFile, FleetError, connect};

/// Every worker and every run says something in this time.
const LISTEN_TIME: Duration = Duration::from_millis(2_500);

const DRAIN: &[u8] = br#""drain""#;

/// Did the holder of `key` sign this?
pub(super) fn is_signed_by(key: &KeyPair, headers: Option<&HeaderMap>, signed: &[u8]) -> bool {
    let header = headers.and_then(|headers| headers.get(SIGNATURE_HEADER));
    let signature = header.and_then(|header| of_hex(header.as_str()));
    signature.is_some_and(|signature| key.verify(signed, &signature).is_ok())
}

/// Is it an order for the worker called `name` to play what it has, take nothing more, and end?
pub(super) fn is_drain(message: &async_nats::Message, name: &str, coordinator: &KeyPair) -> bool {
    let signed = signed_order(name, &message.payload);
    message.payload == DRAIN && is_signed_by(coordinator, message.headers.as_ref(), &signed)
}

/// An order is for one worker alone.
fn signed_order(name: &str, payload: &[u8]) -> Vec<u8> {
    [b"tanren order\n", name.as_bytes(), b"\n", payload].concat()
}

pub(super) fn order_subject(name: &str) -> String {
    format!("tanren.order.{name}")
}

pub(super) fn stop_subject(run: &str) -> String {
    format!("tanren.run.stop-{run}")
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct FleetStatus {
    /// `None`: it has a key and sent no heartbeat.
    pub workers: BTreeMap<String, Option<Heartbeat>>,
    pub runs: BTreeMap<String, Announcement>,
}

/// Listens for a moment to workers and coordinators.
pub fn status(file: &CoordinatorFile, is_insecure: bool) -> Result<FleetStatus, FleetError> {
    block_on(async {
        let client = connect(&file.access(is_insecure)).await?;
        let listen = |error| FleetError::server("listen to the fleet", error);
        let mut heartbeats = client.subscribe("tanren.here.*").await.map_err(listen)?;
        let mut runs = client.subscribe("tanren.run.*").await.map_err(listen)?;
        let mut status = FleetStatus::default();
        let silent = file.workers.keys().map(|name| (name.clone(), None));
        status.workers.extend(silent);
        let until = Instant::now() + LISTEN_TIME;
        loop {
            let heard = timeout_at(until, async {
                tokio::select! {
                    message = heartbeats.next() => (message, true),
                    message = runs.next() => (message, false),
                }
            });
            match heard.await {
                Err(_) | Ok((None, _)) => return Ok(status),
                Ok((Some(message), true)) => {
                    if let Some(heartbeat) = Heartbeat::of_bytes(&message.payload) {
                        status.workers.insert(heartbeat.name.clone(), Some(heartbeat));
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

pub fn drain(file: &CoordinatorFile, name: &str, is_insecure: bool) -> Result<(), FleetError> {
    if !file.workers.contains_key(name) {
        return Err(FleetError::UnknownWorker(name.to_owned()));
    }
    block_on(async {
        let client = connect(&file.access(is_insecure)).await?;
        let unusable = |error| FleetError::server("sign", error);
        let key = file.seed.key_pair().map_err(unusable)?;
        let signature = key.sign(&signed_order(name, DRAIN)).map_err(unusable)?;
        let mut headers = HeaderMap::new();
        headers.insert(SIGNATURE_HEADER, hex(&signature));
        let sent = client.publish_with_headers(order_subject(name), headers, DRAIN.into());
        sent.await
            .map_err(|error| FleetError::server("send an order", error))?;
        flush(&client).await
    })
}

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
