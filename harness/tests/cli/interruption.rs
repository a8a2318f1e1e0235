//! Runs that are stopped, politely or not, and taken up again.

use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{columns_but_times, json, run, stderr, tanren};

const MATCH: [&str; 9] = [
    "match",
    "--a",
    "base",
    "--b",
    "base,null_move=off",
    "--nodes",
    "300",
    "--concurrency",
    "2",
];
/// Ends within seconds.
const SHORT: [&str; 2] = ["--pairs", "40"];
/// Ends by a signal only.
const LONG: [&str; 2] = ["--pairs", "10000"];

fn start(folder: &Path, pairs: [&str; 2]) -> Child {
    let mut command = tanren();
    command
        .args(MATCH)
        .args(pairs)
        .args(["--out", "m"])
        .current_dir(folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let status = std::process::Command::new("kill")
        .args(["-s", name, &pid])
        .status()
        .unwrap();
    assert!(status.success());
}

fn games(folder: &Path, run: &str) -> String {
    columns_but_times(&fs::read_to_string(folder.join(run).join("games.csv")).unwrap())
}

/// Waits until the ledger is there, so that the signal does not come before the handler.
fn wait_for_ledger(folder: &Path) {
    for _ in 0..2_000 {
        if folder.join("m/ledger.sqlite").exists() {
            sleep(Duration::from_millis(300));
            return;
        }
        sleep(Duration::from_millis(5));
    }
    panic!("no ledger after ten seconds");
}

#[test]
fn a_polite_signal_saves_says_how_to_go_on_and_tells_the_shell() {
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let folder = tempfile::tempdir().unwrap();
        let child = start(folder.path(), LONG);
        wait_for_ledger(folder.path());
        signal(&child, name);
        let output: Output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains("to go on:") && said.contains("--out m"), "{said}");
        let summary = fs::read_to_string(folder.path().join("m/summary.csv")).unwrap();
        assert!(summary.contains(",interrupted,"), "{summary}");
    }
}

#[test]
fn a_run_killed_again_and_again_ends_like_an_undisturbed_one() {
    let folder = tempfile::tempdir().unwrap();
    let whole = run(
        folder.path(),
        &[&MATCH[..], &SHORT, &["--out", "whole", "--quiet", "--json"]].concat(),
    );
    for round in 0..6 {
        let mut child = start(folder.path(), SHORT);
        wait_for_ledger(folder.path());
        sleep(Duration::from_millis(90 * round));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let resumed = run(
        folder.path(),
        &[&MATCH[..], &SHORT, &["--out", "m", "--quiet", "--json"]].concat(),
    );
    assert_eq!(resumed.status.code(), Some(0), "{}", stderr(&resumed));
    assert_eq!(json(&resumed), json(&whole));
    assert_eq!(games(folder.path(), "m"), games(folder.path(), "whole"));
}

#[test]
fn a_second_process_on_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = start(folder.path(), LONG);
    wait_for_ledger(folder.path());
    let second = run(folder.path(), &[&MATCH[..], &LONG, &["--out", "m"]].concat());
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(
        stderr(&second).contains("in use by another process"),
        "{}",
        stderr(&second)
    );
}

#[test]
fn two_signals_close_together_are_one_wish_and_all_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let child = start(folder.path(), LONG);
    wait_for_ledger(folder.path());
    signal(&child, "INT");
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(folder.path().join("m/summary.csv").exists());
}

#[test]
fn a_stopped_study_says_how_to_go_on_and_leaves_readable_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = tanren();
    command
        .args(["nodes", "--config", "base", "--depth", "100", "--out", "n"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let journal = folder.path().join("n/ledger.sqlite");
    let is_there = |_| {
        sleep(Duration::from_millis(5));
        journal.exists()
    };
    assert!((0..2_000).any(is_there), "no ledger after ten seconds");
    sleep(Duration::from_millis(300));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("to go on:"), "{}", stderr(&output));
    let rows = fs::read_to_string(folder.path().join("n/nodes_summary.csv")).unwrap();
    assert_eq!(rows.lines().count(), 101);
    assert!(folder.path().join("n/nodes.svg").exists());
}

#[test]
fn a_study_killed_again_and_again_ends_like_an_undisturbed_one() {
    let folder = tempfile::tempdir().unwrap();
    let study = |out: &'static str| {
        let small = [
            "nodes",
            "--depth",
            "7",
            "--limit-positions",
            "40",
            "--hash",
            "1",
            "--quiet",
        ];
        [&small[..], &["--concurrency", "2", "--out", out]].concat()
    };
    assert_eq!(run(folder.path(), &study("whole")).status.code(), Some(0));
    for round in 1..6 {
        let mut child = tanren()
            .args(study("n"))
            .current_dir(folder.path())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(60 * round));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let resumed = run(folder.path(), &study("n"));
    assert_eq!(resumed.status.code(), Some(0), "{}", stderr(&resumed));
    let read = |out: &str, file: &str| fs::read_to_string(folder.path().join(out).join(file)).unwrap();
    for file in ["nodes_summary.csv", "counters.csv", "distances.csv", "nodes.svg"] {
        assert_eq!(read("n", file), read("whole", file), "{file}");
    }
    let rows = |out| columns_but_times(&read(out, "nodes.csv"));
    assert_eq!(rows("n"), rows("whole"));
}
