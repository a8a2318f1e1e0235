//! Every kind of run gives the files that one machine gives.

use std::fs;

use rusqlite::Connection;

use crate::common::columns_but_times;
use crate::engines::own_engine;
use crate::folder::{Ended, InFolder};
use crate::support::{Fleet, in_ledger, of_hosts, stored, with_origin};

/// Plays the command on two workers and on this machine.
fn plays_the_same(command: &str) -> Option<Fleet> {
    let fleet = Fleet::start(2)?;
    let _workers = fleet.workers(2);
    fleet.ends_the_same(&mut fleet.begin(command), command);
    Some(fleet)
}

#[test]
fn a_match_is_the_same() {
    plays_the_same("match --a base --b base,null_move=off --nodes 200 --pairs 24");
}

#[test]
fn a_match_that_ends_early_is_the_same() {
    plays_the_same("match --a base --b plain --nodes 200 --pairs 200 --sprt elo0=-50,elo1=50");
}

#[test]
fn a_match_of_chess_with_the_coordinator_playing_too_is_the_same() {
    let Some(fleet) = Fleet::start(1) else { return };
    let command = "match --game chess --a base --b base,null_move=off --nodes 200 --pairs 24";
    let _workers = fleet.workers(1);
    fleet.ends_the_same(&mut fleet.begin(&format!("{command} --slots 1")), command);
}

#[test]
fn a_tournament_is_the_same() {
    plays_the_same("tournament --player base --player plain --player base,lmr=off --nodes 100 --pairs 6");
}

#[test]
fn a_tuning_with_its_confirming_match_is_the_same() {
    let fleet = plays_the_same(
        "tune --method spsa --tune futility.* --iterations 5 --pairs-per-iteration 2 --nodes 100 --confirm-pairs 6",
    );
    let Some(fleet) = fleet else { return };
    let pairs = of_hosts(&fleet, "pairs");
    let pairs: u64 = pairs.iter().map(|(_, count)| count.parse::<u64>().unwrap()).sum();
    assert_eq!(pairs, 10, "the tuning says who played, as the match does");
}

#[test]
fn a_study_of_odds_is_the_same() {
    plays_the_same("odds --a base --b base,lmr=off --nodes 100 --pairs 16 --batch 4");
}

#[test]
fn an_ablation_with_its_counts_is_the_same() {
    let fleet = plays_the_same("ablate --only lmr,null_move --nodes 100 --pairs 4 --node-depth 4");
    let Some(fleet) = fleet else { return };
    let [local, remote] = ["local", "fleet"].map(|folder| fleet.read(format!("{folder}/ablation.csv")));
    assert!(local.lines().count() > 2 && local == remote, "{local}{remote}");
    for row in fs::read_dir(fleet.results().join("nodes")).unwrap() {
        assert_eq!(with_origin(&row.unwrap().path()), 100);
    }
}

const NODES: &str = "nodes --config base --config base,lmr=off --depth 5 --hash 1 --limit-positions 60";

/// The files of counts but for what depends on clocks.
pub(crate) fn assert_same_counts(fleet: &Fleet) {
    for file in ["nodes.csv", "nodes_summary.csv", "counters.csv"] {
        let read = |folder| fleet.read(format!("{folder}/{file}"));
        let [local, remote] = ["local", "fleet"].map(|folder| match file {
            "nodes.csv" => columns_but_times(&read(folder)),
            _ => read(folder),
        });
        assert!(
            !local.is_empty() && local == remote,
            "{file}, local:\n{local}\nfleet:\n{remote}"
        );
    }
}

#[test]
fn a_count_of_nodes_is_the_same_and_says_who_searched() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    let said = fleet.play(&format!("{NODES} --audit 20%"));
    assert!(said.contains("made a second time"), "{said}");
    fleet.play_here(NODES);
    assert_same_counts(&fleet);
    let by_workers = "SELECT count(*) FROM origin JOIN host USING (host) WHERE name LIKE 'worker-%'";
    assert_eq!(in_ledger(&fleet.results(), by_workers), 120);
    let searches = of_hosts(&fleet, "searches");
    let sum: u64 = searches
        .iter()
        .map(|(_, count)| count.parse::<u64>().unwrap())
        .sum();
    assert_eq!(sum, 120, "{searches:?}");
    let report = fleet.path().run("report fleet").ok().text();
    assert!(report.contains("host     worker-1: "), "{report}");
    fleet.path().run("verify fleet local").ok();
}

#[test]
#[ignore = "nightly"]
fn a_count_in_chess_that_gives_searches_up_is_the_same_with_the_coordinator_searching_too() {
    let Some(fleet) = Fleet::start(1) else { return };
    let _workers = fleet.workers(1);
    let command = "nodes --game chess --config base --config base,null_move=off --depth 6 --nodes-max 3000 --limit-positions 20";
    fleet.play(&format!("{command} --slots 1"));
    fleet.play_here(command);
    assert_same_counts(&fleet);
}

#[test]
#[ignore = "nightly"]
fn a_match_that_was_begun_here_is_finished_by_a_fleet() {
    let Some(fleet) = Fleet::start(1) else { return };
    let _workers = fleet.workers(1);
    let command = "match --a base --b base,null_move=off --nodes 200 --pairs 24";
    fleet
        .path()
        .run(&format!("{command} --pause-after 10 --out fleet"))
        .ok();
    fleet.ends_the_same(&mut fleet.begin(command), command);
    assert_eq!(
        (stored(&fleet.results()), with_origin(&fleet.results())),
        (24, 14)
    );
}

#[test]
#[ignore = "nightly"]
fn an_engine_by_name_counts_on_a_fleet_what_it_counts_here() {
    let Some(fleet) = Fleet::start(2) else { return };
    let engine = own_engine().display().to_string();
    fleet.write_engines(&format!("[own]\nprotocol = \"usi\"\ncommand = '{engine}'\n"));
    let _workers = fleet.workers(2);
    let of = |program: &str| {
        format!(
            "nodes --config base --config usi:{program},option.mate_stop=false,option.second_best_stop=false,name=other \
             --depth 5 --limit-positions 12"
        )
    };
    fleet.play(&of("@own"));
    fleet.play_here(&of(&engine));
    assert_same_counts(&fleet);
    assert_eq!(with_origin(&fleet.results()), 24);
}

#[test]
fn a_command_line_does_not_travel() {
    let Some(fleet) = Fleet::start(1) else { return };
    let mut run = fleet.begin("nodes --config base --config usi:engine --depth 2");
    run.fails(2, "no command line travels");
}

#[test]
#[ignore = "nightly"]
fn stored_results_of_a_fleet_that_somebody_changed_do_not_verify() {
    let Some(fleet) = plays_the_same("match --a base --b base,null_move=off --nodes 100 --pairs 4") else {
        return;
    };
    fleet.path().run("verify fleet").ok();
    let ledger = Connection::open(fleet.results().join("ledger.sqlite")).unwrap();
    ledger
        .execute("UPDATE origin SET signature = zeroblob(64)", [])
        .unwrap();
    assert!(!fleet.path().run("verify fleet").status.success());
}
