//! How far one server and one coordinator go: `scripts/fleet_scale.sh`. Simulated workers know every pair already, so that nothing is
//! measured but the fleet.

use std::collections::HashMap;
use std::fs;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tanren::internals::{Finished, Ledger, LedgerError, WorkerFile, encode};

use crate::impostor::{Impostor, Lie};
use crate::number;
use crate::shell::{BOUND, Shell};
use crate::tools::in_ledger;
use crate::words::fleet;

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
    let shell = &mut Shell::new("", fleet());
    // One node tells no player from another.
    let command = format!("tanren match --a base --b foundation --nodes 1 --pairs {pairs}");
    shell.run(&format!("fleet {workers}"), "");
    shell.run(&format!("{command} --out local"), "");
    let mut packets = HashMap::new();
    let ledger = Ledger::open_existing(&shell.folder.join("local")).unwrap();
    let read = ledger.for_each_pair(u64::MAX, |record| {
        packets.insert(record.pair, encode(&Finished::Pair(record)));
        Ok::<(), LedgerError>(())
    });
    read.unwrap();
    let file = |worker| WorkerFile::open(&shell.folder.join(format!("worker-{worker}.toml"))).unwrap();
    let simulated = Impostor::start_all((1..=workers).map(file).collect(), Lie::Recall(packets));
    shell.until_it_is(BOUND, "all workers", |_| {
        simulated.counts.ready.load(Ordering::Relaxed) >= workers
    });
    shell.run(
        &format!("{command} --audit 0 --cluster coordinator.toml --out fleet & run"),
        "",
    );
    shell.run("stored fleet 1", "");
    let [server_id, run_id] = ["server", "run"].map(|name| shell.pid(name));
    let before = [server_id, run_id].map(|id| used(id).unwrap().0);
    let folder = shell.folder.join("fleet");
    let stored = || in_ledger(&folder, "SELECT count(*) FROM unit") as u64;
    let (begun, mut coordinator) = (Instant::now(), (0.0, 0.0));
    while let Some(now) = used(run_id).filter(|_| stored() < pairs) {
        coordinator = now;
        sleep(Duration::from_millis(20));
    }
    let (seconds, server) = (begun.elapsed().as_secs_f64(), used(server_id).unwrap());
    shell.run("wait run", "");
    assert_eq!(stored(), pairs);
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
