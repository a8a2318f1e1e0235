//! What faults decide is invalid: no verdict comes of it, whatever is played.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::folder::{Ended, Folder, InFolder, holds};
use crate::process::faulty;

const TEST: &str = "elo0=-200,elo1=0";

/// An engine of this name that does what `fault` says; at every first `go` if it says no more.
fn engine(fault: &str, name: &str) -> String {
    faulty(&format!("{fault},name={name}"))
}

/// Runs a command in short games of one folder `out`.
fn play(folder: &Path, command: &str, players: &str, more: &str) -> Output {
    let games = "--nodes 20 --max-plies 12 --quiet";
    folder.run(&format!("{command} {players} {games} {more}"))
}

#[test]
fn an_engine_that_exits_at_every_go_makes_a_match_invalid_on_any_number_of_workers() {
    let folder = &Folder::new();
    let bad = engine("crash-in-thought 1", "faulty");
    let players = format!("--a plain --b '{bad}'");
    let test = format!("--pairs 100 --sprt {TEST} --json --out");
    let one = play(folder, "match", &players, &format!("--concurrency 1 {test} one")).ended(3);
    let found = one.json();
    assert_eq!(found["verdict"], "invalid");
    assert_eq!(found["pairs"], 3, "it stops at once");
    assert_eq!((&found["faults_a"], &found["faults_b"]), (&0.into(), &6.into()));
    assert_eq!(found["faults_b_kinds"], serde_json::json!({"crash": 6}));
    assert_eq!(
        found["verdict_reason"],
        "faulty was at fault 6 times in a row (crash 6)"
    );
    assert!(found["elo"].is_null() && found["los"].is_null() && found["stopped_elo"].is_null());
    one.says(["invalid: faulty was at fault", "play in another folder"]);
    play(folder, "match", &players, &format!("--concurrency 4 {test} many")).ended(3);
    let summary = folder.read("one/summary.csv");
    assert_eq!(folder.read("many/summary.csv"), summary);
    assert!(!summary.contains("accepted"), "{summary}");
    fs::remove_file(folder.join("one/summary.csv")).unwrap();
    let report = folder.run("report one").ok();
    assert_eq!(folder.read("one/summary.csv"), summary);
    let text = report.text();
    holds(
        &text,
        [
            "verdict  invalid: faulty",
            "faults   faulty: 6 in 6 games (crash 6)",
        ],
    );
    assert!(!text.contains("accepted") && !text.contains("\nElo"), "{text}");
    play(folder, "match", &players, &format!("{test} one")).ended(3);
    assert_eq!(folder.read("one/summary.csv"), summary);
}

#[test]
fn a_test_that_faults_decided_accepts_nothing() {
    let folder = &Folder::new();
    let bad = engine("crash-in-thought 1", "faulty");
    let limits = "--faults-in-a-row 0 --json --pairs 200";
    let play = |more: &str| {
        let output = play(
            folder,
            "match",
            &format!("--a plain --b '{bad}'"),
            &format!("{limits} --sprt elo0=0,elo1=30 {more}"),
        );
        (output.status.code(), output.json())
    };
    let (code, found) = play("--out judged");
    assert_eq!((code, &found["verdict"]), (Some(3), &"invalid".into()));
    assert!(found["faults_b"].as_u64().unwrap() >= 10, "{found}");
    let reason = found["verdict_reason"].as_str().unwrap();
    assert!(reason.contains("more than 2 % of them"), "{reason}");
    let (code, found) = play("--faults-max 100 --out unjudged");
    assert_eq!((code, &found["verdict"]), (Some(0), &"accepted_h1".into()));
}

#[test]
fn a_rare_fault_is_counted_and_judges_nothing() {
    let folder = &Folder::new();
    let once = folder.join("once");
    let rare = format!(
        "{},env.FAULT_ONCE={}",
        engine("crash-in-thought 2", "rare"),
        once.display()
    );
    let output = play(
        folder,
        "match",
        &format!("--a '{rare}' --b plain"),
        "--pairs 6 --json --out m",
    )
    .ok();
    let found = output.json();
    assert_eq!(found["verdict"], "fixed_length");
    assert_eq!((&found["faults_a"], &found["pairs"]), (&1.into(), &6.into()));
    assert!(found["verdict_reason"].is_null());
}

#[test]
fn what_replays_excuse_is_counted_by_player_and_falls_under_the_limits() {
    let folder = &Folder::new();
    let bad = engine("crash-in-thought 1", "faulty");
    let players = format!("--a '{bad}' --b plain");
    let replay = "--pairs 3 --on-fault all=replay:2 --json --out";
    let output = play(
        folder,
        "match",
        &players,
        &format!("--faults-max 100 --faults-in-a-row 0 {replay} m"),
    )
    .ok();
    let found = output.json();
    assert_eq!((&found["faults_a"], &found["excused_a"]), (&12.into(), &6.into()));
    assert_eq!(found["excused_b"], 0);
    fs::remove_file(folder.join("m/summary.csv")).unwrap();
    let report = folder.run("report m");
    report.prints(["faulty: 12 in 12 games (crash 12, 6 of these excused by a replay)"]);
    assert_eq!(folder.column("m/summary.csv", "excused_a"), ["6"]);
    let judged = play(folder, "match", &players, &format!("{replay} judged")).ended(3);
    assert_eq!(judged.json()["verdict"], "invalid");
}

