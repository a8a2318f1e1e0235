//! Machines that die in the middle of a run.

use std::time::Duration;

use rusqlite::Connection;

use crate::support::{Fleet, assert_same, begin, begin_in, play_here, wait_for_pairs};

/// Lasts long enough to be disturbed.
const MATCH: [&str; 9] = [
    "match",
    "--a",
    "base",
    "--b",
    "base,null_move=off",
    "--nodes",
    "400",
    "--pairs",
    "80",
];
/// How long a decision, or a wish to stop, may take to end a process whose server is gone.
const SOON: Duration = Duration::from_secs(20);

#[test]
fn a_worker_that_is_killed_takes_nothing_with_it() {
    let Some(fleet) = Fleet::start(2) else { return };
    let mut workers = fleet.workers(2);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 6);
    workers.remove(0).kill();
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn a_worker_that_freezes_is_not_waited_for_and_what_it_says_later_counts_for_nothing() {
    let Some(fleet) = Fleet::start(2) else { return };
    let workers = fleet.workers(2);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 6);
    workers[0].signal("STOP");
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
    assert_eq!(counted_pairs(&fleet), [80, 80, 80]);
    workers[0].signal("CONT");
    let mut again = begin(&fleet, &MATCH);
    assert!(again.end().success(), "{}", again.said());
    assert_same(&fleet);
    assert_eq!(counted_pairs(&fleet), [80, 80, 80]);
}

/// Pairs of the ledger, different ones, and those of which is known who played them.
fn counted_pairs(fleet: &Fleet) -> [i64; 3] {
    let ledger = Connection::open(fleet.path().join("fleet/ledger.sqlite")).unwrap();
    let count = |sql: &str| ledger.query_row(sql, [], |row| row.get(0)).unwrap();
    [
        "SELECT count(*) FROM unit",
        "SELECT count(DISTINCT number) FROM packet",
        "SELECT count(*) FROM origin",
    ]
    .map(count)
}

#[test]
fn a_worker_that_is_stopped_hands_back_what_it_has() {
    let Some(fleet) = Fleet::start(2) else { return };
    let mut workers = fleet.workers(2);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 6);
    let mut stopped = workers.remove(0);
    stopped.signal("TERM");
    assert!(stopped.end_within(SOON).success(), "{}", stopped.said());
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn a_worker_that_is_stopped_while_the_server_is_gone_ends() {
    let Some(mut fleet) = Fleet::start(1) else { return };
    let mut worker = fleet.worker(1);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 4);
    fleet.kill_server();
    worker.signal("TERM");
    worker.end_within(SOON);
}

#[test]
fn a_coordinator_that_is_killed_is_taken_up_by_the_same_command() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 6);
    run.kill();
    let mut again = begin(&fleet, &MATCH);
    assert!(again.end().success(), "{}", again.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn a_coordinator_that_is_stopped_leaves_the_lease_to_the_next_one() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 6);
    run.signal("INT");
    assert_eq!(run.end_within(SOON).code(), Some(130), "{}", run.said());
    let mut again = begin(&fleet, &MATCH);
    assert!(again.end().success(), "{}", again.said());
    assert!(!again.said().contains("takes over"), "{}", again.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

/// The server dies in mid-run, and is there again.
fn server_dies(is_disk_lost: bool) {
    let Some(mut fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 6);
    fleet.kill_server();
    if is_disk_lost {
        fleet.delete_disk();
    }
    fleet.start_server();
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn a_server_that_is_killed_and_started_again_loses_nothing() {
    server_dies(false);
}

#[test]
fn a_server_that_loses_its_disk_loses_nothing_but_time() {
    server_dies(true);
}

#[test]
fn a_server_that_numbers_its_messages_anew_is_noticed() {
    let Some(mut fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 12);
    fleet.kill_server();
    // Consumers still know that they have seen messages of higher numbers.
    fleet.delete_messages();
    fleet.start_server();
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn a_disk_that_is_lost_is_noticed_by_every_run_of_the_server() {
    let Some(mut fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    // Of another priority, so that each has a queue of its own.
    let other = [&MATCH[..], &["--seed", "9", "--priority", "3"]].concat();
    let mut runs = [begin(&fleet, &MATCH), begin_in(&fleet, &other, "other")];
    wait_for_pairs(&fleet, &mut runs[0], 6);
    fleet.kill_server();
    fleet.delete_disk();
    fleet.start_server();
    for run in &mut runs {
        assert!(run.end().success(), "{}", run.said());
    }
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn a_signal_ends_a_run_whose_server_is_gone() {
    let Some(mut fleet) = Fleet::start(1) else { return };
    let _workers = fleet.workers(1);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 4);
    fleet.kill_server();
    // It notices that the server is gone, and looks for it.
    std::thread::sleep(Duration::from_secs(4));
    run.signal("INT");
    assert_eq!(run.end_within(SOON).code(), Some(130), "{}", run.said());
    fleet.start_server();
    let mut again = begin(&fleet, &MATCH);
    assert!(again.end().success(), "{}", again.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn a_run_that_this_machine_can_finish_alone_does_not_wait_for_a_server_that_is_gone() {
    let Some(mut fleet) = Fleet::start(1) else { return };
    // Nobody but the coordinator plays.
    let mut run = begin(&fleet, &[&MATCH[..], &["--slots", "1", "--audit", "0"]].concat());
    wait_for_pairs(&fleet, &mut run, 20);
    fleet.kill_server();
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}
