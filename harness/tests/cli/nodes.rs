//! `tanren nodes` as a user meets it: exit codes, files, messages.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::columns_but_times;
use crate::folder::{Ended, Folder, InFolder, holds};

const CONFIGS: [&str; 2] = ["base", "base,lmr=off,null_move=off"];
const FILES: [&str; 9] = [
    "counters.csv",
    "distances.csv",
    "ledger.lock",
    "ledger.sqlite",
    "nodes.csv",
    "nodes.svg",
    "nodes_summary.csv",
    "report.html",
    "run.toml",
];

fn nodes(folder: &Path, options: &str) -> Output {
    let [a, b] = CONFIGS;
    let small = "nodes --depth 4 --limit-positions 6 --hash 1";
    folder.run(&format!("{small} --config {a} --config {b} {options}"))
}

/// The rows of a CSV file, header first.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_path(path)
        .unwrap();
    let rows = reader.records();
    rows.map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect()
}

#[test]
fn a_study_leaves_every_file_of_the_contract_with_its_columns_and_rows() {
    let folder = &Folder::new();
    let output = nodes(folder, "--out n --json").ok();
    let out = folder.join("n");
    assert_eq!(out.names(), FILES);
    let expected = [
        (
            "nodes.csv",
            "config,position,depth,nodes,time_us,score,bestmove,pv",
            2 * 6 * 4,
        ),
        (
            "nodes_summary.csv",
            "config,depth,positions,nodes_total,nodes_geomean,ratio,ratio_low,ratio_high,ebf,agreement",
            2 * 4,
        ),
        ("counters.csv", "config,depth,technique,tries,successes", 0),
        (
            "distances.csv",
            "config,position,distance,generated,seen,cuts_attack,cuts_defence,cuts_other",
            0,
        ),
    ];
    for (file, header, count) in expected {
        let rows = rows(&out.join(file));
        assert_eq!(rows[0].join(","), header);
        assert!(rows.len() > count, "{file}");
        if count > 0 {
            assert_eq!(rows.len(), 1 + count, "{file}");
        }
    }
    let value = output.json();
    let summary = rows(&out.join("nodes_summary.csv"));
    let objects = value.as_array().unwrap();
    assert_eq!(objects.len(), 8);
    let keys: Vec<&String> = objects[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, summary[0].iter().collect::<Vec<_>>());
    assert_eq!(objects[0]["ebf"], serde_json::Value::Null);
    assert_eq!(summary[1][8], "");
    assert_eq!(summary[8][0], CONFIGS[1]);
    assert_eq!(objects[7]["ratio"].as_f64(), summary[8][5].parse::<f64>().ok());

    let read = || FILES.map(|file| fs::read(out.join(file)).unwrap());
    let kept = read();
    let message = nodes(folder, "--out n --nodes-max 900").refused("holds a run of another specification");
    holds(&message, ["nodes_max: 'none' there, '900' wanted now"]);
    assert_eq!(read(), kept);
    for file in FILES.iter().filter(|file| !file.starts_with("ledger")) {
        fs::remove_file(out.join(file)).unwrap();
    }
    let report = folder.run("report n --json").ok();
    assert_eq!(report.stdout, output.stdout);
    assert_eq!(read(), kept);
}

#[test]
fn rows_come_by_configuration_position_and_depth_and_totals_agree() {
    let folder = &Folder::new();
    let output = nodes(folder, "--out n --quiet");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert_eq!(output.message(), "");
    let rows_of = |file| rows(&folder.join("n").join(file)).split_off(1);
    let number = |cell: &String| cell.parse::<u64>().unwrap();
    let place = |row: &Vec<String>| {
        let config = CONFIGS.iter().position(|label| *label == row[0]).unwrap();
        (config, number(&row[1]), number(&row[2]))
    };
    let nodes = rows_of("nodes.csv");
    assert!(nodes.is_sorted_by_key(place));
    assert!(nodes.iter().all(|row| row[7].split(' ').next() == Some(&row[6])));
    for row in rows_of("nodes_summary.csv") {
        let same = nodes
            .iter()
            .filter(|other| other[0] == row[0] && other[2] == row[1]);
        let total: u64 = same.map(|other| number(&other[3])).sum();
        assert_eq!(total, number(&row[3]));
        assert_eq!(row[2], "6");
    }
}

#[test]
fn the_same_study_at_another_concurrency_gives_the_same_files_but_for_times() {
    let folder = &Folder::new();
    for (name, concurrency) in [("one", "1"), ("two", "2")] {
        nodes(
            folder,
            &format!("--out {name} --concurrency {concurrency} --quiet"),
        )
        .ok();
    }
    let read = |run: &str, file: &str| folder.read(format!("{run}/{file}"));
    for file in ["nodes_summary.csv", "counters.csv", "distances.csv", "nodes.svg"] {
        assert_eq!(read("one", file), read("two", file), "{file}");
    }
    assert_eq!(
        columns_but_times(&read("one", "nodes.csv")),
        columns_but_times(&read("two", "nodes.csv"))
    );
}

#[test]
fn a_finished_study_is_shown_again_and_its_files_are_made_from_the_ledger() {
    let folder = &Folder::new();
    let first = nodes(folder, "--json");
    let out = folder.join("results");
    let name = out.names().remove(0);
    assert!(
        name.ends_with("-nodes-base-vs-base-lmr-off-null_move-off"),
        "{name}"
    );
    let out = out.join(name);
    let csv = out.read("nodes.csv");
    fs::remove_file(out.join("nodes.csv")).unwrap();
    let again = nodes(folder, "--json");
    again.says(["12 of 12 searches are done"]);
    assert_eq!(first.stdout, again.stdout);
    assert_eq!(out.read("nodes.csv"), csv);
    nodes(folder, "--nodes-max 500").ok();
    assert_eq!(folder.join("results").names().len(), 2);
}

#[test]
fn bad_input_is_one_clear_error_with_exit_code_2_and_leaves_nothing_behind() {
    let folder = &Folder::new();
    fs::create_dir(folder.join("mine")).unwrap();
    folder.write("mine/thesis.txt", "");
    let wrong = "# head\n".repeat(4) + "lnsgkgsnl/9 b - 1\n";
    folder.write("wrong.sfen", wrong);
    folder.write("empty.sfen", "# nothing\n");
    let before = folder.names();
    let cases: [(&str, &str); 15] = [
        ("--config base", "there is another 'base'"),
        (
            "--config base,nul_move=off",
            "config 3: unknown setting 'nul_move' (did you mean 'null_move'?)",
        ),
        ("--config strong", "unknown preset 'strong'"),
        ("--config usi:./engine", "player 'usi:./engine': cannot read"),
        ("--stall-ms 0", "stall_ms is 0, but must be from 1"),
        ("--positions none.sfen", "none.sfen"),
        ("--positions wrong.sfen", "line 5"),
        ("--positions empty.sfen", "holds no opening"),
        ("--depth 0", "depth is 0, but must be from 1 to 127"),
        ("--depth 128", "depth is 128"),
        ("--hash 0", "hash is 0"),
        ("--limit-positions 0", "limit-positions"),
        ("--nodes-max 0", "nodes-max"),
        ("--concurrency 5000", "4096 at most"),
        ("--out mine", "is not the folder of a run"),
    ];
    for (options, expected) in cases {
        let start = "nodes --config base --config plain";
        let out = if options.starts_with("--out") {
            ""
        } else {
            "--out out"
        };
        folder.run(&format!("{start} {out} {options}")).refused(expected);
        assert_eq!(folder.names(), before, "{options:?}");
    }
}