#[test]
fn a_clock_that_neither_side_can_hold_is_the_machine_s_doing() {
    let folder = &Folder::new();
    let [a, b] = ["one", "two"].map(|name| engine("late-by-1-ms 1", name) + ",time_margin_ms=0");
    let output = folder
        .run(&format!(
            "match --a '{a}' --b '{b}' --movetime 50 --pairs 15 --quiet --json --out m"
        ))
        .ended(3);
    let found = output.json();
    assert_eq!(found["verdict"], "invalid");
    assert_eq!(found["faults_a"], 0);
    // Now and then an answer comes before anybody looked at the clock.
    let lost = found["time_losses_a"].as_u64();
    assert!(lost.is_some_and(|lost| lost >= 10), "{lost:?}");
    output.says(["this machine cannot hold this clock"]);
}

#[test]
fn a_tournament_stops_and_accepts_nothing_once_a_player_is_at_fault_in_a_row() {
    let folder = &Folder::new();
    let bad = engine("crash-in-thought 1", "faulty");
    let players = format!("--player plain --player base --player '{bad}'");
    let found = play(
        folder,
        "tournament",
        &players,
        "--pairs 20 --json --out t --sprt elo0=-200,elo1=0",
    )
    .ended(3)
    .json();
    assert_eq!(found["verdict"], "invalid");
    let players = folder.column("t/ratings.csv", "player");
    let faulty = players.iter().position(|player| player == "faulty").unwrap();
    assert_eq!(folder.column("t/ratings.csv", "faults")[faulty], "6");
    let pairings = folder.read("t/pairings.csv");
    assert_eq!(folder.column("t/pairings.csv", "verdict"), ["invalid"; 3]);
    let report = folder.run("report t --json").ok();
    assert_eq!(report.json(), found);
    assert_eq!(folder.read("t/pairings.csv"), pairings);
}

#[test]
fn a_study_of_odds_and_a_tuning_end_where_faults_decide() {
    let folder = &Folder::new();
    let bad = engine("crash-in-thought 1", "faulty");
    let odds = play(
        folder,
        "odds",
        &format!("--a plain --b '{bad}'"),
        "--pairs 40 --batch 8 --json --out o",
    )
    .ended(3);
    let found = odds.json();
    assert_eq!(found["verdict"], "invalid");
    assert_eq!(found["faults_b"], 6);
    assert!(found["ratio"].is_null());
    assert_eq!(folder.run("report o --json").json(), found);

    folder.write("space.txt", "Size, int, 2, 1, 4, 1, 0.02\n");
    let tune = play(
        folder,
        "tune --space space.txt --iterations 20 --no-confirm",
        &format!("--player '{bad}'"),
        "--json --out t",
    )
    .ended(3);
    let found = tune.json();
    assert_eq!(found["verdict"], "invalid");
    assert!(found["iterations"].as_u64().unwrap() < 20, "{found}");
    assert!(found["faults_a"].as_u64().unwrap() >= 5, "{found}");
    assert_eq!(folder.run("report t --json").json(), found);
}

#[test]
fn a_night_knows_an_invalid_job_and_asks_about_it() {
    let folder = &Folder::new();
    let job = |name: &str, b: &str, only_if: &str| {
        format!(
            "[[job]]\nname = \"{name}\"\ncommand = \"match\"\na = \"plain\"\nb = {b:?}\nnodes = 20\nmax_plies = 12\n\
             pairs = 4\nfaults_in_a_row = 5\n{only_if}\n"
        )
    };
    let night = [
        job("bad", &engine("crash-in-thought 1", "faulty"), ""),
        job("repair", "base", "only_if = \"bad.invalid\""),
        job(
            "follow",
            "base",
            "only_if = \"bad.finished or bad.undecided or bad.rejected\"",
        ),
        job("guarded", "base", "only_if = \"not bad.failed\""),
    ];
    folder.write("night.toml", night.concat());
    let output = folder.run("run night.toml --out n --quiet").ended(3);
    output.says(["1 of 4 jobs are invalid because of faults"]);
    let of = |name| folder.column("n/night.csv", name);
    assert_eq!(of("state"), ["invalid", "finished", "skipped", "skipped"]);
    assert_eq!(of("verdict")[0], "invalid");
    assert!(of("message")[0].contains("6 times in a row"));
}

#[test]
fn other_limits_are_another_run_and_the_defaults_are_in_no_identity() {
    let folder = &Folder::new();
    let play = |more: &str| play(folder, "match", "--a plain", &format!("--pairs 1 --out m {more}"));
    play("").ok();
    play("--faults-max 2 --faults-in-a-row 5").ok();
    for (more, name) in [
        ("--faults-max 3", "faults max"),
        ("--faults-in-a-row 0", "faults in a row"),
    ] {
        play(more).refused(name);
    }
    play("--faults-max 101").refused("from 0 to 100 percent");
}
