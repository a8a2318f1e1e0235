//! Ledgers: what goes in comes out, and nothing else goes in.

mod damage;

use std::collections::HashSet;
use std::fs;
use std::sync::Arc;

use super::*;
use crate::fixtures::pair;
use crate::record::{
    Finished, FinishedSearch, Host, Origin, PairFault, PairOutcome, PairRecord, Reason, SearchIteration,
    TechniqueCounts, TimeScale,
};

fn manifest(entries: &[(&str, &str)]) -> Manifest {
    let mut identity = Identity::default();
    for (name, value) in entries {
        identity.push(name, value);
    }
    Manifest {
        kind: "match".to_owned(),
        identity,
        spec_toml: "command = \"match\"\n".to_owned(),
        labels: ["one", "two", "three"].map(str::to_owned).to_vec(),
        ..Manifest::default()
    }
}

fn open(folder: &Path) -> Ledger {
    Ledger::open_or_create(folder, &manifest(&[])).unwrap()
}

/// Why the ledger in `folder` is not opened for playing.
fn refused(folder: &Path, manifest: &Manifest) -> LedgerError {
    Ledger::open_or_create(folder, manifest).err().unwrap()
}

fn unit(finished: impl Into<Finished>, origin: Option<&Origin>) -> (Finished, Option<Origin>) {
    (finished.into(), origin.cloned())
}

impl From<PairRecord> for Finished {
    fn from(record: PairRecord) -> Finished {
        Finished::Pair(record)
    }
}

impl Ledger {
    /// Stores pairs that were played here.
    fn insert_pairs(&mut self, pairs: &[PairRecord]) -> Result<(), LedgerError> {
        let units = pairs.iter().map(|pair| unit(pair.clone(), None));
        self.insert(&units.collect::<Vec<_>>())
    }

    fn try_pairs(&self) -> Result<Vec<PairRecord>, LedgerError> {
        let mut records = Vec::new();
        self.for_each_pair(u64::MAX, |record| {
            records.push(record);
            Ok::<(), LedgerError>(())
        })?;
        Ok(records)
    }

    fn pairs(&self) -> Vec<PairRecord> {
        self.try_pairs().unwrap()
    }
}

fn fault(pair: u64) -> PairFault {
    PairFault {
        pair,
        game: 1,
        player: 1,
        reason: Reason::Stall,
    }
}

#[test]
fn pairs_and_their_outcomes_come_back_as_they_were_in_schedule_order() {
    let mut ledger = Ledger::in_memory(&manifest(&[]));
    let (late, mut early) = (pair(7, [2, 1], 9), pair(3, [0, 2], 600));
    early.players = [2, 0];
    early.replayed = vec![fault(3); 2];
    ledger.insert_pairs(&[late.clone(), early.clone()]).unwrap();
    assert_eq!(ledger.pairs(), [early.clone(), late.clone()]);
    assert_eq!(ledger.finished().unwrap(), HashSet::from([3, 7]));
    assert_eq!(ledger.pair(7).unwrap().as_ref(), Some(&late));
    assert_eq!(ledger.pair(5).unwrap(), None);
    assert_eq!(ledger.pair(u64::MAX).unwrap(), None);
    let mut outcomes = Vec::new();
    ledger.for_each_outcome(|outcome| outcomes.push(outcome)).unwrap();
    assert_eq!(outcomes, [&early, &late].map(PairOutcome::from));
    // What stands there already is refused with all that came with it.
    assert!(
        ledger
            .insert_pairs(&[pair(8, [1, 1], 0), pair(7, [2, 2], 0)])
            .is_err()
    );
    assert_eq!(ledger.pairs(), [early, late]);
}

