//! `tanren sprt` and `tanren simulate` as a user meets them: keys, reference values, tables, exit codes.

use std::fs;
use std::path::Path;

use crate::folder::{Ended, Folder, InFolder, holds, words};
use serde_json::Value;

fn sprt(args: &str) -> Value {
    let output = Path::new(".").run(&format!("sprt --json {args}")).ok();
    output.json()
}

fn text(args: &str) -> String {
    let output = Path::new(".").run(args).ok();
    output.text()
}

fn near(value: &Value, key: &str, expected: f64, tolerance: f64) -> bool {
    (value[key].as_f64().unwrap() - expected).abs() <= tolerance
}

/// Exit code 2, nothing on stdout, and a message that holds `hint`.
fn is_refused(args: &str, hint: &str) {
    let output = Path::new(".").run(args).ended(2);
    assert!(output.stdout.is_empty(), "{args:?}");
    let message = output.message();
    assert!(message.contains(hint), "{args:?}: {message}");
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn the_reference_counts_give_the_reference_values() {
    let value = sprt("--counts 379,10170,21828,10640,343 --model normalized --elo0 0 --elo1 2");
    assert_eq!(value["state"], "accepted_h1");
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys.join(" "),
        "llr lower upper state elo elo_low elo_high nelo los stopped_elo stopped_low stopped_high stopped_los"
    );
    for (key, expected) in [
        ("llr", 2.945_495_430_9),
        ("stopped_elo", 1.42111),
        ("stopped_low", 0.14605),
        ("stopped_high", 2.66426),
        ("stopped_los", 0.985_302),
        ("upper", 2.944_438_979_166_44),
        ("lower", -2.944_438_979_166_44),
    ] {
        assert!(near(&value, key, expected, 1e-5), "{key}: {value}");
    }
}

#[test]
fn single_games_are_judged_too_and_what_cannot_be_given_is_null() {
    let value = sprt("--wdl 100,0,0 --elo0 0 --elo1 5 --model logistic");
    assert!(near(&value, "llr", 1.428_760_563_402_970_5, 1e-6), "{value}");
    assert!(
        value["elo"].is_null() && value["elo_low"].as_f64() > Some(400.0),
        "{value}"
    );
    assert!(value["elo_high"].is_null() && value["nelo"].is_null(), "{value}");
    let one_pair = sprt("--counts 0,0,0,0,1");
    for key in ["elo", "nelo", "los", "stopped_elo", "stopped_low", "stopped_los"] {
        assert!(one_pair[key].is_null(), "{key}: {one_pair}");
    }
    assert_eq!(one_pair["state"], "undecided");
}

#[test]
fn the_text_names_every_interval_by_what_it_allows_for() {
    let many = text("sprt --counts 0,3,10,4,1 --elo1 5");
    holds(
        &many,
        [
            "18 pairs",
            "state    undecided",
            "as if the length had been fixed",
            "allowing for the test's stop",
            "at whatever moment one looks",
        ],
    );
    let few = text("sprt --counts 0,0,1,0,0");
    assert!(few.contains("exact") && !few.contains("LOS"), "{few}");
}

#[test]
fn a_forecast_errs_as_asked_at_the_hypotheses_and_lasts_longest_between_them() {
    let rows = sprt("--elo0 0 --elo1 5");
    let rows = rows.as_array().unwrap();
    let at = |elo: f64| rows.iter().find(|row| row["elo"] == elo).unwrap();
    assert!(near(at(0.0), "pass_probability", 0.05, 1e-9));
    assert!(near(at(2.5), "pass_probability", 0.5, 1e-6));
    assert!(near(at(5.0), "pass_probability", 0.95, 1e-9));
    let games = |elo: f64| at(elo)["expected_games"].as_f64().unwrap();
    assert!(games(2.5) > games(0.0) && games(0.0) > games(-5.0));
    assert!(near(at(0.0), "expected_pairs", games(0.0) / 2.0, 1e-6));
    let table = text("sprt --elo0 0 --elo1 5 --draws 0.3");
    holds(&table, ["+2.50", "50.0 %"]);
}

