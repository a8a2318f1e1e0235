//! A server that has no room for more.

use std::thread::sleep;
use std::time::Duration;

use crate::support::{Fleet, Office, assert_same, begin, play_here, stored_pairs, wait_for_pairs};

const MATCH: [&str; 9] = [
    "match",
    "--a",
    "base",
    "--b",
    "base,null_move=off",
    "--nodes",
    "400",
    "--pairs",
    "60",
];
/// As `tanren cluster init` writes it.
const ROOM: &str = "max_file_store: 8GB";

#[test]
fn workers_keep_their_results_until_the_server_has_room_for_them_and_say_so() {
    let Some(fleet) = Fleet::start(2) else { return };
    let mut workers = fleet.workers(2);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 4);
    let office = Office::open(&fleet);
    office.limit("results", 1);
    for worker in &mut workers {
        worker.wait_for("the server does not take a result (maximum bytes exceeded");
    }
    sleep(Duration::from_secs(1));
    let stored = stored_pairs(&fleet.path().join("fleet"));
    assert!(stored < 60 && run.is_running(), "{stored} pairs: {}", run.said());
    office.limit("results", 1 << 30);
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn a_coordinator_waits_until_the_server_has_room_for_jobs_and_says_so() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 4);
    let office = Office::open(&fleet);
    office.limit("jobs", 1);
    run.wait_for("the server takes no jobs (maximum bytes exceeded");
    sleep(Duration::from_secs(1));
    assert!(run.is_running(), "{}", run.said());
    office.limit("jobs", 1 << 30);
    assert!(run.end().success(), "{}", run.said());
    let told = run.said().matches("the server takes no jobs").count();
    assert_eq!(told, 1, "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn a_server_without_room_for_a_fleet_is_told_before_the_first_game() {
    let Some(mut fleet) = Fleet::start(1) else { return };
    let _workers = fleet.workers(1);
    fleet.configure(ROOM, "max_file_store: 1MB");
    let mut run = begin(&fleet, &MATCH);
    assert_eq!(run.end().code(), Some(1), "{}", run.said());
    assert!(
        run.said().contains("max_file_store in server.conf"),
        "{}",
        run.said()
    );
    fleet.configure("max_file_store: 1MB", ROOM);
    let mut again = begin(&fleet, &MATCH);
    assert!(again.end().success(), "{}", again.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}
