//! Whom the server of a fleet lets in, and to do what.

use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use async_nats::jetstream::{self, stream};
use async_nats::{Client, Event};
use futures_util::{FutureExt, StreamExt};
use tanren::internals::{Access, CoordinatorFile, FleetError, WorkerFile, connect, connect_and_hear};

use crate::folder::{Ended, InFolder};
use crate::support::{Fleet, Machine, free_port, wait_until};

const LIMIT: Duration = Duration::from_secs(20);
/// How long it is waited for what should not come.
const SILENCE: Duration = Duration::from_millis(300);

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let bounded = async { tokio::time::timeout(LIMIT, future).await };
    runtime.unwrap().block_on(bounded).expect("it takes too long")
}

/// A fleet on which something was played, with the files of its coordinator and of its first worker.
fn played(workers: usize) -> (Fleet, CoordinatorFile, WorkerFile) {
    let fleet = Fleet::encrypted(workers);
    let _worker = fleet.worker(1);
    fleet.play("match --a base --b plain --nodes 1 --pairs 1");
    let coordinator = CoordinatorFile::open(&fleet.join("coordinator.toml")).unwrap();
    let worker = WorkerFile::open(&fleet.worker_file(1)).unwrap();
    (fleet, coordinator, worker)
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

/// The streams of jobs, results and control, as a run has made them.
async fn streams(client: &Client) -> [stream::Stream; 3] {
    let context = jetstream::new(client.clone());
    let open = async |name| context.get_stream(name).await.unwrap();
    [open("jobs").await, open("results").await, open("control").await]
}

async fn count(stream: &stream::Stream) -> u64 {
    stream.get_info().await.unwrap().state.messages
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
    let (_fleet, coordinator, worker) = played(2);
    block_on(async {
        let boss = connect(&coordinator.access(false)).await.unwrap();
        let (hand, told) = heard(&worker.access(false)).await;
        let [jobs, _, control] = streams(&boss).await;
        let is_refused = async |what: &str, subject: &str| {
            hand.flush().await.unwrap();
            let mut said = told.try_recv();
            for _ in 0..100 {
                if said.is_err() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    said = told.try_recv();
                }
            }
            let said = said.unwrap_or_else(|_| panic!("may {what} {subject}"));
            let expected = format!("permissions violation for {what} to \"{subject}\"").to_lowercase();
            assert!(
                said.to_lowercase().contains(&expected),
                "{what} {subject}: {said}"
            );
        };
        for subject in FOREIGN_WRITES.split_whitespace() {
            hand.publish(subject, "{}".into()).await.unwrap();
            is_refused("publish", subject).await;
        }
        for subject in FOREIGN_READS.split_whitespace() {
            let _subscription = hand.subscribe(subject).await.unwrap();
            is_refused("subscription", subject).await;
        }
        assert_eq!((count(&jobs).await, count(&control).await), (0, 0));
    });
}

#[test]
fn a_worker_cannot_have_the_server_write_for_it_where_it_may_not() {
    let (_fleet, coordinator, worker) = played(1);
    block_on(async {
        let boss = connect(&coordinator.access(false)).await.unwrap();
        let hand = connect(&worker.access(false)).await.unwrap();
        let [jobs, results, control] = streams(&boss).await;
        let class = jobs.consumer_names().next().await.unwrap().unwrap();
        let mut orders = boss.subscribe("tanren.run.*").await.unwrap();
        boss.flush().await.unwrap();
        for reply in ["tanren.control.run", "tanren.run.x", "tanren.job.y"] {
            hand.publish_with_reply("tanren.res.run.0", reply, "won".into())
                .await
                .unwrap();
            let next = format!("tanren.api.CONSUMER.MSG.NEXT.jobs.{class}");
            hand.publish_with_reply(next, reply, r#"{"no_wait":true}"#.into())
                .await
                .unwrap();
        }
        hand.flush().await.unwrap();
        tokio::time::sleep(SILENCE).await;
        // Its results arrived, so the server answered somewhere.
        let counts = (count(&results).await, count(&control).await, count(&jobs).await);
        assert_eq!(counts, (3, 0, 0));
        assert!(orders.next().now_or_never().is_none());
    });
}

#[test]
fn strangers_and_plain_text_are_refused() {
    let (fleet, other) = (Fleet::encrypted(1), Fleet::encrypted(1));
    let [known, stranger] = [&fleet, &other].map(|fleet| WorkerFile::open(&fleet.worker_file(1)).unwrap());
    let access = known.access(false);
    block_on(async {
        let unknown = Access {
            seed: &stranger.seed,
            ..access
        };
        let error = connect(&unknown).await.unwrap_err();
        assert!(matches!(error, FleetError::Refused { .. }), "{error}");
        for ca in [None, stranger.ca.as_deref()] {
            let error = connect(&Access { ca, ..access }).await.unwrap_err();
            assert!(matches!(error, FleetError::Untrusted { .. }), "{error}");
        }
        let keyless = async_nats::ConnectOptions::new()
            .require_tls(true)
            .add_root_certificates(fleet.join("club/ca.pem"))
            .connect(&known.url);
        let error = keyless.await.unwrap_err();
        assert!(error.to_string().contains("authorization violation"), "{error}");
    });
    let stream = TcpStream::connect(("127.0.0.1", fleet.port)).unwrap();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    let mut lines = BufReader::new(stream);
    let mut greeting = String::new();
    lines.read_line(&mut greeting).unwrap();
    assert!(greeting.contains("\"tls_required\":true"), "{greeting}");
    lines
        .get_mut()
        .write_all(b"CONNECT {\"verbose\":false}\r\nPING\r\n")
        .unwrap();
    let mut answer = Vec::new();
    // The server may close the connection without a word.
    let _ = lines.read_to_end(&mut answer);
    assert!(!String::from_utf8_lossy(&answer).contains("PONG"), "{answer:?}");
}

#[test]
fn where_no_server_is_the_first_connection_says_so_soon() {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    folder
        .path()
        .run(&format!("cluster init club --port {port}"))
        .ok();
    let worker = WorkerFile::open(&folder.path().join("club/worker-1.toml")).unwrap();
    let error = block_on(async { connect(&worker.access(false)).await.unwrap_err() });
    let said = error.to_string();
    let expected = format!("no NATS server at 'tls://localhost:{port}'");
    assert!(said.contains(&expected) && said.contains("cluster up"), "{said}");
}

#[test]
fn the_server_is_up_from_any_folder_and_ends_with_its_command() {
    let mut fleet = Fleet::encrypted(1);
    fleet.kill_server();
    let club = fleet.join("club");
    let up = format!("cluster up '{}'", club.display());
    let elsewhere = tempfile::tempdir().unwrap();
    let mut server = Machine::start(elsewhere.path(), &up, &[]);
    wait_until("the server does not listen", || {
        TcpStream::connect(("127.0.0.1", fleet.port)).is_ok()
    });
    server.signal("TERM");
    server.end();
    assert!(TcpStream::connect(("127.0.0.1", fleet.port)).is_err());
    assert!(server.said().contains("Server Exiting"), "{}", server.said());
}
