//! Every kind of run gives the files that one machine gives.

use rusqlite::Connection;

use crate::engines::{example, own_engine};
use crate::folder::{Ended, InFolder};
use crate::support::{Fleet, in_ledger, stored, with_origin};

const NODES: &str = "nodes --config base --config base,lmr=off --depth 5 --hash 1 --limit-positions 60";

/// Plays the command on two workers and on this machine; the numbers of a column of `hosts.csv` are to come to so much.
fn plays_the_same(command: &str, column: &str, sum: u64) -> Fleet {
    let fleet = Fleet::start(2);
    let _workers = fleet.workers(2);
    fleet.ends_the_same(&mut fleet.begin(command), command);
    let counts = fleet.column("fleet/hosts.csv", column);
    let counts = counts.iter().map(|count| count.parse::<u64>().unwrap());
    assert_eq!(counts.sum::<u64>(), sum, "who played is told");
    fleet
}

#[test]
fn a_match_over_an_encrypted_connection_is_the_same() {
    let fleet = Fleet::encrypted(2);
    let _workers = fleet.workers(2);
    let command = "match --a base --b base,null_move=off --nodes 200 --pairs 24";
    fleet.ends_the_same(&mut fleet.begin(command), command);
}

#[test]
fn a_match_that_ends_early_is_the_same() {
    let fleet = Fleet::start(2);
    let _workers = fleet.workers(2);
    let command = "match --a base --b plain --nodes 200 --pairs 200 --sprt elo0=-50,elo1=50";
    fleet.ends_the_same(&mut fleet.begin(command), command);
}

#[test]
fn a_match_of_chess_with_the_coordinator_playing_too_is_the_same() {
    let fleet = Fleet::start(1);
    let command = "match --game chess --a base --b base,null_move=off --nodes 200 --pairs 24";
    let _workers = fleet.workers(1);
    fleet.ends_the_same(&mut fleet.begin(&format!("{command} --slots 1")), command);
}

#[test]
fn a_tournament_is_the_same() {
    let command = "tournament --player base --player plain --player base,lmr=off --nodes 100 --pairs 6";
    plays_the_same(command, "pairs", 18);
}

#[test]
fn a_tuning_with_its_confirming_match_is_the_same() {
    let command = "tune --method spsa --tune futility.* --iterations 5 --pairs-per-iteration 2 --nodes 100 --confirm-pairs 6";
    plays_the_same(command, "pairs", 10);
}

#[test]
fn a_study_of_odds_is_the_same() {
    let fleet = Fleet::start(2);
    let _workers = fleet.workers(2);
    let command = "odds --a base --b base,lmr=off --nodes 100 --pairs 16 --batch 4";
    fleet.ends_the_same(&mut fleet.begin(command), command);
}

#[test]
fn an_ablation_with_its_counts_is_the_same() {
    let fleet = Fleet::start(2);
    let _workers = fleet.workers(2);
    let command = "ablate --only lmr,null_move --nodes 100 --pairs 4 --node-depth 4";
    fleet.ends_the_same(&mut fleet.begin(command), command);
    let nodes = fleet.results().join("nodes");
    for row in nodes.names() {
        assert_eq!(with_origin(&nodes.join(row)), 100);
    }
}

