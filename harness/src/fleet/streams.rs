//! What a fleet keeps on its server: jobs, results, and who coordinates a run.
//!
//! In: a connection. Out: streams and consumers, made if they are not there. Must not: rely on them: a server may lose all of it.
//!
//! Works from nats-server 2.9 on.

use std::error::Error;
use std::time::Duration;

use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{Context, CreateStreamErrorKind, PublishError, PublishErrorKind};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};

use super::FleetError;
use super::wire::MESSAGE_BYTES_MAX;

pub(super) const JOBS: &str = "jobs";
pub(super) const RESULTS: &str = "results";
pub(super) const CONTROL: &str = "control";

/// A job that nobody says anything about for so long is given to somebody else.
const JOB_PATIENCE: Duration = Duration::from_secs(30);
/// How often it is to be said that a job is still being played.
pub(super) const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// A result that is not stored for so long is sent again.
const RESULT_PATIENCE: Duration = Duration::from_secs(30);
/// What nobody fetches is forgotten: of runs that never ended.
const AGE_MAX: Duration = Duration::from_secs(7 * 24 * 3600);
const JOBS_BYTES_MAX: i64 = 1 << 30;
const RESULTS_BYTES_MAX: i64 = 4 << 30;
/// Jobs that are being played at the same time, of one class.
const JOBS_OUT_MAX: i64 = 100_000;
const RESULTS_OUT_MAX: i64 = 4_096;
/// A consumer that nobody asks for so long is of a run that is over.
const CONSUMER_AGE_MAX: Duration = Duration::from_secs(24 * 3600);
/// A worker may send the same pair again when its first result was refused.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(2);

/// A stream that cannot be made is tried again so often, with a pause in between.
const TRIES_MAX: u32 = 8;
const PAUSE: Duration = Duration::from_millis(100);

/// The streams of a fleet.
#[derive(Clone)]
pub(super) struct Streams {
    pub(super) jobs: Stream,
    pub(super) results: Stream,
    pub(super) control: Stream,
}

/// The subject of a job of this run whose first pair has this number.
pub(super) fn job_subject(class: &str, run: &str, pair: u64, is_audit: bool) -> String {
    format!("tanren.job.{class}.{run}.{}", pair_name(pair, is_audit))
}

/// The subject of the result of a pair.
pub(super) fn result_subject(run: &str, pair: u64, is_audit: bool) -> String {
    format!("tanren.res.{run}.{}", pair_name(pair, is_audit))
}

fn pair_name(pair: u64, is_audit: bool) -> String {
    if is_audit {
        format!("audit-{pair}")
    } else {
        pair.to_string()
    }
}

/// Pair and whether it is an audit, of the last part of a subject.
pub(super) fn pair_of(subject: &str) -> Option<(u64, bool)> {
    let name = subject.rsplit('.').next()?;
    match name.strip_prefix("audit-") {
        Some(pair) => Some((pair.parse().ok()?, true)),
        None => Some((name.parse().ok()?, false)),
    }
}

impl Streams {
    /// Are those the same, and none of them made anew after the server lost it? Whoever made it.
    pub(super) fn are(&self, others: &Streams) -> bool {
        let made = |streams: &Streams| {
            [&streams.jobs, &streams.results, &streams.control].map(|stream| stream.cached_info().created)
        };
        made(self) == made(others)
    }

    /// Have they given out messages with higher numbers than they hold, of jobs and of results?
    ///
    /// A server that was killed may begin to number an empty stream anew, and its consumers wait for what will never come: new
    /// messages have numbers that they think they have seen.
    pub(super) fn are_behind(&self, delivered: [Option<u64>; 2]) -> [bool; 2] {
        let last = [&self.jobs, &self.results].map(|stream| stream.cached_info().state.last_sequence);
        [0, 1].map(|index| delivered[index].is_some_and(|delivered| delivered > last[index]))
    }
}

/// The highest number of a message that was given out, of jobs of `classes` and of results of `run`; `None` if nobody has one.
pub(super) async fn delivered(streams: &Streams, classes: &[String], run: &str) -> [Option<u64>; 2] {
    let of = async |stream: &Stream, name: &str| {
        let info = stream.consumer_info(name).await.ok()?;
        Some(info.delivered.stream_sequence)
    };
    let mut of_jobs = None;
    for class in classes {
        of_jobs = of_jobs.max(of(&streams.jobs, class).await);
    }
    [of_jobs, of(&streams.results, run).await]
}

