//! A process that is stopped, as a machine that sleeps, loses no game on time.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use crate::engines::faulty;
use crate::folder::{Ended, Folder};
use crate::running::{Running, games_with, signal};

/// Longer than what is taken for a slow machine, and than the clocks below have.
const STOPPED: Duration = Duration::from_millis(2_200);

#[test]
fn games_by_the_clock_are_played_again_after_a_stop() {
    let folder = &Folder::new();
    // A busy machine is not what is tested.
    let line = "match --quiet --a base --b plain --tc 0.6+0 --time-margin 1000 --max-plies 30 --hash 1 --pairs 8 --concurrency 1";
    let running = Running::start(folder, line, "m");
    running.wait_for_games();
    signal(running.pid(), "STOP");
    sleep(STOPPED);
    signal(running.pid(), "CONT");
    let output = running.end();
    let message = output.ended(0).message();
    assert_eq!(games_with(folder, "time_loss"), (0, 16), "{message}");
    assert!(message.contains("this process was stopped"), "{message}");
}

#[test]
fn an_engine_that_was_stopped_too_did_not_stall() {
    let folder = &Folder::new();
    let engine = faulty("slow-at-isready");
    let line = format!(
        "match --quiet --b plain --nodes 20 --max-plies 8 --hash 1 --pairs 4 --concurrency 1 --stall-ms 800 \
        --startup-ms 800 --a '{engine}'"
    );
    let running = Running::start(folder, &line, "m");
    running.wait_for_games();
    let children_of = |parent: u32| -> Vec<u32> {
        let found = Command::new("pgrep").args(["-P", &parent.to_string()]).output();
        let found = String::from_utf8(found.unwrap().stdout).unwrap();
        found.lines().map(|child| child.parse().unwrap()).collect()
    };
    // On Linux a guard stands between.
    let mut children = children_of(running.pid());
    let behind: Vec<u32> = children.iter().flat_map(|&child| children_of(child)).collect();
    children.extend(behind);
    for &child in &children {
        signal(child, "STOP");
    }
    signal(running.pid(), "STOP");
    sleep(STOPPED);
    signal(running.pid(), "CONT");
    // The engine stays stopped: it can be ended, and another one started.
    let output = running.end();
    let message = output.ended(0).message();
    assert!(!children.is_empty(), "the engine ran");
    for reason in ["stall", "start_failure"] {
        assert_eq!(games_with(folder, reason), (0, 8), "{message}");
    }
}
