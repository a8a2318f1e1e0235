//! Folders that an earlier version left open in every later one.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

#[expect(
    dead_code,
    reason = "reports of old folders are asked for neither JSON nor times"
)]
mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{run, stderr};

/// The folder of a run of version 0.1.
fn stored(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/ledgers")
        .join(kind)
}

/// Files of the same name in `old` and `new` are the same, byte by byte; how many there are.
fn compare_files(old: &Path, new: &Path) -> usize {
    let mut compared = 0;
    for entry in fs::read_dir(old).unwrap() {
        let name = entry.unwrap().file_name();
        if name == "ledger.sqlite" {
            continue;
        }
        let read = |folder: &Path| String::from_utf8(fs::read(folder.join(&name)).unwrap()).unwrap();
        assert_eq!(read(new), read(old), "{}", old.join(&name).display());
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
