//! Ledgers that were changed: what no checksum proves is not counted, and is played again.

use super::*;
use crate::record::{PairFault, Reason, Variations};

const PAGE: usize = 8192;

/// A ledger of five pairs with something in every table; returns the pairs.
fn varied(folder: &Path) -> Vec<PairRecord> {
    let mut pairs: Vec<PairRecord> = (0..5).map(|number| pair(number, [2, 1], 9)).collect();
    pairs[3].excused.push(PairFault {
        pair: 3,
        game: 1,
        player: 1,
        reason: Reason::Crash,
    });
    for record in &mut pairs {
        let mut variations = Variations::default();
        variations.push(0, &[7, 8]);
        record.games[1].variations = variations;
    }
    let mut ledger = Ledger::open_or_create(folder, &manifest(&[])).unwrap();
    ledger.insert_pairs(&pairs).unwrap();
    ledger.mark_counted(5).unwrap();
    pairs
}

pub(super) fn change(folder: &Path, statement: &str) {
    let connection = Connection::open(folder.join(LEDGER_FILE)).unwrap();
    connection.execute_batch(statement).unwrap();
}

/// The pairs that a whole reading names as damaged.
pub(super) fn named(folder: &Path) -> Vec<i64> {
    let condition = Ledger::open_existing(folder).unwrap().examine().unwrap();
    assert_eq!(condition.file, None);
    let pairs = condition.damaged.iter().map(|damage| match damage.item {
        Item::Pair(pair) => pair,
        Item::Search(_) => unreachable!(),
    });
    pairs.collect()
}

#[test]
fn every_change_of_what_is_stored_for_a_pair_is_seen_and_names_the_pair() {
    let changes = [
        "UPDATE unit SET summary = (SELECT summary FROM unit WHERE number = 2) WHERE number = 3",
        "UPDATE unit SET summary = 'text' WHERE number = 3",
        "UPDATE unit SET sum = sum + 1 WHERE number = 3",
        "UPDATE packet SET packet = x'00' WHERE number = 3",
        "UPDATE packet SET packet = (SELECT packet FROM packet WHERE number = 2) WHERE number = 3",
        "UPDATE packet SET sum = sum + 1 WHERE number = 3",
        "DELETE FROM packet WHERE number = 3",
    ];
    for statement in changes {
        let folder = tempfile::tempdir().unwrap();
        let mut pairs = varied(folder.path());
        assert_eq!(named(folder.path()), [0_i64; 0]);
        change(folder.path(), statement);
        let (ledger, _) = Ledger::open_to_examine(folder.path()).unwrap();
        let condition = ledger.examine().unwrap();
        assert!(
            condition.file.is_none() && condition.damaged.len() == 1,
            "{condition}"
        );
        let said = condition.to_string();
        assert!(said.contains("pair 4: "), "{statement}: {said}");
        drop(ledger);
        let error = Ledger::open_existing(folder.path()).and_then(|ledger| read(&ledger));
        let error = error.unwrap_err().to_string();
        assert!(error.contains("pair 4: "), "{statement}: {error}");
        // Whoever plays it on is told, and keeps the others.
        let ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
        pairs.remove(3);
        assert_eq!(stored(&ledger), pairs, "{statement}");
        assert_eq!(ledger.repaired().unwrap().kept, 4);
        assert!(folder.path().join("ledger.damaged.sqlite").exists());
    }
}

