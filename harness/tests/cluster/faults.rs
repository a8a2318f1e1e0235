//! What follows from the faults of engines on other machines.

use crate::engines::example;
use crate::folder::InFolder;
use crate::support::{Fleet, stored};

/// A match of an engine that crashes in a thought, in the second game of its process at the earliest, and never again.
fn command(engine: &str, policy: &str) -> String {
    format!("match --a {engine} --b plain --nodes 20 --pairs 6 --max-plies 16 --on-fault {policy} --quiet")
}

fn with_an_engine_that_crashes_once() -> Option<Fleet> {
    let fleet = Fleet::start(2)?;
    fleet.write_engines(&format!(
        "[faulty]\nprotocol = \"usi\"\ncommand = '{}'\narguments = [\"crash-in-thought\", \"9\"]\n\
         environment = {{ FAULT_ONCE = '{}' }}\n",
        example("fault_engine").display(),
        fleet.path().join("once").display()
    ));
    Some(fleet)
}

#[test]
#[ignore = "nightly"]
fn a_run_stops_at_the_fault_that_it_is_to_stop_at_and_the_same_command_plays_that_pair() {
    let Some(fleet) = with_an_engine_that_crashes_once() else {
        return;
    };
    let _workers = fleet.workers(2);
    let policy = "stall=replay,crash=stop";
    let remote = command("usi:@faulty", policy);
    fleet
        .begin(&remote)
        .fails(3, "was at fault (crash) in game 2 of pair");
    assert!(stored(&fleet.results()) < 6, "half a pair is no result");
    fleet.play(&remote);
    let engine = format!("'usi:{} none,name=faulty'", example("fault_engine").display());
    fleet.play_here(&command(&engine, policy));
    fleet.assert_same();
}

#[test]
#[ignore = "nightly"]
fn a_pair_that_is_played_again_after_a_fault_tells_of_it_from_another_machine() {
    let Some(fleet) = with_an_engine_that_crashes_once() else {
        return;
    };
    let _workers = fleet.workers(2);
    fleet.play(&command("usi:@faulty", "crash=replay"));
    let replayed = fleet.read("fleet/replayed.csv");
    assert!(
        replayed.lines().count() == 2 && replayed.contains("crash"),
        "{replayed}"
    );
}
