//! The build that was examined is the build that plays.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::stderr;
use crate::engines::example;
use crate::folder::{Ended, Folder, InFolder};
use crate::running::{Running, games_with};

/// Games without an end, by an engine in the folder that is started for each; `keys` are its own.
fn start(folder: &Path, keys: &str, pairs: &str) -> Running {
    let engine = format!(
        "usi:{} slow-at-isready,restart=game,name=build{keys}",
        program(folder).display()
    );
    let options = format!(
        "match --quiet --b plain --nodes 20 --max-plies 8 --hash 1 --concurrency 2 --pairs {pairs} --a \
        '{engine}'"
    );
    Running::start(folder, &options, "m")
}

fn program(folder: &Path) -> PathBuf {
    folder.join("engine")
}

/// Another build with the same moves.
fn new_build(folder: &Path) -> PathBuf {
    let path = folder.join("new");
    fs::copy(program(folder), &path).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes.push(0);
    fs::write(&path, bytes).unwrap();
    path
}

fn folder_with_engine() -> Folder {
    let folder = Folder::new();
    fs::copy(example("fault_engine"), program(&folder)).unwrap();
    folder
}

/// Stopped with what was played, none of it by a fault.
fn assert_stopped(folder: &Path, output: &Output, words: &str) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert!(
        message.contains(words) && message.contains("no game was decided by it"),
        "{message}"
    );
    assert_eq!(games_with(folder, "start_failure").0, 0, "{message}");
}

#[test]
fn a_program_that_is_replaced_stops_the_run_and_what_was_played_stays() {
    let folder = &folder_with_engine();
    let old = folder.join("old");
    fs::copy(program(folder), &old).unwrap();
    let new = new_build(folder);
    let running = start(folder, "", "3000");
    running.wait_for_a_new_game();
    fs::rename(&new, program(folder)).unwrap();
    let output = running.end();
    assert_stopped(folder, &output, "engine' is not the file that was examined");
    fs::rename(&old, program(folder)).unwrap();
    let before = games_with(folder, "start_failure").1;
    let more = start(folder, "", "3000");
    more.wait_for_a_new_game();
    crate::running::signal(more.pid(), "TERM");
    assert_eq!(more.end().status.code(), Some(143));
    assert!(games_with(folder, "start_failure").1 >= before);
}

#[test]
fn a_program_that_is_deleted_loses_no_games() {
    let folder = &folder_with_engine();
    let running = start(folder, "", "3000");
    running.wait_for_a_new_game();
    fs::remove_file(program(folder)).unwrap();
    let output = running.end();
    assert_stopped(folder, &output, "engine' cannot be read any more");
}

#[test]
fn a_file_that_an_option_names_is_part_of_the_engine() {
    let folder = &folder_with_engine();
    folder.write("net.bin", "one");
    let keys = ",init=setoption name EvalFile value net.bin";
    start(folder, keys, "1").end().ok();
    folder.write("net.bin", "two");
    start(folder, keys, "2")
        .end()
        .refused("files that a loads (SHA-256)");
    folder.write("net.bin", "one");
    let running = start(folder, keys, "3000");
    running.wait_for_a_new_game();
    folder.write("net.bin", "three");
    let output = running.end();
    assert_stopped(folder, &output, "net.bin' is not the file that was examined");
}
