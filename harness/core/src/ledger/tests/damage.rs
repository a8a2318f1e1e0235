//! Ledgers that were changed: what no checksum proves is not counted, and is played again.

use super::*;
use crate::record::Variations;

const PAGE: usize = 8192;

/// A ledger of five pairs, the last two by other machines, with something in every table; returns the pairs.
fn varied(folder: &Path) -> Vec<PairRecord> {
    let mut pairs: Vec<PairRecord> = (0..5).map(|number| pair(number, [2, 1], 9)).collect();
    pairs[3].replayed.push(fault(3));
    for record in &mut pairs {
        let mut variations = Variations::default();
        variations.push(0, &[7, 8]);
        record.games[1].variations = variations;
    }
    let mut ledger = open(folder);
    ledger.insert_pairs(&pairs[..3]).unwrap();
    let by = [&origin("one", 3), &origin("two", 4)];
    let units: Vec<_> = pairs[3..]
        .iter()
        .zip(by)
        .map(|(pair, origin)| unit(pair.clone(), Some(origin)))
        .collect();
    ledger.insert(&units).unwrap();
    ledger
        .distrust(&origin("liar", 0).host, "it lied", false)
        .unwrap();
    ledger.mark_counted(5).unwrap();
    pairs
}

pub(super) fn change(folder: &Path, statement: &str) {
    let connection = Connection::open(folder.join(LEDGER_FILE)).unwrap();
    connection.execute_batch(statement).unwrap();
}

/// Cuts bytes off the end of a file.
pub(super) fn cut(path: &Path, bytes: u64) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_len(path.metadata().unwrap().len() - bytes).unwrap();
}

fn assert_whole(folder: &Path) {
    let condition = Ledger::open_existing(folder).unwrap().examine().unwrap();
    assert!(condition.is_whole(), "{condition}");
}

#[test]
fn every_change_of_what_is_stored_for_a_pair_is_seen_and_names_the_pair() {
    for statement in [
        "UPDATE unit SET summary = (SELECT summary FROM unit WHERE number = 2) WHERE number = 3",
        "UPDATE unit SET summary = 'text' WHERE number = 3",
        "UPDATE unit SET origin = (SELECT origin FROM unit WHERE number = 4) WHERE number = 3",
        "UPDATE unit SET origin = NULL WHERE number = 3",
        "UPDATE unit SET origin = 'text' WHERE number = 3",
        "UPDATE unit SET sum = sum + 1 WHERE number = 3",
        "UPDATE packet SET packet = x'00' WHERE number = 3",
        "UPDATE packet SET packet = (SELECT packet FROM packet WHERE number = 2) WHERE number = 3",
        "UPDATE packet SET sum = sum + 1 WHERE number = 3",
        "DELETE FROM packet WHERE number = 3",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut pairs = varied(folder.path());
        assert_whole(folder.path());
        change(folder.path(), statement);
        let (ledger, _) = Ledger::open_to_examine(folder.path(), &Interrupt::default()).unwrap();
        let condition = ledger.examine().unwrap();
        assert!(
            condition.file.is_none() && condition.damaged.len() == 1,
            "{condition}"
        );
        assert_eq!(condition.damaged[0].item, Item::Pair(3), "{statement}");
        drop(ledger);
        let error = Ledger::open_existing(folder.path()).and_then(|ledger| ledger.try_pairs());
        let error = error.unwrap_err().to_string();
        assert!(error.contains("pair 4: "), "{statement}: {error}");
        // Whoever plays it on is told, and keeps the others, who played them, and who is not believed.
        let ledger = open(folder.path());
        pairs.remove(3);
        assert_eq!(ledger.pairs(), pairs, "{statement}");
        assert_eq!(ledger.unit(4).unwrap().unwrap().1, Some(origin("two", 4)));
        assert_eq!(ledger.distrusted().unwrap(), ["liar"]);
        assert_eq!(ledger.repaired().unwrap().kept, 4);
        assert!(folder.path().join("ledger.damaged.sqlite").exists());
    }
}

#[test]
fn pairs_that_were_deleted_or_moved_are_missed_and_played_again() {
    let old = tempfile::tempdir().unwrap();
    let mut other = varied(tempfile::tempdir().unwrap().path());
    other[1].games[0].seed += 1;
    open(old.path()).insert_pairs(&other).unwrap();
    let attach = format!("ATTACH '{}' AS old;", old.path().join(LEDGER_FILE).display());
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
            "UPDATE tally SET (units, sums, sum) = (SELECT units, sums, sum FROM old.tally)",
            "what is stored is not what was counted",
            5,
        ),
        (
            "UPDATE unit SET number = 20 WHERE number = 4; UPDATE packet SET number = 20 WHERE number = 4",
            "",
            4,
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let pairs = varied(folder.path());
        change(folder.path(), &format!("{attach} {statement}"));
        let error = Ledger::open_existing(folder.path()).and_then(|ledger| ledger.try_pairs());
        let error = error.unwrap_err().to_string();
        assert!(error.contains(said), "{statement}: {error}");
        assert_eq!(open(folder.path()).pairs(), pairs[..kept], "{statement}");
        assert_whole(folder.path());
    }
}

