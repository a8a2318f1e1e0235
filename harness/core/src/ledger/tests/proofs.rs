//! Ledgers that were changed: what no checksum proves is not counted, and is played again.

use super::*;
use crate::record::{PairFault, Reason, Variations};

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
    let mut ledger = Ledger::open_or_create(folder, &about(&[])).unwrap();
    ledger.insert(&pairs).unwrap();
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
    // As in every table: the columns but the key of the rows of pair 3.
    let changes = [
        "UPDATE pair SET player_a = 1 - player_a WHERE pair = 3",
        "UPDATE pair SET opening = 999 WHERE pair = 3",
        "UPDATE pair SET fingerprint = fingerprint + 1 WHERE pair = 3",
        "UPDATE pair SET is_mirrored = NOT is_mirrored WHERE pair = 3",
        "UPDATE game SET winner = NULL WHERE game = 6",
        "UPDATE game SET reason = 'declaration' WHERE game = 6",
        "UPDATE game SET reason = 'boredom' WHERE game = 7",
        "UPDATE game SET plies = plies + 1 WHERE game = 7",
        "UPDATE game SET plies = 99999999999 WHERE game = 7",
        "UPDATE game SET plies = 'many' WHERE game = 7",
        "UPDATE game SET nodes_b = -1 WHERE game = 7",
        "UPDATE game SET time_a_us = time_a_us + 1 WHERE game = 7",
        "UPDATE game SET depth_b_sum = depth_b_sum + 1 WHERE game = 7",
        "UPDATE game SET seed = seed + 1 WHERE game = 7",
        "UPDATE moves SET moves = x'0100' WHERE game = 6",
        "UPDATE moves SET turns = x'' WHERE game = 7",
        "UPDATE variations SET variations = x'01ffff' WHERE game = 7",
        "UPDATE excused SET reason = 'stall' WHERE pair = 3",
        "DELETE FROM excused",
        "DELETE FROM variations WHERE game = 7",
        "DELETE FROM moves WHERE game = 7",
        "DELETE FROM game WHERE game = 6",
        "DELETE FROM pair WHERE pair = 3",
        "DELETE FROM checksum WHERE pair = 3",
        "UPDATE checksum SET moves = moves + 1 WHERE pair = 3",
    ];
    for statement in changes {
        let folder = tempfile::tempdir().unwrap();
        let mut pairs = varied(folder.path());
        assert_eq!(named(folder.path()), [0_i64; 0]);
        change(folder.path(), &format!("PRAGMA foreign_keys = OFF; {statement}"));
        assert_eq!(named(folder.path()), [3], "{statement}");
        let ledger = Ledger::open_existing(folder.path()).unwrap();
        let error = ledger.for_each_pair(|_| ()).unwrap_err();
        assert!(error.to_string().contains("pair 4: "), "{statement}: {error}");
        drop(ledger);
        // Whoever plays it on is told, and keeps the others.
        let ledger = Ledger::open_or_create(folder.path(), &about(&[])).unwrap();
        pairs.remove(3);
        assert_eq!(stored(&ledger), pairs, "{statement}");
        assert_eq!(ledger.mended().unwrap().kept, 4);
        assert!(folder.path().join("ledger.damaged.sqlite").exists());
    }
}

#[test]
fn a_pair_that_moved_to_another_place_is_at_neither() {
    let folder = tempfile::tempdir().unwrap();
    varied(folder.path());
    let all = "UPDATE pair SET pair = 20 WHERE pair = 3; UPDATE excused SET pair = 20; \
               UPDATE checksum SET pair = 20 WHERE pair = 3; \
               UPDATE game SET game = game + 34 WHERE game IN (6, 7); \
               UPDATE moves SET game = game + 34 WHERE game IN (6, 7); \
               UPDATE variations SET game = game + 34 WHERE game IN (6, 7);";
    change(folder.path(), all);
    assert_eq!(named(folder.path()), [20]);
    let ledger = Ledger::open_or_create(folder.path(), &about(&[])).unwrap();
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
        "DROP VIEW counted_game",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let spec = about(&[("a", "base")]);
        let mut ledger = Ledger::open_or_create(folder.path(), &spec).unwrap();
        ledger.insert(&[pair(0, [2, 1], 9)]).unwrap();
        ledger.mark_counted(1).unwrap();
        drop(ledger);
        change(folder.path(), statement);
        let error = Ledger::open_existing(folder.path()).err().unwrap();
        assert!(
            matches!(error, LedgerError::Damaged { .. }),
            "{statement}: {error}"
        );
        // Of another run, nothing is taken over.
        let error = Ledger::open_or_create(folder.path(), &about(&[("a", "plain")]))
            .err()
            .unwrap();
        assert!(matches!(error, LedgerError::Lost { .. }), "{statement}: {error}");
        let ledger = Ledger::open_or_create(folder.path(), &spec).unwrap();
        assert_eq!(ledger.finished().unwrap().len(), 1, "{statement}");
        assert_eq!(ledger.about().unwrap(), spec);
    }
}

#[test]
fn a_damaged_ledger_of_another_run_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    varied(folder.path());
    change(folder.path(), "UPDATE game SET plies = 0 WHERE game = 1");
    let refused = Ledger::open_or_create(folder.path(), &about(&[("a", "plain")]));
    assert!(matches!(refused.err().unwrap(), LedgerError::OtherSpec { .. }));
    assert!(!folder.path().join("ledger.damaged.sqlite").exists());
}

#[test]
fn a_ledger_cut_short_keeps_what_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path());
    cut(&path, path.metadata().unwrap().len() - 2 * 4096);
    let ledger = Ledger::open_or_create(folder.path(), &about(&[])).unwrap();
    let kept = stored(&ledger).len();
    assert!((1..400).contains(&kept), "{kept}");
    assert_eq!(ledger.mended().unwrap().kept, kept as u64);
    drop(ledger);
    // Once more, and the evidence of the first time stays.
    cut(&path, path.metadata().unwrap().len() - 100);
    drop(Ledger::open_or_create(folder.path(), &about(&[])).unwrap());
    assert!(folder.path().join("ledger.damaged-2.sqlite").exists());
    assert_eq!(named(folder.path()), [0_i64; 0]);
}

#[test]
fn an_overwritten_page_costs_the_pairs_on_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path());
    let bytes = std::fs::read(&path).unwrap();
    for page in 1..bytes.len() / 4096 {
        let mut damaged = bytes.clone();
        damaged[page * 4096..(page + 1) * 4096].fill(0xa5);
        std::fs::write(&path, damaged).unwrap();
        let ledger = Ledger::open_or_create(folder.path(), &about(&[])).unwrap();
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
        let mut ledger = Ledger::open_or_create(folder.path(), &about(&[])).unwrap();
        ledger.insert(&[pair(0, [1, 1], 0)]).unwrap();
        harm(&folder.path().join(LEDGER_FILE));
        for error in [
            ledger.insert(&[pair(1, [1, 1], 0)]).unwrap_err(),
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
