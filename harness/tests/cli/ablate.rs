//! `tanren ablate` as a user meets it: rows, files, messages, and going on.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::columns_but_times;
use crate::folder::{Ended, Folder, InFolder};

const COLUMNS: &str =
    "technique,setting,pairs,elo,elo_low,elo_high,node_ratio,node_ratio_low,node_ratio_high,verdict";

fn ablate(folder: &Path, options: &str) -> Output {
    let small = "ablate --nodes 60 --node-depth 3 --hash 1 --quiet";
    folder.run(&format!("{small} {options}"))
}

fn csv_of(folder: &Path, name: &str) -> String {
    folder.read(format!("{name}/ablation.csv"))
}

#[test]
fn every_row_has_games_and_nodes_and_the_columns_of_the_contract() {
    let folder = &Folder::new();
    let options = "--only null_move,quiescence_see,iid --also lmr.base=0 --pairs 17 --out x --json";
    let output = ablate(folder, options).ok();
    let csv = csv_of(folder, "x");
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with(COLUMNS), "{}", lines[0]);
    let rows: Vec<String> = lines[1..]
        .iter()
        .map(|line| line.split(',').take(3).collect::<Vec<_>>().join(","))
        .collect();
    assert_eq!(
        rows,
        [
            "null_move,off,17",
            "null_move,prune,17",
            "iid,on,17",
            "quiescence_see,off,17",
            "lmr.base,0,17"
        ]
    );
    let rows = output.json();
    for row in rows.as_array().unwrap() {
        let is_identical = row["verdict"] == "identical";
        assert_ne!(row["elo"].is_number(), is_identical, "{row}");
        assert!(row["node_ratio_low"].is_number(), "{row}");
    }
    assert!(rows[3]["elo"].is_number(), "a row with a value is among them");
    let numbers = ["p_value", "p_holm", "q_value", "mean_depth", "identical_pairs"];
    assert!(
        numbers.iter().all(|name| rows[3][name].is_number()),
        "{}",
        rows[3]
    );
    assert!(rows[3]["p_holm"].as_f64() >= rows[3]["q_value"].as_f64());
    assert!(
        rows[0]["acted"].is_number() && rows[4]["acted"].is_null(),
        "{rows}"
    );
    let report = folder.run("report x --json");
    assert_eq!(report.json(), rows, "the counts are kept: {}", report.message());
    assert!(folder.join("x/ablation.svg").is_file());
    assert!(folder.join("x/matches/iid-on/ledger.sqlite").is_file());
}

#[test]
fn the_same_command_plays_nothing_again_and_more_pairs_or_rows_go_on_to_the_same_result() {
    let folder = &Folder::new();
    let with = |options: &str| {
        ablate(folder, options).ok();
    };
    with("--only quiescence_see,iid --pairs 18 --out whole --concurrency 2");
    with("--only quiescence_see --pairs 17 --out parts --concurrency 1");
    with("--only quiescence_see,iid --pairs 18 --out parts --concurrency 1");
    assert_eq!(csv_of(folder, "whole"), csv_of(folder, "parts"));
    let games_of = |name: &str| folder.join(name).join("matches/quiescence_see-off/games.csv");
    let read = |name| columns_but_times(&fs::read_to_string(games_of(name)).unwrap());
    assert_eq!(read("whole"), read("parts"));
    let games = games_of("whole");
    let before = fs::read(&games).unwrap();
    with("--only quiescence_see,iid --pairs 18 --out whole");
    assert_eq!(
        fs::read(&games).unwrap(),
        before,
        "times included: nothing was played"
    );
}

#[test]
fn a_row_whose_interval_holds_zero_is_played_on() {
    let folder = &Folder::new();
    let options = "--only quiescence_see --pairs 2 --straddle-pairs 5 --out x";
    ablate(folder, options).ok();
    assert!(csv_of(folder, "x").contains("\nquiescence_see,off,5,"));
}

