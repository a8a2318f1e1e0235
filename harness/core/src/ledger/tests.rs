//! Ledgers: what goes in comes out, and nothing else goes in.

mod machines;
mod proofs;
mod searches;

use std::collections::HashSet;

use super::*;
use crate::fixtures::pair;
use crate::record::{Finished, PairFault, PairOutcome, PairRecord, Reason};

fn manifest(entries: &[(&str, &str)]) -> Manifest {
    let mut identity = Identity::default();
    for (name, value) in entries {
        identity.push(name, value);
    }
    Manifest {
        kind: "match".to_owned(),
        identity,
        spec_toml: "command = \"match\"\n".to_owned(),
        labels: vec!["one".to_owned(), "two".to_owned(), "three".to_owned()],
    }
}

fn pairs_and_test(pairs: &str, sprt: &str) -> Manifest {
    manifest(&[("a", "base"), (Identity::PAIRS, pairs), (Identity::SPRT, sprt)])
}

fn read(ledger: &Ledger) -> Result<Vec<PairRecord>, LedgerError> {
    let mut records = Vec::new();
    ledger.for_each_pair(u64::MAX, |record| {
        records.push(record);
        Ok::<(), LedgerError>(())
    })?;
    Ok(records)
}

fn stored(ledger: &Ledger) -> Vec<PairRecord> {
    read(ledger).unwrap()
}

impl Ledger {
    /// Stores pairs that were played here.
    fn insert_pairs(&mut self, pairs: &[PairRecord]) -> Result<(), LedgerError> {
        let units = pairs.iter().map(|pair| (Finished::Pair(pair.clone()), None));
        self.insert(&units.collect::<Vec<_>>())
    }
}

#[test]
fn pairs_come_back_as_they_were_in_schedule_order() {
    let mut ledger = Ledger::in_memory(&manifest(&[]));
    let (late, mut early) = (pair(7, [2, 1], 9), pair(3, [0, 2], 600));
    early.players = [2, 0];
    ledger.insert_pairs(&[late.clone(), early.clone()]).unwrap();
    assert_eq!(stored(&ledger), [early, late]);
    assert_eq!(ledger.finished().unwrap(), HashSet::from([3, 7]));
}

#[test]
fn a_pair_cannot_be_stored_twice_and_its_batch_is_refused_as_a_whole() {
    let mut ledger = Ledger::in_memory(&manifest(&[]));
    ledger.insert_pairs(&[pair(1, [1, 1], 0)]).unwrap();
    assert!(
        ledger
            .insert_pairs(&[pair(2, [1, 1], 0), pair(1, [2, 2], 0)])
            .is_err()
    );
    assert_eq!(stored(&ledger), [pair(1, [1, 1], 0)]);
}

#[test]
fn another_specification_is_refused_with_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    drop(Ledger::open_or_create(folder.path(), &manifest(&[("a", "base"), ("seed", "1")])).unwrap());
    let refused = Ledger::open_or_create(folder.path(), &manifest(&[("a", "plain"), ("seed", "1")]));
    let message = refused.err().unwrap().to_string();
    assert!(
        message.contains("a: 'base' there, 'plain' wanted now"),
        "{message}"
    );
    assert!(!message.contains("seed"), "{message}");
}

#[test]
fn pairs_may_grow_without_a_test_and_never_otherwise() {
    let is_resumable = |before: (&str, &str), after: (&str, &str)| {
        let folder = tempfile::tempdir().unwrap();
        drop(Ledger::open_or_create(folder.path(), &pairs_and_test(before.0, before.1)).unwrap());
        let wanted = pairs_and_test(after.0, after.1);
        let is_resumable = Ledger::is_resumable(folder.path(), &wanted.identity);
        assert_eq!(
            Ledger::open_or_create(folder.path(), &wanted).is_ok(),
            is_resumable
        );
        is_resumable
    };
    assert!(is_resumable(("100", "none"), ("200", "none")));
    assert!(!is_resumable(("100", "none"), ("50", "none")));
    assert!(!is_resumable(("100", "elo1=5"), ("200", "elo1=5")));
    assert!(!is_resumable(("100", "none"), ("100", "elo1=5")));
}

