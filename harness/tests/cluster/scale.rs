//! How far one server and one coordinator go: `scripts/fleet_scale.sh`.
//!
//! Simulated workers are tasks that know every pair already, sign it and send it, so that nothing is measured but the fleet.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::context::Context;
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt;
use futures_util::future::join_all;
use tanren::internals::{
    Announcement, Finished, Here, Job, JobTables, Ledger, LedgerError, MakeTables, PairResult, WorkerFile,
    connect, encode, signed_bytes, worker_jetstream,
};
use tokio::time::{sleep, timeout};

use crate::common::{run, stderr};
use crate::support::{Fleet, begin, stored_pairs};

/// What simulated workers share.
struct Simulation {
    /// The packets of all pairs.
    pairs: HashMap<u64, Vec<u8>>,
    engine: String,
    /// A job takes so long.
    think: Duration,
    is_over: AtomicBool,
    /// The coordinator has said that the run is over.
    is_decided: AtomicBool,
    /// Play, given up or not, microseconds.
    play_us: AtomicU64,
    given_up: AtomicU64,
    ready: AtomicU64,
    played: AtomicU64,
    result_bytes: AtomicU64,
    job_bytes: AtomicU64,
    jobs: AtomicU64,
    /// From taking a job to the server's last word about its results, microseconds.
    latencies: Mutex<Vec<u64>>,
}

impl Simulation {
    /// Works as the machine of `file` until the end.
    async fn work(&self, file: &Path) {
        let file = WorkerFile::open(file).unwrap();
        let client = connect(&file.access(false)).await.unwrap();
        let context = worker_jetstream(client.clone());
        let mut runs = client.subscribe("tanren.run.*").await.unwrap();
        self.ready.fetch_add(1, Ordering::Relaxed);
        let mut consumer: Option<PullConsumer> = None;
        let mut said = Instant::now() - Duration::from_secs(60);
        while !self.is_over.load(Ordering::Relaxed) {
            if said.elapsed() > Duration::from_secs(5) {
                let here = serde_json::to_vec(&self.here(&file.name)).unwrap();
                let subject = format!("tanren.here.{}", file.name);
                client.publish(subject, here.into()).await.unwrap();
                said = Instant::now();
            }
            let Some(queue) = &consumer else {
                if let Ok(Some(message)) = timeout(Duration::from_secs(1), runs.next()).await {
                    let said: Announcement = serde_json::from_slice(&message.payload).unwrap();
                    consumer = context.get_consumer_from_stream(&said.class, "jobs").await.ok();
                }
                continue;
            };
            let batch = queue.batch().max_messages(1).expires(Duration::from_secs(3));
            let Ok(mut batch) = batch.messages().await else {
                continue;
            };
            if let Some(Ok(message)) = batch.next().await {
                let job: Job = serde_json::from_slice(&message.payload).unwrap();
                self.job_bytes
                    .fetch_add(message.payload.len() as u64, Ordering::Relaxed);
                self.jobs.fetch_add(1, Ordering::Relaxed);
                self.answer(&context, &file, &job).await;
                let _ = message.ack().await;
            }
        }
    }

    /// Hears as the machine of `file` when the run is over.
    async fn listen(&self, file: &Path) {
        let file = WorkerFile::open(file).unwrap();
        let client = connect(&file.access(false)).await.unwrap();
        let mut runs = client.subscribe("tanren.run.*").await.unwrap();
        while !self.is_over.load(Ordering::Relaxed) {
            if let Ok(Some(message)) = timeout(Duration::from_millis(100), runs.next()).await {
                let said: Announcement = serde_json::from_slice(&message.payload).unwrap();
                self.is_decided.fetch_or(said.is_over, Ordering::Relaxed);
            }
        }
    }