#[test]
fn what_a_ledger_says_about_its_run_is_checked_and_its_pairs_prove_whose_they_are() {
    for statement in [
        "UPDATE meta SET value = replace(value, 'base', 'bass') WHERE key = 'manifest'",
        "UPDATE meta SET value = replace(value, 'one', 'two') WHERE key = 'manifest'",
        "UPDATE meta SET value = 4 WHERE key = 'counted'",
        "UPDATE meta SET value = '[]' WHERE key = 'distrusted'",
        "DELETE FROM meta WHERE key = 'checksum'",
        "DELETE FROM meta",
        "DROP TABLE meta",
        "CREATE TABLE other (id INTEGER)",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let spec = manifest(&[("a", "base")]);
        let mut ledger = Ledger::open_or_create(folder.path(), &spec).unwrap();
        ledger.insert_pairs(&[pair(0, [2, 1], 9)]).unwrap();
        ledger.mark_counted(1).unwrap();
        ledger
            .distrust(&origin("liar", 0).host, "it lied", false)
            .unwrap();
        ledger.mark_counted(1).unwrap();
        drop(ledger);
        change(folder.path(), statement);
        let error = Ledger::open_existing(folder.path()).err().unwrap();
        assert!(
            matches!(error, LedgerError::Damaged { .. }),
            "{statement}: {error}"
        );
        // Of another run, nothing is taken over.
        let error = refused(folder.path(), &manifest(&[("a", "plain")]));
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
    let error = refused(folder.path(), &manifest(&[("a", "plain")]));
    assert!(matches!(error, LedgerError::OtherSpec { .. }), "{error}");
    assert!(!folder.path().join("ledger.damaged.sqlite").exists());
}

#[test]
fn a_forged_ledger_is_refused_before_anything_in_it_is_computed() {
    let endless = "WITH RECURSIVE t(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM t) SELECT n";
    let slow = "length(hex(zeroblob(100000000)))";
    for forgery in [
        &*format!(
            "DROP TABLE unit; CREATE VIEW unit AS {endless} AS number, x'' AS summary, NULL AS origin, 0 AS sum FROM t"
        ),
        &format!(
            "DROP TABLE unit; CREATE VIEW Unit AS {endless} AS number, x'' AS summary, NULL AS origin, 0 AS sum FROM t"
        ),
        &format!("DROP TABLE meta; CREATE VIEW meta AS {endless} AS key, 'x' AS value FROM t"),
        &format!(
            "DROP TABLE tally; CREATE VIEW tally AS {endless} AS id, 0 AS units, 0 AS sums, 0 AS sum FROM t"
        ),
        &format!("ALTER TABLE packet ADD COLUMN more AS ({slow} || packet)"),
        &format!(
            "DROP TABLE meta; CREATE TABLE meta (key TEXT PRIMARY KEY, value AS ({slow} || key)) WITHOUT ROWID; INSERT INTO meta VALUES ('manifest')"
        ),
        "CREATE INDEX i ON unit (length(hex(summary)))",
        "CREATE TRIGGER t AFTER INSERT ON unit BEGIN DELETE FROM unit; DELETE FROM packet; END",
        "UPDATE packet SET packet = zeroblob(70000000) WHERE number = 1",
        &(0..20)
            .map(|number| format!("CREATE TABLE other{number} (id);"))
            .collect::<String>(),
    ] {
        let folder = tempfile::tempdir().unwrap();
        varied(folder.path());
        change(folder.path(), forgery);
        let error = Ledger::open_existing(folder.path()).and_then(|ledger| ledger.try_pairs());
        let error = error.unwrap_err();
        assert!(error.is_damage(), "{forgery}: {error}");
        let condition = Ledger::open_to_examine(folder.path(), &Interrupt::default())
            .and_then(|(ledger, _)| ledger.examine());
        assert!(
            condition
                .as_ref()
                .map_or_else(LedgerError::is_damage, |found| !found.is_whole()),
            "{forgery}: {condition:?}"
        );
        drop(RunSummary::of(folder.path()));
        // It is played on with what is proved, or left alone.
        match Ledger::open_or_create(folder.path(), &manifest(&[])) {
            Ok(ledger) => assert!(ledger.repaired().is_some(), "{forgery}"),
            Err(error) => assert!(matches!(error, LedgerError::Lost { .. }), "{forgery}: {error}"),
        }
    }
}

/// A tree whose pages all lead to the same page, many times each: it has more rows than there is time for.
#[test]
fn a_ledger_whose_pages_lead_to_one_another_is_damaged_and_not_endless() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path());
    let root: u32 = Connection::open(&path)
        .unwrap()
        .query_row(
            "SELECT rootpage FROM sqlite_master WHERE name = 'unit'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let at = |page: u32| (page as usize - 1) * PAGE;
    assert_eq!(bytes[at(root)], 5, "an inner page of a table");
    let child = at(root) + usize::from(u16::from_be_bytes([bytes[at(root) + 12], bytes[at(root) + 13]]));
    let mut below: [u8; 4] = bytes[child..child + 4].try_into().unwrap();
    let (cells, cell_bytes) = (500_u16, 5_u16);
    let first = PAGE as u16 - cells * cell_bytes;
    for level in 0..8 {
        let mut page = vec![0; PAGE];
        page[0] = 5;
        page[3..5].copy_from_slice(&cells.to_be_bytes());
        page[5..7].copy_from_slice(&first.to_be_bytes());
        page[8..12].copy_from_slice(&below);
        for cell in 0..cells {
            let place = first + cell * cell_bytes;
            let pointer = 12 + 2 * usize::from(cell);
            page[pointer..pointer + 2].copy_from_slice(&place.to_be_bytes());
            page[usize::from(place)..usize::from(place) + 4].copy_from_slice(&below);
            page[usize::from(place) + 4] = 100;
        }
        if level == 7 {
            bytes[at(root)..at(root) + PAGE].copy_from_slice(&page);
        } else {
            bytes.extend(page);
            below = ((bytes.len() / PAGE) as u32).to_be_bytes();
        }
    }
    let pages = ((bytes.len() / PAGE) as u32).to_be_bytes();
    bytes[28..32].copy_from_slice(&pages);
    fs::write(&path, bytes).unwrap();
    let error = Ledger::open_existing(folder.path()).err().unwrap();
    assert!(
        error.is_damage() || matches!(error, LedgerError::Endless(_)),
        "{error}"
    );
    let (ledger, _) = Ledger::open_to_examine(folder.path(), &Interrupt::default()).unwrap();
    assert!(ledger.examine().is_ok_and(|condition| !condition.is_whole()));
}

