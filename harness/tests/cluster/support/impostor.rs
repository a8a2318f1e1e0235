//! A worker with a good key that does not do what it should.
//!
//! In: its file, what it does instead. Out: messages, until the value ends. Must not: hide who it is.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use tanren::internals::{
    Announcement, Finished, Here, Interrupt, Job, JobPair, JobTables, MakeTables, PairResult, WorkerFile,
    connect, encode, signed_bytes, worker_jetstream,
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
    /// As that, and answers for its own audits, too.
    FewerNodesAndOwnAudits,
    /// Signs another machine's name.
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

/// How long a pair takes at its leisure.
const LEISURE: Duration = Duration::from_millis(200);

/// The thread of one.
pub(crate) struct Impostor {
    is_over: Arc<AtomicBool>,
    pairs: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Impostor {
    pub(crate) fn start(file: &Path, lie: Lie) -> Impostor {
        let is_over = Arc::new(AtomicBool::new(false));
        let pairs = Arc::new(AtomicU64::new(0));
        let (file, over, count) = (
            WorkerFile::open(file).unwrap(),
            Arc::clone(&is_over),
            Arc::clone(&pairs),
        );
        let work = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(lie_until(&over, &count, &file, lie));
        };
        // A search keeps its move lists on the stack.
        let thread = thread::Builder::new().stack_size(16 << 20).spawn(work).unwrap();
        Impostor {
            is_over,
            pairs,
            thread: Some(thread),
        }
    }

    /// Pairs that it has answered.
    pub(crate) fn pairs(&self) -> u64 {
        self.pairs.load(Ordering::Relaxed)
    }
}

impl Drop for Impostor {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking(), "the impostor failed");
    }
}

async fn lie_until(is_over: &AtomicBool, pairs: &AtomicU64, file: &WorkerFile, lie: Lie) {
    let client = connect(&file.access(false)).await.unwrap();
    let mut runs = client.subscribe("tanren.run.*").await.unwrap();
    let mut queues: Vec<PullConsumer> = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        say_here(&client, &file.name, lie).await;
        if lie == Lie::OtherEngine {
            sleep(Duration::from_millis(200)).await;
            continue;
        }
        if queues.is_empty() {
            let heard = timeout(Duration::from_millis(200), runs.next()).await;
            if let Ok(Some(message)) = heard {
                let said: Announcement = serde_json::from_slice(&message.payload).unwrap();
                let context = worker_jetstream(client.clone());
                let mut classes = vec![said.class.clone()];
                if lie == Lie::FewerNodesAndOwnAudits {
                    classes.insert(0, format!("{}-audit", said.class));
                }
                for class in classes {
                    queues.extend(context.get_consumer_from_stream(&class, "jobs").await.ok());
                }
            }
            continue;
        }
        let mut message = None;
        for queue in &queues {
            let batch = queue.batch().max_messages(1).expires(Duration::from_millis(200));
            message = batch.messages().await.unwrap().next().await;
            if message.is_some() {
                break;
            }
        }
        let Some(Ok(message)) = message else { continue };
        let job: Job = serde_json::from_slice(&message.payload).unwrap();
        if matches!(lie, Lie::Silence | Lie::Progress) {
            while !is_over.load(Ordering::Relaxed) {
                say_here(&client, &file.name, lie).await;
                if lie == Lie::Progress {
                    message.ack_with(AckKind::Progress).await.unwrap();
                }
                sleep(Duration::from_millis(200)).await;
            }
            return;
        }
        let is_own_audit = job.audit_of.as_deref() == Some(&file.name);
        if is_own_audit && lie != Lie::FewerNodesAndOwnAudits {
            message.ack_with(AckKind::Nak(None)).await.unwrap();
            sleep(Duration::from_millis(200)).await;
            continue;
        }
        for pair in &job.pairs {
            if is_over.load(Ordering::Relaxed) {
                return;
            }
            answer(&client, file, &job, pair, lie).await;
            pairs.fetch_add(1, Ordering::Relaxed);
        }
        message.ack().await.unwrap();
    }
}

/// Says that it is a worker like any other.
async fn say_here(client: &Client, name: &str, lie: Lie) {
    let (engine, slots) = match lie {
        Lie::OtherEngine => ("0123456789abcdef".to_owned(), 100),
        _ => (own_engine(), 1),
    };
    let here = Here {
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
    };
    let payload = serde_json::to_vec(&here).unwrap();
    client
        .publish(format!("tanren.here.{name}"), payload.into())
        .await
        .unwrap();
}

/// What the built-in engine of this program does, found out once.
pub(crate) fn own_engine() -> String {
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
        Lie::FewerNodes | Lie::FewerNodesAndOwnAudits => {
            let table = job.table.replace("nodes_a = 1", "nodes_a = ");
            let table = table.replace("depth = 5\n", "depth = 4\n");
            assert_ne!(table, job.table);
            encode(&play(&table, pair))
        }
        _ => encode(&play(&job.table, pair)),
    };
    if lie == Lie::Leisure {
        sleep(LEISURE).await;
    }
    let key = file.seed.key_pair().unwrap();
    let signature = key
        .sign(&signed_bytes(&job.run, &job.table, None, &packet))
        .unwrap();
    let name = if lie == Lie::OtherName {
        "worker-1"
    } else {
        &file.name
    };
    let result = PairResult {
        pace: None,
        worker: name.to_owned(),
        elapsed_ms: if lie == Lie::Leisure { 200 } else { 1 },
        signature: signature.try_into().unwrap(),
        packet,
    };
    let audit = if job.audit_of.is_some() { "audit-" } else { "" };
    let subject = format!("tanren.res.{}.{audit}{}", job.run, pair.pair);
    client.publish(subject, result.to_bytes().into()).await.unwrap();
}

fn play(table: &str, pair: &JobPair) -> Finished {
    let tables = JobTables::default();
    let mut table = tables.table(table, None, &Interrupt::default()).unwrap();
    table.play(pair).unwrap()
}
