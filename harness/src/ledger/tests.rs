//! Ledgers: what goes in comes out, and nothing else goes in.

use super::*;
use crate::standing::tests::pair;

fn about(entries: &[(&str, &str)]) -> About {
    let mut identity = Identity::default();
    for (name, value) in entries {
        identity.push(name, value);
    }
    About {
        identity,
        spec_toml: "command = \"match\"\n".to_owned(),
        labels: ["one".to_owned(), "two".to_owned()],
    }
}

fn pairs_and_test(pairs: &str, sprt: &str) -> About {
    about(&[("a", "base"), (Identity::PAIRS, pairs), (Identity::SPRT, sprt)])
}

fn stored(ledger: &Ledger) -> Vec<PairRecord> {
    let mut records = Vec::new();
    ledger.for_each_pair(|record| records.push(record)).unwrap();
    records
}

#[test]
fn pairs_come_back_as_they_were_in_schedule_order() {
    let mut ledger = Ledger::in_memory(&about(&[]));
    let (late, early) = (pair(7, [2, 1], 9), pair(3, [0, 2], 600));
    ledger.insert(&[late.clone(), early.clone()]).unwrap();
    assert_eq!(stored(&ledger), [early, late]);
    assert_eq!(ledger.finished().unwrap(), HashSet::from([3, 7]));
}

#[test]
fn a_pair_cannot_be_stored_twice_and_its_batch_is_refused_as_a_whole() {
    let mut ledger = Ledger::in_memory(&about(&[]));
    ledger.insert(&[pair(1, [1, 1], 0)]).unwrap();
    assert!(ledger.insert(&[pair(2, [1, 1], 0), pair(1, [2, 2], 0)]).is_err());
    assert_eq!(stored(&ledger), [pair(1, [1, 1], 0)]);
}

#[test]
fn a_ledger_opened_again_holds_what_was_stored() {
    let folder = tempfile::tempdir().unwrap();
    let spec = pairs_and_test("5", "none");
    let mut ledger = Ledger::open_or_create(folder.path(), &spec).unwrap();
    ledger.insert(&[pair(0, [2, 2], 0)]).unwrap();
    drop(ledger);
    let ledger = Ledger::open_or_create(folder.path(), &spec).unwrap();
    assert_eq!(stored(&ledger).len(), 1);
    assert_eq!(ledger.about().unwrap(), spec);
}

#[test]
fn another_specification_is_refused_with_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    drop(Ledger::open_or_create(folder.path(), &about(&[("a", "base"), ("seed", "1")])).unwrap());
    let refused = Ledger::open_or_create(folder.path(), &about(&[("a", "plain"), ("seed", "1")]));
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
    let first = Ledger::open_or_create(folder.path(), &about(&[])).unwrap();
    let second = Ledger::open_or_create(folder.path(), &about(&[]));
    assert!(matches!(second.err().unwrap(), LedgerError::InUse(_)));
    assert!(Ledger::open_existing(folder.path()).is_ok());
    drop(first);
    assert!(Ledger::open_or_create(folder.path(), &about(&[])).is_ok());
}

#[test]
fn a_folder_of_other_things_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.txt"), "precious").unwrap();
    let refused = Ledger::open_or_create(folder.path(), &about(&[]));
    assert!(matches!(refused.err().unwrap(), LedgerError::Foreign(_)));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_damaged_ledger_and_one_of_another_version_say_so() {
    let folder = tempfile::tempdir().unwrap();
    drop(Ledger::open_or_create(folder.path(), &about(&[])).unwrap());
    let path = folder.path().join(LEDGER_FILE);
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let error = Ledger::open_existing(folder.path()).err().unwrap();
    assert!(matches!(error, LedgerError::Version { found: 99, .. }), "{error}");
    std::fs::write(
        &path,
        "this is no database, but long enough to be taken for one".repeat(40),
    )
    .unwrap();
    let error = Ledger::open_existing(folder.path()).err().unwrap();
    assert!(matches!(error, LedgerError::Damaged { .. }), "{error}");
}

#[test]
fn marked_pairs_are_those_that_were_counted() {
    let mut ledger = Ledger::in_memory(&about(&[]));
    ledger.insert(&[pair(0, [1, 1], 0), pair(1, [1, 1], 0)]).unwrap();
    ledger.mark_counted(1).unwrap();
    let mut statement = ledger
        .connection
        .prepare("SELECT is_counted FROM pair ORDER BY pair")
        .unwrap();
    let marks: Vec<i64> = statement
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(marks, [1, 0]);
}

#[test]
fn a_ledger_that_was_only_begun_is_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::open(folder.path().join(LEDGER_FILE)).unwrap();
    connection.execute_batch(schema::PRAGMAS).unwrap();
    drop(connection);
    let ledger = Ledger::open_or_create(folder.path(), &about(&[])).unwrap();
    assert_eq!(ledger.about().unwrap(), about(&[]));
}