    /// Thinks about a pair; false if the run is over before that is done.
    async fn think(&self) -> bool {
        let begun = Instant::now();
        loop {
            let left = self.think.saturating_sub(begun.elapsed());
            let is_given_up = self.is_decided.load(Ordering::Relaxed);
            if left.is_zero() || is_given_up {
                let played = begun.elapsed().as_micros() as u64;
                self.play_us.fetch_add(played, Ordering::Relaxed);
                self.given_up.fetch_add(u64::from(is_given_up), Ordering::Relaxed);
                return !is_given_up;
            }
            sleep(left.min(Duration::from_millis(50))).await;
        }
    }

    fn here(&self, name: &str) -> Here {
        Here {
            nps: 0,
            name: name.to_owned(),
            version: "0".to_owned(),
            engine: self.engine.clone(),
            cpu: String::new(),
            slots: 1,
            busy: 0,
            pairs: 0,
            is_leaving: false,
            games: Vec::new(),
        }
    }

    async fn answer(&self, context: &Context, file: &WorkerFile, job: &Job) {
        let key = file.seed.key_pair().unwrap();
        let begun = Instant::now();
        for pair in &job.pairs {
            if !self.think().await {
                return;
            }
            let packet = self.pairs[&pair.pair].clone();
            let signature = key
                .sign(&signed_bytes(&job.run, &job.table, None, &packet))
                .unwrap();
            let result = PairResult {
                pace: None,
                worker: file.name.clone(),
                elapsed_ms: self.think.as_millis() as u64,
                signature: signature.try_into().unwrap(),
                packet,
            };
            let payload = result.to_bytes();
            self.result_bytes
                .fetch_add(payload.len() as u64, Ordering::Relaxed);
            let subject = format!("tanren.res.{}.{}", job.run, pair.pair);
            let message = PublishMessage::build()
                .payload(payload.into())
                .expected_last_subject_sequence(0);
            if let Ok(stored) = context.send_publish(subject, message).await {
                let _ = stored.await;
            }
            self.played.fetch_add(1, Ordering::Relaxed);
        }
        let thought = self.think * job.pairs.len() as u32;
        let latency = begun.elapsed().saturating_sub(thought);
        self.latencies.lock().unwrap().push(latency.as_micros() as u64);
    }
}

/// Seconds of a core that a process has used, and the most memory that it had, MiB; `None` if it has ended.
fn used(id: u32) -> Option<(f64, f64)> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: f64 = fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap();
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    Some((ticks / 100.0, kilobytes / 1024.0))
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(default, |text| text.parse().unwrap())
}

