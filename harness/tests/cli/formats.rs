//! What earlier versions wrote stays readable and says the same: their folders and files are in `tests/formats`.
//!
//! `TANREN_REWRITE_FORMATS=1` plays the folder of this version again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::engines::own_engine;
use crate::common::tanren;
use crate::folder::{Ended, Folder, InFolder, words};

/// The folder of the version that is worked on; those of others are never written again.
const NEWEST: &str = "0.2.0";

/// How its runs are played: name and command.
const RUNS: [(&str, &str); 8] = [
    (
        "match",
        "match --b base,lmr=off --nodes 200 --hash 1 --max-plies 80 --pairs 4 --resign score=300,moves=2,both",
    ),
    (
        "engines",
        "match --a usi:tanren-engine,name=one --b usi:tanren-engine,name=two --depth 2 --max-plies 30 --pairs 2",
    ),
    (
        "tournament",
        "tournament --player base --player base,lmr=off --player plain --nodes 60 --max-plies 60 --rounds 1",
    ),
    (
        "tune",
        "tune --tune lmr.base --nodes 40 --max-plies 40 --games 8 --confirm-pairs 2",
    ),
    (
        "odds",
        "odds --b base,lmr=off --nodes 40 --max-plies 40 --pairs 4 --batch 2",
    ),
    (
        "ablate",
        "ablate --only lmr --nodes 40 --max-plies 40 --pairs 2 --node-depth 2",
    ),
    (
        "nodes",
        "nodes --config base --config base,lmr=off --depth 3 --limit-positions 3 --hash 8",
    ),
    ("queue", "run files/queue.toml"),
];

/// What prints JSON for programs; reports do too, and are compared apart.
const ANSWERS: [&str; 8] = [
    "verify match",
    "replay match --game 1",
    "sprt --counts 10,20,30,25,15",
    "sprt --elo 3",
    "params",
    "perft --depth 2",
    "simulate --elo 0 --pairs 20 --matches 10",
    "run files/queue.toml --dry-run",
];

fn stored() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats")
}

/// The version's folder, in a place where it may be written.
fn copy_of(version: &str) -> Folder {
    let folder = Folder::new();
    copy(&stored().join(version), &folder);
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = (entry.as_ref().unwrap().path(), entry.unwrap().file_name());
        match path.is_dir() {
            true => copy(&path, &to.join(name)),
            false => drop(fs::copy(path, to.join(name)).unwrap()),
        }
    }
}

fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if path.to_str().unwrap().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Is all that `old` says said by `new`, too? Keys may be added; the words of an answer may change.
fn says(new: &Value, old: &Value, place: &str) {
    match (new, old) {
        (Value::Object(new), Value::Object(old)) => {
            for (key, old) in old.iter().filter(|(key, _)| *key != "answer") {
                let place = format!("{place}.{key}");
                says(
                    new.get(key).unwrap_or_else(|| panic!("{place} is gone")),
                    old,
                    &place,
                );
            }
        }
        (Value::Array(new), Value::Array(old)) => {
            assert_eq!(new.len(), old.len(), "{place}");
            for (new, old) in new.iter().zip(old) {
                says(new, old, place);
            }
        }
        _ => assert_eq!(new, old, "{place}"),
    }
}

/// Columns may be added at the end; the words of an answer may change.
fn holds_columns(new: &str, old: &str, place: &str) {
    let rows = |text: &str| -> Vec<csv::StringRecord> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(text.as_bytes());
        reader.records().map(|row| row.unwrap()).collect()
    };
    let (new, old) = (rows(new), rows(old));
    assert_eq!(new.len(), old.len(), "{place}");
    let answer = old[0].iter().position(|title| title == "answer");
    for (row, (new, old)) in new.iter().zip(&old).enumerate() {
        let is_same = |at: usize| new.get(at) == old.get(at) || row > 0 && Some(at) == answer;
        assert!((0..old.len()).all(is_same), "{place}: {old:?} is {new:?} now");
    }
}

/// The keys of a JSON value with those that they are in.
fn keys(value: &Value, place: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, value)| {
            let place = format!("{place}.{key}");
            keys(value, &place, found);
            found.insert(place);
        }),
        Value::Array(values) => values.iter().for_each(|value| keys(value, place, found)),
        _ => {}
    }
}

fn keys_of_answers(folder: &Folder) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for command in ANSWERS {
        let value = folder.run(&format!("{command} --json")).json();
        keys(&value, &format!("{command}: "), &mut found);
    }
    found
}

