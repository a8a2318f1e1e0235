//! A worker with a good key that does not do what it should.

use std::path::Path;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use tanren::internals::{
    Announcement, Finished, Heartbeat, Interrupt, Job, JobPair, JobTables, MakeTables, PairResult,
    WorkerFile, connect, digest_of, encode, signed_bytes, worker_jetstream,
};
use tokio::time::{sleep, timeout};

/// What it does instead of its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lie {
    /// Signs bytes that are no pair.
    Garbage,
    /// Leaves out the last move of each game, the nodes of a search.
    AgainstTheRules,
    /// Plays with fewer nodes than it was told, searches less deep.
    FewerNodes,
    OtherName,
    /// Takes one job, and says nothing of it.
    Silence,
    /// Takes one job, and says for ever that it is being played.
    Progress,
    /// Says that it has another engine, and a hundred slots; takes no jobs.
    OtherEngine,
    /// None: plays as it was told, at its leisure.
    Leisure,
}

const PAUSE: Duration = Duration::from_millis(200);

pub(crate) struct Impostor {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Impostor {
    pub(crate) fn start(file: &Path, lie: Lie) -> Impostor {
        let is_over = Arc::new(AtomicBool::new(false));
        let (file, over) = (WorkerFile::open(file).unwrap(), Arc::clone(&is_over));
        let work = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(lie_until(&over, &file, lie));
        };
        // A search keeps its move lists on the stack.
        let thread = thread::Builder::new().stack_size(16 << 20).spawn(work).unwrap();
        Impostor {
            is_over,
            thread: Some(thread),
        }
    }
}

impl Drop for Impostor {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking(), "the impostor failed");
    }
}

async fn lie_until(is_over: &AtomicBool, file: &WorkerFile, lie: Lie) {
    let client = connect(&file.access(false)).await.unwrap();
    let mut runs = client.subscribe("tanren.run.*").await.unwrap();
    let mut queue: Option<PullConsumer> = None;
    while !is_over.load(Ordering::Relaxed) {
        send_heartbeat(&client, &file.name, lie).await;
        if lie == Lie::OtherEngine {
            sleep(PAUSE).await;
            continue;
        }
        let Some(jobs) = &queue else {
            if let Ok(Some(message)) = timeout(PAUSE, runs.next()).await {
                let said: Announcement = serde_json::from_slice(&message.payload).unwrap();
                let context = worker_jetstream(client.clone());
                queue = context.get_consumer_from_stream(&said.class, "jobs").await.ok();
            }
            continue;
        };
        let mut batch = jobs
            .batch()
            .max_messages(1)
            .expires(PAUSE)
            .messages()
            .await
            .unwrap();
        let Some(Ok(message)) = batch.next().await else {
            continue;
        };
        while matches!(lie, Lie::Silence | Lie::Progress) && !is_over.load(Ordering::Relaxed) {
            send_heartbeat(&client, &file.name, lie).await;
            if lie == Lie::Progress {
                message.ack_with(AckKind::Progress).await.unwrap();
            }
            sleep(PAUSE).await;
        }
        let job: Job = serde_json::from_slice(&message.payload).unwrap();
        for pair in &job.pairs {
            if is_over.load(Ordering::Relaxed) {
                return;
            }
            answer(&client, file, &job, pair, lie).await;
        }
        message.ack().await.unwrap();
    }
}

async fn send_heartbeat(client: &Client, name: &str, lie: Lie) {
    let (engine, slots) = match lie {
        Lie::OtherEngine => ("0123456789abcdef".to_owned(), 100),
        _ => (engine_digest(), 1),
    };
    let heartbeat = heartbeat(name, engine, slots);
    let payload = serde_json::to_vec(&heartbeat).unwrap();
    let subject = format!("tanren.here.{name}");
    client.publish(subject, payload.into()).await.unwrap();
}

pub(crate) fn heartbeat(name: &str, engine: String, slots: u32) -> Heartbeat {
    Heartbeat {
        nps: 0,
        name: name.to_owned(),
        version: "0".to_owned(),
        engine,
        cpu: String::new(),
        slots,
        busy: 0,
        pairs: 0,
        is_leaving: false,
        games: Vec::new(),
    }
}

/// What the built-in engine of this program does, found out once.
pub(crate) fn engine_digest() -> String {
    static ENGINE: OnceLock<String> = OnceLock::new();
    ENGINE.get_or_init(|| JobTables::default().engine()).clone()
}

async fn answer(client: &Client, file: &WorkerFile, job: &Job, pair: &JobPair, lie: Lie) {
    let packet = match lie {
        Lie::Garbage => b"no pair".to_vec(),
        Lie::AgainstTheRules => {
            let mut record = play(&job.table, pair);
            match &mut record {
                Finished::Pair(record) => {
                    for game in &mut record.games {
                        game.moves.pop();
                        game.turns.pop();
                    }
                }
                Finished::Search(search) => search.iterations[2].nodes = 1,
                Finished::Stopped(fault) => fault.game = 2,
            }
            encode(&record)
        }
        Lie::FewerNodes => {
            let table = job.table.replace("nodes_a = 1", "nodes_a = ");
            let table = table.replace("depth = 5\n", "depth = 4\n");
            assert_ne!(table, job.table);
            encode(&play(&table, pair))
        }
        _ => encode(&play(&job.table, pair)),
    };
    if lie == Lie::Leisure {
        sleep(PAUSE).await;
    }
    let name = if lie == Lie::OtherName {
        "worker-1"
    } else {
        &file.name
    };
    let elapsed_ms = if lie == Lie::Leisure { 200 } else { 1 };
    let result = signed_result(file, name, job, packet, elapsed_ms);
    let subject = format!("tanren.res.{}.{}", job.run, pair.pair);
    client.publish(subject, result.to_bytes().into()).await.unwrap();
}

pub(crate) fn signed_result(
    file: &WorkerFile,
    name: &str,
    job: &Job,
    packet: Vec<u8>,
    elapsed_ms: u64,
) -> PairResult {
    let signed = signed_bytes(&job.run, &digest_of(&job.table), None, &packet);
    let signature = file.seed.key_pair().unwrap().sign(&signed).unwrap();
    PairResult {
        pace: None,
        worker: name.to_owned(),
        elapsed_ms,
        signature: signature.try_into().unwrap(),
        packet,
    }
}

fn play(table: &str, pair: &JobPair) -> Finished {
    let tables = JobTables::default();
    let mut table = tables.table(table, None, &Interrupt::default()).unwrap();
    table.play(pair).unwrap()
}
