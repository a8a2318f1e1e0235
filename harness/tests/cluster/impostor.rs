//! A worker with a good key that does not do what it should.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use futures_util::future::join_all;
use serde_json::json;
use tanren::internals::{
    Announcement, Finished, Interrupt, Job, JobPair, JobTables, MakeTables, SignedPair, WorkerFile, connect,
    digest_of, encode, signed_bytes, worker_jetstream,
};
use tokio::time::{sleep, timeout};

/// What it does instead of its work.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
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
    /// Does not play: these are the packets of all pairs.
    #[serde(skip)]
    Recall(HashMap<u64, Vec<u8>>),
}

const PAUSE: Duration = Duration::from_millis(200);
/// The length of the signature that a job begins with.
const SIGNATURE_BYTES: usize = 64;

/// Of all that have the same lie.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    is_over: AtomicBool,
    pub(crate) ready: AtomicU64,
    pub(crate) jobs: AtomicU64,
    pub(crate) job_bytes: AtomicU64,
    pub(crate) pairs: AtomicU64,
    pub(crate) pair_bytes: AtomicU64,
}

pub(crate) struct Impostor {
    pub(crate) counts: Arc<Counts>,
    thread: Option<JoinHandle<()>>,
}

impl Impostor {
    pub(crate) fn start(file: &Path, lie: Lie) -> Impostor {
        Impostor::start_all(vec![WorkerFile::open(file).unwrap()], lie)
    }

    pub(crate) fn start_all(files: Vec<WorkerFile>, lie: Lie) -> Impostor {
        let counts = Arc::<Counts>::default();
        let shared = Arc::clone(&counts);
        let work = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let all = files.iter().map(|file| lie_until_over(&shared, file, &lie));
            runtime.unwrap().block_on(join_all(all));
        };
        // A search keeps its move lists on the stack.
        let thread = thread::Builder::new().stack_size(16 << 20).spawn(work).unwrap();
        Impostor {
            counts,
            thread: Some(thread),
        }
    }
}

impl Drop for Impostor {
    fn drop(&mut self) {
        self.counts.is_over.store(true, Ordering::Relaxed);
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking(), "the impostor failed");
    }
}

async fn lie_until_over(counts: &Counts, file: &WorkerFile, lie: &Lie) {
    let is_over = || counts.is_over.load(Ordering::Relaxed);
    let client = connect(&file.access(false)).await.unwrap();
    let mut runs = client.subscribe("tanren.run.*").await.unwrap();
    counts.ready.fetch_add(1, Ordering::Relaxed);
    // A thousand of them must not ask all the time.
    let pause = if matches!(lie, Lie::Recall(_)) {
        15 * PAUSE
    } else {
        PAUSE
    };
    let mut queue: Option<PullConsumer> = None;
    while !is_over() {
        send_heartbeat(&client, &file.name, lie).await;
        if *lie == Lie::OtherEngine {
            sleep(PAUSE).await;
            continue;
        }
        let Some(jobs) = &queue else {
            if let Ok(Some(message)) = timeout(pause, runs.next()).await {
                let said: Announcement = serde_json::from_slice(&message.payload).unwrap();
                let context = worker_jetstream(client.clone());
                queue = context.get_consumer_from_stream(&said.class, "jobs").await.ok();
            }
            continue;
        };
        let batch = jobs.batch().max_messages(1).expires(pause);
        let Some(Ok(message)) = batch.messages().await.unwrap().next().await else {
            continue;
        };
        while matches!(lie, Lie::Silence | Lie::Progress) && !is_over() {
            send_heartbeat(&client, &file.name, lie).await;
            if *lie == Lie::Progress {
                message.ack_with(AckKind::Progress).await.unwrap();
            }
            sleep(PAUSE).await;
        }
        counts.jobs.fetch_add(1, Ordering::Relaxed);
        counts
            .job_bytes
            .fetch_add(message.payload.len() as u64, Ordering::Relaxed);
        let job: Job = serde_json::from_slice(&message.payload[SIGNATURE_BYTES..]).unwrap();
        for pair in &job.pairs {
            if is_over() {
                return;
            }
            let payload = answer(file, &job, pair, lie);
            counts.pairs.fetch_add(1, Ordering::Relaxed);
            counts
                .pair_bytes
                .fetch_add(payload.len() as u64, Ordering::Relaxed);
            if *lie == Lie::Leisure {
                sleep(PAUSE).await;
            }
            let subject = format!("tanren.res.{}.{}", job.run, pair.pair);
            client.publish(subject, payload.into()).await.unwrap();
        }
        message.ack().await.unwrap();
    }
}

async fn send_heartbeat(client: &Client, name: &str, lie: &Lie) {
    let (engine, slots) = match lie {
        Lie::OtherEngine => ("0123456789abcdef".to_owned(), 100),
        _ => (engine_digest(), 1),
    };
    let heartbeat = json!({
        "session": "0123456789abcdef",
        "age_ms": 0,
        "name": name, "version": "0", "engine": engine, "cpu": "", "slots": slots, "busy": 0, "pairs": 0, "nps": 0,
        "is_leaving": false,
    });
    let payload = heartbeat.to_string();
    client
        .publish(format!("tanren.here.{name}"), payload.into())
        .await
        .unwrap();
}

/// What the built-in engine of this program does, found out once.
fn engine_digest() -> String {
    static ENGINE: OnceLock<String> = OnceLock::new();
    ENGINE.get_or_init(|| JobTables::default().engine()).clone()
}

/// The bytes of a result.
fn answer(file: &WorkerFile, job: &Job, pair: &JobPair, lie: &Lie) -> Vec<u8> {
    let packet = match lie {
        Lie::Garbage => b"no pair".to_vec(),
        Lie::Recall(packets) => packets[&pair.pair].clone(),
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
    let signed = signed_bytes(&job.run, &digest_of(&job.table), None, &packet);
    let name = if *lie == Lie::OtherName {
        "worker-1"
    } else {
        &file.name
    };
    let result = SignedPair {
        pace: None,
        worker: name.to_owned(),
        elapsed_ms: if *lie == Lie::Leisure { 200 } else { 1 },
        signature: file.seed.key_pair().unwrap().sign(&signed).unwrap(),
        packet,
    };
    result.to_bytes()
}

fn play(table: &str, pair: &JobPair) -> Finished {
    let tables = JobTables::default();
    let engines = BTreeMap::new();
    let mut table = tables
        .table(table, &engines, None, &Interrupt::default())
        .unwrap();
    table.play(pair).unwrap()
}