/// Plays all runs of this version, and keeps what later ones are compared with.
fn write_newest() {
    let folder = &copy_of(NEWEST);
    // An engine of the PATH: the files name no folder of this machine.
    let engine = own_engine();
    for (name, command) in RUNS {
        let _ = fs::remove_dir_all(folder.join(name));
        let played = tanren()
            .args(words(&format!("{command} --quiet --out {name}")))
            .env("PATH", engine.parent().unwrap())
            .current_dir(folder)
            .output();
        played.unwrap().ok();
        let report = folder.run(&format!("report {name} --json")).ok();
        folder.write(format!("{name}/report.json"), report.stdout);
        for ending in [".html", ".svg", ".sfen", ".fen", ".lock"] {
            files_below(&folder.join(name), ending)
                .iter()
                .for_each(|path| fs::remove_file(path).unwrap());
        }
    }
    folder.write(
        "keys.txt",
        keys_of_answers(folder).into_iter().collect::<Vec<_>>().join("\n") + "\n",
    );
    fs::remove_dir_all(stored().join(NEWEST)).unwrap();
    copy(folder, &stored().join(NEWEST));
}

#[test]
fn runs_of_earlier_versions_are_upgraded_and_say_the_same() {
    if std::env::var_os("TANREN_REWRITE_FORMATS").is_some() {
        write_newest();
    }
    let versions = stored().names();
    assert!(versions.iter().any(|name| name == NEWEST));
    let mut compared = 0;
    for version in &versions {
        let folder = &copy_of(version);
        folder.run("upgrade .").ok();
        folder.run("upgrade .").ok();
        folder.run("verify .").ok();
        let old = stored().join(version);
        for run in old
            .names()
            .iter()
            .filter(|name| old.join(name).join("ledger.sqlite").exists())
        {
            let found = folder.run(&format!("report {run} --json")).json();
            if let Ok(report) = fs::read(old.join(run).join("report.json")) {
                says(&found, &serde_json::from_slice(&report).unwrap(), run);
                compared += 1;
            }
        }
        for path in files_below(&old, ".csv") {
            let name = path.strip_prefix(&old).unwrap();
            holds_columns(
                &folder.read(name),
                &fs::read_to_string(&path).unwrap(),
                name.to_str().unwrap(),
            );
        }
    }
    assert!(compared > 5, "{compared} reports");
}

#[test]
fn files_of_earlier_versions_are_read() {
    for version in stored().names() {
        let folder = &copy_of(&version);
        folder.run("upgrade .").ok();
        // The engines of the others are not here.
        let is_ours =
            |file: &PathBuf| !folder.read(file).contains("ci:") && !folder.read(file).contains("si:");
        for file in files_below(folder, "run.toml").into_iter().filter(is_ours) {
            folder.run(&format!("run {} --dry-run", file.display())).ok();
        }
        if folder.join("config").exists() {
            folder.run("engines list").ok().prints(["mine", "usi", "Fault"]);
        }
        let files = folder.join("files");
        if files.exists() {
            folder.run("run files/queue.toml --dry-run").ok();
            #[cfg(feature = "cluster")]
            {
                tanren_fleet::WorkerFile::open(&files.join("worker.toml")).unwrap();
                tanren_fleet::CoordinatorFile::open(&files.join("coordinator.toml")).unwrap();
            }
        }
    }
}

#[test]
fn keys_of_json_and_columns_of_csv_stay() {
    let folder = &copy_of(NEWEST);
    let found = keys_of_answers(folder);
    let old = folder.read("keys.txt");
    let gone: Vec<&str> = old.lines().filter(|key| !found.contains(*key)).collect();
    assert!(gone.is_empty(), "keys that are gone: {gone:#?}");

    let manual = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join("docs/src/files.md");
    let manual = fs::read_to_string(manual).unwrap();
    let columns: Vec<(&str, Vec<&str>)> = manual
        .split("<!-- columns: ")
        .skip(1)
        .map(|block| {
            let (name, rest) = block.split_once(" -->").unwrap();
            let lines = rest.split("<!-- end -->").next().unwrap().lines();
            let titles = lines.filter_map(|line| line.strip_prefix("- ")?.split("`: ").next());
            let names = titles.flat_map(|titles| titles.split(", ").map(|name| name.trim_matches('`')));
            (name, names.collect())
        })
        .collect();
    if std::env::var_os("TANREN_REWRITE_FORMATS").is_some() {
        let lines = columns
            .iter()
            .map(|(name, columns)| format!("{name}: {}\n", columns.join(",")));
        fs::write(
            stored().join(NEWEST).join("columns.txt"),
            lines.collect::<String>(),
        )
        .unwrap();
    }
    for line in fs::read_to_string(stored().join(NEWEST).join("columns.txt"))
        .unwrap()
        .lines()
    {
        let (name, old) = line.split_once(": ").unwrap();
        let new = columns.iter().find(|(known, _)| *known == name);
        let new = new.unwrap_or_else(|| panic!("{name} is gone")).1.join(",");
        assert!(
            format!("{new},").starts_with(&format!("{old},")),
            "{name}: {old} is {new} now"
        );
    }
}
