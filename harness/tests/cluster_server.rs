//! Who a server that was started from the folder of a fleet lets in, and to do what.
//!
//! `TANREN_NATS_SERVER=PATH` chooses the nats-server; without any these tests say that they were skipped.
#![cfg(all(feature = "cluster", unix))]
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

#[expect(dead_code, reason = "no data is read here")]
mod common;
#[path = "common/fleet.rs"]
mod fleet;
#[path = "common/nats.rs"]
mod nats;

use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use async_nats::jetstream::{self, consumer, stream};
use async_nats::{Client, Event};
use common::{run, stderr};
use fleet::{Fleet, PATIENCE};
use futures_util::{FutureExt, StreamExt};
use nats::free_port;
use tanren::internals::{Access, FleetError, WorkerFile, connect, connect_and_hear, worker_jetstream};

/// How long it is waited for what should not come.
const SILENCE: Duration = Duration::from_millis(300);

fn wait_for<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        tokio::time::timeout(PATIENCE, future)
            .await
            .expect("it takes too long")
    })
}

/// A client, and what the server refuses it.
async fn heard(access: &Access<'_>) -> (Client, Receiver<String>) {
    let (tell, told) = channel();
    let client = connect_and_hear(access, move |event| {
        if let Event::ServerError(error) = event {
            let _ = tell.send(error.to_string());
        }
    });
    (client.await.unwrap(), told)
}

/// The three streams of a fleet, made by its coordinator.
async fn streams(client: &Client) -> [stream::Stream; 3] {
    let context = jetstream::new(client.clone());
    let make = |name: &str, subject: &str, retention| {
        context.create_stream(stream::Config {
            name: name.to_owned(),
            subjects: vec![subject.to_owned()],
            retention,
            ..stream::Config::default()
        })
    };
    [
        make("jobs", "tanren.job.>", stream::RetentionPolicy::WorkQueue)
            .await
            .unwrap(),
        make("results", "tanren.res.>", stream::RetentionPolicy::Limits)
            .await
            .unwrap(),
        make("control", "tanren.control.>", stream::RetentionPolicy::Limits)
            .await
            .unwrap(),
    ]
}

/// The one consumer of the jobs that workers share.
async fn consumer_of(jobs: &stream::Stream) {
    let config = consumer::pull::Config {
        durable_name: Some("any".to_owned()),
        ..consumer::pull::Config::default()
    };
    jobs.create_consumer(config).await.unwrap();
}

#[test]
fn a_job_goes_to_a_worker_and_its_result_comes_back() {
    let Some(fleet) = Fleet::start() else { return };
    let (coordinator, worker) = (fleet.coordinator(), fleet.worker(1));
    wait_for(async {
        let (boss, told_boss) = heard(&coordinator.access(false)).await;
        let (hand, told_hand) = heard(&worker.access(false)).await;
        let [jobs, results, _] = streams(&boss).await;
        consumer_of(&jobs).await;
        let mut orders = hand.subscribe("tanren.order.worker-1").await.unwrap();
        let mut here = boss.subscribe("tanren.here.*").await.unwrap();
        hand.flush().await.unwrap();
        boss.flush().await.unwrap();
        let from_boss = jetstream::new(boss.clone());
        let published = from_boss
            .publish("tanren.job.any.run.0", "play".into())
            .await
            .unwrap();
        published.await.unwrap();
        let from_hand = worker_jetstream(hand.clone());
        let consumer: consumer::PullConsumer =
            from_hand.get_consumer_from_stream("any", "jobs").await.unwrap();
        let mut messages = consumer.messages().await.unwrap();
        let job = messages.next().await.unwrap().unwrap();
        assert_eq!(job.payload, "play");
        let answered = from_hand.publish("tanren.res.run.0", "won".into()).await.unwrap();
        answered.await.unwrap();
        job.double_ack().await.unwrap();
        let result = results.get_raw_message(1).await.unwrap();
        assert_eq!(
            (&*result.subject, &*result.payload),
            ("tanren.res.run.0", &b"won"[..])
        );
        boss.publish("tanren.order.worker-1", "drain".into())
            .await
            .unwrap();
        assert_eq!(orders.next().await.unwrap().payload, "drain");
        hand.publish("tanren.here.worker-1", "idle".into()).await.unwrap();
        assert_eq!(here.next().await.unwrap().payload, "idle");
        assert_eq!(jobs.get_info().await.unwrap().state.messages, 0);
        assert_eq!(told_boss.try_recv().ok(), None);
        assert_eq!(told_hand.try_recv().ok(), None);
    });
}

