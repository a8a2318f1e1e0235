//! A worker fetches jobs of one class, has them played and sends the results. A job is acknowledged once all of its results are with the
//! server.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message as Delivered};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{interval, sleep};

use super::streams::{JOBS, is_taken, refusal, result_subject};
use super::tables::{JobEnd, JobResources, play_job};
use super::timeouts::{LOOK, PROGRESS_INTERVAL, REFUSAL_PAUSE, REQUEST_EXPIRY, RETRY_PAUSE};
use super::wire::{Job, Message, SignedPair, digest_of, priority_of, signed_bytes, unsigned};
use super::worker::WorkerState;
use crate::ledger::encode;
use crate::record::Finished;

/// Results of a job that the server has not stored yet.
const SENDING_MAX: usize = 64;

/// A class of jobs that a worker takes.
pub(super) struct OpenClass {
    pub(super) name: String,
    /// The digests of its engines, by name.
    pub(super) engines: BTreeMap<String, String>,
    /// Can it not be played here any more?
    pub(super) is_closed: AtomicBool,
}

/// Fetches jobs of `class` until it is closed or the process is to end.
pub(super) async fn fetch_all(shared: Arc<WorkerState>, open: Arc<OpenClass>) {
    let class = &open.name;
    let priority = usize::from(priority_of(class));
    let mut jobs = JoinSet::new();
    let mut consumer: Option<PullConsumer> = None;
    let is_over = || shared.is_leaving() || open.is_closed.load(Ordering::Relaxed);
    while !is_over() && shared.has_time_for(class) {
        while jobs.try_join_next().is_some() {}
        let Some(asked) = &consumer else {
            let found = shared.context.get_consumer_from_stream(class, JOBS).await;
            consumer = found.ok();
            if consumer.is_none() {
                sleep(RETRY_PAUSE).await;
            }
            continue;
        };
        let Some(message) = ask(asked, is_over).await else {
            // The server may have lost the consumer.
            consumer = None;
            continue;
        };
        let Some(message) = message else { continue };
        let Some(job) = unsigned(&shared.coordinator, &message.payload).and_then(Job::of_bytes) else {
            let _ = message.ack_with(AckKind::Term).await;
            continue;
        };
        if let Some(kind) = shared.barred(&job.run) {
            let is_for_others = matches!(kind, AckKind::Nak(None));
            let _ = message.ack_with(kind).await;
            if is_for_others {
                // Others are to get it, and not this machine again.
                sleep(RETRY_PAUSE).await;
            }
            continue;
        }
        if let Some(permit) = wait_for_slot(&shared, &message, priority).await {
            let (shared, open) = (Arc::clone(&shared), Arc::clone(&open));
            jobs.spawn(play(shared, open, permit, Arc::new(job), message));
        } else {
            let _ = message.ack_with(AckKind::Nak(None)).await;
        }
    }
    while jobs.join_next().await.is_some() {}
}

/// Requests one job. `None` if that fails; `Some(None)` if there is none.
async fn ask(consumer: &PullConsumer, is_over: impl Fn() -> bool) -> Option<Option<Delivered>> {
    let batch = consumer
        .batch()
        .max_messages(1)
        .expires(REQUEST_EXPIRY)
        .messages();
    let mut batch = batch.await.ok()?;
    let mut look = interval(LOOK);
    loop {
        tokio::select! {
            message = batch.next() => return match message {
                Some(Ok(message)) => Some(Some(message)),
                Some(Err(_)) => None,
                None => Some(None),
            },
            _ = look.tick() => if is_over() { return Some(None) },
        }
    }
}

/// A slot, once one is free and nothing of a higher priority waits; `None` if the process is to end before that.
async fn wait_for_slot(
    shared: &WorkerState,
    message: &Delivered,
    priority: usize,
) -> Option<OwnedSemaphorePermit> {
    shared.waiting[priority].fetch_add(1, Ordering::Relaxed);
    let mut progress = interval(PROGRESS_INTERVAL);
    let mut permit = None;
    while permit.is_none() && !shared.is_leaving() {
        let mut higher = shared.waiting[priority + 1..].iter();
        let is_first = higher.all(|count| count.load(Ordering::Relaxed) == 0);
        tokio::select! {
            _ = progress.tick() => drop(message.ack_with(AckKind::Progress).await),
            acquired = Arc::clone(&shared.free).acquire_owned(), if is_first => permit = acquired.ok(),
            () = sleep(LOOK) => {}
        }
    }
    shared.waiting[priority].fetch_sub(1, Ordering::Relaxed);
    permit
}

