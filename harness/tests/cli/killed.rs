//! What is left when the program itself is killed, on Linux.

use std::time::{Duration, Instant};

use crate::engines::faulty;
use crate::faults::{BOUND, processes_with};
use crate::folder::Folder;
use crate::running::{Running, wait_until};

/// Kills a run in the middle of its games against an engine of this fault, and waits until nothing of it is left.
fn kill_with(fault: &str) {
    let folder = &Folder::new();
    let mark = format!("mark-{}", folder.file_name().unwrap().to_string_lossy());
    let engine = faulty(&format!("{fault} 3 {mark}"));
    let line = format!("match --b plain --a '{engine}' --nodes 20 --stall-ms 600000");
    let run = Running::start(folder, &line, "m");
    let engines = || {
        let lines = processes_with(&mark);
        let of_engines = lines.iter().filter(|line| !line.contains("--stall-ms"));
        of_engines.count()
    };
    // The folder is made after the engine was tried.
    wait_until("the run did not begin", || {
        engines() > 0 && folder.join("m/ledger.sqlite").exists()
    });
    run.kill();
    let until = Instant::now() + BOUND;
    while !processes_with(&mark).is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(processes_with(&mark), Vec::<String>::new(), "{fault}");
}

#[test]
fn nothing_that_an_engine_is_or_started_outlives_a_run_that_is_killed() {
    for fault in [
        "hang-at-go",
        "wrapped:hang-at-go",
        "child-in-its-own-session",
        "daemon-that-stays",
    ] {
        kill_with(fault);
    }
}
