//! What a fleet keeps on its server: jobs, results, and who coordinates a run. The server may lose all of it. Works from nats-server 2.9 on.

use std::error::Error;
use std::time::Duration;

use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{Context, CreateStreamErrorKind, PublishError, PublishErrorKind};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};

use super::FleetError;
use super::timeouts::{ACK_TIMEOUT, CONSUMER_AGE_MAX, LEASE_TIMEOUT, MESSAGE_AGE_MAX};
use super::wire::MESSAGE_BYTES_MAX;

pub(super) const JOBS: &str = "jobs";
pub(super) const RESULTS: &str = "results";
pub(super) const CONTROL: &str = "control";

const JOBS_BYTES_MAX: i64 = 1 << 30;
const RESULTS_BYTES_MAX: i64 = 4 << 30;
const JOBS_OUT_MAX: i64 = 100_000;
pub(super) const RESULTS_OUT_MAX: i64 = 4_096;

const CREATE_TRIES_MAX: u32 = 8;
const CREATE_PAUSE: Duration = Duration::from_millis(100);

#[derive(Clone)]
pub(super) struct Streams {
    pub(super) jobs: Stream,
    pub(super) results: Stream,
    pub(super) control: Stream,
}

/// The subject of a job of this run whose first pair has this number.
pub(super) fn job_subject(class: &str, run: &str, pair: u64) -> String {
    format!("tanren.job.{class}.{run}.{pair}")
}

pub(super) fn result_subject(run: &str, pair: u64) -> String {
    format!("tanren.res.{run}.{pair}")
}

/// The pair of a subject.
pub(super) fn pair_of(subject: &str) -> Option<u64> {
    subject.rsplit('.').next()?.parse().ok()
}

impl Streams {
    /// Are they the same, and none was made anew after the server lost it?
    pub(super) fn are(&self, others: &Streams) -> bool {
        let made = |streams: &Streams| {
            [&streams.jobs, &streams.results, &streams.control].map(|stream| stream.cached_info().created)
        };
        made(self) == made(others)
    }
}

/// Streams that are not there are made.
pub(super) async fn open(context: &Context) -> Result<Streams, FleetError> {
    let work = |name: &str, subject: &str, bytes: i64| Config {
        name: name.to_owned(),
        subjects: vec![subject.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        max_age: MESSAGE_AGE_MAX,
        max_bytes: bytes,
        max_message_size: MESSAGE_BYTES_MAX as i32,
        storage: StorageType::File,
        num_replicas: 1,
        ..Config::default()
    };
    let control = Config {
        retention: RetentionPolicy::Limits,
        discard: DiscardPolicy::Old,
        max_messages_per_subject: 1,
        max_age: LEASE_TIMEOUT,
        ..work(CONTROL, "tanren.control.>", 64 << 20)
    };
    Ok(Streams {
        jobs: stream(context, work(JOBS, "tanren.job.>", JOBS_BYTES_MAX)).await?,
        results: stream(context, work(RESULTS, "tanren.res.>", RESULTS_BYTES_MAX)).await?,
        control: stream(context, control).await?,
    })
}

/// Where several coordinators make it at the same time, the server reserves room for each for a moment, and refuses some.
async fn stream(context: &Context, config: Config) -> Result<Stream, FleetError> {
    let mut tries = 0;
    loop {
        tries += 1;
        match context.get_or_create_stream(config.clone()).await {
            Ok(stream) => return Ok(stream),
            Err(error)
                if tries < CREATE_TRIES_MAX
                    && matches!(error.kind(), CreateStreamErrorKind::JetStream(_)) =>
            {
                tokio::time::sleep(CREATE_PAUSE).await;
            }
            Err(error) if has_no_room(error.kind()) => return Err(FleetError::NoRoom(error.to_string())),
            Err(error) => return Err(FleetError::server("make a stream", error)),
        }
    }
}

/// May the server's storage, or that of the coordinator's account, not grow as far as a stream may?
fn has_no_room(kind: CreateStreamErrorKind) -> bool {
    const NONE: [ErrorCode; 3] = [
        ErrorCode::STORAGE_RESOURCES_EXCEEDED,
        ErrorCode::INSUFFICIENT_RESOURCES,
        ErrorCode::ACCOUNT_RESOURCES_EXCEEDED,
    ];
    matches!(kind, CreateStreamErrorKind::JetStream(error) if NONE.contains(&error.error_code()))
}

/// A consumer of the messages of `subject`.
fn consumer(name: &str, subject: String, out_max: i64) -> pull::Config {
    pull::Config {
        durable_name: Some(name.to_owned()),
        filter_subject: subject,
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_TIMEOUT,
        max_deliver: -1,
        max_ack_pending: out_max,
        ..pull::Config::default()
    }
}

/// Makes the consumer that all workers of the class share.
pub(super) async fn open_class(streams: &Streams, class: &str) -> Result<(), FleetError> {
    let config = consumer(class, format!("tanren.job.{class}.>"), JOBS_OUT_MAX);
    let made = streams.jobs.get_or_create_consumer(class, config).await;
    made.map(drop)
        .map_err(|error| FleetError::server("make a consumer of jobs", error))
}

/// The results of `run`, those first that an earlier coordinator did not store.
pub(super) async fn open_results(streams: &Streams, run: &str) -> Result<PullConsumer, FleetError> {
    // What was delivered to an earlier coordinator would wait for its acknowledgement.
    let _ = streams.results.delete_consumer(run).await;
    let config = pull::Config {
        inactive_threshold: CONSUMER_AGE_MAX,
        ..consumer(run, format!("tanren.res.{run}.>"), RESULTS_OUT_MAX)
    };
    let made = streams.results.create_consumer(config).await;
    made.map_err(|error| FleetError::server("make a consumer of results", error))
}

/// Takes back every job of `run` that nobody has fetched yet.
pub(super) async fn purge_jobs(streams: &Streams, run: &str) -> Result<(), FleetError> {
    let purged = streams.jobs.purge().filter(format!("tanren.job.*.{run}.>")).await;
    purged
        .map(drop)
        .map_err(|error| FleetError::server("take back jobs", error))
}

/// What fails is too old one day.
pub(super) async fn forget(streams: &Streams, run: &str) {
    let _ = purge_jobs(streams, run).await;
    let _ = streams.results.delete_consumer(run).await;
    let results = streams.results.purge().filter(format!("tanren.res.{run}.>"));
    let _ = results.await;
}

/// Why the server refuses a message, in its words. `None`: it is not there, or has not answered.
pub(super) fn refusal(error: &PublishError) -> Option<String> {
    match error.kind() {
        PublishErrorKind::Other => error.source().map(ToString::to_string),
        PublishErrorKind::StreamNotFound => Some(error.kind().to_string()),
        _ => None,
    }
}

pub(super) fn is_taken(error: &PublishError) -> bool {
    matches!(error.kind(), PublishErrorKind::WrongLastSequence)
}
