//! `tanren tune` as a user meets it: files, the same at any concurrency and after a kill, messages.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{columns_but_times, tanren};
use crate::folder::{Ended, Folder, InFolder, holds, words};

const SPACE: &str =
    "# two numbers\neval.hand.pawn, int, 100, 0, 400, 40, 0.05\nlmr.base, 700, 0, 4096, 300, 0.05\n";

/// The options of a small tuning.
const SMALL: &str = "tune --space space.txt --nodes 40 --hash 1 --max-plies 60 --pairs-per-iteration 2 \
    --method spsa --quiet";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("space.txt", SPACE);
    folder
}

fn tune(folder: &Path, options: &str) -> Output {
    folder.run(&format!("{SMALL} {options}"))
}

#[test]
fn a_tuning_ends_with_a_player_and_a_verdict_and_its_files_can_be_made_again() {
    let folder = &folder();
    let options = "--iterations 20 --confirm-pairs 20 --out x --json";
    let result = tune(folder, options).ok().json();
    assert_eq!(result["iterations"], 20);
    assert_eq!(result["pairs"], 40);
    assert!(result["verdict"].is_string() && result["parameters"].as_array().unwrap().len() == 2);
    let csv = folder.read("x/spsa.csv");
    assert!(
        csv.starts_with("iteration,balance,eval.hand.pawn,lmr.base,eval.hand.pawn:tuned,lmr.base:tuned\n")
    );
    assert_eq!(csv.lines().count(), 21);
    let names = ["spsa.csv", "spsa.svg", "tuned.toml", "summary.csv", "run.toml"];
    let files = names.map(|name| folder.read(format!("x/{name}")));
    names[..4]
        .iter()
        .for_each(|name| fs::remove_file(folder.join("x").join(name)).unwrap());
    let again = folder.run("report x --json").ok();
    assert_eq!(again.json(), result);
    assert_eq!(names.map(|name| folder.read(format!("x/{name}"))), files);
    let played = "match --a @x/tuned.toml --b base --nodes 20 --max-plies 20 --pairs 1 --hash 1 --quiet \
        --out m";
    folder.run(played).ok();
    folder.run("run x/run.toml --out y --quiet --pause-after 8").ok();
    assert!(files[0].starts_with(&folder.read("y/spsa.csv")));
}

#[test]
fn what_a_test_that_stopped_says_allows_for_its_stop() {
    let folder = &folder();
    let wide = "elo0=0,elo1=60";
    let options = format!("--iterations 20 --confirm-pairs 400 --confirm-sprt '{wide}' --out x");
    tune(folder, &options).ok();
    let result = folder.run("report x --json").json();
    let match_result = folder.run("report x/confirm --json").json();
    assert!(
        result["verdict"].as_str().unwrap().starts_with("accepted_h"),
        "{result}"
    );
    for name in [
        "elo",
        "elo_low",
        "elo_high",
        "stopped_elo",
        "stopped_low",
        "stopped_high",
    ] {
        assert!(result[name].is_number(), "{name}: {result}");
        assert_eq!(result[name], match_result[name], "{name}");
    }
    assert_ne!(result["stopped_elo"], result["elo"]);
    let text = folder.run("report x").text();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = ["stopped_elo", "stopped_low", "stopped_high"].map(|name| result[name].as_f64().unwrap());
    let said = format!(
        "{:+.1} Elo [{:+.1}, {:+.1}], allowing for the test's stop,",
        ends[0], ends[1], ends[2]
    );
    assert!(text.contains(&said), "{said}: {text}");
}

