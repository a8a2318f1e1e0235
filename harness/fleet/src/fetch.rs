//! A worker fetches jobs of one class, has them played and sends the results. A job is acknowledged once all of its results are with the
//! server.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message as Delivered};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{interval, sleep};

use super::orders::is_signed_by;
use super::slots::{Assignment, SlotNews};
use super::streams::{JOBS, PROGRESS_INTERVAL, is_taken, refusal, result_subject};
use super::wire::{Job, Message, PairResult, digest_of, priority_of, signed_bytes};
use super::worker::{Shared, WorkerNews};
use crate::ledger::encode;
use crate::record::Finished;

/// How long the server keeps a request for a job.
const REQUEST_EXPIRY: Duration = Duration::from_secs(5);
/// Results of a job that the server has not stored yet.
const SENDING_MAX: usize = 64;
const RETRY_PAUSE: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(50);
/// Before a job that cannot be played here is delivered again, perhaps to this machine.
const REFUSAL_PAUSE: Duration = Duration::from_secs(5);

/// Fetches jobs of `class` until the process is to end.
pub(super) async fn fetch_all(shared: Arc<Shared>, class: String) {
    let priority = usize::from(priority_of(&class));
    let mut jobs = JoinSet::new();
    let mut consumer: Option<PullConsumer> = None;
    while !shared.is_leaving() && shared.has_time_for(&class) {
        while jobs.try_join_next().is_some() {}
        let Some(asked) = &consumer else {
            let found = shared.context.get_consumer_from_stream(&class, JOBS).await;
            consumer = found.ok();
            if consumer.is_none() {
                sleep(RETRY_PAUSE).await;
            }
            continue;
        };
        let Some(message) = ask(&shared, asked).await else {
            // The server may have lost the consumer.
            consumer = None;
            continue;
        };
        let Some(message) = message else { continue };
        let Some(job) = signed_job(&shared, &message) else {
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
            permit.forget();
            jobs.spawn(play(Arc::clone(&shared), job, message));
        } else {
            let _ = message.ack_with(AckKind::Nak(None)).await;
        }
    }
    while jobs.join_next().await.is_some() {}
}

/// Requests one job. `None` if that fails; `Some(None)` if there is none.
async fn ask(shared: &Shared, consumer: &PullConsumer) -> Option<Option<Delivered>> {
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
            _ = look.tick() => if shared.is_leaving() { return Some(None) },
        }
    }
}

/// The job of a message, if the coordinator has signed it.
fn signed_job(shared: &Shared, message: &Delivered) -> Option<Job> {
    let is_signed = is_signed_by(&shared.coordinator, message.headers.as_ref(), &message.payload);
    is_signed.then(|| Job::of_bytes(&message.payload))?
}

/// A slot, once one is free and nothing of a higher priority waits; `None` if the process is to end before that.
async fn wait_for_slot<'a>(
    shared: &'a Shared,
    message: &Delivered,
    priority: usize,
) -> Option<tokio::sync::SemaphorePermit<'a>> {
    shared.waiting[priority].fetch_add(1, Ordering::Relaxed);
    let mut progress = interval(PROGRESS_INTERVAL);
    let is_preceded = || {
        shared.waiting[priority + 1..]
            .iter()
            .any(|count| count.load(Ordering::Relaxed) > 0)
    };
    let permit = loop {
        if shared.is_leaving() {
            break None;
        }
        if !is_preceded()
            && let Ok(permit) = shared.free.try_acquire()
        {
            break Some(permit);
        }
        tokio::select! {
            _ = progress.tick() => drop(message.ack_with(AckKind::Progress).await),
            () = shared.freed.notified() => {}
            () = sleep(LOOK) => {}
        }
    };
    shared.waiting[priority].fetch_sub(1, Ordering::Relaxed);
    permit
}

/// A slot that is taken, until this is dropped.
struct Taken<'a> {
    shared: &'a Shared,
}

