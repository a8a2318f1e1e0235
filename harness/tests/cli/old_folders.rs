//! Folders that an earlier version left open in every later one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{run, stderr};

/// The folder of a run of version 0.1.
fn stored(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/ledgers")
        .join(kind)
}

/// The columns that `old` has, of a later version of the same file: later columns come after them.
fn old_columns(new: &str, old: &str) -> String {
    let columns = |text: &str| {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.headers().unwrap().len()
    };
    let kept = columns(old);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(new.as_bytes());
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in reader.records() {
        writer.write_record(row.unwrap().iter().take(kept)).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

/// Files of the same name in `old` and `new` are the same, byte by byte, but for columns that came later; how many there are.
fn compare_files(old: &Path, new: &Path) -> usize {
    let mut compared = 0;
    for entry in fs::read_dir(old).unwrap() {
        let name = entry.unwrap().file_name();
        if name == "ledger.sqlite" {
            continue;
        }
        let read = |folder: &Path| String::from_utf8(fs::read(folder.join(&name)).unwrap()).unwrap();
        let (before, mut now) = (read(old), read(new));
        if name.to_string_lossy().ends_with(".csv") {
            now = old_columns(&now, &before);
        }
        assert_eq!(now, before, "{}", old.join(&name).display());
        compared += 1;
    }
    compared
}

/// Only the ledger goes into a new folder, and `report` makes every other file from it.
fn assert_opens(kind: &str, files: usize) {
    let folder = tempfile::tempdir().unwrap();
    let run_folder = folder.path().join(kind);
    fs::create_dir(&run_folder).unwrap();
    fs::copy(
        stored(kind).join("ledger.sqlite"),
        run_folder.join("ledger.sqlite"),
    )
    .unwrap();
    let output = run(folder.path(), &["report", kind]);
    assert_eq!(output.status.code(), Some(0), "{kind}: {}", stderr(&output));
    assert_eq!(compare_files(&stored(kind), &run_folder), files, "{kind}");
}

#[test]
fn a_folder_of_version_0_1_opens() {
    assert_opens("match", 5);
    assert_opens("tournament", 6);
    assert_opens("tune", 5);
}
