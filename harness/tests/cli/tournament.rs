//! A tournament as a user meets it.

use std::fs;
use std::path::Path;

use crate::common::{columns_but_times, json, run, stderr};

const PLAYERS: [&str; 9] = [
    "tournament",
    "--player",
    "base",
    "--player",
    "plain",
    "--player",
    "{ name = \"weak\", player = \"base\", nodes = 20 }",
    "--nodes",
    "80",
];

const FILES: [&str; 7] = [
    "run.toml",
    "games.csv",
    "games.sfen",
    "ratings.csv",
    "crosstable.csv",
    "pairings.csv",
    "differences.csv",
];

fn read(folder: &Path, file: &str) -> String {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    if file == "games.csv" {
        columns_but_times(&text)
    } else {
        text
    }
}

#[test]
fn every_difference_has_an_interval_and_an_anchor_moves_ratings_and_no_difference() {
    // Near enough that each wins games of each other.
    let players = [
        "tournament",
        "--player",
        "base",
        "--player",
        "{ name = \"less\", player = \"base\", nodes = 70 }",
        "--player",
        "{ name = \"least\", player = \"base\", nodes = 60 }",
        "--nodes",
        "80",
    ];
    let folder = tempfile::tempdir().unwrap();
    let play = |out: &str, more: &[&str]| {
        let args = [&players[..], &["--rounds", "20", "--out", out, "--quiet"], more].concat();
        let output = run(folder.path(), &args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    };
    play("free", &[]);
    play("anchored", &["--anchor", "base=1500"]);
    let of = |run: &str, file: &str| read(&folder.path().join(run), file);
    let differences = of("free", "differences.csv");
    assert_eq!(differences, of("anchored", "differences.csv"));
    assert!(
        differences.starts_with("player,opponent,difference,low,high,los\n"),
        "{differences}"
    );
    assert_eq!(
        differences.lines().count(),
        1 + 6,
        "every pair both ways: {differences}"
    );
    let ratings = of("anchored", "ratings.csv");
    let base = ratings.lines().find(|line| line.contains(",base,")).unwrap();
    assert!(base.contains(",base,1500.0,1500.0,1500.0,"), "{ratings}");
    let again = run(folder.path(), &["report", "anchored"]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(of("anchored", "ratings.csv"), ratings);
    let pairings = of("free", "pairings.csv");
    assert!(
        pairings
            .lines()
            .next()
            .unwrap()
            .ends_with(",identical_pairs,p_value,p_holm,q_value")
    );
    for (anchor, hint) in [
        ("nobody=1500", "names no player"),
        ("base", "PLAYER=ELO"),
        ("base=x", "PLAYER=ELO"),
        ("base=1e308", "within ±100000 Elo"),
    ] {
        let args = [&players[..], &["--rounds", "1", "--out", "y", "--anchor", anchor]].concat();
        let output = run(folder.path(), &args);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(hint), "{}", stderr(&output));
    }
}

#[test]
fn a_tournament_is_the_same_at_any_concurrency_and_after_a_pause() {
    let folder = tempfile::tempdir().unwrap();
    let play = |out: &str, more: &[&str]| {
        let args = [&PLAYERS[..], &["--rounds", "6", "--out", out, "--json"], more].concat();
        let output = run(folder.path(), &args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        json(&output)
    };
    let whole = play("whole", &["--concurrency", "1", "--quiet"]);
    let paused = play("paused", &["--pause-after", "7"]);
    assert_eq!(paused["pairings"][0]["pairs"], 3, "round by round: {paused}");
    assert_eq!(paused["pairings"][2]["pairs"], 2);
    assert_eq!(play("paused", &["--concurrency", "2"]), whole);
    for file in FILES {
        let [one, two] = ["whole", "paused"].map(|run| read(&folder.path().join(run), file));
        assert_eq!(one, two, "{file}");
    }
    let report = run(folder.path(), &["report", "paused", "--json"]);
    assert_eq!(json(&report), whole, "{}", stderr(&report));
    let again = run(
        folder.path(),
        &["run", "whole/run.toml", "--out", "again", "--json", "--quiet"],
    );
    assert_eq!(json(&again), whole, "{}", stderr(&again));
}

#[test]
fn ratings_order_the_players_and_every_game_names_who_played() {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        &PLAYERS[..],
        &["--pairs", "10", "--out", "t", "--sprt", "elo0=0,elo1=100"],
    ]
    .concat();
    let output = run(folder.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("score of the row against the column"), "{text}");
    let ratings = read(&folder.path().join("t"), "ratings.csv");
    // Nobody who won every game is comparable with the others, so ranks count within a pool.
    let place = |name: &str| ratings.lines().position(|line| line.contains(name)).unwrap();
    assert_eq!(ratings.lines().count(), 4, "{ratings}");
    assert!(place(",plain,") < place(",weak,"), "{ratings}");
    let games = fs::read_to_string(folder.path().join("t/games.csv")).unwrap();
    assert!(games.lines().next().unwrap().ends_with(",seed,player_a,player_b"));
    assert_eq!(
        games.lines().filter(|line| line.ends_with(",base,weak")).count(),
        20
    );
}

#[test]
fn a_gauntlet_lets_the_seeds_meet_all_others() {
    let folder = tempfile::tempdir().unwrap();
    let more = [
        "--gauntlet",
        "1",
        "--pairs",
        "2",
        "--out",
        "t",
        "--json",
        "--quiet",
    ];
    let output = run(folder.path(), &[&PLAYERS[..], &more].concat());
    let pairings = json(&output)["pairings"].clone();
    assert_eq!(pairings.as_array().unwrap().len(), 2);
    let cross = read(&folder.path().join("t"), "crosstable.csv");
    assert!(cross.lines().nth(2).unwrap().ends_with(",,"), "{cross}");
}

#[test]
fn bad_input_is_refused_with_exit_code_2_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 5] = [
        (&["--player", "base"], "both called 'base'"),
        (&["--player", "{ nam = \"x\" }"], "unknown field `nam`"),
        (
            &["--player", "base,nul_move=off"],
            "player 4 ('base,nul_move=off')",
        ),
        (&["--gauntlet", "3"], "gauntlet is 3, but must be from 1 to 2"),
        (&["--pairs", "30000"], "--repeat"),
    ];
    for (more, expected) in cases {
        let output = run(folder.path(), &[&PLAYERS[..], more, &["--out", "t"]].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}: {}", stderr(&output));
        assert!(
            stderr(&output).contains(expected),
            "{more:?}: {}",
            stderr(&output)
        );
        assert!(!folder.path().join("t").exists());
    }
}

#[test]
fn a_queue_runs_tournaments_with_players_in_tables() {
    let folder = tempfile::tempdir().unwrap();
    let night = "[[job]]\nname = \"t\"\ncommand = \"tournament\"\nnodes = 60\npairs = 4\nbudget_pairs = 3\n\
                 [[job.player]]\nplayer = \"plain\"\n[[job.player]]\nname = \"half\"\nnodes = 30\n";
    fs::write(folder.path().join("night.toml"), night).unwrap();
    let output = run(folder.path(), &["run", "night.toml", "--out", "n", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let row = &json(&output)[0];
    assert_eq!(
        (row["pairs"].as_u64(), row["state"].as_str()),
        (Some(3), Some("out_of_budget"))
    );
    let ratings = read(&folder.path().join("n/t"), "ratings.csv");
    assert!(ratings.contains("half") && ratings.contains("plain"), "{ratings}");
}