/// A row of the calculator's vectors: 0..2 normalized at draw ratio 0.49 and bias 191, truth 1.0192 logistic.
#[test]
fn one_true_strength_gives_one_object_that_agrees_with_the_vectors() {
    let value = sprt("--elo0 0 --elo1 2 --elo 2 --draws 0.49 --bias 191");
    assert!(
        near(&value, "elo_logistic", 1.019_165_185_944_726_8, 1e-9),
        "{value}"
    );
    assert!(near(&value, "pass_probability", 0.95, 1e-9), "{value}");
    assert!(
        near(&value, "expected_games", 159_942.422_191_019_84, 1.0),
        "{value}"
    );
}

#[test]
fn wrong_input_of_sprt_is_refused_with_a_hint() {
    for (args, hint) in [
        ("sprt", "--counts or --wdl"),
        ("sprt --counts 1,2", "must have 5"),
        ("sprt --counts 1,2,x,4,5", "'x'"),
        ("sprt --counts 1,-2,3,4,5", "'-2'"),
        ("sprt --wdl 0,0,0", "all counts are 0"),
        ("sprt --wdl 18446744073709551615,1,1", "sum to more"),
        ("sprt --wdl 1,1,1 --elo 3", "cannot be used with"),
        ("sprt --elo nan", "not a finite number"),
        ("sprt --elo 5000", "out of reach"),
        ("sprt --elo 3 --draws 1.2", "--draws 1.2"),
        ("sprt --elo 3 --draws 0.9 --bias 300", "no variance"),
        ("sprt --elo0 5 --elo1 3", "must be greater"),
        ("sprt --elo1 5 --alpha 0.7", "alpha=0.7"),
        ("sprt --elo1 5 --model bayes", "`bayes` is unknown"),
    ] {
        is_refused(args, hint);
    }
}

const QUICK: &str = "simulate --elo1 80 --matches 200";

#[test]
fn a_simulation_has_a_row_for_every_combination_and_the_same_numbers_on_any_threads() {
    let more = "--elo 0,80 --model normalized,logistic --draws 0.1,0.5 --fixed 40 --json";
    let run_on = |threads: &str| {
        let args = format!("{QUICK} {more} --concurrency {threads}");
        let output = Path::new(".").run(&args).ok();
        output.json()
    };
    let value = run_on("1");
    assert_eq!(value, run_on("3"));
    let rows = value.as_array().unwrap();
    assert_eq!(rows.len(), 2 * 2 * 2 * 2);
    let first = rows[0].as_object().unwrap();
    for key in [
        "model",
        "elo",
        "draws",
        "bias",
        "elo0",
        "elo1",
        "accepted_h1_rate",
        "accepted_h1_se",
        "fixed_rate",
        "corrected_rate",
        "corrected_above_rate",
        "anytime_rate",
        "pairs_mean",
        "pairs_theory",
        "pairs_ratio",
        "error_rate",
        "error_nominal",
        "missed",
    ] {
        assert!(first.contains_key(key), "{key}");
    }
    assert_eq!(first["accepted_h1_of"], 200);
    assert!(near(&rows[0], "error_rate", 0.05, 0.07), "{}", rows[0]);
    let fixed = &rows[8];
    assert!(fixed["elo1"].is_null());
    assert_eq!(fixed["pairs_mean"], 40.0);
    assert!(fixed["corrected_rate"].is_null() && fixed["pairs_theory"].is_null());
}

#[test]
fn openings_that_repeat_make_a_test_err_and_telling_them_apart_corrects_it() {
    let error = |more: &str| {
        let args = "simulate --elo 0 --elo1 40 --opening-sd 150 --repeat 20";
        let output = Path::new(".")
            .run(&format!("{args} --matches 400 --json {more}"))
            .ok();
        output.json()[0]["error_rate"].as_f64().unwrap()
    };
    let (before, now) = (error("--unclustered"), error(""));
    assert!(before > 0.15 && now < before / 2.0, "{before} {now}");
}