#[test]
fn searches_come_back_as_they_were_by_configuration_and_position() {
    let study = Manifest {
        positions: [3, 7]
            .map(|line| StudyPosition {
                line,
                text: format!("position {line}"),
            })
            .to_vec(),
        ..manifest(&[])
    };
    let iteration = |depth| SearchIteration {
        depth,
        nodes: 10,
        time_us: Some(5),
        score: Some(-31),
        pv: vec!["7g7f".to_owned(), "3c3d".to_owned()],
        tried: vec![
            TechniqueCounts {
                tries: 3,
                successes: 1 << 40
            };
            2
        ],
    };
    let silent = SearchIteration {
        time_us: None,
        score: None,
        pv: Vec::new(),
        tried: Vec::new(),
        ..iteration(2)
    };
    let search = |number, iterations: &[SearchIteration]| FinishedSearch {
        number,
        iterations: iterations.to_vec(),
        fault: iterations
            .is_empty()
            .then(|| "crash: the process ended".to_owned()),
    };
    let searches = [
        search(1, &[iteration(1), iteration(2)]),
        search(2, &[silent]),
        search(3, &[]),
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open_or_create(folder.path(), &study).unwrap();
    for search in [&searches[2], &searches[0], &searches[1]] {
        ledger
            .insert(&[unit(Finished::Search(search.clone()), None)])
            .unwrap();
    }
    drop(ledger);
    let mut ledger = Ledger::open_or_create(folder.path(), &study).unwrap();
    assert_eq!(ledger.manifest().unwrap(), study);
    let found = ledger.searches().unwrap();
    assert_eq!(found[1].job(), (1, 0));
    let found: Vec<FinishedSearch> = found.into_iter().map(|search| search.finished(2)).collect();
    assert_eq!(found, searches);
    // There is no third configuration.
    let beyond = unit(Finished::Search(search(6, &[])), None);
    ledger.insert(&[beyond]).unwrap();
    let error = ledger.searches().unwrap_err().to_string();
    assert!(
        error.contains("the search of position 1 by configuration 4: it has values"),
        "{error}"
    );
}

#[test]
fn another_specification_is_refused_with_the_difference_and_more_pairs_are_not() {
    for (stored, wanted, difference) in [
        (["base", "100", "none"], ["base", "200", "none"], None),
        (
            ["base", "100", "none"],
            ["base", "50", "none"],
            Some("pairs: 100 there, 50 now"),
        ),
        (["base", "100", "elo1=5"], ["base", "200", "elo1=5"], None),
        (
            ["base", "100", "none"],
            ["base", "100", "elo1=5"],
            Some("sprt: none there, elo1=5 now"),
        ),
        (
            ["base", "100", "none"],
            ["plain", "200", "none"],
            Some("a: base there, plain now\n  pairs: 100 there, 200 now"),
        ),
    ] {
        let [stored, wanted] = [stored, wanted]
            .map(|[a, pairs, sprt]| manifest(&[("a", a), (Identity::PAIRS, pairs), (Identity::SPRT, sprt)]));
        let folder = tempfile::tempdir().unwrap();
        drop(Ledger::open_or_create(folder.path(), &stored).unwrap());
        assert_eq!(
            Ledger::is_resumable(folder.path(), &wanted.identity, wanted.shard),
            difference.is_none()
        );
        match (Ledger::open_or_create(folder.path(), &wanted), difference) {
            (Ok(_), None) => {}
            (Err(error), Some(difference)) => {
                let text = error.to_string();
                let differences = text.split_once('\n').map(|(_, differences)| differences);
                assert_eq!(differences, Some(format!("  {difference}").as_str()));
            }
            (opened, _) => panic!("{wanted:?}: {:?}", opened.err()),
        }
        let other_kind = Manifest {
            kind: "tune".to_owned(),
            ..manifest(&[])
        };
        assert!(matches!(
            refused(folder.path(), &other_kind),
            LedgerError::OtherKind { .. }
        ));
    }
}

#[test]
fn a_run_that_got_more_pairs_is_extended_whatever_happens_meanwhile() {
    let of = |pairs: &str| manifest(&[(Identity::PAIRS, pairs)]);
    for is_begun in [false, true] {
        for is_damaged in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let mut ledger = Ledger::open_or_create(folder.path(), &of("3")).unwrap();
            if is_begun {
                ledger
                    .insert_pairs(&[pair(0, [2, 1], 9), pair(1, [0, 1], 9)])
                    .unwrap();
            }
            drop(ledger);
            if is_damaged && is_begun {
                damage::change(folder.path(), "UPDATE unit SET sum = 0 WHERE number = 1");
            }
            // Nothing else is done with it: as if the program was killed.
            let extended = Ledger::open_or_create(folder.path(), &of("6")).unwrap();
            assert_eq!(extended.repaired().is_some(), is_damaged && is_begun);
            drop(extended);
            let again = Ledger::open_or_create(folder.path(), &of("6")).unwrap();
            assert_eq!(again.is_extended().unwrap(), is_begun, "{is_damaged}");
            let merged = tempfile::tempdir().unwrap();
            let mut merged = Ledger::open_or_create(merged.path(), &of("6")).unwrap();
            merged.take_from(&again).unwrap();
            assert_eq!(merged.is_extended().unwrap(), is_begun);
        }
    }
}