#[test]
fn a_count_of_nodes_is_the_same_and_says_who_searched() {
    let command = format!("{NODES} --audit 20%");
    let fleet = Fleet::start(2);
    let _workers = fleet.workers(2);
    let said = fleet.play(&command);
    assert!(said.contains("made a second time"), "{said}");
    fleet.play_here(NODES);
    fleet.assert_same();
    let by_workers = "SELECT count(*) FROM unit WHERE instr(origin, CAST('worker-' AS BLOB)) > 0";
    assert_eq!(in_ledger(&fleet.results(), by_workers), 120);
    let report = fleet.run("report fleet").ok().text();
    assert!(report.contains("host     worker-1: "), "{report}");
    fleet.run("verify fleet local").ok();
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn a_count_in_chess_that_gives_searches_up_is_the_same_with_the_coordinator_searching_too() {
    let fleet = Fleet::start(1);
    let _workers = fleet.workers(1);
    let command = "nodes --game chess --config base --config base,null_move=off --depth 6 --nodes-max 3000 --limit-positions 20";
    fleet.ends_the_same(&mut fleet.begin(&format!("{command} --slots 1")), command);
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn a_match_that_was_begun_here_is_finished_by_a_fleet() {
    let fleet = Fleet::start(1);
    let _workers = fleet.workers(1);
    let command = "match --a base --b base,null_move=off --nodes 200 --pairs 24";
    fleet.run(&format!("{command} --pause-after 10 --out fleet")).ok();
    fleet.ends_the_same(&mut fleet.begin(command), command);
    assert_eq!(
        (stored(&fleet.results()), with_origin(&fleet.results())),
        (24, 14)
    );
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn an_engine_by_name_counts_on_a_fleet_what_it_counts_here() {
    let fleet = Fleet::start(2);
    let engine = own_engine().display().to_string();
    fleet.write_engines(&format!(
        "[own]\nprotocol = \"usi\"\ncommand = '{engine}'\narguments = [\"--tunables\"]\n"
    ));
    let _workers = fleet.workers(2);
    let of = |program: &str| {
        format!(
            "nodes --config base --config 'usi:{program},option.mate_stop=false,option.second_best_stop=false,name=other' \
             --depth 5 --limit-positions 12"
        )
    };
    fleet.ends_the_same(
        &mut fleet.begin(&of("@own")),
        &of(&format!("{engine} --tunables")),
    );
    assert_eq!(with_origin(&fleet.results()), 24);
}

#[test]
fn a_command_line_does_not_travel() {
    let fleet = Fleet::start(1);
    let mut run = fleet.begin("nodes --config base --config usi:engine --depth 2");
    run.fails(2, "no command line travels");
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn stored_results_of_a_fleet_that_somebody_changed_do_not_verify() {
    let command = "match --a base --b base,null_move=off --nodes 100 --pairs 4";
    let fleet = plays_the_same(command, "pairs", 4);
    fleet.run("verify fleet").ok();
    let ledger = Connection::open(fleet.results().join("ledger.sqlite")).unwrap();
    let changed = ledger.execute("UPDATE unit SET origin = zeroblob(64)", []);
    changed.unwrap();
    assert!(!fleet.run("verify fleet").status.success());
}

/// A match of an engine that crashes in a thought, in the second game of its process at the earliest, and never again.
fn of_faulty(engine: &str, policy: &str) -> String {
    format!("match --a {engine} --b plain --nodes 20 --pairs 6 --max-plies 16 --on-fault {policy} --quiet")
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn the_fault_of_an_engine_has_the_consequence_that_was_asked_for() {
    for policy in ["stall=replay,crash=stop", "crash=replay"] {
        let fleet = Fleet::start(2);
        let program = example("fault_engine").display().to_string();
        fleet.write_engines(&format!(
            "[faulty]\nprotocol = \"usi\"\ncommand = '{program}'\narguments = [\"crash-in-thought\", \"9\"]\n\
             environment = {{ FAULT_ONCE = '{}' }}\n",
            fleet.join("once").display()
        ));
        let _workers = fleet.workers(2);
        let remote = of_faulty("usi:@faulty,name=faulty", policy);
        if policy == "crash=replay" {
            fleet.play(&remote);
            assert_eq!(fleet.rows("fleet/replayed.csv").len(), 1, "the fault is told");
            continue;
        }
        fleet
            .begin(&remote)
            .fails(3, "was at fault (crash) in game 2 of pair");
        assert!(stored(&fleet.results()) < 6, "half a pair is no result");
        let local = of_faulty(&format!("'usi:{program} none,name=faulty'"), policy);
        fleet.ends_the_same(&mut fleet.begin(&remote), &local);
    }
}
