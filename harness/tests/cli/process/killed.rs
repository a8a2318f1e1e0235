//! What is left when the program itself is killed, on Linux.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::tanren;
use crate::folder::Folder;
use crate::process::faults::{BOUND, processes_with};
use crate::process::faulty;

/// Kills a run in the middle of its games against an engine of this fault, and waits until nothing of it is left.
fn kill_with(fault: &str) {
    let folder = &Folder::new();
    let mark = format!("mark-{}", folder.file_name().unwrap().to_string_lossy());
    let engine = faulty(&format!("{fault} 3 {mark}"));
    let limits = ["--nodes", "20", "--stall-ms", "600000", "--out", "m"];
    let mut command = tanren();
    command
        .args(["match", "--b", "plain", "--a", &engine])
        .args(limits)
        .current_dir(folder)
        .stderr(Stdio::null());
    let mut run = command.spawn().unwrap();
    let until = Instant::now() + BOUND;
    let engines = || {
        let lines = processes_with(&mark);
        let of_engines = lines.iter().filter(|line| !line.contains("--stall-ms"));
        of_engines.count()
    };
    // Once the games have begun; the folder is made after the engine was tried.
    while (engines() == 0 || !folder.join("m/ledger.sqlite").exists()) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(engines() > 0, "the run with {fault} did not begin");
    run.kill().unwrap();
    run.wait().unwrap();
    while !processes_with(&mark).is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(processes_with(&mark), Vec::<String>::new(), "{fault}");
}

#[test]
fn an_engine_that_is_stuck_does_not_outlive_a_run_that_is_killed() {
    kill_with("hang-at-go");
}

#[test]
fn an_engine_behind_a_script_does_not_outlive_a_run_that_is_killed() {
    kill_with("wrapped:hang-at-go");
}

#[test]
fn what_an_engine_started_and_left_does_not_outlive_a_run_that_is_killed() {
    kill_with("child-in-its-own-session");
    kill_with("daemon-that-stays");
}
