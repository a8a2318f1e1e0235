//! How far one server and one coordinator go: `scripts/fleet_scale.sh`. Simulated workers know every pair already, so that nothing is
//! measured but the fleet.

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
    Announcement, Finished, Job, Ledger, LedgerError, WorkerFile, connect, encode, worker_jetstream,
};
use tokio::time::{sleep, timeout};

use crate::folder::{Ended, InFolder};
use crate::impostor::{engine_digest, heartbeat, signed_result};
use crate::soak::number;
use crate::support::{Fleet, stored, wait_until};

/// What simulated workers share, and what they measure.
#[derive(Default)]
struct Simulation {
    /// The packets of all pairs.
    packets: HashMap<u64, Vec<u8>>,
    /// A pair takes so long.
    think: Duration,
    is_over: AtomicBool,
    /// The coordinator has announced that the run is over.
    is_decided: AtomicBool,
    /// Play, given up or not.
    play_us: AtomicU64,
    given_up: AtomicU64,
    ready: AtomicU64,
    played: AtomicU64,
    result_bytes: AtomicU64,
    job_bytes: AtomicU64,
    jobs: AtomicU64,
    /// From fetching a job to the acknowledgement of its results, without the play.
    latencies_us: Mutex<Vec<u64>>,
}

fn add(counter: &AtomicU64, value: u64) {
    counter.fetch_add(value, Ordering::Relaxed);
}

impl Simulation {
    /// Works as the machine of `file` until the end.
    async fn work(&self, file: &Path) {
        let file = WorkerFile::open(file).unwrap();
        let client = connect(&file.access(false)).await.unwrap();
        let context = worker_jetstream(client.clone());
        let mut runs = client.subscribe("tanren.run.*").await.unwrap();
        add(&self.ready, 1);
        let mut consumer: Option<PullConsumer> = None;
        let mut said = Instant::now() - Duration::from_secs(60);
        while !self.is_over.load(Ordering::Relaxed) {
            if said.elapsed() > Duration::from_secs(5) {
                let heartbeat = heartbeat(&file.name, engine_digest(), 1);
                let payload = serde_json::to_vec(&heartbeat).unwrap();
                let subject = format!("tanren.here.{}", file.name);
                client.publish(subject, payload.into()).await.unwrap();
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
                add(&self.job_bytes, message.payload.len() as u64);
                add(&self.jobs, 1);
                self.answer(&context, &file, &job).await;
                let _ = message.ack().await;
            }
        }
    }

    /// Hears when the run is over.
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
                add(&self.play_us, begun.elapsed().as_micros() as u64);
                add(&self.given_up, u64::from(is_given_up));
                return !is_given_up;
            }
            sleep(left.min(Duration::from_millis(50))).await;
        }
    }

    async fn answer(&self, context: &Context, file: &WorkerFile, job: &Job) {
        let begun = Instant::now();
        for pair in &job.pairs {
            if !self.think().await {
                return;
            }
            let packet = self.packets[&pair.pair].clone();
            let result = signed_result(file, &file.name, job, packet, self.think.as_millis() as u64);
            let payload = result.to_bytes();
            add(&self.result_bytes, payload.len() as u64);
            let subject = format!("tanren.res.{}.{}", job.run, pair.pair);
            let message = PublishMessage::build()
                .payload(payload.into())
                .expected_last_subject_sequence(0);
            if let Ok(stored) = context.send_publish(subject, message).await {
                let _ = stored.await;
            }
            add(&self.played, 1);
        }
        let thought = self.think * job.pairs.len() as u32;
        let latency = begun.elapsed().saturating_sub(thought);
        self.latencies_us.lock().unwrap().push(latency.as_micros() as u64);
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

#[test]
#[ignore = "a measurement: scripts/fleet_scale.sh"]
#[expect(clippy::too_many_lines, reason = "one story, told in order")]
fn a_thousand_workers_have_one_server() {
    let (workers, pairs) = (number("TANREN_WORKERS", 1_000), number("TANREN_PAIRS", 20_000));
    let think = Duration::from_millis(number("TANREN_THINK_MS", 0));
    let Some(fleet) = Fleet::start(workers as usize) else {
        return;
    };
    let sprt = std::env::var("TANREN_SPRT").unwrap_or_default();
    // One node tells no player from another.
    let command = if sprt.is_empty() {
        format!("match --a base --b foundation --nodes 1 --pairs {pairs}")
    } else {
        format!("match --a base --b base,null_move=off --nodes 60 --pairs {pairs}")
    };
    fleet.path().run(&format!("{command} --out local")).ok();
    let mut packets = HashMap::new();
    let ledger = Ledger::open_existing(&fleet.path().join("local")).unwrap();
    ledger
        .for_each_pair(u64::MAX, |record| {
            packets.insert(record.pair, encode(&Finished::Pair(record)));
            Ok::<(), LedgerError>(())
        })
        .unwrap();
    let simulation = Arc::new(Simulation {
        packets,
        think,
        ..Simulation::default()
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
    wait_until("the workers do not connect", || {
        simulation.ready.load(Ordering::Relaxed) >= workers
    });
    let stop = if sprt.is_empty() {
        String::new()
    } else {
        format!(" --sprt {sprt}")
    };
    let mut run = fleet.begin(&format!("{command} --audit 0{stop}"));
    let folder = fleet.results();
    wait_until("no pair comes", || stored(&folder) > 0);
    let (server_before, begun) = (used(fleet.server_id()).unwrap().0, Instant::now());
    let coordinator_before = used(run.id()).unwrap().0;
    let (mut coordinator, mut seen, mut seconds) = ((0.0, 0.0), 0, 0.0);
    while run.is_running() && seen < pairs {
        if let Some(now) = used(run.id()) {
            coordinator = now;
        }
        let more = stored(&folder);
        if more > seen {
            (seen, seconds) = (more, begun.elapsed().as_secs_f64());
        }
        thread::sleep(Duration::from_millis(20));
    }
    let server = used(fleet.server_id()).unwrap();
    run.succeeds();
    let stored = stored(&folder);
    assert!(
        stored == pairs || !sprt.is_empty(),
        "{stored} pairs: {}",
        run.said()
    );
    simulation.is_over.store(true, Ordering::Relaxed);
    simulated.join().unwrap();
    let mut latencies = simulation.latencies_us.lock().unwrap().clone();
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
