//! Machines that may not take part.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use nkeys::KeyPair;

use crate::support::{Fleet, assert_same, begin, begin_in, play_here, stored_pairs, wait_for_pairs};

const MATCH: [&str; 9] = [
    "match",
    "--a",
    "base",
    "--b",
    "base,null_move=off",
    "--nodes",
    "400",
    "--pairs",
    "40",
];

#[test]
fn a_second_coordinator_of_the_same_run_is_refused() {
    let Some(fleet) = Fleet::start(1) else { return };
    let _workers = fleet.workers(1);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 2);
    let mut second = begin_in(&fleet, &MATCH, "second");
    assert_eq!(second.end().code(), Some(1));
    let said = second.said();
    assert!(
        said.contains("is coordinated by another process already"),
        "{said}"
    );
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn a_worker_with_a_key_that_the_server_does_not_know_is_refused() {
    let Some(fleet) = Fleet::start(1) else { return };
    let text = fs::read_to_string(fleet.worker_file(1)).unwrap();
    let stranger = KeyPair::new_user().seed().unwrap();
    let lines = text.lines().map(|line| match line.starts_with("seed") {
        true => format!("seed = \"{stranger}\""),
        false => line.to_owned(),
    });
    fs::write(fleet.worker_file(1), lines.collect::<Vec<_>>().join("\n")).unwrap();
    let mut worker = fleet.worker(1);
    assert_eq!(worker.end().code(), Some(1));
    assert!(
        worker.said().contains("refuses the key of 'worker-1'"),
        "{}",
        worker.said()
    );
}

#[test]
fn a_worker_that_the_coordinator_does_not_know_is_not_believed() {
    let Some(fleet) = Fleet::start(2) else { return };
    let path = fleet.path().join("coordinator.toml");
    let text = fs::read_to_string(&path).unwrap();
    let known: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("worker-2"))
        .collect();
    fs::write(&path, known.join("\n")).unwrap();
    let mut unknown = fleet.worker(2);
    let mut run = begin(&fleet, &MATCH);
    unknown.wait_for("pairs played");
    sleep(Duration::from_secs(1));
    assert_eq!(stored_pairs(&fleet.path().join("fleet")), 0);
    drop(unknown);
    let _worker = fleet.worker(1);
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}