/// The streams, made if they are not there.
pub(super) async fn open(context: &Context) -> Result<Streams, FleetError> {
    let work = |name: &str, subject: &str, bytes: i64| Config {
        name: name.to_owned(),
        subjects: vec![subject.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        max_age: AGE_MAX,
        max_bytes: bytes,
        max_message_size: MESSAGE_BYTES_MAX as i32,
        storage: StorageType::File,
        duplicate_window: DUPLICATE_WINDOW,
        num_replicas: 1,
        ..Config::default()
    };
    let control = Config {
        retention: RetentionPolicy::Limits,
        discard: DiscardPolicy::Old,
        max_messages_per_subject: 1,
        ..work(CONTROL, "tanren.control.>", 64 << 20)
    };
    Ok(Streams {
        jobs: stream(context, work(JOBS, "tanren.job.>", JOBS_BYTES_MAX)).await?,
        results: stream(context, work(RESULTS, "tanren.res.>", RESULTS_BYTES_MAX)).await?,
        control: stream(context, control).await?,
    })
}

/// Several coordinators may make it at the same time: the server reserves room for each of them for a moment, and refuses some.
async fn stream(context: &Context, config: Config) -> Result<Stream, FleetError> {
    let mut tries = 0;
    loop {
        if let Ok(stream) = context.get_stream(&config.name).await {
            return Ok(stream);
        }
        tries += 1;
        match context.create_stream(config.clone()).await {
            Ok(stream) => return Ok(stream),
            Err(error)
                if tries < TRIES_MAX && matches!(error.kind(), CreateStreamErrorKind::JetStream(_)) =>
            {
                tokio::time::sleep(PAUSE).await;
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

/// Those who play jobs of these classes take them from here.
pub(super) async fn open_classes(streams: &Streams, classes: &[String]) -> Result<(), FleetError> {
    for class in classes {
        open_class(streams, class).await?;
    }
    Ok(())
}

async fn open_class(streams: &Streams, class: &str) -> Result<(), FleetError> {
    let config = pull::Config {
        durable_name: Some(class.to_owned()),
        filter_subject: format!("tanren.job.{class}.>"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: JOB_PATIENCE,
        max_deliver: -1,
        max_ack_pending: JOBS_OUT_MAX,
        ..pull::Config::default()
    };
    let made = streams.jobs.get_or_create_consumer(class, config).await;
    made.map(drop)
        .map_err(|error| FleetError::server("make a consumer of jobs", error))
}

/// The results of `run`, those first that an earlier coordinator did not store.
pub(super) async fn open_results(streams: &Streams, run: &str) -> Result<PullConsumer, FleetError> {
    // What was handed to an earlier coordinator would wait for its patience to end.
    let _ = streams.results.delete_consumer(run).await;
    let config = pull::Config {
        durable_name: Some(run.to_owned()),
        filter_subject: format!("tanren.res.{run}.>"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: RESULT_PATIENCE,
        max_deliver: -1,
        max_ack_pending: RESULTS_OUT_MAX,
        inactive_threshold: CONSUMER_AGE_MAX,
        ..pull::Config::default()
    };
    let made = streams.results.create_consumer(config).await;
    made.map_err(|error| FleetError::server("make a consumer of results", error))
}

/// Takes back every job of `run` that nobody has taken yet.
pub(super) async fn purge_jobs(streams: &Streams, run: &str) -> Result<(), FleetError> {
    let purged = streams.jobs.purge().filter(format!("tanren.job.*.{run}.>")).await;
    purged
        .map(drop)
        .map_err(|error| FleetError::server("take back jobs", error))
}

/// Forgets everything about `run`.
pub(super) async fn forget(streams: &Streams, run: &str) -> Result<(), FleetError> {
    purge_jobs(streams, run).await?;
    let _ = streams.results.delete_consumer(run).await;
    let purged = streams
        .results
        .purge()
        .filter(format!("tanren.res.{run}.>"))
        .await;
    purged
        .map(drop)
        .map_err(|error| FleetError::server("forget results", error))
}

/// Why the server does not take a message, in its words: it is full, for example. `None`: it is not there, or has not answered.
pub(super) fn refusal(error: &PublishError) -> Option<String> {
    match error.kind() {
        PublishErrorKind::Other => error.source().map(ToString::to_string),
        PublishErrorKind::StreamNotFound => Some(error.kind().to_string()),
        _ => None,
    }
}

/// Does something stand there already?
pub(super) fn is_taken(error: &PublishError) -> bool {
    matches!(error.kind(), PublishErrorKind::WrongLastSequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_names_its_pair() {
        for is_audit in [false, true] {
            assert_eq!(pair_of(&result_subject("0", 17, is_audit)), Some((17, is_audit)));
            assert_eq!(
                pair_of(&job_subject("c", "0", 17, is_audit)),
                Some((17, is_audit))
            );
        }
        assert_eq!(pair_of("tanren.res.0.x"), None);
    }
}