/// A ledger in `folder` with some hundred pairs in it, and its path.
fn filled(folder: &Path) -> PathBuf {
    let pairs: Vec<PairRecord> = (0..400).map(|number| pair(number, [1, 1], 0)).collect();
    open(folder).insert_pairs(&pairs).unwrap();
    folder.join(LEDGER_FILE)
}

#[test]
fn a_ledger_cut_short_keeps_what_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path());
    cut(&path, 2 * PAGE as u64);
    let ledger = open(folder.path());
    let kept = ledger.pairs().len();
    assert!((1..400).contains(&kept), "{kept}");
    assert_eq!(ledger.repaired().unwrap().kept, kept as u64);
    drop(ledger);
    // Once more, and the evidence of the first time stays.
    cut(&path, 100);
    drop(open(folder.path()));
    assert!(folder.path().join("ledger.damaged-2.sqlite").exists());
    assert_whole(folder.path());
}

#[test]
fn an_overwritten_page_costs_the_pairs_on_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path());
    let bytes = fs::read(&path).unwrap();
    let mut kept = Vec::new();
    for page in 1..bytes.len() / PAGE {
        let mut damaged = bytes.clone();
        damaged[page * PAGE..(page + 1) * PAGE].fill(0xa5);
        fs::write(&path, damaged).unwrap();
        let read = Ledger::open_existing(folder.path()).and_then(|ledger| ledger.try_pairs());
        assert!(read.unwrap_err().is_damage(), "page {page}");
        let mut expected = 0..400;
        let records = open(folder.path()).pairs();
        for record in &records {
            let number = expected.find(|&number| number == record.pair).unwrap();
            assert_eq!(*record, pair(number, [1, 1], 0), "page {page}");
        }
        kept.push(records.len());
    }
    // A page that leads to others costs all that is on those.
    let most = kept.iter().filter(|&&kept| kept > 250).count();
    assert!(most + 2 >= kept.len(), "{kept:?}");
}

#[test]
#[cfg_attr(windows, ignore = "Windows deletes no file that is open")]
fn a_ledger_that_was_deleted_or_replaced_takes_no_more() {
    let delete = |path: &Path| fs::remove_file(path).unwrap();
    let replace = |path: &Path| {
        fs::copy(path, path.with_extension("other")).unwrap();
        fs::rename(path.with_extension("other"), path).unwrap();
    };
    for harm in [delete, replace] {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = open(folder.path());
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
    let strange = folder.path().join(if cfg!(windows) {
        "50 % of #1"
    } else {
        "50 % of #1?"
    });
    let pairs = varied(&strange);
    let mut ledger = Ledger::connect_read_only(strange.join(LEDGER_FILE), true).unwrap();
    ledger.begin_reading().unwrap();
    assert_eq!(ledger.pairs(), pairs);
    drop(ledger);
    assert_eq!(
        fs::read_dir(&strange).unwrap().count(),
        2,
        "the ledger and its lock"
    );
    fs::write(strange.join(format!("{LEDGER_FILE}-wal")), "pairs").unwrap();
    let error = Ledger::connect_read_only(strange.join(LEDGER_FILE), true)
        .err()
        .unwrap();
    assert!(
        error.is_input() && error.to_string().contains("copy the whole folder"),
        "{error}"
    );
}