#[test]
#[ignore = "a measurement: scripts/fleet_scale.sh"]
#[expect(clippy::too_many_lines, reason = "one story, told in order")]
fn a_thousand_workers_have_one_server() {
    let (workers, pairs) = (number("TANREN_WORKERS", 1_000), number("TANREN_PAIRS", 20_000));
    let think = Duration::from_millis(number("TANREN_THINK_MS", 0));
    let Some(fleet) = Fleet::start(workers as usize) else {
        return;
    };
    let pairs_text = pairs.to_string();
    let sprt = std::env::var("TANREN_SPRT").unwrap_or_default();
    let command = [
        "match",
        "--a",
        "base",
        "--b",
        if sprt.is_empty() {
            "foundation"
        } else {
            "base,null_move=off"
        },
        "--nodes",
        // One node tells no player from another.
        if sprt.is_empty() { "1" } else { "60" },
        "--pairs",
        &pairs_text,
    ];
    let local = run(fleet.path(), &[&command[..], &["--out", "local"]].concat());
    assert!(local.status.success(), "{}", stderr(&local));
    let mut packets = HashMap::new();
    let ledger = Ledger::open_existing(&fleet.path().join("local")).unwrap();
    ledger
        .for_each_pair(u64::MAX, |record| {
            packets.insert(record.pair, encode(&Finished::Pair(record)));
            Ok::<(), LedgerError>(())
        })
        .unwrap();
    let simulation = Arc::new(Simulation {
        pairs: packets,
        engine: JobTables::default().engine(),
        think,
        is_over: AtomicBool::new(false),
        is_decided: AtomicBool::new(false),
        play_us: AtomicU64::new(0),
        given_up: AtomicU64::new(0),
        ready: AtomicU64::new(0),
        played: AtomicU64::new(0),
        result_bytes: AtomicU64::new(0),
        job_bytes: AtomicU64::new(0),
        jobs: AtomicU64::new(0),
        latencies: Mutex::default(),
    });
    let files: Vec<PathBuf> = (1..=workers as usize)
        .map(|worker| fleet.worker_file(worker))
        .collect();
    let shared = Arc::clone(&simulation);
    let simulated = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let tasks = files.iter().map(|file| shared.work(file));
        runtime.block_on(async { tokio::join!(join_all(tasks), shared.listen(&files[0])) });
    });
    while simulation.ready.load(Ordering::Relaxed) < workers {
        thread::sleep(Duration::from_millis(50));
    }
    let stop = ["--sprt", sprt.as_str()];
    let stop = if sprt.is_empty() { &[][..] } else { &stop[..] };
    let mut run = begin(&fleet, &[&command[..], &["--audit", "0"], stop].concat());
    let folder = fleet.path().join("fleet");
    while stored_pairs(&folder) == 0 {
        thread::sleep(Duration::from_millis(2));
    }
    let (server_before, begun) = (used(fleet.server_id()).unwrap().0, Instant::now());
    let coordinator_before = used(run.id()).unwrap().0;
    let (mut coordinator, mut stored, mut seconds) = ((0.0, 0.0), 0, 0.0);
    while run.is_running() && stored < pairs {
        if let Some(now) = used(run.id()) {
            coordinator = now;
        }
        let more = stored_pairs(&folder);
        if more > stored {
            (stored, seconds) = (more, begun.elapsed().as_secs_f64());
        }
        thread::sleep(Duration::from_millis(20));
    }
    let server = used(fleet.server_id()).unwrap();
    assert!(run.end().success(), "{}", run.said());
    let stored = stored_pairs(&folder);
    assert!(
        stored == pairs || !sprt.is_empty(),
        "{stored} pairs: {}",
        run.said()
    );
    simulation.is_over.store(true, Ordering::Relaxed);
    simulated.join().unwrap();
    let mut latencies = simulation.latencies.lock().unwrap().clone();
    latencies.sort_unstable();
    let at = |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize] as f64 / 1e3;
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
    let games = 2.0 * stored as f64;
    println!(
        "{workers} workers, {stored} pairs, {think:?} a pair: {:.0} pairs/s",
        stored as f64 / seconds
    );
    println!(
        "pairs a job {:.1}",
        count(&simulation.played) / count(&simulation.jobs)
    );
    println!(
        "job to results stored, less the play: median {:.1} ms, 99 % {:.1} ms",
        at(0.5),
        at(0.99)
    );
    println!(
        "bytes a pair: result {:.0}, job {:.0}",
        count(&simulation.result_bytes) / count(&simulation.played),
        count(&simulation.job_bytes) / count(&simulation.played)
    );
    println!(
        "memory: coordinator {:.0} MiB, server {:.0} MiB",
        coordinator.1, server.1
    );
    println!(
        "core: coordinator {:.2} % per 100 games/s, server {:.2} %",
        (coordinator.0 - coordinator_before) / games * 1e4,
        (server.0 - server_before) / games * 1e4
    );
    let (played, given_up) = (count(&simulation.played), count(&simulation.given_up));
    let needed_us = stored as f64 * think.as_micros() as f64;
    println!(
        "played in vain {:.1} % of the pairs; {given_up} more were given up",
        100.0 * (1.0 - stored as f64 / played)
    );
    if !think.is_zero() {
        let in_vain = 1.0 - needed_us / count(&simulation.play_us);
        println!("played in vain {:.1} % of the time", 100.0 * in_vain);
    }
}
