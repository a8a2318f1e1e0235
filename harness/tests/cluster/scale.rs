//! How far one server and one coordinator go: `scripts/fleet_scale.sh`. Simulated workers know every pair already, so that nothing is
//! measured but the fleet.

use std::collections::HashMap;
use std::fs;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tanren::internals::{Finished, Ledger, LedgerError, WorkerFile, encode};

use crate::folder::{Ended, InFolder};
use crate::impostor::{Impostor, Lie};
use crate::misfortunes::number;
use crate::support::{Fleet, stored, wait_until};

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
fn a_thousand_workers_have_one_server() {
    let (workers, pairs) = (number("TANREN_WORKERS", 1_000), number("TANREN_PAIRS", 20_000));
    let fleet = Fleet::start(workers as usize);
    // One node tells no player from another.
    let command = format!("match --a base --b foundation --nodes 1 --pairs {pairs}");
    fleet.run(&format!("{command} --out local")).ok();
    let mut packets = HashMap::new();
    let ledger = Ledger::open_existing(&fleet.join("local")).unwrap();
    let read = ledger.for_each_pair(u64::MAX, |record| {
        packets.insert(record.pair, encode(&Finished::Pair(record)));
        Ok::<(), LedgerError>(())
    });
    read.unwrap();
    let files = (1..=workers as usize).map(|worker| WorkerFile::open(&fleet.worker_file(worker)).unwrap());
    let simulated = Impostor::start_all(files.collect(), Lie::Recall(packets));
    wait_until("the workers do not connect", || {
        simulated.counts.ready.load(Ordering::Relaxed) >= workers
    });
    let mut run = fleet.begin(&format!("{command} --audit 0"));
    wait_until("no pair comes", || stored(&fleet.results()) > 0);
    let before = [fleet.server_id(), run.id()].map(|id| used(id).unwrap().0);
    let (begun, mut coordinator) = (Instant::now(), (0.0, 0.0));
    while let Some(now) = used(run.id()).filter(|_| stored(&fleet.results()) < pairs) {
        coordinator = now;
        sleep(Duration::from_millis(20));
    }
    let (seconds, server) = (begun.elapsed().as_secs_f64(), used(fleet.server_id()).unwrap());
    run.succeeds();
    assert_eq!(stored(&fleet.results()), pairs);
    let counts = &simulated.counts;
    let [jobs, job_bytes, played, pair_bytes] =
        [&counts.jobs, &counts.job_bytes, &counts.pairs, &counts.pair_bytes]
            .map(|count| count.load(Ordering::Relaxed) as f64);
    println!(
        "{workers} workers, {pairs} pairs: {:.0} pairs/s",
        pairs as f64 / seconds
    );
    println!(
        "pairs a job {:.1}, played in vain {:.1} %",
        played / jobs,
        100.0 * (1.0 - pairs as f64 / played)
    );
    println!(
        "bytes a pair: result {:.0}, job {:.0}",
        pair_bytes / played,
        job_bytes / played
    );
    println!(
        "memory: coordinator {:.0} MiB, server {:.0} MiB",
        coordinator.1, server.1
    );
    let [of_server, of_coordinator] =
        [server.0 - before[0], coordinator.0 - before[1]].map(|used| used / (2.0 * pairs as f64) * 1e4);
    println!("core per 100 games/s: coordinator {of_coordinator:.2} %, server {of_server:.2} %");
}
