//! Games by time, on machines that differ.

use std::fs;

use crate::common::{run, stderr};
use crate::support::{Fleet, Machine, begin, of_hosts};

const MATCH: [&str; 7] = ["match", "--a", "base", "--b", "base,lmr=off", "--pairs", "4"];

/// A worker that other work on this machine does not put off.
fn worker(fleet: &Fleet, number: usize, slots: &str) -> Machine {
    let file = fleet.worker_file(number);
    let args = [
        "worker",
        file.to_str().unwrap(),
        "--slots",
        slots,
        "--speed-tolerance",
        "1000",
    ];
    Machine::start(fleet.path(), &args)
}

#[test]
fn a_slow_reference_machine_gives_everybody_less_time_and_the_report_says_how_much() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _workers = [worker(&fleet, 1, "1"), worker(&fleet, 2, "1")];
    let by_time = ["--movetime", "40", "--reference-nps", "1000"];
    let mut run_here = begin(&fleet, &[&MATCH[..], &by_time].concat());
    assert!(run_here.end().success(), "{}", run_here.said());
    for (host, scale) in of_hosts(&fleet, "time_scale") {
        let scale: f64 = scale.parse().unwrap();
        assert!((0.0..0.1).contains(&scale), "{host}: {scale}");
    }
    for (host, nps) in of_hosts(&fleet, "slot_nps") {
        assert!(nps.parse::<u64>().unwrap() > 10_000, "{host}: {nps}");
    }
    // What time was worth is a part of what a machine signs.
    let verified = run(fleet.path(), &["verify", "fleet"]);
    assert!(verified.status.success(), "{}", stderr(&verified));
    let ledger = rusqlite::Connection::open(fleet.path().join("fleet/ledger.sqlite")).unwrap();
    let found: i64 = ledger
        .query_row(
            "SELECT count(*) FROM origin WHERE reference_nps = 1000 AND nps > 0",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(found, 4);
}

#[test]
fn time_that_is_not_scaled_is_the_same_everywhere() {
    let Some(fleet) = Fleet::start(1) else { return };
    let _worker = worker(&fleet, 1, "1");
    let mut run_here = begin(
        &fleet,
        &[&MATCH[..], &["--tc", "0.3+0.01", "--scale-time", "off"]].concat(),
    );
    assert!(run_here.end().success(), "{}", run_here.said());
    assert_eq!(
        of_hosts(&fleet, "time_scale"),
        [("worker-1".to_owned(), "1.0".to_owned())]
    );
}

#[test]
fn a_machine_with_more_slots_than_cores_plays_no_games_by_time_and_all_others() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _crowded = worker(&fleet, 2, "512");
    let fit = worker(&fleet, 1, "1");
    let mut by_time = begin(&fleet, &[&MATCH[..], &["--movetime", "5"]].concat());
    assert!(by_time.end().success(), "{}", by_time.said());
    assert_eq!(
        of_hosts(&fleet, "pairs"),
        [("worker-1".to_owned(), "4".to_owned())]
    );
    fs::remove_dir_all(fleet.path().join("fleet")).unwrap();
    drop(fit);
    let mut by_nodes = begin(&fleet, &[&MATCH[..], &["--nodes", "100"]].concat());
    assert!(by_nodes.end().success(), "{}", by_nodes.said());
    assert_eq!(of_hosts(&fleet, "pairs")[0].1, "4");
}
