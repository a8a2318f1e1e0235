//! `tanren nodes` with players that are other programs.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::columns_but_times;
use crate::engines::own_engine;
use crate::folder::{Ended, Folder, InFolder};
use crate::process::faulty;

/// The settings that the built-in engine counts without.
const WHOLE_DEPTHS: &str = "option.mate_stop=false,option.second_best_stop=false,name=other";

fn nodes(folder: &Path, options: &str) -> Output {
    let small = "nodes --limit-positions 4 --hash 1 --out n";
    folder.run(&format!("{small} {options}"))
}

/// The rows of nodes.csv of one player, without its name and without times.
fn rows_of(folder: &Path, label: &str) -> Vec<String> {
    let text = columns_but_times(&folder.read("n/nodes.csv"));
    let own = text.lines().filter_map(|row| row.strip_prefix(label));
    own.map(str::to_owned).collect()
}

#[test]
fn this_engine_as_another_program_counts_what_the_built_in_one_counts() {
    for options in ["--depth 6", "--depth 9 --nodes-max 900"] {
        let folder = &Folder::new();
        let program = format!("usi:{} --tunables,{WHOLE_DEPTHS}", own_engine().display());
        let players = format!("--config base --config '{program}'");
        nodes(folder, &format!("{players} {options}")).ok();
        let own = rows_of(folder, "base,");
        assert!(own.len() > 12, "{own:?}");
        assert_eq!(rows_of(folder, "other,"), own, "{options:?}");
        let counters = folder.read("n/counters.csv");
        assert!(counters.contains("other,4,legality,,\n"), "{counters}");
        let summary = folder.read("n/nodes_summary.csv");
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
        let folder = &Folder::new();
        let program = faulty(&format!("{fault},name=faulty"));
        let options = format!("--config base --config '{program}' --depth 2");
        let options = format!("{options} --concurrency 1 --stall-ms 400");
        let said = nodes(folder, &options).ok().message();
        let is_named = said.contains("warning: faulty: no search of") && said.contains(expected);
        assert!(is_named, "{fault}: {said}");
        assert_eq!(rows_of(folder, "faulty,").len(), told, "{fault}");
        let summary = folder.read("n/nodes_summary.csv");
        let row = format!("base,1,{told},");
        assert!(summary.contains(&row), "{fault}: {summary}");
        assert!(summary.contains("faulty,2,0,,,,,,,\n"), "{fault}: {summary}");
        let before = fs::read(folder.join("n/nodes.csv")).unwrap();
        let again = nodes(folder, &options);
        again.says(["8 of 8 searches are done"]);
        assert_eq!(fs::read(folder.join("n/nodes.csv")).unwrap(), before);
    }
}

#[test]
fn a_program_that_does_not_start_is_an_error_before_the_first_search() {
    let folder = &Folder::new();
    let program = faulty("crash-at-usi,name=faulty");
    nodes(folder, &format!("--config base --config '{program}'")).refused("player 'faulty'");
    assert!(!folder.join("n").exists());
}