async fn play(
    shared: Arc<WorkerState>,
    open: Arc<OpenClass>,
    permit: OwnedSemaphorePermit,
    job: Arc<Job>,
    message: Delivered,
) {
    let (first, pairs) = (job.pairs[0].pair, job.pairs.len());
    tracing::info!(run = job.run, first, pairs, "plays a job");
    let kind = match shared.barred(&job.run) {
        Some(kind) => kind,
        None => play_and_send(&shared, open, permit, &job, &message).await,
    };
    tracing::info!(first, "answers the job: {kind:?}");
    // If the server does not hear of it, somebody plays it again in vain.
    let _ = message.ack_with(kind).await;
}

/// Plays the job and sends pairs as they come, while the server stores those before. The slot is free as soon as the job is played. How
/// it is to be acknowledged.
async fn play_and_send(
    shared: &Arc<WorkerState>,
    open: Arc<OpenClass>,
    permit: OwnedSemaphorePermit,
    job: &Arc<Job>,
    message: &Delivered,
) -> AckKind {
    let (sender, mut results) = unbounded_channel();
    let (interrupt, shown) = shared.join(&job.run);
    let (this, of_job) = (Arc::clone(shared), Arc::clone(job));
    let mut playing = spawn_blocking(move || {
        let _permit = permit;
        // Nobody listens if the worker is about to end.
        let tell = |record, elapsed| drop(sender.send((record, elapsed)));
        let resources = JobResources {
            tables: &*this.tables,
            engines: &open.engines,
            speed: Some(&this.speed),
            are_all_busy: this.busy() == this.options.slots,
        };
        play_job(&of_job, &interrupt, &resources, shown, tell)
    });
    let (mut sending, mut kind) = (FuturesUnordered::new(), None);
    let mut progress = interval(PROGRESS_INTERVAL);
    loop {
        tokio::select! {
            Some((record, elapsed)) = results.recv(), if sending.len() < SENDING_MAX => {
                sending.push(send(shared, job, record, elapsed));
            }
            Some(is_stored) = sending.next() => if !is_stored {
                // The run is over, and its interrupt is raised; or the process ends.
                return AckKind::Nak(None);
            },
            ended = &mut playing, if kind.is_none() => kind = Some(match ended {
                Ok(JobEnd::Finished) => AckKind::Ack,
                Ok(JobEnd::HandedBack) | Err(_) => AckKind::Nak(None),
                Ok(JobEnd::Refused(why)) => {
                    (shared.tell)(&format!("a job cannot be played here: {why}"));
                    AckKind::Nak(Some(REFUSAL_PAUSE))
                }
            }),
            _ = progress.tick() => drop(message.ack_with(AckKind::Progress).await),
        }
        if sending.is_empty()
            && results.is_empty()
            && let Some(kind) = kind
        {
            return kind;
        }
    }
}

/// Sends a result until the server has one of that pair. False if the process is to end before that.
async fn send(shared: &WorkerState, job: &Job, record: Finished, elapsed: Duration) -> bool {
    let packet = encode(&record);
    let pace = job
        .reference_nps
        .map(|reference_nps| shared.speed.pace(reference_nps));
    let signed = signed_bytes(&job.run, &digest_of(&job.table), pace, &packet);
    let Ok(signature) = shared.key.sign(&signed) else {
        return false;
    };
    let result = SignedPair {
        worker: shared.options.file.name.clone(),
        elapsed_ms: elapsed.as_millis() as u64,
        pace,
        signature,
        packet,
    };
    let subject = result_subject(&job.run, record.number());
    let payload = result.to_bytes();
    let mut is_told = false;
    loop {
        let message = PublishMessage::build()
            .payload(payload.clone().into())
            .expected_last_subject_sequence(0);
        let stored = match shared.context.send_publish(subject.clone(), message).await {
            Ok(stored) => stored.await.map(drop),
            Err(error) => Err(error),
        };
        match stored {
            Ok(()) => {
                shared.pairs.fetch_add(1, Ordering::Relaxed);
                return true;
            }
            // Somebody was faster.
            Err(error) if is_taken(&error) => return true,
            Err(_) if shared.process.is_requested() || shared.barred(&job.run).is_some() => {
                return false;
            }
            Err(error) => {
                if let Some(why) = refusal(&error).filter(|_| !is_told) {
                    is_told = true;
                    (shared.tell)(&format!(
                        "the server does not take a result ({why}); it is sent again until it does"
                    ));
                }
                sleep(RETRY_PAUSE).await;
            }
        }
    }
}