#[test]
fn a_second_writer_is_refused_and_a_reader_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path());
    assert!(matches!(
        refused(folder.path(), &manifest(&[])),
        LedgerError::InUse(_)
    ));
    assert!(Ledger::open_existing(folder.path()).is_ok());
    drop(first);
    open(folder.path());
}

#[test]
fn a_folder_of_other_things_is_left_alone_and_an_empty_ledger_beside_them_is_not_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    fs::write(folder.path().join("games.csv"), "precious").unwrap();
    fs::write(folder.path().join(LEDGER_FILE), "").unwrap();
    assert!(matches!(
        refused(folder.path(), &manifest(&[])),
        LedgerError::Emptied(_)
    ));
    fs::remove_file(folder.path().join(LEDGER_FILE)).unwrap();
    assert!(matches!(
        refused(folder.path(), &manifest(&[])),
        LedgerError::Foreign(_)
    ));
    let error = Ledger::open_or_create(&folder.path().join("games.csv/below"), &manifest(&[]));
    assert!(matches!(error.err().unwrap(), LedgerError::Folder { .. }));
}

#[test]
fn what_is_no_ledger_or_one_of_another_version_says_so() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let path = folder.path().join(LEDGER_FILE);
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    let error = Ledger::open_existing(folder.path()).err().unwrap();
    assert!(
        matches!(
            error,
            LedgerError::Format {
                found: 99,
                writer: Some(_),
                ..
            }
        ),
        "{error}"
    );
    fs::write(
        &path,
        "this is no database, but long enough to be taken for one".repeat(40),
    )
    .unwrap();
    let error = Ledger::open_existing(folder.path()).err().unwrap();
    assert!(matches!(error, LedgerError::Damaged { .. }), "{error}");
}

#[test]
fn a_ledger_whose_process_was_killed_before_it_had_tables_is_begun_again() {
    for pragmas in [schema::PRAGMAS, "PRAGMA journal_mode = WAL"] {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(folder.path().join(LEDGER_FILE)).unwrap();
        connection.execute_batch(pragmas).unwrap();
        drop(connection);
        assert!(!Ledger::exists(folder.path()));
        let unread = Ledger::open_existing(folder.path()).err().unwrap();
        assert!(matches!(unread, LedgerError::Empty(_)), "{unread}");
        assert_eq!(open(folder.path()).manifest().unwrap(), manifest(&[]));
        assert!(Ledger::exists(folder.path()));
    }
}

#[test]
fn a_torn_write_ahead_log_loses_its_last_transaction_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    ledger.insert_pairs(&[pair(0, [1, 1], 0)]).unwrap();
    ledger.insert_pairs(&[pair(1, [1, 1], 0)]).unwrap();
    // As a crash of the machine leaves it: the files as they are, the last page written in part.
    let copy = tempfile::tempdir().unwrap();
    let log = format!("{LEDGER_FILE}-wal");
    for name in [LEDGER_FILE, &log] {
        fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
    }
    damage::cut(&copy.path().join(log), 1000);
    assert_eq!(open(copy.path()).pairs(), [pair(0, [1, 1], 0)]);
}

#[test]
fn a_full_disk_loses_nothing_and_the_run_can_go_on_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let pages_max = |ledger: &Ledger, pages: u32| {
        ledger
            .connection
            .pragma_update(None, "max_page_count", pages)
            .unwrap()
    };
    pages_max(&ledger, 16);
    let batch = |number: u64| -> Vec<PairRecord> {
        (20 * number..20 * (number + 1))
            .map(|number| pair(number, [1, 1], 0))
            .collect()
    };
    let (full, error) = (0..40)
        .find_map(|number| Some((number, ledger.insert_pairs(&batch(number)).err()?)))
        .unwrap();
    assert!(
        matches!(error, LedgerError::Full(_)) && !error.is_input(),
        "{error}"
    );
    assert!(full > 0);
    assert_eq!(ledger.pairs().len() as u64, full * 20);
    pages_max(&ledger, 100_000);
    ledger.insert_pairs(&batch(full)).unwrap();
    assert_eq!(ledger.pairs().len() as u64, (full + 1) * 20);
}