impl<'a> Taken<'a> {
    fn new(shared: &'a Shared) -> Taken<'a> {
        shared.busy.fetch_add(1, Ordering::Relaxed);
        Taken { shared }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.shared.busy.fetch_sub(1, Ordering::Relaxed);
        self.shared.free.add_permits(1);
        self.shared.freed.notify_one();
    }
}

async fn play(shared: Arc<Shared>, job: Job, message: Delivered) {
    let (first, pairs) = (job.pairs[0].pair, job.pairs.len());
    tracing::info!(run = job.run, first, pairs, "plays a job");
    let kind = play_with_permit(&shared, Arc::new(job), &message).await;
    tracing::info!(first, "answers the job: {kind:?}");
    // If the server does not hear of it, somebody plays it again in vain.
    let _ = message.ack_with(kind).await;
}

/// How the job is to be acknowledged. Its slot is free as soon as the slot has played it.
async fn play_with_permit(shared: &Shared, job: Arc<Job>, message: &Delivered) -> AckKind {
    let slot = Taken::new(shared);
    if let Some(kind) = shared.barred(&job.run) {
        return kind;
    }
    let interrupt = shared.interrupt_of(&job.run);
    let (sender, mut news) = unbounded_channel();
    shared.slots.assign(Assignment {
        job: Arc::clone(&job),
        interrupt,
        news: sender,
    });
    follow(slot, &job, message, &mut news).await
}

/// Sends pairs as they come; the slot plays on while the server stores them.
async fn follow(
    slot: Taken<'_>,
    job: &Job,
    message: &Delivered,
    news: &mut UnboundedReceiver<SlotNews>,
) -> AckKind {
    let shared = slot.shared;
    let mut slot = Some(slot);
    let mut sending = FuturesUnordered::new();
    let mut kind = None;
    let mut progress = interval(PROGRESS_INTERVAL);
    loop {
        tokio::select! {
            told = news.recv(), if kind.is_none() && sending.len() < SENDING_MAX => match told {
                Some(SlotNews::Pair(record, elapsed)) => sending.push(send(shared, job, record, elapsed)),
                Some(SlotNews::Finished) => kind = Some(AckKind::Ack),
                Some(SlotNews::HandedBack) | None => kind = Some(AckKind::Nak(None)),
                Some(SlotNews::Refused(why)) => {
                    shared.tell(WorkerNews::Refused(why));
                    kind = Some(AckKind::Nak(Some(REFUSAL_PAUSE)));
                }
            },
            Some(is_stored) = sending.next() => if !is_stored {
                // The run is over, and the slot knows it; or the process ends.
                return AckKind::Nak(None);
            },
            _ = progress.tick() => drop(message.ack_with(AckKind::Progress).await),
        }
        if kind.is_some() {
            drop(slot.take());
        }
        if sending.is_empty()
            && let Some(kind) = kind
        {
            return kind;
        }
    }
}

/// Sends a result until the server has one of that pair. False if the process is to end before that.
async fn send(shared: &Shared, job: &Job, record: Box<Finished>, elapsed: Duration) -> bool {
    let packet = encode(&record);
    let pace = job
        .reference_nps
        .map(|reference_nps| shared.speed.pace(reference_nps));
    let signed = signed_bytes(&job.run, &digest_of(&job.table), pace, &packet);
    let Ok(signature) = shared.key.sign(&signed) else {
        return false;
    };
    let Ok(signature) = signature.try_into() else {
        return false;
    };
    let name = &shared.options.file.name;
    let result = PairResult {
        worker: name.clone(),
        elapsed_ms: elapsed.as_millis() as u64,
        pace,
        signature,
        packet,
    };
    let subject = result_subject(&job.run, record.number());
    let (id, payload) = (format!("{subject} {name}"), result.to_bytes());
    let mut is_told = false;
    loop {
        let message = PublishMessage::build()
            .payload(payload.clone().into())
            .message_id(&id)
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
                    shared.tell(WorkerNews::Unheard(why));
                }
                sleep(RETRY_PAUSE).await;
            }
        }
    }
}
