//! Machines that may not take part.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use nkeys::KeyPair;

use tanren::internals::{Job, JobPair};

use crate::support::{
    Fleet, Impostor, Lie, Office, assert_same, begin, begin_in, own_engine, play_here, stored_pairs,
    wait_for_pairs,
};

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

#[test]
fn a_worker_takes_no_job_of_a_coordinator_with_another_engine_or_version() {
    let Some(fleet) = Fleet::start(1) else { return };
    let mut worker = fleet.worker(1);
    worker.wait_for("ready");
    // It makes the streams.
    let mut run = begin(&fleet, &[&MATCH[..8], &["1"]].concat());
    assert!(run.end().success(), "{}", run.said());
    let office = Office::open(&fleet);
    let (others, own) = ("7-0123456789abcdef", format!("7-{}", own_engine()));
    for (class, name) in [(others, "aaaaaaaaaaaaaaaa"), (own.as_str(), "bbbbbbbbbbbbbbbb")] {
        office.open_class(class);
        office.publish(class, &job_of(name));
        office.announce(name, class, false);
    }
    worker.wait_for("has no part in run aaaaaaaaaaaaaaaa");
    worker.wait_for("plays for run bbbbbbbbbbbbbbbb");
    sleep(Duration::from_secs(1));
    assert_eq!((office.given(others), office.given(&own)), (0, 1));
    assert!(!worker.said().contains("plays for run aaaa"), "{}", worker.said());
}

/// A job that takes a while.
fn job_of(run: &str) -> Job {
    let pair = JobPair {
        pair: 0,
        players: [0, 1],
        seeds: [1, 2],
        line: 1,
        opening: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1".to_owned(),
    };
    Job {
        run: run.to_owned(),
        table: "a = \"base\"\nb = \"base,null_move=off\"\nnodes_a = 100000\nnodes_b = 100000\n".to_owned(),
        pairs: vec![pair],
        reference_nps: None,
        audit_of: None,
    }
}

#[test]
fn a_worker_with_another_engine_is_not_waited_for() {
    let Some(fleet) = Fleet::start(1) else { return };
    let _other = Impostor::start(&fleet.worker_file(1), Lie::OtherEngine);
    let mut office = Office::open(&fleet);
    assert_eq!(office.next_here().slots, 100);
    // Jobs for its hundred slots would be played by nobody.
    let mut run = begin(
        &fleet,
        &[&MATCH[..], &["--slots", "1", "--audit", "100%"]].concat(),
    );
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
    assert!(!fleet.path().join("fleet/hosts.csv").exists());
}