#[test]
fn a_worker_may_neither_give_work_nor_see_or_stop_that_of_others() {
    let Some(fleet) = Fleet::start() else { return };
    let (coordinator, worker) = (fleet.coordinator(), fleet.worker(1));
    wait_for(async {
        let boss = connect(&coordinator.access(false)).await.unwrap();
        let (hand, told) = heard(&worker.access(false)).await;
        let [jobs, _, control] = streams(&boss).await;
        consumer_of(&jobs).await;
        let may_not = |what: &str, subject: &str| {
            let said = told.try_recv().unwrap_or_else(|_| panic!("may {what} {subject}"));
            let is_it = said
                .to_lowercase()
                .contains(&format!("permissions violation for {what} to \"{subject}\"").to_lowercase());
            assert!(is_it, "{what} {subject}: {said}");
        };
        for subject in [
            "tanren.job.x",
            "tanren.control.run",
            "tanren.run.x",
            "tanren.order.worker-2",
            "tanren.here.worker-2",
            "_INBOX_worker-2.x",
            "_INBOX_coordinator.x",
            "$JS.API.STREAM.DELETE.jobs",
            "tanren.api.STREAM.DELETE.jobs",
            "$JS.API.STREAM.PURGE.jobs",
            "$JS.API.STREAM.INFO.results",
            "$JS.API.STREAM.MSG.GET.results",
            "$JS.API.STREAM.CREATE.mine",
            "$JS.API.CONSUMER.CREATE.results.mine",
            "$JS.API.CONSUMER.DELETE.jobs.any",
            "$JS.API.CONSUMER.MSG.NEXT.results.any",
            "$JS.API.DIRECT.GET.results",
            "$JS.API.INFO",
            "$JS.ACK.results.any.1.1.1.1.0",
            "$SYS.REQ.SERVER.PING",
        ] {
            hand.publish(subject, "{}".into()).await.unwrap();
            hand.flush().await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
            may_not("publish", subject);
        }
        for subject in [
            "tanren.res.>",
            "tanren.job.>",
            "tanren.order.*",
            "tanren.order.worker-2",
            "_INBOX_worker-2.>",
            "_INBOX_coordinator.>",
            "_INBOX.>",
            "tanren.>",
            ">",
        ] {
            let _subscription = hand.subscribe(subject).await.unwrap();
            hand.flush().await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
            may_not("subscription", subject);
        }
        assert_eq!(jobs.get_info().await.unwrap().state.messages, 0);
        assert_eq!(control.get_info().await.unwrap().state.messages, 0);
    });
}

