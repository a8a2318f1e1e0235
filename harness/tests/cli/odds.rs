//! `tanren odds` as a user meets it: files, a known answer, going on, messages.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::columns_but_times;
use crate::folder::{Ended, Folder, InFolder, holds};

fn odds(folder: &Path, options: &str) -> Output {
    let small = "odds --nodes 60 --hash 1 --node-jitter 20 --quiet";
    folder.run(&format!("{small} {options}"))
}

#[test]
fn the_engine_against_itself_is_even_at_a_ratio_of_one() {
    let folder = &Folder::new();
    let options = "--b base --pairs 160 --batch 20 --out x --json";
    let result = odds(folder, options).ok().json();
    let number = |key: &str| result[key].as_f64().unwrap();
    assert!(
        number("ratio_low") < 1.0 && 1.0 < number("ratio_high"),
        "{result}"
    );
    assert!(number("doubling_elo") > 0.0);
    let csv = folder.read("x/odds.csv");
    assert!(csv.starts_with("batch,ratio,pairs,score,estimate,low,high,"));
    assert_eq!(csv.lines().count(), 1 + 8);
    assert!(csv.lines().nth(1).unwrap().starts_with("1,1.0,20,"));
    assert!(folder.join("x/odds.svg").is_file());
    std::fs::remove_file(folder.join("x/odds.csv")).unwrap();
    let report = folder.run("report x --json");
    assert_eq!(report.json(), result, "{}", report.message());
    assert_eq!(folder.read("x/odds.csv"), csv);
    folder.run("report x/batches/001").ok();
}

#[test]
fn more_pairs_go_on_to_the_same_result_at_any_concurrency_and_no_opening_comes_twice() {
    let folder = &Folder::new();
    let with = |out: &str, pairs: &str, concurrency: &str| {
        let options = format!("--b plain --pairs {pairs} --batch 5 --out {out}");
        odds(folder, &format!("{options} --concurrency {concurrency}")).ok();
    };
    with("whole", "20", "2");
    with("parts", "10", "1");
    with("parts", "20", "1");
    assert_eq!(folder.read("whole/odds.csv"), folder.read("parts/odds.csv"));
    assert_eq!(folder.read("whole/odds.svg"), folder.read("parts/odds.svg"));
    let mut openings = Vec::new();
    for batch in 1..=4 {
        let games = |out: &str| folder.read(format!("{out}/batches/{batch:03}/games.csv"));
        assert_eq!(
            columns_but_times(&games("whole")),
            columns_but_times(&games("parts"))
        );
        let lines = games("whole");
        let of_pairs = lines.lines().skip(1).step_by(2);
        openings.extend(of_pairs.map(|line| line.split(',').nth(2).unwrap().to_owned()));
    }
    assert_eq!(openings.len(), 20);
    openings.sort();
    openings.dedup();
    assert_eq!(openings.len(), 20);
}

#[test]
fn with_a_clock_the_ratio_is_of_times() {
    let folder = &Folder::new();
    let options = "odds --a plain --b base --tc 0.2+0.01 --pairs 2 --batch 1 --out x --json --quiet";
    let result = folder.run(options).ok().json();
    assert_eq!(result["unit"], "milliseconds");
    assert_eq!(result["batches"][0]["resource_a"], 200);
    assert_ne!(result["batches"][1]["resource_a"], 200);
}

#[test]
fn b_keeps_a_limit_of_another_kind_and_the_ratio_is_of_the_nodes_given() {
    let folder = &Folder::new();
    let options = "odds --a base --b plain --nodes 80 --depth-b 2 --pairs 60 --batch 20 --hash 1 --out x \
        --json --quiet";
    let result = folder.run(options).ok().json();
    assert_eq!(result["resource"], 80);
    assert!(result["resource_b"].is_null());
    assert_eq!(result["limit_b"], "depth 2");
    assert_eq!(result["batches"][0]["resource_a"], 80);
    assert_ne!(result["batches"][1]["resource_a"], 80);
    for batch in ["001", "003"] {
        let spec = folder.read(format!("x/batches/{batch}/run.toml"));
        assert!(spec.contains("depth_b = 2"), "{spec}");
    }
    let text = folder.run("report x").text();
    assert!(text.contains("B        plain, depth 2\n"), "{text}");
    assert!(text.contains("times 80 nodes make A"), "{text}");
    let page = folder.read("x/report.html");
    assert!(page.contains("times 80 nodes is as strong as plain (depth 2)."));
    folder
        .run(&options.replace("--nodes 80", "--nodes 70"))
        .refused("limit of a");
}

#[test]
fn bad_input_is_one_clear_error_with_exit_code_2_and_leaves_nothing_behind() {
    let folder = &Folder::new();
    let cases: [(&str, &str); 5] = [
        ("--b strong", "unknown preset 'strong'"),
        ("--b base --ratio-max 1", "ratio_max is 1"),
        ("--b base --pairs 30000", "30000 pairs need 30000 openings"),
        ("--b base --tc-a 1+1", "the limit of A is what is looked for"),
        ("--b base --nodes 9 --nodes-b 50", "one limit of a kind is all"),
    ];
    for (options, expected) in cases {
        folder.run(&format!("odds {options}")).refused(expected);
        assert!(fs::read_dir(folder).unwrap().next().is_none(), "{options:?}");
    }
    let small = "--pairs 2 --batch 2 --out x";
    odds(folder, &format!("--b plain {small}")).ok();
    odds(folder, &format!("--b base {small}")).refused("holds a run of another specification");
}

#[test]
fn rules_of_games_act_and_are_part_of_what_the_study_is() {
    let folder = &Folder::new();
    let with_resign = |rule| {
        let options = "--b plain --pairs 2 --batch 2 --out x --resign";
        odds(folder, &format!("{options} {rule}"))
    };
    with_resign("score=100,moves=1").ok();
    holds(&folder.read("x/batches/001/games.csv"), ["adjudicated_win"]);
    holds(&folder.read("x/run.toml"), ["resign = \"score=100,moves=1\""]);
    with_resign("score=200,moves=1").refused("resign: 'score=100,moves=1' there");
}
