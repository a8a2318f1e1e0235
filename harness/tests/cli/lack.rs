//! Too few descriptors decide no game.
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use rustix::process::{Pid, Resource, Rlimit, prlimit};

use crate::engines::faulty;
use crate::folder::{Ended, Folder, holds};
use crate::running::{Running, games_with};

/// An engine that is started for every game, so that a start may fail in any.
fn engine() -> String {
    faulty("slow-at-isready,restart=game,name=slow")
}

fn start(folder: &std::path::Path, engine: &str) -> Running {
    let options = format!(
        "match --quiet --b plain --nodes 20 --max-plies 8 --hash 1 --pairs 8 --concurrency 2 --a '{engine}'"
    );
    Running::start(folder, &options, "m")
}

fn sh(folder: &std::path::Path, line: &str) -> std::process::Output {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).output().unwrap()
}

/// Lets the process open no more files than it has, or as many as before.
fn allow_files(running: &Running, files: u64) {
    let pid = Pid::from_raw(running.pid() as i32);
    let before = prlimit(
        pid,
        Resource::Nofile,
        Rlimit {
            current: Some(files),
            maximum: Some(1_000),
        },
    );
    before.unwrap();
}

#[test]
fn more_pipes_than_are_allowed_are_refused_before_the_first_game() {
    let folder = &Folder::new();
    let line = format!(
        "ulimit -n 40; exec {} match --a '{}' --b '{}' --nodes 20 --concurrency 16 --out m",
        cargo_bin("tanren").display(),
        engine(),
        engine()
    );
    let output = sh(folder, &line);
    let message = output.ended(2).message();
    holds(
        &message,
        ["`ulimit -Hn` is 40: raise it to", "--concurrency 1 fits"],
    );
    assert!(!folder.join("m").exists());
}

#[test]
fn a_low_soft_limit_is_raised_to_what_the_run_needs() {
    let folder = &Folder::new();
    let line = format!(
        "ulimit -Sn 24; exec {} match --a '{}' --b '{}' --nodes 20 --max-plies 4 --hash 1 --pairs 6 --concurrency 6 \
         --quiet --out m",
        cargo_bin("tanren").display(),
        engine(),
        engine()
    );
    let output = sh(folder, &line);
    output.ok();
    assert_eq!(games_with(folder, "start_failure"), (0, 12));
}

#[test]
fn a_ledger_that_no_file_is_left_for_is_no_bad_input() {
    let folder = &Folder::new();
    start(folder, "plain").end().ok();
    // What this test was started with is not to count.
    let report = |files: u32| {
        let line = format!(
            "exec 3<&- 4<&- 5<&- 6<&-; ulimit -n {files}; exec {} report m",
            cargo_bin("tanren").display()
        );
        let output = sh(folder, &line);
        (output.status.code(), output.message())
    };
    // Standard input, output and error, and one that the system's loader needs.
    let (code, message) = report(4);
    assert_eq!(code, Some(1), "{message}");
    holds(&message, ["out of file descriptors", "raise `ulimit -n` from 4"]);
    for files in 5..16 {
        let (code, message) = report(files);
        assert!(matches!(code, Some(0 | 1)), "{files}: {code:?} {message}");
    }
}

#[test]
fn a_lack_that_passes_costs_no_game() {
    let folder = &Folder::new();
    let running = start(folder, &engine());
    running.wait_for_games();
    allow_files(&running, 4);
    sleep(Duration::from_millis(1_000));
    allow_files(&running, 1_000);
    running.end().ok();
    assert_eq!(games_with(folder, "start_failure"), (0, 16));
}

#[test]
fn a_lack_that_stays_ends_the_run_and_says_what_to_raise() {
    let folder = &Folder::new();
    let running = start(folder, &engine());
    running.wait_for_games();
    allow_files(&running, 4);
    let output = running.end();
    let message = output.ended(1).message();
    holds(
        &message,
        ["out of file descriptors", "raise `ulimit -n` from 4 to 8"],
    );
    start(folder, &engine()).end().ok();
    assert_eq!(games_with(folder, "start_failure"), (0, 16));
}