#[test]
fn a_second_writer_is_refused_and_a_reader_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let first = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
    let second = Ledger::open_or_create(folder.path(), &manifest(&[]));
    assert!(matches!(second.err().unwrap(), LedgerError::InUse(_)));
    assert!(Ledger::open_existing(folder.path()).is_ok());
    drop(first);
    assert!(Ledger::open_or_create(folder.path(), &manifest(&[])).is_ok());
}

#[test]
fn a_folder_of_other_things_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.txt"), "precious").unwrap();
    let refused = Ledger::open_or_create(folder.path(), &manifest(&[]));
    assert!(matches!(refused.err().unwrap(), LedgerError::Foreign(_)));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_damaged_ledger_and_one_of_another_version_say_so() {
    let folder = tempfile::tempdir().unwrap();
    drop(Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap());
    let path = folder.path().join(LEDGER_FILE);
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
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
    std::fs::write(
        &path,
        "this is no database, but long enough to be taken for one".repeat(40),
    )
    .unwrap();
    let error = Ledger::open_existing(folder.path()).err().unwrap();
    assert!(matches!(error, LedgerError::Damaged { .. }), "{error}");
}

#[test]
fn a_ledger_that_was_only_begun_is_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::open(folder.path().join(LEDGER_FILE)).unwrap();
    connection.execute_batch(schema::PRAGMAS).unwrap();
    drop(connection);
    let unread = Ledger::open_existing(folder.path()).err().unwrap();
    assert!(matches!(unread, LedgerError::Empty(_)), "{unread}");
    let ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
    assert_eq!(ledger.manifest().unwrap(), manifest(&[]));
}

#[test]
fn an_empty_ledger_beside_the_files_of_a_run_is_not_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    drop(Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap());
    std::fs::write(folder.path().join("games.csv"), "precious").unwrap();
    std::fs::write(folder.path().join(LEDGER_FILE), "").unwrap();
    let refused = Ledger::open_or_create(folder.path(), &manifest(&[]))
        .err()
        .unwrap();
    assert!(matches!(refused, LedgerError::Emptied(_)), "{refused}");
}

fn cut(path: &Path, length: u64) {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_len(length).unwrap();
}

/// A ledger in `folder` with some hundred pairs in it, and its path.
fn filled(folder: &Path) -> PathBuf {
    let mut ledger = Ledger::open_or_create(folder, &manifest(&[])).unwrap();
    let pairs: Vec<PairRecord> = (0..400).map(|number| pair(number, [1, 1], 0)).collect();
    ledger.insert_pairs(&pairs).unwrap();
    folder.join(LEDGER_FILE)
}

#[test]
fn a_torn_write_ahead_log_loses_its_last_transaction_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
    ledger.insert_pairs(&[pair(0, [1, 1], 0)]).unwrap();
    ledger.insert_pairs(&[pair(1, [1, 1], 0)]).unwrap();
    // As a crash of the machine leaves it: the files as they are, the last page written in part.
    let copy = tempfile::tempdir().unwrap();
    let log = format!("{LEDGER_FILE}-wal");
    for name in [LEDGER_FILE, log.as_str()] {
        std::fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
    }
    let torn = std::fs::File::options()
        .write(true)
        .open(copy.path().join(&log))
        .unwrap();
    torn.set_len(torn.metadata().unwrap().len() - 1000).unwrap();
    let ledger = Ledger::open_or_create(copy.path(), &manifest(&[])).unwrap();
    assert_eq!(stored(&ledger), [pair(0, [1, 1], 0)]);
}

