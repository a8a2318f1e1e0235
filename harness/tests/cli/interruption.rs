//! Runs that are stopped, politely or not, and taken up again.

use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{columns_but_times, tanren};
use crate::folder::{Ended, Folder, InFolder, words};

const MATCH: &str = "match --a base --b base,null_move=off --nodes 300 --concurrency 2";
const SHORT: &str = "--pairs 40";
/// Ends by a signal only.
const LONG: &str = "--pairs 10000";

fn start(folder: &Path, pairs: &str) -> Child {
    let mut command = tanren();
    command
        .args(words(MATCH))
        .args(words(pairs))
        .args(words("--out m"))
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
        let folder = &Folder::new();
        let child = start(folder, LONG);
        wait_for_ledger(folder);
        signal(&child, name);
        let output: Output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", output.message());
        output.says(["to go on:", "--out m"]);
        let summary = folder.read("m/summary.csv");
        assert!(summary.contains(",interrupted,"), "{summary}");
    }
}

#[test]
fn a_run_killed_again_and_again_ends_like_an_undisturbed_one() {
    let folder = &Folder::new();
    let whole = folder.run(&format!("{MATCH} {SHORT} --out whole --quiet --json"));
    for round in 0..6 {
        let mut child = start(folder, SHORT);
        wait_for_ledger(folder);
        sleep(Duration::from_millis(90 * round));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let resumed = folder
        .run(&format!("{MATCH} {SHORT} --out m --quiet --json"))
        .ok();
    assert_eq!(resumed.json(), whole.json());
    assert_eq!(games(folder, "m"), games(folder, "whole"));
}

#[test]
fn a_second_process_on_the_same_folder_is_refused() {
    let folder = &Folder::new();
    let mut first = start(folder, LONG);
    wait_for_ledger(folder);
    let second = folder.run(&format!("{MATCH} {LONG} --out m"));
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(2));
    second.says(["in use by another process"]);
}

#[test]
fn two_signals_close_together_are_one_wish_and_all_is_saved() {
    let folder = &Folder::new();
    let child = start(folder, LONG);
    wait_for_ledger(folder);
    signal(&child, "INT");
    signal(&child, "INT");
    child.wait_with_output().unwrap().ended(130);
    assert!(folder.join("m/summary.csv").exists());
}

#[test]
fn a_stopped_study_says_how_to_go_on_and_leaves_readable_files() {
    let folder = &Folder::new();
    let mut command = tanren();
    command
        .args(words("nodes --config base --depth 100 --out n"))
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let journal = folder.join("n/ledger.sqlite");
    let is_there = |_| {
        sleep(Duration::from_millis(5));
        journal.exists()
    };
    assert!((0..2_000).any(is_there), "no ledger after ten seconds");
    sleep(Duration::from_millis(300));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap().ended(130);
    assert!(output.message().contains("to go on:"), "{}", output.message());
    let rows = folder.read("n/nodes_summary.csv");
    assert_eq!(rows.lines().count(), 101);
    assert!(folder.join("n/nodes.svg").exists());
}

#[test]
fn a_study_killed_again_and_again_ends_like_an_undisturbed_one() {
    let folder = &Folder::new();
    let study = |out: &'static str| {
        let small = "nodes --depth 7 --limit-positions 40 --hash 1 --quiet";
        format!("{small} --concurrency 2 --out {out}")
    };
    folder.run(&study("whole")).ok();
    for round in 1..6 {
        let mut child = tanren()
            .args(words(&study("n")))
            .current_dir(folder)
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(60 * round));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    folder.run(&study("n")).ok();
    let read = |out: &str, file: &str| fs::read_to_string(folder.join(out).join(file)).unwrap();
    for file in ["nodes_summary.csv", "counters.csv", "distances.csv", "nodes.svg"] {
        assert_eq!(read("n", file), read("whole", file), "{file}");
    }
    let rows = |out| columns_but_times(&read(out, "nodes.csv"));
    assert_eq!(rows("n"), rows("whole"));
}
