//! Searches on a fleet give the files that one machine gives, whatever befalls it.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use crate::common::columns_but_times;
use crate::engines::own_engine;
use crate::support::{BOUND, Fleet, Impostor, Lie, Machine, begin, of_hosts, play_here};

/// Long enough to be disturbed.
const NODES: [&str; 11] = [
    "nodes",
    "--config",
    "base",
    "--config",
    "base,lmr=off",
    "--depth",
    "5",
    "--hash",
    "1",
    "--limit-positions",
    "60",
];

/// Everything in the files of `folder` that depends on no clock.
fn counted(folder: &Path) -> [String; 3] {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    [
        columns_but_times(&read("nodes.csv")),
        read("nodes_summary.csv"),
        read("counters.csv"),
    ]
}

fn assert_same_counts(fleet: &Fleet) {
    let [local, remote] = ["local", "fleet"].map(|folder| counted(&fleet.path().join(folder)));
    for (local, remote) in local.iter().zip(&remote) {
        assert!(
            !local.is_empty() && local == remote,
            "local:\n{local}\nfleet:\n{remote}"
        );
    }
}

/// The number that `sql` gives in the ledger of `folder`; 0 if there is none.
pub(crate) fn in_ledger(folder: &Path, sql: &str) -> i64 {
    let opened = Connection::open_with_flags(folder.join("ledger.sqlite"), OpenFlags::SQLITE_OPEN_READ_ONLY);
    let asked = opened.and_then(|connection| connection.query_row(sql, [], |row| row.get(0)));
    asked.unwrap_or(0)
}

fn wait_for_searches(fleet: &Fleet, run: &mut Machine, searches: i64) {
    let until = Instant::now() + BOUND;
    while in_ledger(&fleet.path().join("fleet"), "SELECT count(*) FROM unit") < searches {
        assert!(run.is_running(), "it ended too early: {}", run.said());
        assert!(Instant::now() < until, "they did not come: {}", run.said());
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_count_of_nodes_is_the_same_and_says_who_searched() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &[&NODES[..], &["--audit", "20%"]].concat());
    assert!(run.end().success(), "{}", run.said());
    assert!(run.said().contains("made a second time"), "{}", run.said());
    play_here(&fleet, &NODES);
    assert_same_counts(&fleet);
    let by_workers = "SELECT count(*) FROM origin JOIN host USING (host) WHERE name LIKE 'worker-%'";
    assert_eq!(in_ledger(&fleet.path().join("fleet"), by_workers), 120);
    let of_machines = of_hosts(&fleet, "searches");
    let searches = of_machines.iter().map(|(_, count)| count.parse::<u64>().unwrap());
    assert_eq!(searches.sum::<u64>(), 120, "{of_machines:?}");
    let report = crate::common::run(fleet.path(), &["report", "fleet"]);
    let report = String::from_utf8_lossy(&report.stdout);
    assert!(report.contains("host     worker-1: "), "{report}");
    let verified = crate::common::run(fleet.path(), &["verify", "fleet", "local"]);
    assert!(verified.status.success(), "{verified:?}");
}

#[test]
fn a_count_in_chess_that_gives_searches_up_is_the_same_with_the_coordinator_searching_too() {
    let Some(fleet) = Fleet::start(1) else { return };
    let _workers = fleet.workers(1);
    let command = [
        &[
            "nodes",
            "--game",
            "chess",
            "--config",
            "base",
            "--config",
            "base,null_move=off",
        ][..],
        &["--depth", "6", "--nodes-max", "3000", "--limit-positions", "20"],
    ]
    .concat();
    let mut run = begin(&fleet, &[&command[..], &["--slots", "1"]].concat());
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &command);
    assert_same_counts(&fleet);
}

#[test]
fn a_coordinator_that_is_killed_is_taken_up_by_the_same_command() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &NODES);
    wait_for_searches(&fleet, &mut run, 4);
    run.kill();
    let mut again = begin(&fleet, &NODES);
    assert!(again.end().success(), "{}", again.said());
    play_here(&fleet, &NODES);
    assert_same_counts(&fleet);
}

