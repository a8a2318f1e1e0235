//! What is counted of engines beside their results, and where it is shown.

use std::fs;
use std::path::Path;

use crate::engines::example;
use crate::folder::{Ended, Folder, InFolder, holds};
use crate::process::faulty;

/// A pair of the engine of this fault against the built-in one; what was shown at the end.
fn play(folder: &Path, fault: &str, more: &str) -> String {
    let engine = faulty(&format!("{fault},name=engine"));
    let fixed = format!("match --a '{engine}' --b plain --pairs 1 --max-plies 10 --out m");
    let output = folder.run(&format!("{fixed} {more}")).ok();
    output.text()
}

/// The one row of `engines.csv` by column.
fn row(folder: &Path) -> impl Fn(&str) -> String {
    |name| {
        let cells = folder.column("m/engines.csv", name);
        assert_eq!(cells.len(), 1, "one program plays");
        cells[0].clone()
    }
}

#[test]
fn illegal_variations_are_counted_shown_and_counted_again_from_the_ledger() {
    let folder = &Folder::new();
    let shown = play(folder, "illegal-variation", "--nodes 20");
    holds(
        &shown,
        ["engine   engine: 1 start, 10 turns with an illegal variation"],
    );
    let cell = row(folder);
    assert_eq!(
        (cell("player"), cell("games"), cell("starts")),
        ("engine".into(), "2".into(), "1".into())
    );
    assert_eq!(
        (cell("illegal_variations"), cell("faults")),
        ("10".into(), "0".into())
    );
    assert!(cell("latency_mean_ms").parse::<f64>().is_ok() && cell("time_left_mean_ms").is_empty());
    let file = folder.join("m/engines.csv");
    let before = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let report = folder.run("report m --json");
    assert_eq!(
        report.json()["engines"][0]["illegal_variations"],
        10,
        "{}",
        report.message()
    );
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn mates_taken_back_and_the_time_left_at_the_end_of_games_are_counted() {
    let folder = &Folder::new();
    play(folder, "mate-taken-back", "--nodes-b 20 --tc-a 600");
    let cell = row(folder);
    assert_eq!(cell("contradicted_mates"), "1");
    let [mean, least] =
        ["time_left_mean_ms", "time_left_min_ms"].map(|name| cell(name).parse::<u64>().unwrap());
    assert!(least > 0 && least <= mean && mean <= 600_000, "{least} {mean}");
}

#[test]
fn built_in_players_have_no_remarks() {
    let folder = &Folder::new();
    let args = "match --nodes 20 --pairs 1 --json --out m";
    let output = folder.run(args);
    assert!(output.json()["engines"].is_null());
    assert!(!folder.join("m/engines.csv").exists());
}

#[test]
fn a_tournament_counts_each_program_by_its_name() {
    let folder = &Folder::new();
    let engine = |fault: &str, name: &str| {
        let program = example("fault_engine");
        format!("usi:{} {fault},name={name}", program.display())
    };
    let (wrong, right) = (engine("illegal-variation", "wrong"), engine("none", "right"));
    let args = format!(
        "tournament --player '{wrong}' --player '{right}' --player plain --nodes 20 --pairs 1 \
        --max-plies 10 --json --out t"
    );
    let output = folder.run(&args);
    let engines = output.json()["engines"].clone();
    let told = |at: usize| {
        (
            engines[at]["player"].clone(),
            engines[at]["illegal_variations"].clone(),
        )
    };
    assert_eq!(told(0), ("wrong".into(), 20.into()), "{engines}");
    assert_eq!(told(1), ("right".into(), 0.into()), "{engines}");
}

#[test]
fn the_last_words_of_an_engine_that_ends_are_told() {
    let folder = &Folder::new();
    let engine = faulty("last-words");
    let args = format!("match --a '{engine}' --b plain --nodes 20 --pairs 1 --out m");
    let output = folder.run(&args);
    output.says(["its last words: assertion failed: "]);
}

#[test]
fn a_run_of_other_bounds_is_another_run() {
    let folder = &Folder::new();
    let play = |more: &str| {
        let engine = faulty("none");
        let fixed = format!("match --a '{engine}' --b plain --nodes 20 --pairs 1 --out m");
        folder.run(&format!("{fixed} {more}"))
    };
    play("").ok();
    let others: [(&str, &str); 2] = [("--strict", "strict"), ("--engine-memory 4096", "engine memory")];
    for (more, title) in others {
        play(more).refused(title);
    }
}
