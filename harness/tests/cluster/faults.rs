//! What follows from the faults of engines on other machines.

use std::fs;

use crate::engines::example;
use crate::searches::in_ledger;
use crate::support::{Fleet, assert_same, begin, play_here};

/// A match of an engine that crashes in a thought, in the second game of its process at the earliest, and never again.
fn command(policy: &str) -> [&str; 14] {
    [
        "match",
        "--a",
        "usi:@faulty",
        "--b",
        "plain",
        "--nodes",
        "20",
        "--pairs",
        "6",
        "--max-plies",
        "16",
        "--on-fault",
        policy,
        "--quiet",
    ]
}

fn with_an_engine_that_crashes_once(fleet: &Fleet) {
    let (engine, once) = (example("fault_engine"), fleet.path().join("once"));
    fleet.write_engines(&format!(
        "[faulty]\nprotocol = \"usi\"\ncommand = '{}'\narguments = [\"crash-in-thought\", \"9\"]\n\
         environment = {{ FAULT_ONCE = '{}' }}\n",
        engine.display(),
        once.display()
    ));
}

#[test]
fn a_run_stops_at_the_fault_that_it_is_to_stop_at_and_the_same_command_plays_that_pair() {
    let Some(fleet) = Fleet::start(2) else { return };
    with_an_engine_that_crashes_once(&fleet);
    let _workers = fleet.workers(2);
    let command = command("stall=replay,crash=stop");
    let mut run = begin(&fleet, &command);
    assert_eq!(run.end().code(), Some(3), "{}", run.said());
    assert!(
        run.said().contains("was at fault (crash) in game 2 of pair"),
        "{}",
        run.said()
    );
    let stored = in_ledger(&fleet.path().join("fleet"), "SELECT count(*) FROM unit");
    assert!(stored < 6, "half a pair is no result");
    let mut again = begin(&fleet, &command);
    assert!(again.end().success(), "{}", again.said());
    let games = std::fs::read_to_string(fleet.path().join("fleet/games.csv")).unwrap();
    assert!(!games.contains(",crash,"), "{games}");
    let engine = format!("usi:{} none,name=faulty", example("fault_engine").display());
    play_here(
        &fleet,
        &command.map(|word| if word == "usi:@faulty" { &engine } else { word }),
    );
    assert_same(&fleet);
}

#[test]
fn a_pair_that_is_played_again_after_a_fault_tells_of_it_from_another_machine() {
    let Some(fleet) = Fleet::start(2) else { return };
    with_an_engine_that_crashes_once(&fleet);
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &command("crash=replay"));
    assert!(run.end().success(), "{}", run.said());
    let replayed = fs::read_to_string(fleet.path().join("fleet/replayed.csv")).unwrap();
    assert_eq!(replayed.lines().count(), 2, "{replayed}");
    assert!(replayed.contains("crash"), "{replayed}");
}
