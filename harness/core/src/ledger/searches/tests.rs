//! Ledgers of searches: what goes in comes out.

use std::fs;
use std::sync::Arc;

use super::*;
use crate::config::Identity;
use crate::ledger::{LEDGER_FILE, RunKind};
use crate::record::{Host, Origin, SearchIteration, Tried};

fn about(depth: u32) -> About {
    let mut identity = Identity::default();
    identity.push("study", "nodes");
    identity.push("depth", depth);
    About {
        kind: RunKind::Nodes,
        identity,
        spec_toml: String::new(),
        labels: ["base", "plain"].map(str::to_owned).to_vec(),
    }
}

fn positions() -> Vec<StudyPosition> {
    let position = |line: u32| StudyPosition {
        line,
        text: format!("position {line}"),
    };
    [3, 7].map(position).to_vec()
}

fn open(folder: &Path, depth: u32) -> Result<Ledger, LedgerError> {
    Ledger::open_or_create_study(folder, &about(depth), &positions())
}

fn search(config: usize, position: usize) -> Search {
    let iteration = |depth: u32| SearchIteration {
        depth,
        nodes: 10 * u64::from(depth),
        time_us: Some(5),
        score: Some(-31),
        pv: vec!["7g7f".to_owned(), "3c3d".to_owned()],
        tried: vec![
            Tried {
                tries: 3,
                successes: 1 << 40
            };
            2
        ],
    };
    Search {
        config,
        position,
        iterations: [1, 2].map(iteration).to_vec(),
        fault: None,
    }
}

/// What a program leaves that tells little, or nothing.
fn foreign(config: usize, position: usize) -> Search {
    let mut search = search(config, position);
    search.iterations.remove(0);
    search.iterations[0].time_us = None;
    search.iterations[0].score = None;
    search.iterations[0].pv.clear();
    search.iterations[0].tried.clear();
    search
}

#[test]
fn searches_come_back_as_they_were_by_configuration_and_position() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path(), 3).unwrap();
    let failed = Search {
        iterations: Vec::new(),
        fault: Some("crash: the process ended".to_owned()),
        ..search(1, 1)
    };
    ledger.insert_searches(&[failed.clone(), search(0, 1)]).unwrap();
    ledger.insert_searches(&[foreign(1, 0)]).unwrap();
    drop(ledger);
    let ledger = open(folder.path(), 3).unwrap();
    assert_eq!(ledger.searches().unwrap(), [search(0, 1), foreign(1, 0), failed]);
    assert_eq!(ledger.positions().unwrap(), positions());
    assert_eq!(ledger.about().unwrap(), about(3));
}

#[test]
fn a_search_cannot_be_stored_twice_and_its_batch_is_refused_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path(), 3).unwrap();
    ledger.insert_searches(&[search(0, 0)]).unwrap();
    assert!(ledger.insert_searches(&[search(0, 1), search(0, 0)]).is_err());
    assert_eq!(ledger.searches().unwrap(), [search(0, 0)]);
}

#[test]
fn another_study_and_a_second_writer_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let held = open(folder.path(), 3).unwrap();
    let error = open(folder.path(), 3).err().unwrap();
    assert!(matches!(error, LedgerError::InUse(_)), "{error}");
    drop(held);
    assert!(Ledger::is_resumable(folder.path(), &about(3).identity));
    assert!(!Ledger::is_resumable(folder.path(), &about(4).identity));
    let message = open(folder.path(), 4).err().unwrap().to_string();
    assert!(message.contains("another study"), "{message}");
    assert!(message.contains("depth: '3' there, '4' wanted now"), "{message}");
}

#[test]
fn searches_that_no_study_made_are_damage() {
    let folder = tempfile::tempdir().unwrap();
    for statement in [
        "UPDATE searches SET config = 2",
        "UPDATE iterations SET tried = x'00'",
        "UPDATE iterations SET position = 1",
    ] {
        fs::remove_file(folder.path().join(LEDGER_FILE)).ok();
        let mut ledger = open(folder.path(), 3).unwrap();
        ledger.insert_searches(&[search(0, 0)]).unwrap();
        ledger.connection.execute(statement, []).unwrap();
        let error = ledger.searches().unwrap_err();
        assert!(
            matches!(error, LedgerError::Damaged { .. }),
            "{statement}: {error}"
        );
    }
}

