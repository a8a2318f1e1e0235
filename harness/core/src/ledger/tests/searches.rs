//! Ledgers of searches: what goes in comes out.

use std::fs;
use std::sync::Arc;

use super::*;
use crate::record::{Finished, Host, Origin, Search, SearchIteration, Tried};

fn manifest(depth: u32) -> Manifest {
    let mut identity = Identity::default();
    identity.push("study", "nodes");
    identity.push("depth", depth);
    Manifest {
        kind: "nodes".to_owned(),
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

/// As they are stored: two positions a configuration.
fn units(searches: &[Search], origin: Option<Origin>) -> Vec<(Finished, Option<Origin>)> {
    let finished = searches
        .iter()
        .map(|search| Finished::Search(search.clone().finished(2)));
    finished.map(|finished| (finished, origin.clone())).collect()
}

impl Ledger {
    /// Stores searches that were made here.
    fn insert_searches(&mut self, searches: &[Search]) -> Result<(), LedgerError> {
        self.insert(&units(searches, None))
    }
}

fn open(folder: &Path, depth: u32) -> Result<Ledger, LedgerError> {
    Ledger::open_or_create_with(folder, &manifest(depth), Contents::Searches(&positions()))
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
    assert_eq!(ledger.manifest().unwrap(), manifest(3));
}

#[test]
fn another_study_and_a_second_writer_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let held = open(folder.path(), 3).unwrap();
    let error = open(folder.path(), 3).err().unwrap();
    assert!(matches!(error, LedgerError::InUse(_)), "{error}");
    drop(held);
    assert!(Ledger::is_resumable(folder.path(), &manifest(3).identity));
    assert!(!Ledger::is_resumable(folder.path(), &manifest(4).identity));
    let message = open(folder.path(), 4).err().unwrap().to_string();
    assert!(message.contains("a run of another specification"), "{message}");
    assert!(message.contains("depth: '3' there, '4' wanted now"), "{message}");
}

#[test]
fn searches_that_no_study_made_are_damage() {
    let folder = tempfile::tempdir().unwrap();
    for statement in [
        "UPDATE unit SET number = 1",
        "UPDATE packet SET packet = x'00'",
        "UPDATE packet SET number = 1",
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
    let of_one = units(&[search(0, 1)], Some(origin("one", 1)));
    let of_two = units(&[search(1, 0)], Some(origin("two", 2)));
    ledger.insert(&[of_one, of_two].concat()).unwrap();
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
    assert!(ledger.repaired().is_none());
}