#[test]
fn the_pairs_of_a_match_can_be_drawn_again() {
    let folder = &Folder::new();
    folder
        .run("match --a base --b plain --nodes 60 --pairs 20 --out m --quiet")
        .ok();
    let drawn = |more: &str| folder.run(&format!("simulate --from m --matches 100 {more}"));
    let rows = drawn("--elo1 80 --json").ok().json();
    assert_eq!(rows[0]["even"], 1);
    assert_eq!(rows[0]["from"], "m");
    assert!(
        rows[0]["elo"] == 0.0 && rows[1]["elo"].as_f64() > Some(0.0),
        "{rows}"
    );
    for (args, hint) in [("--elo 3", "leave --elo"), ("--draws 0.1", "cannot be used with")] {
        drawn(args).refused(hint);
    }
}

#[test]
fn a_table_of_a_simulation_explains_itself() {
    let table = text(QUICK);
    // Columns that do not fit go on below, with those that say which row it is.
    let rows = table.lines().filter(|line| line.starts_with("normalized"));
    assert_eq!(rows.count() % 3, 0, "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    holds(&table, ["accepts", "3 standard errors"]);
}

#[test]
fn rows_that_a_file_holds_are_kept_and_those_of_others_refused() {
    let folder = &Folder::new();
    let call = |more: &str| folder.run(&format!("{QUICK} --out s.csv {more}"));
    let first = call("--elo 0").ok();
    assert!(first.message().contains("row 1 of 1"));
    let read = || folder.read("s.csv");
    let before = read();
    let longer = call("--elo 0,40");
    assert!(!longer.message().contains("row 1 of 2") && longer.message().contains("row 2 of 2"));
    assert!(read().starts_with(&before) && read().lines().count() == 3);
    let again = call("--elo 0,40");
    assert!(again.status.success() && again.stdout == longer.stdout && again.stderr.is_empty());
    let foreign = call("--elo 0,40 --seed 2").ended(2);
    assert!(foreign.message().contains("s.csv") && foreign.message().contains("line 2"));
    assert_eq!(read().lines().count(), 3);
}

#[test]
fn wrong_input_of_simulate_is_refused_with_a_hint() {
    for (args, hint) in [
        ("simulate --bias 1,2", "as many as --draws"),
        ("simulate --draws 1.5", "--draws 1.5"),
        ("simulate --elo 0,0", "two rows are the same"),
        ("simulate --elo nan", "not a finite number"),
        ("simulate --matches 0", "zero"),
        ("simulate --matches 100000000", "10000000 at most"),
        ("simulate --pairs 100000000", "1000000 at most"),
        ("simulate --model x", "`x` is unknown"),
        ("simulate --elo0 50", "must be greater"),
        ("simulate --out no/such/folder/x.csv", "no/such/folder/x.csv"),
        ("simulate --concurrency 99999", "--concurrency"),
    ] {
        is_refused(args, hint);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_simulation_keeps_its_rows_and_the_same_command_goes_on() {
    use std::process::Stdio;
    use std::time::Duration;

    let folder = &Folder::new();
    let args = |out| format!("simulate --elo1 80 --matches 3000 --concurrency 1 --out {out}");
    let read = |out: &str| fs::read_to_string(folder.join(out)).unwrap_or_default();
    let mut command = crate::common::tanren();
    command.args(words(&args("s.csv"))).current_dir(folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    // The first row is written when the handler has long been there, and two rows are still to come.
    for _ in 0..6_000 {
        if !read("s.csv").is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    crate::signal(child.id(), "INT");
    let output = child.wait_with_output().unwrap().ended(130);
    assert!(output.stdout.is_empty() && output.message().contains("the same command resumes"));
    assert!(read("s.csv").lines().count() < 4);
    for out in ["s.csv", "undisturbed.csv"] {
        folder.run(&args(out)).ok();
    }
    assert_eq!(read("s.csv"), read("undisturbed.csv"));
}
