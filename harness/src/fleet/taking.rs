//! A worker takes jobs of one class, has them played, and sends what comes of them.
//!
//! In: jobs of a consumer. Out: results; acknowledgements once all results of a job are with the server. Must not: acknowledge what is
//! not played to its end.

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

use super::class::rank_of_class;
use super::digest::of_hex;
use super::machine::{Shared, WorkerNews};
use super::slots::{Assignment, SlotNews};
use super::streams::{JOBS, PROGRESS_INTERVAL, is_taken, refusal, result_subject};
use super::wire::{Job, Message, PairResult, SIGNATURE_HEADER, signed_bytes};
use crate::ledger::encode;
use crate::record::Finished;

/// How long the server keeps a question for jobs open.
const QUESTION: Duration = Duration::from_secs(5);
/// Results of a job that the server has not stored yet.
const SENDING_MAX: usize = 64;
/// Before what failed is tried again.
const PAUSE: Duration = Duration::from_secs(1);
/// How often it looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);
/// Before a job that cannot be played here is given to somebody, perhaps to this machine.
const REFUSAL: Duration = Duration::from_secs(5);

/// Takes jobs of `class` until the process is to end.
pub(super) async fn take_all(shared: Arc<Shared>, class: String) {
    let rank = rank_of_class(&class);
    let mut jobs = JoinSet::new();
    let mut consumer: Option<PullConsumer> = None;
    while !shared.is_leaving() && shared.has_time_for(&class) {
        while jobs.try_join_next().is_some() {}
        let Some(asked) = &consumer else {
            let found = shared.context.get_consumer_from_stream(&class, JOBS).await;
            consumer = found.ok();
            if consumer.is_none() {
                sleep(PAUSE).await;
            }
            continue;
        };
        let Some(message) = ask(&shared, asked).await else {
            // The consumer may be gone with all that the server had.
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
                // They are to have it, and not this machine again.
                sleep(PAUSE).await;
            }
            continue;
        }
        if let Some(permit) = wait_for_slot(&shared, &message, rank).await {
            permit.forget();
            jobs.spawn(play(Arc::clone(&shared), job, message));
        } else {
            let _ = message.ack_with(AckKind::Nak(None)).await;
        }
    }
    while jobs.join_next().await.is_some() {}
}

/// Asks for one job. `None` if the question cannot be asked; `Some(None)` if there is none.
async fn ask(shared: &Shared, consumer: &PullConsumer) -> Option<Option<Delivered>> {
    let batch = consumer.batch().max_messages(1).expires(QUESTION).messages();
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
    let header = message.headers.as_ref()?.get(SIGNATURE_HEADER)?;
    let signature = of_hex(header.as_str())?;
    shared.coordinator.verify(&message.payload, &signature).ok()?;
    Job::of_bytes(&message.payload)
}

/// A slot, once one is free and nothing of a higher rank waits; `None` if the process is to end before that.
async fn wait_for_slot<'a>(
    shared: &'a Shared,
    message: &Delivered,
    rank: usize,
) -> Option<tokio::sync::SemaphorePermit<'a>> {
    shared.waiting[rank].fetch_add(1, Ordering::Relaxed);
    let mut progress = interval(PROGRESS_INTERVAL);
    let is_preceded = || {
        shared.waiting[rank + 1..]
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
            () = shared.moved_on.notified() => {}
            () = sleep(LOOK) => {}
        }
    };
    shared.waiting[rank].fetch_sub(1, Ordering::Relaxed);
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
        self.shared.moved_on.notify_one();
    }
}

/// Has a job played; the permit of its slot is given back as soon as the slot has played it.
async fn play(shared: Arc<Shared>, job: Job, message: Delivered) {
    let kind = play_with_permit(&shared, Arc::new(job), &message).await;
    // If the server does not hear of it, somebody plays it again in vain.
    let _ = message.ack_with(kind).await;
}

/// What the server is to be told of a job.
async fn play_with_permit(shared: &Shared, job: Arc<Job>, message: &Delivered) -> AckKind {
    let slot = Taken::new(shared);
    if job.audit_of.as_deref() == Some(&shared.options.file.name) {
        return AckKind::Nak(Some(PAUSE));
    }
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

/// Sends pairs as they come; the server takes its time to store each, and the slot plays on meanwhile.
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
                    (shared.tell)(WorkerNews::Refused(why));
                    kind = Some(AckKind::Nak(Some(REFUSAL)));
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

/// Sends a result until the server has it, or has one of that pair already. False if the process is to end before that.
async fn send(shared: &Shared, job: &Job, record: Box<Finished>, elapsed: Duration) -> bool {
    let packet = encode(&record);
    let pace = job
        .reference_nps
        .map(|reference_nps| shared.speed.pace(reference_nps));
    let Ok(signature) = shared
        .key
        .sign(&signed_bytes(&job.run, &job.table, pace, &packet))
    else {
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
    let is_audit = job.audit_of.is_some();
    let subject = result_subject(&job.run, record.number(), is_audit);
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
            // Somebody was quicker.
            Err(error) if is_taken(&error) => return true,
            Err(_) if shared.process.is_requested() || shared.barred(&job.run).is_some() => {
                return false;
            }
            Err(error) => {
                if let Some(why) = refusal(&error).filter(|_| !is_told) {
                    is_told = true;
                    (shared.tell)(WorkerNews::Unheard(why));
                }
                sleep(PAUSE).await;
            }
        }
    }
}
