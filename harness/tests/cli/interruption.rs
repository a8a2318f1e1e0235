//! Runs that are stopped, politely or not, and taken up again.

use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{columns_but_times, tanren};
use crate::folder::{Ended, Folder, InFolder, words};
use crate::signal;

const MATCH: &str = "match --a base --b base,null_move=off --nodes 300 --concurrency 2";
const SHORT: &str = "--pairs 40";
/// Ends by a signal only.
const LONG: &str = "--pairs 10000";

fn spawn(folder: &Path, line: &str) -> Child {
    let mut command = tanren();
    command.args(words(line)).current_dir(folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn start(folder: &Path, pairs: &str) -> Child {
    spawn(folder, &format!("{MATCH} {pairs} --out m"))
}

fn games(folder: &Path, run: &str) -> String {
    columns_but_times(&folder.read(format!("{run}/games.csv")))
}

/// Waits until the ledger is there, so that the signal does not come before the handler.
fn wait_for_ledger(run: &Path) {
    for _ in 0..2_000 {
        if run.join("ledger.sqlite").exists() {
            sleep(Duration::from_millis(300));
            return;
        }
        sleep(Duration::from_millis(5));
    }
    panic!("no ledger after ten seconds");
}

#[test]
fn a_polite_signal_saves_says_how_to_go_on_and_tells_the_shell() {
    // Two close together are one wish.
    for (names, code) in [(&["INT"][..], 130), (&["TERM"], 143), (&["INT", "INT"], 130)] {
        let folder = &Folder::new();
        let child = start(folder, LONG);
        wait_for_ledger(&folder.join("m"));
        names.iter().for_each(|name| signal(child.id(), name));
        let output = child.wait_with_output().unwrap().ended(code);
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
        wait_for_ledger(&folder.join("m"));
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
    wait_for_ledger(&folder.join("m"));
    let second = folder.run(&format!("{MATCH} {LONG} --out m"));
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(2));
    second.says(["in use by another process"]);
}

#[test]
fn a_stopped_study_says_how_to_go_on_and_leaves_readable_files() {
    let folder = &Folder::new();
    let child = spawn(folder, "nodes --config base --depth 100 --out n");
    wait_for_ledger(&folder.join("n"));
    signal(child.id(), "INT");
    let output = child.wait_with_output().unwrap().ended(130);
    output.says(["to go on:"]);
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
        let mut child = spawn(folder, &study("n"));
        sleep(Duration::from_millis(60 * round));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    folder.run(&study("n")).ok();
    let read = |out: &str, file: &str| folder.read(format!("{out}/{file}"));
    for file in ["nodes_summary.csv", "counters.csv", "distances.csv", "nodes.svg"] {
        assert_eq!(read("n", file), read("whole", file), "{file}");
    }
    let rows = |out| columns_but_times(&read(out, "nodes.csv"));
    assert_eq!(rows("n"), rows("whole"));
}
