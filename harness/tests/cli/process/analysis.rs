//! `tanren nodes` with players that are other programs.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{columns_but_times, run, stderr};
use crate::engines::{example, own_engine};

/// The settings that the built-in engine counts without.
const WHOLE_DEPTHS: &str = "option.mate_stop=false,option.second_best_stop=false,name=other";

fn nodes(folder: &Path, options: &[&str]) -> Output {
    let small = ["nodes", "--limit-positions", "4", "--hash", "1", "--out", "n"];
    run(folder, &[&small[..], options].concat())
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join("n").join(file)).unwrap()
}

/// The rows of nodes.csv of one player, without its name and without times.
fn rows_of(folder: &Path, label: &str) -> Vec<String> {
    let text = columns_but_times(&read(folder, "nodes.csv"));
    let own = text.lines().filter_map(|row| row.strip_prefix(label));
    own.map(str::to_owned).collect()
}

fn faulty(fault: &str) -> String {
    format!("usi:{} {fault},name=faulty", example("fault_engine").display())
}

#[test]
fn this_engine_as_another_program_counts_what_the_built_in_one_counts() {
    for options in [&["--depth", "6"][..], &["--depth", "9", "--nodes-max", "900"]] {
        let folder = tempfile::tempdir().unwrap();
        let program = format!("usi:{} --tunables,{WHOLE_DEPTHS}", own_engine().display());
        let players = ["--config", "base", "--config", program.as_str()];
        let output = nodes(folder.path(), &[&players[..], options].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let own = rows_of(folder.path(), "base,");
        assert!(own.len() > 12, "{own:?}");
        assert_eq!(rows_of(folder.path(), "other,"), own, "{options:?}");
        let counters = read(folder.path(), "counters.csv");
        assert!(counters.contains("other,4,legality,,\n"), "{counters}");
        let summary = read(folder.path(), "nodes_summary.csv");
        let row = summary.lines().find(|row| row.starts_with("other,3,")).unwrap();
        assert!(row.contains(",1.0,1.0,1.0,") && row.ends_with(",1.0"), "{row}");
    }
}

#[test]
fn a_program_at_fault_fails_on_its_position_alone_and_is_not_asked_again() {
    let cases = [
        // Started again after a fault, it is well for one position.
        ("crash-in-thought 2", 2, "crash:"),
        ("hang-at-go 2", 2, "stall: no answer to 'go' within"),
        ("illegal-move 2", 2, "illegal_move:"),
        ("no-move 2", 2, "malformed_bestmove:"),
        ("crash-at-newgame", 0, "crash:"),
    ];
    for (fault, told, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        let program = faulty(fault);
        let options = ["--config", "base", "--config", program.as_str(), "--depth", "2"];
        let options = [&options[..], &["--concurrency", "1", "--stall-ms", "400"]].concat();
        let output = nodes(folder.path(), &options);
        assert_eq!(output.status.code(), Some(0), "{fault}: {}", stderr(&output));
        let said = stderr(&output);
        let is_named = said.contains("warning: faulty: no search of") && said.contains(expected);
        assert!(is_named, "{fault}: {said}");
        assert_eq!(rows_of(folder.path(), "faulty,").len(), told, "{fault}");
        let summary = read(folder.path(), "nodes_summary.csv");
        let row = format!("base,1,{told},");
        assert!(summary.contains(&row), "{fault}: {summary}");
        assert!(summary.contains("faulty,2,0,,,,,,,\n"), "{fault}: {summary}");
        let before = fs::read(folder.path().join("n/nodes.csv")).unwrap();
        let again = nodes(folder.path(), &options);
        assert!(
            stderr(&again).contains("8 of 8 searches are done"),
            "{}",
            stderr(&again)
        );
        assert_eq!(fs::read(folder.path().join("n/nodes.csv")).unwrap(), before);
    }
}

#[test]
fn a_program_that_does_not_start_is_an_error_before_the_first_search() {
    let folder = tempfile::tempdir().unwrap();
    let program = faulty("crash-at-usi");
    let output = nodes(folder.path(), &["--config", "base", "--config", program.as_str()]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("player 'faulty'"), "{}", stderr(&output));
    assert!(!folder.path().join("n").exists());
}