#[test]
fn one_worker_and_two_and_a_run_that_was_killed_give_the_same_steps() {
    let folder = &folder();
    let with = |out: &str, more: &str| {
        let options = format!("--iterations 40 --confirm-pairs 3 --out {out}");
        tune(folder, &format!("{options} {more}")).ok();
        let file = |name: &str| folder.read(format!("{out}/{name}"));
        let games = columns_but_times(&file("confirm/games.csv"));
        [file("spsa.csv"), file("tuned.toml"), file("summary.csv"), games]
    };
    let one = with("one", "--concurrency 1");
    assert_eq!(with("two", "--concurrency 2"), one);
    let mut killed = tanren()
        .args(words(SMALL))
        .args(words(
            "--iterations 40 --confirm-pairs 3 --out killed --concurrency 2",
        ))
        .current_dir(folder)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let lines = || fs::read_to_string(folder.join("killed/spsa.csv")).map_or(0, |csv| csv.lines().count());
    while lines() < 8 && began.elapsed() < Duration::from_secs(20) && killed.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(with("killed", ""), one);
    tune(folder, "--iterations 41 --confirm-pairs 3 --out one")
        .refused("iterations: '40' there, '41' wanted now");
}

#[test]
fn bad_input_is_one_clear_error_with_exit_code_2_and_leaves_nothing_behind() {
    let folder = &folder();
    let spaces: [(&str, &str); 7] = [
        (
            "lmr.bas, 1, 0, 2, 1, 1",
            "'s.txt', line 1: unknown setting 'lmr.bas' (did you mean",
        ),
        (
            "\nlmr.base, 9, 9, 9, 1, 1",
            "'s.txt', line 2: 'lmr.base' has min 9",
        ),
        (
            "lmr.base, 700, 0, 600, 1, 1",
            "start 700, which is outside 0 to 600",
        ),
        (
            "lmr.base, 700, 0, 900, 0.3, 1",
            "c_end 0.3, which rounds to nothing",
        ),
        ("# nothing", "there is no parameter to tune"),
        ("lmr.base, int, 7", "3 fields in 'lmr.base, int, 7'"),
        ("lmr, 1, 0, 2, 1, 1", "'lmr' is no number but on or off"),
    ];
    for (text, expected) in spaces {
        folder.write("s.txt", text);
        folder.run("tune --space s.txt --out x").refused(expected);
        assert!(!folder.join("x").exists());
    }
    let options: [(&str, &str); 10] = [
        ("", "there is nothing to tune"),
        ("--tune nothing.*", "'nothing.*' matches nothing"),
        ("--tune lmr", "matches only switches"),
        ("--tune lmr.* --method magic", "unknown method 'magic'"),
        ("--tune lmr.* --tc soon", "time control 'soon'"),
        ("--tune lmr.* --auto-c 2", "--auto-c is 2"),
        ("--tune lmr.* --games 1", "games is [1]"),
        ("--tune lmr.* --confirm-sprt elo=1", "confirm_sprt"),
        ("--tune lmr.* --confirm-pairs 900000", "--confirm-pairs"),
        ("--tune lmr.* --player strong", "unknown preset 'strong'"),
    ];
    for (options, expected) in options {
        folder.run(&format!("tune --out x {options}")).refused(expected);
        assert!(!folder.join("x").exists());
    }
}

#[test]
fn a_space_that_is_printed_can_be_tuned() {
    let folder = &folder();
    let text = folder.run("params --space lmr.*,futility.base").ok().text();
    assert!(
        text.lines()
            .any(|line| line == "lmr.base, int, 1232, 0, 4096, 64, 0.002"),
        "{text}"
    );
    folder.write("space.txt", text);
    let options = "--iterations 2 --no-confirm --out x";
    let own = tune(folder, options).ok();
    assert!(!own.message().contains("begin elsewhere"), "{}", own.message());
    let options = "--game chess --iterations 2 --no-confirm --out y";
    let other = tune(folder, options).ok();
    other.says(["(lmr.base at 1232, the player has 873)"]);
}

#[test]
fn the_comparison_of_methods_has_a_row_for_each_landscape_length_and_method() {
    let folder = &folder();
    let options = "tune --bench --games 40 --seeds 2 --out m.csv --quiet";
    let output = folder.run(options).ok();
    // The surface takes part where there are two numbers.
    assert_eq!(folder.read("m.csv").lines().count(), 1 + 10 * 2 + 2);
    assert!(output.text().contains("50-rotated"));
}

