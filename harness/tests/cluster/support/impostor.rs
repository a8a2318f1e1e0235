//! A worker with a good key that does not do what it should.
//!
//! In: its file, what it does instead. Out: messages, until the value ends. Must not: hide who it is.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use tanren::internals::{
    Announcement, Finished, Here, Interrupt, Job, JobPair, JobTables, MakeTables, PairResult, WorkerFile,
    connect, pack_finished, signed_bytes, worker_jetstream,
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
}

/// The thread of one.
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
    let mut consumer: Option<PullConsumer> = None;
    while !is_over.load(Ordering::Relaxed) {
        say_here(&client, &file.name).await;
        let Some(queue) = &consumer else {
            let heard = timeout(Duration::from_millis(200), runs.next()).await;
            if let Ok(Some(message)) = heard {
                let said: Announcement = serde_json::from_slice(&message.payload).unwrap();
                let context = worker_jetstream(client.clone());
                consumer = context.get_consumer_from_stream(&said.class, "jobs").await.ok();
            }
            continue;
        };
        let batch = queue.batch().max_messages(1).expires(Duration::from_millis(500));
        let message = batch.messages().await.unwrap().next().await;
        let Some(Ok(message)) = message else { continue };
        let job: Job = serde_json::from_slice(&message.payload).unwrap();
        if lie == Lie::Silence {
            while !is_over.load(Ordering::Relaxed) {
                say_here(&client, &file.name).await;
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
            answer(&client, file, &job, pair, lie).await;
        }
        message.ack().await.unwrap();
    }
}

/// Says that it is a worker like any other.
async fn say_here(client: &Client, name: &str) {
    let here = Here {
        nps: 0,
        name: name.to_owned(),
        version: "0".to_owned(),
        engine: JobTables::default().engine(),
        cpu: String::new(),
        slots: 1,
        busy: 0,
        pairs: 0,
        is_leaving: false,
    };
    let payload = serde_json::to_vec(&here).unwrap();
    client
        .publish(format!("tanren.here.{name}"), payload.into())
        .await
        .unwrap();
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
            }
            pack_finished(&record)
        }
        Lie::FewerNodes | Lie::FewerNodesAndOwnAudits => {
            let table = job.table.replace("nodes_a = 1", "nodes_a = ");
            let table = table.replace("depth = 5\n", "depth = 4\n");
            assert_ne!(table, job.table);
            pack_finished(&play(&table, pair))
        }
        Lie::OtherName | Lie::Silence => pack_finished(&play(&job.table, pair)),
    };
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
        elapsed_ms: 1,
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
