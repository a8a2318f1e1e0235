//! `tanren tune` as a user meets it: files, the same at any concurrency and after a kill, messages.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{columns_but_times, json, run, stderr, tanren};

const SPACE: &str =
    "# two numbers\neval.hand.pawn, int, 100, 0, 400, 40, 0.002\nlmr.base, 700, 0, 4096, 300, 0.002\n";

/// The options of a small tuning.
const SMALL: [&str; 14] = [
    "tune",
    "--space",
    "space.txt",
    "--nodes",
    "40",
    "--hash",
    "1",
    "--max-plies",
    "60",
    "--pairs-per-iteration",
    "2",
    "--method",
    "scaled",
    "--quiet",
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("space.txt"), SPACE).unwrap();
    folder
}

fn tune(folder: &Path, options: &[&str]) -> Output {
    run(folder, &[&SMALL[..], options].concat())
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

fn succeeds(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
}

#[test]
fn a_tuning_ends_with_a_player_and_a_verdict_and_its_files_can_be_made_again() {
    let folder = folder();
    let options = [
        "--iterations",
        "20",
        "--confirm-pairs",
        "20",
        "--out",
        "x",
        "--json",
    ];
    let output = tune(folder.path(), &options);
    succeeds(&output);
    let result = json(&output);
    assert_eq!(
        (&result["iterations"], &result["pairs"]),
        (&20.into(), &40.into())
    );
    assert!(result["verdict"].is_string() && result["parameters"].as_array().unwrap().len() == 2);
    let csv = read(folder.path(), "x/spsa.csv");
    assert!(
        csv.starts_with("iteration,balance,eval.hand.pawn,lmr.base,eval.hand.pawn:tuned,lmr.base:tuned\n")
    );
    assert_eq!(csv.lines().count(), 21);
    let names = ["spsa.csv", "spsa.svg", "tuned.toml", "summary.csv", "run.toml"];
    let files = names.map(|name| read(folder.path(), &format!("x/{name}")));
    names[..4]
        .iter()
        .for_each(|name| fs::remove_file(folder.path().join("x").join(name)).unwrap());
    let again = run(folder.path(), &["report", "x", "--json"]);
    succeeds(&again);
    assert_eq!(json(&again), result);
    assert_eq!(names.map(|name| read(folder.path(), &format!("x/{name}"))), files);
    let played = [
        "match",
        "--a",
        "@x/tuned.toml",
        "--b",
        "base",
        "--nodes",
        "20",
        "--max-plies",
        "20",
        "--pairs",
        "1",
        "--hash",
        "1",
        "--quiet",
        "--out",
        "m",
    ];
    succeeds(&run(folder.path(), &played));
    let own = run(
        folder.path(),
        &["run", "x/run.toml", "--out", "y", "--quiet", "--pause-after", "8"],
    );
    succeeds(&own);
    assert!(files[0].starts_with(&read(folder.path(), "y/spsa.csv")));
}

#[test]
fn what_a_test_that_stopped_says_allows_for_its_stop() {
    let folder = folder();
    let wide = "elo0=0,elo1=60";
    let options = [
        "--iterations",
        "20",
        "--confirm-pairs",
        "400",
        "--confirm-sprt",
        wide,
        "--out",
        "x",
    ];
    let output = tune(folder.path(), &options);
    succeeds(&output);
    let result = json(&run(folder.path(), &["report", "x", "--json"]));
    let match_result = json(&run(folder.path(), &["report", "x/confirm", "--json"]));
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
    let text = run(folder.path(), &["report", "x"]).stdout;
    let text = String::from_utf8_lossy(&text).into_owned();
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
    let folder = folder();
    let with = |out: &str, more: &[&str]| {
        let options = ["--iterations", "40", "--confirm-pairs", "3", "--out", out];
        succeeds(&tune(folder.path(), &[&options, more].concat()));
        let file = |name: &str| read(folder.path(), &format!("{out}/{name}"));
        let games = columns_but_times(&file("confirm/games.csv"));
        [file("spsa.csv"), file("tuned.toml"), file("summary.csv"), games]
    };
    let one = with("one", &["--concurrency", "1"]);
    assert_eq!(with("two", &["--concurrency", "2"]), one);
    let mut killed = tanren()
        .args(SMALL)
        .args([
            "--iterations",
            "40",
            "--confirm-pairs",
            "3",
            "--out",
            "killed",
            "--concurrency",
            "2",
        ])
        .current_dir(folder.path())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let lines =
        || fs::read_to_string(folder.path().join("killed/spsa.csv")).map_or(0, |csv| csv.lines().count());
    while lines() < 8 && began.elapsed() < Duration::from_secs(20) && killed.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(with("killed", &[]), one);
    let other = tune(
        folder.path(),
        &["--iterations", "41", "--confirm-pairs", "3", "--out", "one"],
    );
    assert_eq!(other.status.code(), Some(2));
    assert!(
        stderr(&other).contains("iterations: '40' there, '41' wanted now"),
        "{}",
        stderr(&other)
    );
}

#[test]
fn bad_input_is_one_clear_error_with_exit_code_2_and_leaves_nothing_behind() {
    let folder = folder();
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
        fs::write(folder.path().join("s.txt"), text).unwrap();
        let output = run(folder.path(), &["tune", "--space", "s.txt", "--out", "x"]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(stderr(&output).contains(expected), "{text}: {}", stderr(&output));
        assert!(!folder.path().join("x").exists());
    }
    let options: [(&[&str], &str); 10] = [
        (&[], "say what to tune"),
        (&["--tune", "nothing.*"], "'nothing.*' matches nothing"),
        (&["--tune", "lmr"], "matches only switches"),
        (
            &["--tune", "lmr.*", "--method", "magic"],
            "unknown method 'magic'",
        ),
        (&["--tune", "lmr.*", "--tc", "soon"], "clock 'soon'"),
        (&["--tune", "lmr.*", "--auto-c", "2"], "--auto-c is 2"),
        (&["--tune", "lmr.*", "--games", "1"], "--games is [1]"),
        (&["--tune", "lmr.*", "--confirm-sprt", "elo=1"], "--confirm-sprt"),
        (
            &["--tune", "lmr.*", "--confirm-pairs", "900000"],
            "--confirm-pairs",
        ),
        (
            &["--tune", "lmr.*", "--player", "strong"],
            "unknown preset 'strong'",
        ),
    ];
    for (options, expected) in options {
        let output = run(folder.path(), &[&["tune", "--out", "x"], options].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}: {}", stderr(&output));
        assert!(
            stderr(&output).contains(expected),
            "{options:?}: {}",
            stderr(&output)
        );
        assert!(!folder.path().join("x").exists());
    }
}

#[test]
fn a_space_that_is_printed_can_be_tuned() {
    let folder = folder();
    let printed = run(folder.path(), &["params", "--space", "lmr.*,futility.base"]);
    succeeds(&printed);
    let text = String::from_utf8(printed.stdout).unwrap();
    assert!(
        text.lines()
            .any(|line| line == "lmr.base, int, 1232, 0, 4096, 64, 0.002"),
        "{text}"
    );
    fs::write(folder.path().join("space.txt"), text).unwrap();
    let options = ["--iterations", "2", "--no-confirm", "--out", "x"];
    let own = tune(folder.path(), &options);
    succeeds(&own);
    assert!(!stderr(&own).contains("begin elsewhere"), "{}", stderr(&own));
    let options = [
        "--game",
        "chess",
        "--iterations",
        "2",
        "--no-confirm",
        "--out",
        "y",
    ];
    let other = tune(folder.path(), &options);
    succeeds(&other);
    assert!(
        stderr(&other).contains("(lmr.base at 1232, the player has 873)"),
        "{}",
        stderr(&other)
    );
}

#[test]
fn the_comparison_of_methods_has_a_row_for_each_landscape_length_and_method() {
    let folder = folder();
    let options = [
        "tune", "--bench", "--games", "40", "--seeds", "2", "--out", "m.csv", "--quiet",
    ];
    let output = run(folder.path(), &options);
    succeeds(&output);
    // The surface takes part where there are two numbers.
    assert_eq!(read(folder.path(), "m.csv").lines().count(), 1 + 10 * 5 + 2);
    assert!(String::from_utf8(output.stdout).unwrap().contains("50-rotated"));
}

#[test]
fn a_tuning_by_a_game_clock_writes_its_clock_down_and_goes_on_by_it_alone() {
    let folder = folder();
    let tune = |tc| {
        let options = [
            "tune",
            "--space",
            "space.txt",
            "--iterations",
            "2",
            "--no-confirm",
            "--quiet",
        ];
        let games = ["--max-plies", "12", "--hash", "1", "--out", "x", "--tc", tc];
        run(folder.path(), &[&options[..], &games[..]].concat())
    };
    succeeds(&tune("3/0.2+0.002"));
    let written = read(folder.path(), "x/run.toml");
    assert!(
        written.contains("tc_a = \"3/0.2+0.002\"") && written.contains("time_margin = 100"),
        "{written}"
    );
    let other = tune("0.2+0.002");
    assert_eq!(other.status.code(), Some(2));
    assert!(
        stderr(&other).contains("limit a: 'tc 3/0.2+0.002' there"),
        "{}",
        stderr(&other)
    );
}

#[test]
fn numbers_that_do_nothing_end_without_a_signal_and_keep_their_values() {
    let folder = folder();
    fs::write(
        folder.path().join("idle.txt"),
        "lmr.base, 700, 0, 4096, 300, 0.002\n",
    )
    .unwrap();
    let games = [
        "--nodes",
        "40",
        "--hash",
        "1",
        "--max-plies",
        "30",
        "--iterations",
        "24",
    ];
    let what = [
        "tune",
        "--player",
        "base,lmr=off,lmr.base=700",
        "--space",
        "idle.txt",
    ];
    let out = ["--out", "x", "--json", "--quiet"];
    let output = run(folder.path(), &[&what[..], &games[..], &out[..]].concat());
    succeeds(&output);
    let result = json(&output);
    assert_eq!(result["verdict"], "no_signal");
    assert_eq!(result["method"], "bayes");
    assert_eq!(result["parameters"][0]["now"], result["parameters"][0]["start"]);
    assert!(read(folder.path(), "x/summary.csv").contains(",bayes,no_signal,24,"));
    assert!(read(folder.path(), "x/tuned.toml").contains("\"lmr.base\" = \"700\""));
    assert!(!folder.path().join("x/confirm").exists());
    let text = run(folder.path(), &["report", "x"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("NO SIGNAL: keep your values"), "{text}");
    assert!(read(folder.path(), "x/report.html").contains("No signal: keep your values."));
}

#[test]
fn a_folder_goes_on_with_the_method_that_it_was_begun_with() {
    let folder = folder();
    let options = ["--iterations", "4", "--no-confirm", "--out", "x"];
    succeeds(&tune(
        folder.path(),
        &[&options[..], &["--pause-after", "4"]].concat(),
    ));
    let without: Vec<&str> = SMALL
        .into_iter()
        .filter(|word| !["--method", "scaled"].contains(word))
        .collect();
    succeeds(&run(folder.path(), &[&without[..], &options[..]].concat()));
    assert!(read(folder.path(), "x/summary.csv").contains(",scaled,unconfirmed,4,"));
    let other = run(
        folder.path(),
        &[&without[..], &options[..], &["--method", "bayes"]].concat(),
    );
    assert_eq!(other.status.code(), Some(2));
    assert!(
        stderr(&other).contains("method: 'scaled' there, 'bayes' wanted now"),
        "{}",
        stderr(&other)
    );
}

#[test]
fn landscapes_with_chosen_starts_have_rivals_at_their_best_steps() {
    let folder = folder();
    let options = [
        "tune",
        "--bench",
        "--games",
        "400",
        "--seeds",
        "3",
        "--starts",
        "0,20",
        "--parameters",
        "5",
        "--draws",
        "60",
        "--rotated",
        "--out",
        "m.csv",
        "--quiet",
    ];
    let output = run(folder.path(), &options);
    succeeds(&output);
    let csv = read(folder.path(), "m.csv");
    assert_eq!(csv.lines().count(), 1 + 2 * 6);
    assert!(
        csv.contains("start-rotated,5,20,10,true,false,0.6,400,bayes,3,"),
        "{csv}"
    );
    let r_ends: Vec<&str> = csv
        .lines()
        .filter(|line| line.contains(",classic,"))
        .filter_map(|line| line.rsplit(',').next())
        .collect();
    assert!(r_ends[0] != "0.05" && r_ends[1] != "0.0005", "{r_ends:?}");
    let wrong = run(folder.path(), &["tune", "--bench", "--starts", "900"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("--starts 900"), "{}", stderr(&wrong));
}

#[test]
fn the_power_of_the_confirming_match_is_said_before_the_first_game() {
    let folder = folder();
    let begins = |more: &[&str]| {
        let options = [
            "tune",
            "--tune",
            "lmr.base",
            "--games",
            "2",
            "--nodes",
            "20",
            "--max-plies",
            "20",
            "--out",
        ];
        stderr(&run(folder.path(), &[&options[..], more].concat()))
    };
    let few = begins(&["few", "--confirm-pairs", "10"]);
    assert!(
        few.contains("match of at most 10 pairs") && few.contains("for +10 Elo"),
        "{few}"
    );
    assert!(
        few.contains("warning: +10 Elo") && few.contains("--confirm-sprt elo0=0,elo1="),
        "{few}"
    );
    let enough = begins(&[
        "enough",
        "--confirm-sprt",
        "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized",
    ]);
    assert!(
        enough.contains("for +15 Elo") && !enough.contains("warning: +10"),
        "{enough}"
    );
    let chess = begins(&["chess", "--game", "chess"]);
    assert!(chess.contains("match of at most 5000 pairs"), "{chess}");
}

#[test]
fn a_surface_of_two_numbers_has_an_interval_and_a_picture_and_of_many_is_refused() {
    let folder = folder();
    let options = ["--iterations", "30", "--no-confirm", "--out", "x"];
    let surface: Vec<&str> = SMALL
        .map(|word| if word == "scaled" { "surface" } else { word })
        .into();
    let output = run(folder.path(), &[&surface[..], &options[..]].concat());
    succeeds(&output);
    let csv = read(folder.path(), "x/surface.csv");
    assert!(
        csv.starts_with("parameter,start,optimum,optimum_low,optimum_high,slope,curvature\n"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 3);
    assert!(read(folder.path(), "x/surface.svg").contains("lmr.base"));
    let text = String::from_utf8(run(folder.path(), &["report", "x"]).stdout).unwrap();
    assert!(text.contains("its optimum is worth"), "{text}");
    let many = run(
        folder.path(),
        &[
            "tune",
            "--tune",
            "eval.hand.*",
            "--method",
            "surface",
            "--out",
            "y",
        ],
    );
    assert_eq!(many.status.code(), Some(2));
    assert!(
        stderr(&many).contains("--method surface takes at most 6 numbers, but there are 14"),
        "{}",
        stderr(&many)
    );
}