#[test]
fn pairs_that_were_deleted_are_missed_and_played_again() {
    for (statement, said, kept) in [
        (
            "DELETE FROM unit WHERE number > 1",
            "3 of 5 stored pairs are missing",
            2,
        ),
        (
            "DELETE FROM unit; DELETE FROM packet",
            "5 of 5 stored pairs are missing",
            0,
        ),
        ("DELETE FROM tally", "is damaged", 5),
        ("UPDATE tally SET units = 2", "is damaged", 5),
        // A pair that was there once and was taken out fits its own checksum.
        (
            "UPDATE unit SET sum = sum + 0; UPDATE tally SET (units, sums, sum) = (SELECT units, sums, sum FROM old.tally);",
            "what is stored is not what was counted",
            5,
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let pairs = varied(folder.path());
        let old = tempfile::tempdir().unwrap();
        let mut other = pairs.clone();
        other[1].games[0].seed += 1;
        let mut ledger = Ledger::open_or_create(old.path(), &manifest(&[])).unwrap();
        ledger.insert_pairs(&other).unwrap();
        drop(ledger);
        let attach = format!("ATTACH '{}' AS old;", old.path().join(LEDGER_FILE).display());
        change(folder.path(), &format!("{attach} {statement}"));
        let error = Ledger::open_existing(folder.path()).err().unwrap().to_string();
        assert!(error.contains(said), "{statement}: {error}");
        let ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
        assert_eq!(stored(&ledger), pairs[..kept], "{statement}");
        drop(ledger);
        assert_eq!(named(folder.path()), [0_i64; 0]);
    }
}

#[test]
fn a_pair_that_moved_to_another_place_is_at_neither() {
    let folder = tempfile::tempdir().unwrap();
    varied(folder.path());
    let tables = ["unit", "packet"].map(|table| format!("UPDATE {table} SET number = 20 WHERE number = 3;"));
    change(folder.path(), &tables.concat());
    assert_eq!(named(folder.path()), [20]);
    let ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
    assert_eq!(ledger.finished().unwrap(), HashSet::from([0, 1, 2, 4]));
}

#[test]
fn what_a_ledger_says_about_its_run_is_checked_and_its_pairs_prove_whose_they_are() {
    for statement in [
        "UPDATE meta SET value = 'tournament' WHERE key = 'kind'",
        "UPDATE meta SET value = replace(value, 'base', 'bass') WHERE key = 'identity'",
        "UPDATE player SET label = 'two' WHERE player = 0",
        "UPDATE counted SET pairs = 4",
        "DELETE FROM meta WHERE key = 'checksum'",
        "DELETE FROM meta",
        "DROP TABLE positions",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let spec = manifest(&[("a", "base")]);
        let mut ledger = Ledger::open_or_create(folder.path(), &spec).unwrap();
        ledger.insert_pairs(&[pair(0, [2, 1], 9)]).unwrap();
        ledger.mark_counted(1).unwrap();
        drop(ledger);
        change(folder.path(), statement);
        let error = Ledger::open_existing(folder.path()).err().unwrap();
        assert!(
            matches!(error, LedgerError::Damaged { .. }),
            "{statement}: {error}"
        );
        // Of another run, nothing is taken over.
        let error = Ledger::open_or_create(folder.path(), &manifest(&[("a", "plain")]))
            .err()
            .unwrap();
        assert!(matches!(error, LedgerError::Lost { .. }), "{statement}: {error}");
        let ledger = Ledger::open_or_create(folder.path(), &spec).unwrap();
        assert_eq!(ledger.finished().unwrap().len(), 1, "{statement}");
        assert_eq!(ledger.manifest().unwrap(), spec);
    }
}

#[test]
fn a_damaged_ledger_of_another_run_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    varied(folder.path());
    change(folder.path(), "UPDATE unit SET sum = 0 WHERE number = 1");
    let refused = Ledger::open_or_create(folder.path(), &manifest(&[("a", "plain")]));
    assert!(matches!(refused.err().unwrap(), LedgerError::OtherSpec { .. }));
    assert!(!folder.path().join("ledger.damaged.sqlite").exists());
}

#[test]
fn a_ledger_cut_short_keeps_what_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path());
    cut(&path, path.metadata().unwrap().len() - 2 * PAGE as u64);
    let ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
    let kept = stored(&ledger).len();
    assert!((1..400).contains(&kept), "{kept}");
    assert_eq!(ledger.repaired().unwrap().kept, kept as u64);
    drop(ledger);
    // Once more, and the evidence of the first time stays.
    cut(&path, path.metadata().unwrap().len() - 100);
    drop(Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap());
    assert!(folder.path().join("ledger.damaged-2.sqlite").exists());
    assert_eq!(named(folder.path()), [0_i64; 0]);
}

#[test]
fn an_overwritten_page_costs_the_pairs_on_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path());
    let bytes = std::fs::read(&path).unwrap();
    for page in 1..bytes.len() / PAGE {
        let mut damaged = bytes.clone();
        damaged[page * PAGE..(page + 1) * PAGE].fill(0xa5);
        std::fs::write(&path, damaged).unwrap();
        let ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
        let mut expected = 0..400;
        for record in stored(&ledger) {
            let number = expected.find(|&number| number == record.pair).unwrap();
            assert_eq!(record, pair(number, [1, 1], 0), "page {page}");
        }
    }
}

#[test]
fn a_ledger_that_was_deleted_or_replaced_takes_no_more() {
    let delete = |path: &Path| std::fs::remove_file(path).unwrap();
    let replace = |path: &Path| {
        std::fs::copy(path, path.with_extension("other")).unwrap();
        std::fs::rename(path.with_extension("other"), path).unwrap();
    };
    for harm in [delete, replace] {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
        ledger.insert_pairs(&[pair(0, [1, 1], 0)]).unwrap();
        harm(&folder.path().join(LEDGER_FILE));
        for error in [
            ledger.insert_pairs(&[pair(1, [1, 1], 0)]).unwrap_err(),
            ledger.mark_counted(1).unwrap_err(),
        ] {
            assert!(
                matches!(error, LedgerError::Gone(_)) && !error.is_input(),
                "{error}"
            );
        }
    }
}

#[test]
fn a_ledger_that_nothing_can_write_is_read_and_one_with_a_log_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let strange = folder.path().join("50 % of #1?");
    std::fs::create_dir(&strange).unwrap();
    let pairs = varied(&strange);
    let mut ledger = Ledger::connect_unchanging(strange.join(LEDGER_FILE)).unwrap();
    ledger.begin_reading().unwrap();
    assert_eq!(stored(&ledger).len(), pairs.len());
    drop(ledger);
    assert_eq!(
        std::fs::read_dir(&strange).unwrap().count(),
        2,
        "the ledger and its lock"
    );
    let copy = tempfile::tempdir().unwrap();
    std::fs::copy(strange.join(LEDGER_FILE), copy.path().join(LEDGER_FILE)).unwrap();
    std::fs::write(copy.path().join(format!("{LEDGER_FILE}-wal")), "pairs").unwrap();
    let error = Ledger::connect_unchanging(copy.path().join(LEDGER_FILE))
        .err()
        .unwrap();
    assert!(
        error.is_input() && error.to_string().contains("copy the whole folder"),
        "{error}"
    );
}