#[test]
fn a_study_that_was_begun_here_is_finished_by_a_fleet() {
    let Some(fleet) = Fleet::start(1) else { return };
    let _workers = fleet.workers(1);
    play_here(&fleet, &NODES);
    let begun = fleet.path().join("fleet");
    fs::create_dir(&begun).unwrap();
    fs::copy(
        fleet.path().join("local/ledger.sqlite"),
        begun.join("ledger.sqlite"),
    )
    .unwrap();
    let ledger = Connection::open(begun.join("ledger.sqlite")).unwrap();
    ledger
        .execute("DELETE FROM unit WHERE number % 2 = 1", [])
        .unwrap();
    drop(ledger);
    let mut run = begin(&fleet, &NODES);
    assert!(run.end().success(), "{}", run.said());
    assert_same_counts(&fleet);
    assert_eq!(in_ledger(&begun, "SELECT count(*) FROM origin"), 60);
}

/// Its searches are made again, and it is named.
fn is_found_out(audit: &str, lie: Lie, why: &str) {
    let Some(fleet) = Fleet::start(2) else { return };
    let _liar = Impostor::start(&fleet.worker_file(2), lie);
    let mut run = begin(&fleet, &[&NODES[..], &["--audit", audit]].concat());
    if lie == Lie::AgainstTheRules {
        // It is alone, so that it is asked.
        run.wait_for("not believed");
    } else {
        wait_for_searches(&fleet, &mut run, 1);
    }
    let _honest = fleet.worker(1);
    assert!(run.end().success(), "{}", run.said());
    let said = run.said();
    assert!(
        said.contains("'worker-2' is not believed any more") && said.contains(why),
        "{said}"
    );
    assert!(!said.contains("'worker-1' is not believed"), "{said}");
    play_here(&fleet, &NODES);
    assert_same_counts(&fleet);
    let of_liar = "SELECT count(*) FROM origin JOIN host USING (host) WHERE name = 'worker-2'";
    assert_eq!(in_ledger(&fleet.path().join("fleet"), of_liar), 0);
}

#[test]
fn a_worker_that_searches_less_deep_is_found_out_by_the_audit() {
    is_found_out("100%", Lie::FewerNodes, "goes otherwise when it is made again");
}

#[test]
fn a_worker_that_tells_what_cannot_be_is_found_out() {
    is_found_out("0", Lie::AgainstTheRules, "1 nodes to depth 3");
}

#[test]
fn the_counts_of_an_ablation_are_made_by_the_fleet_and_the_same() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    let command = [
        &[
            "ablate",
            "--only",
            "lmr,null_move",
            "--nodes",
            "100",
            "--pairs",
            "4",
        ][..],
        &["--node-depth", "4"],
    ]
    .concat();
    let mut run = begin(&fleet, &command);
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &command);
    let [local, remote] = ["local", "fleet"]
        .map(|folder| fs::read_to_string(fleet.path().join(folder).join("ablation.csv")).unwrap());
    assert!(local.lines().count() > 2);
    assert_eq!(local, remote);
    for row in fs::read_dir(fleet.path().join("fleet/nodes")).unwrap() {
        let of_workers = "SELECT count(*) FROM origin";
        assert_eq!(in_ledger(&row.unwrap().path(), of_workers), 100);
    }
}

#[test]
fn an_engine_by_name_counts_on_a_fleet_what_it_counts_here() {
    let Some(fleet) = Fleet::start(2) else { return };
    let engine = own_engine().display().to_string();
    fleet.write_engines(&format!(
        "[own]\nprotocol = \"usi\"\ncommand = '{engine}'\narguments = ['--tunables']\n"
    ));
    let _workers = fleet.workers(2);
    let options = "option.mate_stop=false,option.second_best_stop=false,name=other";
    let of = |program: &str| format!("usi:{program},{options}");
    let (by_name, by_path) = (of("@own"), of(&format!("{engine} --tunables")));
    let small = |program| {
        [
            "nodes",
            "--config",
            "base",
            "--config",
            program,
            "--depth",
            "5",
            "--limit-positions",
            "12",
        ]
    };
    let mut run = begin(&fleet, &small(&by_name));
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &small(&by_path));
    assert_same_counts(&fleet);
    assert_eq!(
        in_ledger(&fleet.path().join("fleet"), "SELECT count(*) FROM origin"),
        24
    );
}

#[test]
fn a_command_line_does_not_travel() {
    let Some(fleet) = Fleet::start(1) else { return };
    let mut run = begin(
        &fleet,
        &[
            "nodes",
            "--config",
            "base",
            "--config",
            "usi:engine",
            "--depth",
            "2",
        ],
    );
    assert_eq!(run.end().code(), Some(2), "{}", run.said());
    assert!(run.said().contains("no command line travels"), "{}", run.said());
}
