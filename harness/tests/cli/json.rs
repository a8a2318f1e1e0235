//! `--json` of every command: one valid document on stdout, whatever else is asked for.

use std::path::Path;

use crate::folder::{Ended, Folder, InFolder};
use serde_json::Value;

const SPACE: &str = "eval.hand.pawn, int, 100, 0, 400, 40, 0.002\nlmr.base, 700, 0, 4096, 300, 0.002\n";
const NIGHT: &str = "\
[[job]]
name = \"one\"
command = \"match\"
a = \"base\"
b = \"base,lmr=off\"
nodes = 40
pairs = 2
hash = 1
";
const GAMES: &str = "--nodes 40 --hash 1 --max-plies 60";

/// What the one document on stdout of `args` with `--json` says.
fn document(folder: &Path, args: &str) -> Value {
    let output = folder.run(&format!("{args} --json")).ok();
    let stdout = output.text();
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {stdout}"))
}

/// As [`document`], and the same document, but for times, with `--quiet`.
fn documents(folder: &Path, args: &str) -> Value {
    let (loud, quiet) = (
        document(folder, args),
        document(folder, &format!("{args} --quiet")),
    );
    assert_eq!(loud, quiet, "{args:?}");
    loud
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("space.txt", SPACE);
    folder.write("night.toml", NIGHT);
    folder
}

#[test]
fn runs_of_games_and_their_reports_print_one_document() {
    let folder = &folder();
    let of_two = "match --b base,lmr=off --pairs 2 --out m";
    assert_eq!(documents(folder, &format!("{of_two} {GAMES}"))["pairs"], 2);
    let of_three = "tournament --player base --player base,lmr=off --player base,null_move=off --pairs 2 \
        --out t";
    assert!(documents(folder, &format!("{of_three} {GAMES}"))["players"].is_array());
    let tuning = "tune --space space.txt --iterations 4 --confirm-pairs 4 --out u";
    assert!(documents(folder, &format!("{tuning} {GAMES}"))["parameters"].is_array());
    for name in ["m", "t", "u"] {
        assert!(document(folder, &format!("report {name}")).is_object(), "{name}");
    }
    assert!(document(folder, "report m m").is_array());
    assert!(document(folder, "replay m --game 1").is_object());
    assert_eq!(document(folder, "replay m --pair 1").as_array().unwrap().len(), 2);
    assert!(documents(folder, "run m/run.toml --out m").is_object());
}

#[test]
fn studies_print_one_document() {
    let folder = &folder();
    let odds = "odds --b base --pairs 8 --batch 4 --nodes 40 --hash 1 --out o";
    assert!(documents(folder, odds).is_object());
    let ablation = "ablate --only null_move --pairs 4 --nodes 40 --node-depth 2 --hash 1 --out a";
    assert!(documents(folder, ablation).is_array());
    assert!(document(folder, "ablate --only null_move --list").is_object());
    let nodes = "nodes --config base --depth 2 --limit-positions 3 --hash 1 --out n";
    assert!(documents(folder, nodes).is_array());
}

#[test]
fn queues_print_one_document() {
    let folder = &folder();
    assert!(documents(folder, "run night.toml --dry-run --out q").is_array());
    assert!(documents(folder, "run night.toml --out q").is_array());
}

#[test]
fn statistics_print_one_document() {
    let folder = &folder();
    assert!(document(folder, "sprt --counts 1,3,10,4,1").is_object());
    assert!(document(folder, "sprt --elo0 0 --elo1 5").is_array());
    let simulation = "simulate --matches 4 --pairs 40 --elo 0,20";
    assert!(documents(folder, simulation).is_array());
    let methods = "tune --bench --games 100 --seeds 2";
    assert_eq!(documents(folder, methods)[0]["games"], 100);
}

#[test]
fn openings_and_settings_print_one_document() {
    let folder = &folder();
    let generated = "openings generate --count 3 --nodes 100 --force --out o.sfen";
    assert_eq!(documents(folder, generated)["positions"], 3);
    assert!(document(folder, "openings check o.sfen").is_object());
    assert_eq!(
        document(folder, "openings dedup o.sfen --out d.sfen")["left_out"],
        0
    );
    assert!(document(folder, "openings stats o.sfen").is_object());
    assert!(document(folder, "params").is_array());
    assert_eq!(document(folder, "perft --depth 2")["nodes"], 900);
}