#[test]
fn a_tuning_by_a_game_clock_writes_its_clock_down_and_goes_on_by_it_alone() {
    let folder = &folder();
    let tune = |tc| {
        let options = "tune --space space.txt --iterations 2 --no-confirm --quiet";
        let games = format!("--max-plies 12 --hash 1 --out x --tc '{tc}'");
        folder.run(&format!("{options} {games}"))
    };
    tune("3/0.2+0.002").ok();
    let written = folder.read("x/run.toml");
    holds(&written, ["tc = \"3/0.2+0.002\"", "time_margin = 100"]);
    tune("0.2+0.002").refused("limit a: 'tc 3/0.2+0.002' there");
}

#[test]
fn numbers_that_do_nothing_end_without_a_signal_and_keep_their_values() {
    let folder = &folder();
    folder.write("idle.txt", "lmr.base, 700, 0, 4096, 300, 0.002\n");
    let games = "--nodes 40 --hash 1 --max-plies 30 --iterations 24";
    let what = "tune --player base,lmr=off,lmr.base=700 --space idle.txt";
    let out = "--out x --json --quiet";
    let output = folder.run(&format!("{what} {games} {out}")).ok();
    let result = output.json();
    assert_eq!(result["verdict"], "no_signal");
    assert_eq!(result["method"], "bayes");
    assert_eq!(result["parameters"][0]["now"], result["parameters"][0]["start"]);
    holds(&folder.read("x/summary.csv"), [",bayes,no_signal,24,"]);
    holds(&folder.read("x/tuned.toml"), ["\"lmr.base\" = \"700\""]);
    assert!(!folder.join("x/confirm").exists());
    let text = folder.run("report x").text();
    assert!(text.contains("NO SIGNAL: keep your values"), "{text}");
    holds(&folder.read("x/report.html"), ["No signal: keep your values."]);
}

#[test]
fn a_folder_goes_on_with_the_method_that_it_was_begun_with() {
    let folder = &folder();
    let options = "--iterations 4 --no-confirm --out x";
    tune(folder, &format!("{options} --pause-after 4")).ok();
    let without = SMALL.replace("--method spsa ", "");
    folder.run(&format!("{without} {options}")).ok();
    holds(&folder.read("x/summary.csv"), [",spsa,unconfirmed,4,"]);
    folder
        .run(&format!("{without} {options} --method bayes"))
        .refused("method: 'spsa' there, 'bayes' wanted now");
}

#[test]
fn the_power_of_the_confirming_match_is_said_before_the_first_game() {
    let folder = &folder();
    let begins = |more: &str| {
        let options = "tune --tune lmr.base --games 2 --nodes 20 --max-plies 20 --out";
        folder.run(&format!("{options} {more}")).message()
    };
    let few = begins("few --confirm-pairs 10");
    holds(&few, ["match of at most 10 pairs", "for +10 Elo"]);
    holds(&few, ["warning: +10 Elo", "--confirm-sprt elo0=0,elo1="]);
    let enough = begins("enough --confirm-sprt elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized");
    assert!(
        enough.contains("for +15 Elo") && !enough.contains("warning: +10"),
        "{enough}"
    );
    let chess = begins("chess --game chess");
    assert!(chess.contains("match of at most 5000 pairs"), "{chess}");
}

#[test]
fn a_surface_of_two_numbers_has_an_interval_and_a_picture_and_of_many_is_refused() {
    let folder = &folder();
    let options = "--iterations 30 --no-confirm --out x";
    let surface = SMALL.replace("spsa", "surface");
    folder.run(&format!("{surface} {options}")).ok();
    let csv = folder.read("x/surface.csv");
    assert!(
        csv.starts_with("parameter,start,optimum,optimum_low,optimum_high,slope,curvature\n"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 3);
    holds(&folder.read("x/surface.svg"), ["lmr.base"]);
    let text = String::from_utf8(folder.run("report x").stdout).unwrap();
    assert!(text.contains("its optimum is worth"), "{text}");
    folder
        .run("tune --tune eval.hand.* --method surface --out y")
        .refused("method surface takes at most 6 numbers, but there are 14");
}