#[test]
fn a_ledger_that_another_program_locks_or_that_may_not_be_written_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    ledger
        .connection
        .busy_timeout(std::time::Duration::from_millis(10))
        .unwrap();
    let browser = Connection::open(folder.path().join(LEDGER_FILE)).unwrap();
    browser.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = ledger.insert_pairs(&[pair(0, [1, 1], 0)]).unwrap_err();
    assert!(matches!(error, LedgerError::Busy(_)), "{error}");
    browser.execute_batch("COMMIT").unwrap();
    ledger.connection.pragma_update(None, "query_only", true).unwrap();
    let error = ledger.insert_pairs(&[pair(0, [1, 1], 0)]).unwrap_err();
    assert!(matches!(error, LedgerError::Unwritable { .. }), "{error}");
    ledger
        .connection
        .pragma_update(None, "query_only", false)
        .unwrap();
    ledger.insert_pairs(&[pair(0, [1, 1], 0)]).unwrap();
}

fn origin(name: &str, number: u64) -> Origin {
    Origin {
        host: Arc::new(Host {
            name: name.to_owned(),
            key: format!("U{name}"),
            cpu: "a processor".to_owned(),
            version: "1.0".to_owned(),
        }),
        table: format!("table {number}"),
        pace: number.is_multiple_of(3).then_some(TimeScale {
            nps: 1_000 + number,
            reference_nps: 2_000,
        }),
        signature: vec![number as u8; 64],
    }
}

#[test]
fn units_keep_who_played_them_and_those_of_a_machine_that_is_not_believed_are_taken_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path());
    let by = |number: u64| (number > 0).then(|| origin(["even", "odd"][number as usize % 2], number));
    let units: Vec<_> = (0..6)
        .map(|number| unit(pair(number, [2, 1], 9), by(number).as_ref()))
        .collect();
    ledger.insert(&units).unwrap();
    // A pair that is there already: nothing of its machine comes in.
    let late = origin("late", 9);
    let both = [9, 0].map(|number| unit(pair(number, [1, 1], 0), Some(&late)));
    assert!(ledger.insert(&both).is_err());
    let hosts = |ledger: &Ledger| -> Vec<(String, u64, Option<String>)> {
        let hosts = ledger.hosts().unwrap().into_iter();
        hosts
            .map(|host| (host.host.name, host.units, host.distrusted))
            .collect()
    };
    let count = |name: &str, units: u64| (name.to_owned(), units, None);
    assert_eq!(hosts(&ledger), [count("odd", 3), count("even", 2)]);
    let mut origins = Vec::new();
    ledger
        .for_each_origin(|number, origin| origins.push((number, Some(origin))))
        .unwrap();
    assert_eq!(
        origins,
        (1..6).map(|number| (number, by(number))).collect::<Vec<_>>()
    );
    ledger.mark_counted(6).unwrap();
    assert_eq!(
        ledger
            .distrust(&origin("three", 0).host, "it lied", false)
            .unwrap(),
        0
    );
    assert_eq!(
        ledger
            .distrust(&origin("even", 0).host, "it lied", false)
            .unwrap(),
        2
    );
    assert_eq!(ledger.finished().unwrap(), HashSet::from([0, 1, 3, 5]));
    assert_eq!(ledger.counted().unwrap(), None);
    // All that comes after the first of it.
    ledger.insert(&units[2..3]).unwrap();
    assert_eq!(
        ledger
            .distrust(&origin("even", 0).host, "it lied again", true)
            .unwrap(),
        3
    );
    drop(ledger);
    let ledger = open(folder.path());
    assert!(ledger.repaired().is_none());
    assert_eq!(ledger.distrusted().unwrap(), ["three", "even"]);
    let liar = |name: &str, why: &str| (name.to_owned(), 0, Some(why.to_owned()));
    let expected = [
        count("odd", 1),
        liar("three", "it lied"),
        liar("even", "it lied again"),
    ];
    assert_eq!(hosts(&ledger), expected);
    assert_eq!(ledger.finished().unwrap(), HashSet::from([0, 1]));
}