#[test]
fn a_budget_is_spent_on_what_is_open_and_the_same_command_spends_nothing_more() {
    let folder = &Folder::new();
    let options = "--only killers,see_ordering,history --pairs 16 --straddle-pairs 64 --budget 96 --out x \
        --json";
    let rows = ablate(folder, options).ok().json();
    let pairs = rows.as_array().unwrap().iter();
    let pairs: Vec<u64> = pairs.map(|row| row["pairs"].as_u64().unwrap()).collect();
    let all: u64 = pairs.iter().sum();
    assert!(all <= 96 && all > 48, "{rows}");
    assert!(pairs.iter().all(|pairs| [16, 32, 64].contains(pairs)), "{rows}");
    let before = csv_of(folder, "x");
    assert_eq!(ablate(folder, options).json(), rows);
    assert_eq!(csv_of(folder, "x"), before);
    let text = folder.run("report x");
    let text = text.text().replace('\n', " ");
    assert!(text.contains("of 96 pairs spent where they decide"), "{text}");
}

#[test]
fn the_list_names_the_rows_and_why_others_have_none_and_what_does_nothing_is_refused() {
    let folder = &Folder::new();
    let list = folder
        .run("ablate --list --game chess --base base,null_move=off")
        .ok();
    list.prints([
        "left out: king_evasions does nothing in chess",
        "null_move=reduce  (base: off)",
        "lmr=off  (base: on)",
        "left out: one_reply acts only where a clock runs",
        "left out: null_move.nested does nothing while null_move=off",
    ]);
    assert!(list.text().contains("soppo=static"), "it acts in chess");
    for args in [
        "ablate --game chess --only drop_pawn_mate",
        "ablate --game chess --also mate_in_one=on",
        "ablate --game chess --base base,king_evasions=early",
        "match --game chess --a king_evasions=early --b base --pairs 1",
        "nodes --game chess --config base,declaration=off --config base",
    ] {
        folder.run(args).refused("does nothing in chess");
    }
    let table = folder.run("params --game chess");
    assert!(!table.text().contains("king_evasions"));
    assert!(fs::read_dir(folder).unwrap().next().is_none());
}

#[test]
fn bad_input_is_one_clear_error_with_exit_code_2_and_leaves_nothing_behind() {
    let folder = &Folder::new();
    let cases: [(&str, &str); 12] = [
        ("--budget 10", "budget is 10, but the first 1000 pairs"),
        ("--only nul_move", "did you mean 'null_move'"),
        ("--only lmr.base", "--also lmr.base=VALUE"),
        ("--only one_reply", "acts only where a clock runs"),
        ("--also lmr", "not of the form name=value"),
        ("--also lmr=on", "the base has that already"),
        ("--also lmr=maybe", "expected on or off"),
        ("--base strong", "unknown preset 'strong'"),
        ("--node-depth 200", "node_depth is 200"),
        ("--straddle-pairs 5", "straddle_pairs is 5"),
        ("--pairs 100000", "100000 pairs need 100000 openings"),
        ("--positions none.sfen", "none.sfen"),
    ];
    for (options, expected) in cases {
        folder.run(&format!("ablate {options}")).refused(expected);
        assert!(fs::read_dir(folder).unwrap().next().is_none(), "{options:?}");
    }
    ablate(folder, "--only iir --pairs 1 --out x").ok();
    ablate(folder, "--only iir --pairs 1 --out x --seed 2").refused("seed: '1' there, '2' wanted now");
}

#[test]
fn games_by_time_are_part_of_what_the_ablation_is() {
    let folder = &Folder::new();
    let ablate = |limit: &str| {
        let options = "ablate --only iid --pairs 1 --node-depth 0 --quiet";
        let games = "--max-plies 12 --hash 1 --out x";
        folder.run(&format!("{options} {games} {limit}"))
    };
    ablate("--movetime 2").ok();
    ablate("--tc 1+0.01").refused("limit: 'movetime 2 ms' there, 'tc 1+0.01' wanted now");
}
