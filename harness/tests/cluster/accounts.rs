//! What the server of a fleet lets a worker do.

use std::future::Future;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use async_nats::jetstream::{self, stream::Stream};
use async_nats::{Client, Event};
use futures_util::{FutureExt, StreamExt};
use tanren::internals::{Access, CoordinatorFile, WorkerFile, connect, connect_and_hear};
use tokio::time::{sleep, timeout};

use crate::shell::{BOUND, Shell};
use crate::words::fleet;

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let bounded = async { timeout(BOUND, future).await };
    runtime.unwrap().block_on(bounded).expect("it takes too long")
}

/// A fleet on which something was played, with a client of its coordinator.
async fn played() -> (Shell, Client) {
    let mut shell = Shell::new("", fleet());
    for line in [
        "fleet 2",
        "tanren worker worker-1.toml --slots 1 & worker-1",
        "tanren match --b plain --nodes 1 --pairs 1 --quiet --cluster coordinator.toml --out fleet",
    ] {
        shell.run(line, "");
    }
    let coordinator = CoordinatorFile::open(&shell.folder.join("coordinator.toml")).unwrap();
    let client = connect(&coordinator.access(false)).await.unwrap();
    (shell, client)
}

/// A client, and what the server refuses it.
async fn heard(access: &Access<'_>) -> (Client, Receiver<String>) {
    let (tell, told) = channel();
    let client = connect_and_hear(access, move |event| {
        if let Event::ServerError(error) = event {
            let _ = tell.send(error.to_string().to_lowercase());
        }
    });
    (client.await.unwrap(), told)
}

/// How many messages are in the streams of jobs, results and control, as a run has made them.
async fn counts(client: &Client) -> [u64; 3] {
    let context = jetstream::new(client.clone());
    let count = async |name| {
        let stream: Stream = context.get_stream(name).await.unwrap();
        stream.cached_info().state.messages
    };
    [
        count("jobs").await,
        count("results").await,
        count("control").await,
    ]
}

/// Subjects where a worker may not write.
const FOREIGN_WRITES: &str = "\
    tanren.job.x tanren.control.run tanren.run.x tanren.order.worker-2 tanren.here.worker-2
    _INBOX_worker-2.x _INBOX_coordinator.x $JS.API.STREAM.DELETE.jobs tanren.api.STREAM.DELETE.jobs
    $JS.API.STREAM.PURGE.jobs $JS.API.STREAM.INFO.results $JS.API.STREAM.MSG.GET.results
    $JS.API.STREAM.CREATE.mine $JS.API.CONSUMER.CREATE.results.mine $JS.API.CONSUMER.DELETE.jobs.any
    $JS.API.CONSUMER.MSG.NEXT.results.any $JS.API.DIRECT.GET.results $JS.API.INFO
    $JS.ACK.results.any.1.1.1.1.0 $SYS.REQ.SERVER.PING";
/// Subjects that it may not read.
const FOREIGN_READS: &str = "\
    tanren.res.> tanren.job.> tanren.order.* tanren.order.worker-2 _INBOX_worker-2.> _INBOX_coordinator.>
    _INBOX.> tanren.> >";

#[test]
fn a_worker_may_neither_give_work_nor_see_or_stop_that_of_others() {
    block_on(async {
        let (shell, boss) = played().await;
        let worker = WorkerFile::open(&shell.folder.join("worker-1.toml")).unwrap();
        let (hand, told) = heard(&worker.access(false)).await;
        let is_refused = async |what: &str, subject: &str| {
            hand.flush().await.unwrap();
            let said = loop {
                match told.try_recv() {
                    Ok(said) => break said,
                    Err(_) => sleep(Duration::from_millis(20)).await,
                }
            };
            let expected = format!(
                "permissions violation for {what} to \"{}\"",
                subject.to_lowercase()
            );
            assert!(said.contains(&expected), "{what} {subject}: {said}");
        };
        for subject in FOREIGN_WRITES.split_whitespace() {
            hand.publish(subject, "{}".into()).await.unwrap();
            is_refused("publish", subject).await;
        }
        for subject in FOREIGN_READS.split_whitespace() {
            let _subscription = hand.subscribe(subject).await.unwrap();
            is_refused("subscription", subject).await;
        }
        // Nor can it have the server write for it.
        let context = jetstream::new(boss.clone());
        let jobs = context.get_stream("jobs").await.unwrap();
        let class = jobs.consumer_names().next().await.unwrap().unwrap();
        let mut orders = boss.subscribe("tanren.run.*").await.unwrap();
        boss.flush().await.unwrap();
        for reply in ["tanren.control.run", "tanren.run.x", "tanren.job.y"] {
            for (subject, payload) in [
                ("tanren.res.run.0".to_owned(), "won"),
                (
                    format!("tanren.api.CONSUMER.MSG.NEXT.jobs.{class}"),
                    r#"{"no_wait":true}"#,
                ),
            ] {
                hand.publish_with_reply(subject, reply, payload.into())
                    .await
                    .unwrap();
            }
        }
        hand.flush().await.unwrap();
        sleep(Duration::from_millis(300)).await;
        // Its results arrived, so the server answered somewhere.
        assert_eq!(counts(&boss).await, [0, 3, 0]);
        assert!(orders.next().now_or_never().is_none());
    });
}

#[test]
fn a_worker_takes_no_job_of_a_coordinator_with_another_engine_or_protocol() {
    block_on(async {
        let (mut shell, boss) = played().await;
        let (class, run) = ("7-0123456789abcdef", "aaaaaaaaaaaaaaaa");
        let context = jetstream::new(boss.clone());
        let jobs = context.get_stream("jobs").await.unwrap();
        let config = jetstream::consumer::pull::Config {
            durable_name: Some(class.to_owned()),
            filter_subject: format!("tanren.job.{class}.>"),
            ..Default::default()
        };
        jobs.create_consumer(config).await.unwrap();
        let announcement = serde_json::json!({
            "run": run, "class": class, "is_over": false, "engines": {}, "in_flight": 1, "distrusted": []
        });
        for (subject, payload) in [
            (format!("tanren.job.{class}.{run}.0"), "play".to_owned()),
            (format!("tanren.run.{run}"), announcement.to_string()),
        ] {
            boss.publish(subject, payload.into()).await.unwrap();
        }
        boss.flush().await.unwrap();
        shell.run(
            &format!("until 'run {run}: another version of tanren' said worker-1"),
            "",
        );
        sleep(Duration::from_secs(1)).await;
        assert_eq!(counts(&boss).await[0], 1);
        let delivered = jobs.consumer_info(class).await.unwrap().delivered;
        assert_eq!(delivered.consumer_sequence, 0);
    });
}