fn origin(name: &str, signature: u8) -> Origin {
    Origin {
        host: Arc::new(Host {
            name: name.to_owned(),
            key: format!("U{name}"),
            cpu: "a processor".to_owned(),
            version: "1.0".to_owned(),
        }),
        table: "table".to_owned(),
        pace: None,
        signature: vec![signature; 64],
    }
}

/// One search was made here, two elsewhere.
fn of_fleet(folder: &Path) {
    let mut ledger = open(folder, 3).unwrap();
    ledger.insert_searches(&[search(0, 0)]).unwrap();
    // The second position of the first configuration, and the first of the second.
    let origins = Origins::from([(1, origin("one", 1)), (2, origin("two", 2))]);
    ledger
        .insert_searched(&[search(0, 1), search(1, 0)], &origins)
        .unwrap();
}

fn machines(ledger: &Ledger) -> Vec<(String, u64, bool)> {
    let hosts = ledger.hosts().unwrap().into_iter();
    hosts
        .map(|host| (host.host.name, host.pairs, host.distrusted.is_none()))
        .collect()
}

#[test]
fn who_made_a_search_is_kept_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    of_fleet(folder.path());
    let ledger = Ledger::open_existing(folder.path()).unwrap();
    assert_eq!(
        ledger.searches().unwrap(),
        [search(0, 0), search(0, 1), search(1, 0)]
    );
    let expected = ["one", "two"].map(|name| (name.to_owned(), 1, true));
    assert_eq!(machines(&ledger), expected);
    let mut signed = Vec::new();
    ledger
        .for_each_signature(|number, by| signed.push((number, by.key, by.signature[0])))
        .unwrap();
    assert_eq!(signed, [(1, "Uone".to_owned(), 1), (2, "Utwo".to_owned(), 2)]);
}

#[test]
fn the_searches_of_a_machine_that_is_not_believed_are_taken_out_and_can_be_made_again() {
    let folder = tempfile::tempdir().unwrap();
    of_fleet(folder.path());
    let mut ledger = open(folder.path(), 3).unwrap();
    let taken = ledger.distrust(&origin("two", 2).host, "it lied", false).unwrap();
    assert_eq!(taken, 1);
    // Nothing of this one was ever stored.
    assert_eq!(
        ledger
            .distrust(&origin("three", 2).host, "it lied", false)
            .unwrap(),
        0
    );
    assert_eq!(ledger.searches().unwrap(), [search(0, 0), search(0, 1)]);
    assert_eq!(ledger.distrusted().unwrap(), ["two", "three"]);
    ledger.insert_searches(&[search(1, 0)]).unwrap();
    drop(ledger);
    let ledger = open(folder.path(), 3).unwrap();
    assert_eq!(ledger.searches().unwrap().len(), 3);
    assert!(ledger.mended().is_none());
}

#[test]
fn every_change_of_who_made_a_search_is_seen_and_that_search_made_again() {
    for statement in [
        "UPDATE origin SET host = 1 WHERE pair = 2",
        "UPDATE origin SET host = 99 WHERE pair = 2",
        "UPDATE origin SET table_digest = 'another' WHERE pair = 2",
        "UPDATE origin SET signature = x'00' WHERE pair = 2",
        "UPDATE origin SET pair = 3 WHERE pair = 2",
        "DELETE FROM origin WHERE pair = 2",
        "UPDATE host SET cpu = 'another' WHERE name = 'two'",
    ] {
        let folder = tempfile::tempdir().unwrap();
        of_fleet(folder.path());
        let connection = rusqlite::Connection::open(folder.path().join(LEDGER_FILE)).unwrap();
        assert_eq!(connection.execute(statement, []).unwrap(), 1, "{statement}");
        drop(connection);
        let ledger = open(folder.path(), 3).unwrap();
        assert!(ledger.mended().is_some(), "{statement}");
        assert_eq!(
            ledger.searches().unwrap(),
            [search(0, 0), search(0, 1)],
            "{statement}"
        );
        let of_one = machines(&ledger).into_iter().find(|(name, ..)| name == "one");
        assert_eq!(of_one, Some(("one".to_owned(), 1, true)), "{statement}");
    }
}

#[test]
fn a_study_that_no_other_machine_searched_for_has_no_tables_of_machines() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path(), 3).unwrap();
    ledger.insert_searches(&[search(0, 0)]).unwrap();
    assert!(!ledger.has_table(schema::HOST).unwrap() && !ledger.has_table(schema::ORIGIN).unwrap());
    assert!(ledger.hosts().unwrap().is_empty());
}
