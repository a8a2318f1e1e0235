//! The games of a fleet are seen at its coordinator while they are played.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{BOUND, Fleet, begin};

/// The games in progress that the run's folder has, once there are some.
fn shown(fleet: &Fleet) -> Vec<Value> {
    let begun = Instant::now();
    loop {
        let text = fs::read(fleet.path().join("fleet/live.json")).unwrap_or_default();
        match serde_json::from_slice(&text) {
            Ok(Value::Array(games)) if !games.is_empty() => return games,
            _ => assert!(begun.elapsed() < BOUND, "no game is shown"),
        }
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_coordinator_that_plays_nothing_shows_what_its_workers_play_until_the_run_ends() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    let command = [
        "match",
        "--a",
        "base",
        "--b",
        "base,null_move=off",
        "--nodes",
        "100000",
        "--pairs",
        "40",
    ];
    let mut run = begin(&fleet, &command);
    let game = shown(&fleet).remove(0);
    assert_eq!(game["game"], "shogi");
    assert!(game["pair"].as_u64().unwrap() < 40);
    assert!(!game["opening"].as_str().unwrap().is_empty());
    run.signal("INT");
    run.end();
    assert!(!fleet.path().join("fleet/live.json").exists());
}