#[test]
fn a_full_disk_loses_nothing_and_the_run_can_go_on_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
    ledger
        .connection
        .pragma_update(None, "max_page_count", 16)
        .unwrap();
    let batches: Vec<Vec<PairRecord>> = (0..40)
        .map(|batch| {
            (0..20)
                .map(|number| pair(batch * 20 + number, [1, 1], 0))
                .collect()
        })
        .collect();
    let full = batches.iter().position(|batch| match ledger.insert_pairs(batch) {
        Ok(()) => false,
        Err(error) => {
            assert!(matches!(error, LedgerError::Full(_)), "{error}");
            assert!(!error.is_input());
            true
        }
    });
    let full = full.unwrap();
    assert!(full > 0);
    assert_eq!(stored(&ledger).len(), full * 20);
    ledger
        .connection
        .pragma_update(None, "max_page_count", 100_000)
        .unwrap();
    ledger.insert_pairs(&batches[full]).unwrap();
    assert_eq!(stored(&ledger).len(), (full + 1) * 20);
}

#[test]
fn a_ledger_locked_by_another_program_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
    ledger
        .connection
        .busy_timeout(std::time::Duration::from_millis(10))
        .unwrap();
    let browser = Connection::open(folder.path().join(LEDGER_FILE)).unwrap();
    browser.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = ledger.insert_pairs(&[pair(0, [1, 1], 0)]).err().unwrap();
    assert!(matches!(error, LedgerError::Busy(_)), "{error}");
    browser.execute_batch("COMMIT").unwrap();
    ledger.insert_pairs(&[pair(0, [1, 1], 0)]).unwrap();
}

#[test]
fn a_ledger_that_may_not_be_written_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
    ledger.connection.pragma_update(None, "query_only", true).unwrap();
    let error = ledger.insert_pairs(&[pair(0, [1, 1], 0)]).err().unwrap();
    assert!(matches!(error, LedgerError::Unwritable { .. }), "{error}");
    let file = folder.path().join(LEDGER_FILE);
    let error = Ledger::open_or_create(&file.join("below"), &manifest(&[]))
        .err()
        .unwrap();
    assert!(matches!(error, LedgerError::Folder { .. }), "{error}");
}

#[test]
fn one_pair_can_be_read_alone() {
    let mut ledger = Ledger::in_memory(&manifest(&[]));
    ledger
        .insert_pairs(&[pair(3, [1, 1], 0), pair(4, [2, 0], 9)])
        .unwrap();
    assert_eq!(ledger.pair(4).unwrap(), Some(pair(4, [2, 0], 9)));
    assert_eq!(ledger.pair(5).unwrap(), None);
    assert_eq!(ledger.pair(u64::MAX).unwrap(), None);
}

#[test]
fn outcomes_are_those_of_the_records() {
    let mut ledger = Ledger::in_memory(&manifest(&[]));
    let mut records = [pair(0, [2, 1], 9), pair(2, [0, 2], 600), pair(3, [1, 1], 0)];
    for (record, replays) in records.iter_mut().zip([0, 2, 1]) {
        let fault = PairFault {
            pair: record.pair,
            game: 1,
            player: 1,
            reason: Reason::Stall,
        };
        record.excused = vec![fault; replays];
    }
    ledger.insert_pairs(&records).unwrap();
    let mut outcomes = Vec::new();
    ledger.for_each_outcome(|outcome| outcomes.push(outcome)).unwrap();
    assert_eq!(outcomes, records.each_ref().map(PairOutcome::from));
}

#[test]
fn a_ledger_whose_process_was_killed_before_it_had_tables_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = rusqlite::Connection::open(folder.path().join(LEDGER_FILE)).unwrap();
    file.pragma_update(None, "journal_mode", "wal").unwrap();
    drop(file);
    assert!(folder.path().join(LEDGER_FILE).metadata().unwrap().len() > 0);
    assert!(!Ledger::exists(folder.path()));
    Ledger::open_or_create(folder.path(), &manifest(&[("a", "base")])).unwrap();
    assert!(Ledger::exists(folder.path()));
}