#[test]
fn a_worker_cannot_have_the_server_write_for_it_where_it_may_not() {
    let Some(fleet) = Fleet::start() else { return };
    let (coordinator, worker) = (fleet.coordinator(), fleet.worker(1));
    wait_for(async {
        let boss = connect(&coordinator.access(false)).await.unwrap();
        let hand = connect(&worker.access(false)).await.unwrap();
        let [jobs, results, control] = streams(&boss).await;
        consumer_of(&jobs).await;
        let mut orders = boss.subscribe("tanren.run.*").await.unwrap();
        boss.flush().await.unwrap();
        for reply in ["tanren.control.run", "tanren.run.x", "tanren.job.y"] {
            hand.publish_with_reply("tanren.res.run.0", reply, "won".into())
                .await
                .unwrap();
            let next = "tanren.api.CONSUMER.MSG.NEXT.jobs.any";
            hand.publish_with_reply(next, reply, r#"{"no_wait":true}"#.into())
                .await
                .unwrap();
        }
        hand.flush().await.unwrap();
        tokio::time::sleep(SILENCE).await;
        // Its results arrived, so the server answered somewhere.
        assert_eq!(results.get_info().await.unwrap().state.messages, 3);
        assert_eq!(control.get_info().await.unwrap().state.messages, 0);
        assert_eq!(jobs.get_info().await.unwrap().state.messages, 0);
        assert!(orders.next().now_or_never().is_none());
    });
}

#[test]
fn a_worker_that_went_away_takes_no_job_with_it() {
    let Some(fleet) = Fleet::start() else { return };
    let (coordinator, gone, other) = (fleet.coordinator(), fleet.worker(1), fleet.worker(2));
    let asking = async |client: &Client| {
        let context = worker_jetstream(client.clone());
        let consumer: consumer::PullConsumer = context.get_consumer_from_stream("any", "jobs").await.unwrap();
        consumer.messages().await.unwrap()
    };
    wait_for(async {
        let boss = connect(&coordinator.access(false)).await.unwrap();
        let [jobs, ..] = streams(&boss).await;
        consumer_of(&jobs).await;
    });
    // What ends with its runtime says no farewell.
    wait_for(async {
        let lost = connect(&gone.access(false)).await.unwrap();
        let mut unheard = asking(&lost).await;
        assert!(tokio::time::timeout(SILENCE, unheard.next()).await.is_err());
    });
    wait_for(async {
        let boss = connect(&coordinator.access(false)).await.unwrap();
        let there = connect(&other.access(false)).await.unwrap();
        let from_boss = jetstream::new(boss);
        let published = from_boss
            .publish("tanren.job.any.run.0", "play".into())
            .await
            .unwrap();
        published.await.unwrap();
        // Long before a job that nobody acknowledges is given to another.
        let mut jobs = asking(&there).await;
        let job = tokio::time::timeout(PATIENCE / 4, jobs.next()).await;
        assert_eq!(job.unwrap().unwrap().unwrap().payload, "play");
    });
}

#[test]
fn machines_come_back_when_the_server_does_and_find_what_it_kept() {
    let Some(mut fleet) = Fleet::start() else { return };
    let (coordinator, worker) = (fleet.coordinator(), fleet.worker(1));
    wait_for(async {
        let boss = connect(&coordinator.access(false)).await.unwrap();
        let hand = connect(&worker.access(false)).await.unwrap();
        let [jobs, ..] = streams(&boss).await;
        consumer_of(&jobs).await;
        let from_boss = jetstream::new(boss.clone());
        let published = from_boss.publish("tanren.job.any.run.0", "play".into());
        published.await.unwrap().await.unwrap();
        let mut here = boss.subscribe("tanren.here.*").await.unwrap();
        boss.flush().await.unwrap();
        fleet.restart();
        // What is said while nobody listens is lost.
        while here.next().now_or_never().is_none() {
            hand.publish("tanren.here.worker-1", "idle".into()).await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let context = worker_jetstream(hand);
        let consumer: consumer::PullConsumer = context.get_consumer_from_stream("any", "jobs").await.unwrap();
        let job = consumer.messages().await.unwrap().next().await;
        assert_eq!(job.unwrap().unwrap().payload, "play");
    });
}

#[test]
fn strangers_are_refused() {
    let Some(fleet) = Fleet::start() else { return };
    let (first, other) = (fleet.worker(1), Fleet::start().unwrap());
    let stranger = other.worker(1);
    wait_for(async {
        let unknown = Access {
            seed: &stranger.seed,
            ..first.access(false)
        };
        let error = connect(&unknown).await.unwrap_err();
        assert!(matches!(error, FleetError::Refused { .. }), "{error}");
        let no_authority = Access {
            ca: None,
            ..first.access(false)
        };
        let error = connect(&no_authority).await.unwrap_err();
        assert!(matches!(error, FleetError::Untrusted { .. }), "{error}");
        let other_authority = Access {
            ca: stranger.ca.as_deref(),
            ..first.access(false)
        };
        let error = connect(&other_authority).await.unwrap_err();
        assert!(matches!(error, FleetError::Untrusted { .. }), "{error}");
        let keyless = async_nats::ConnectOptions::new()
            .require_tls(true)
            .add_root_certificates(fleet.club.join("ca.pem"))
            .connect(&first.url);
        let error = keyless.await.unwrap_err();
        assert!(error.to_string().contains("authorization violation"), "{error}");
    });
}

#[test]
fn plain_text_is_refused() {
    let Some(fleet) = Fleet::start() else { return };
    let stream = TcpStream::connect(("127.0.0.1", fleet.port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut lines = BufReader::new(stream);
    let mut greeting = String::new();
    lines.read_line(&mut greeting).unwrap();
    assert!(greeting.contains("\"tls_required\":true"), "{greeting}");
    lines
        .get_mut()
        .write_all(b"CONNECT {\"verbose\":false}\r\nPING\r\n")
        .unwrap();
    let mut answer = Vec::new();
    // The server may close the connection with or without a word.
    let _ = lines.read_to_end(&mut answer);
    assert!(!String::from_utf8_lossy(&answer).contains("PONG"), "{answer:?}");
}

#[test]
fn where_no_server_is_the_first_connection_says_so_soon() {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    let output = run(folder.path(), &["cluster", "init", "club", "--port", &port]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let worker = WorkerFile::open(&folder.path().join("club/worker-1.toml")).unwrap();
    let error = wait_for(async { connect(&worker.access(false)).await.unwrap_err() });
    let said = error.to_string();
    assert!(
        said.contains(&format!("no NATS server at 'tls://localhost:{port}'")) && said.contains("cluster up"),
        "{said}"
    );
}

#[test]
fn the_server_ends_with_its_command() {
    let Some(mut fleet) = Fleet::start() else { return };
    let id = fleet.server.id().to_string();
    let status = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(status.success());
    let ended = fleet.server.wait().unwrap();
    assert!(
        TcpStream::connect(("127.0.0.1", fleet.port)).is_err(),
        "{ended:?}"
    );
    assert!(fleet.log().contains("Server Exiting"), "{}", fleet.log());
    assert!(fleet.club.join("store").is_dir());
}
