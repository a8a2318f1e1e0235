//! `tanren report --records` and `tanren replay` as a user meets them.

use std::fs;
use std::path::Path;

use crate::common::{columns_but_times, json, run, stderr};
use crate::verify::rewrite;

fn play(folder: &Path, more: &[&str]) {
    let players = [
        "match", "--a", "base", "--b", "plain", "--pairs", "2", "--quiet", "--out", "m",
    ];
    let output = run(folder, &[&players[..], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn records_hold_every_game_and_are_the_same_each_time() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), &["--nodes", "60"]);
    let write = || {
        let output = run(folder.path(), &["report", "m", "--records", "csa,kif"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let csa = fs::read_to_string(folder.path().join("m/games.csa")).unwrap();
        let kif: Vec<String> = (1..=4)
            .map(|game| fs::read_to_string(folder.path().join(format!("m/kif/{game:06}.kifu"))).unwrap())
            .collect();
        (csa, kif)
    };
    let (csa, kif) = write();
    assert_eq!(csa.matches("V2.2\n").count(), 4);
    assert_eq!(csa.matches("\n/\n").count(), 3);
    let moves = fs::read_to_string(folder.path().join("m/games.sfen")).unwrap();
    for (kif, line) in kif.iter().zip(moves.lines()) {
        let plies = line.split(" moves ").nth(1).unwrap().split(' ').count();
        let numbered = kif
            .lines()
            .filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()))
            .count();
        assert!(numbered > plies, "{plies} moves and an end: {kif}");
        assert!(!kif.contains("( 0:00"), "no times under a node limit");
    }
    assert_eq!(write(), (csa, kif));
    let refused = run(folder.path(), &["report", "m", "--records", "pgn"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("pgn is for chess"),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn a_chess_match_is_written_as_pgn() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), &["--nodes", "60", "--game", "chess"]);
    let output = run(folder.path(), &["report", "m", "--records", "pgn"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let pgn = fs::read_to_string(folder.path().join("m/games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event \"tanren\"]").count(), 4);
}

#[test]
fn a_game_under_a_node_limit_is_the_same_when_played_again() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), &["--nodes", "60", "--node-jitter", "30"]);
    for choice in [
        &["--game", "1"][..],
        &["--game", "4"],
        &["--pair", "2"],
        &["--pair", "1", "--game", "2"],
    ] {
        let output = run(folder.path(), &[&["replay", "m"], choice].concat());
        assert_eq!(output.status.code(), Some(0), "{choice:?} {}", stderr(&output));
        assert!(String::from_utf8_lossy(&output.stdout).contains(": the same, "));
    }
    let output = run(folder.path(), &["replay", "m", "--game", "3", "--json"]);
    let value = json(&output);
    assert_eq!(
        (value["game"].as_u64(), value["same"].as_bool()),
        (Some(3), Some(true))
    );
    let both = json(&run(folder.path(), &["replay", "m", "--pair", "2", "--json"]));
    assert_eq!(both.as_array().map(Vec::len), Some(2));
    assert_eq!((both[0].clone(), both[1]["game"].as_u64()), (value, Some(4)));
    for wrong in [
        &["--game", "5"][..],
        &["--game", "0"],
        &["--pair", "1", "--game", "3"],
        &[],
    ] {
        let output = run(folder.path(), &[&["replay", "m"], wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn games_are_searched_again_to_tell_how_often_each_technique_acted_for_each_player() {
    let folder = tempfile::tempdir().unwrap();
    let conditions = [
        "--nodes",
        "600",
        "--node-jitter",
        "20",
        "--pairs",
        "2",
        "--out",
        "m",
    ];
    let players = ["match", "--a", "base", "--b", "base,null_move=off"];
    let played = run(folder.path(), &[&players[..], &conditions].concat());
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    let counted = json(&run(folder.path(), &["replay", "m", "--counters", "--json"]));
    let tries = |player: &str, technique: &str| {
        let rows = counted.as_array().unwrap().iter();
        let mut rows = rows.filter(|row| row["player"] == player && row["technique"] == technique);
        let row = rows.next().unwrap();
        assert_eq!(row["games"], 4);
        row["tries"].as_u64().unwrap()
    };
    assert!(tries("base", "null_move") > 0);
    assert_eq!(tries("base,null_move=off", "null_move"), 0);
    assert!(tries("base,null_move=off", "lmr") > 0);
    let text = run(
        folder.path(),
        &["replay", "m", "--counters", "--pair", "2", "--game", "1"],
    );
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(
        text.starts_with("1 games searched again") && text.contains("null_move"),
        "{text}"
    );
    let none = run(folder.path(), &["replay", "m", "--counters", "--pair", "9"]);
    assert_eq!(none.status.code(), Some(2));
    let clash = ["replay", "m", "--counters", "--pairs", "2", "--pair", "1"];
    assert_eq!(run(folder.path(), &clash).status.code(), Some(2));
}

#[test]
fn a_game_of_a_tournament_with_varied_nodes_is_the_same_when_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let varied = [
        "--nodes",
        "120",
        "--node-jitter",
        "30",
        "--pairs",
        "1",
        "--out",
        "t",
    ];
    let players = ["--player", "base", "--player", "plain", "--player", "tacos-n"];
    let output = run(folder.path(), &[&["tournament"], &players[..], &varied].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for pair in ["1", "2", "3"] {
        let output = run(folder.path(), &["replay", "t", "--pair", pair]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(
            String::from_utf8_lossy(&output.stdout)
                .matches(": the same, ")
                .count(),
            2
        );
    }
}

#[test]
fn a_game_that_goes_another_way_is_shown_with_the_ply() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), &["--nodes", "60"]);
    rewrite(&folder.path().join("m"), |about, _| {
        about.spec_toml = about.spec_toml.replace("60", "61");
    });
    let output = run(folder.path(), &["replay", "m", "--game", "1"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.starts_with("game 1: different from ply ") && text.contains(" then, "),
        "{text}"
    );
}

#[test]
fn a_game_on_the_clock_is_shown_and_not_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let clock = [
        "--byoyomi",
        "2",
        "--time-margin",
        "5000",
        "--overhead",
        "1",
        "--max-plies",
        "30",
    ];
    play(folder.path(), &clock);
    let output = run(folder.path(), &["replay", "m", "--game", "2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("where time decides"),
        "{}",
        stderr(&output)
    );
    let counted = run(folder.path(), &["replay", "m", "--counters"]);
    assert_eq!(counted.status.code(), Some(2), "{}", stderr(&counted));
    assert!(stderr(&counted).contains("where time decides"));
    let moves = fs::read_to_string(folder.path().join("m/games.sfen")).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        moves.lines().nth(1).unwrap()
    );
}

#[test]
fn a_specification_is_played_on_from_another_directory() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    let openings = "4k4/9/9/9/4p4/9/9/9/4K4 b R 1\n4k4/9/9/9/4p4/9/9/9/4K4 b B 1\n";
    fs::write(folder.path().join("mine.sfen"), openings).unwrap();
    fs::write(
        folder.path().join("careful.toml"),
        "preset = \"plain\"\n[settings]\nnull_move = \"prune\"\n",
    )
    .unwrap();
    let own = [
        "--openings",
        "mine.sfen",
        "--nodes",
        "60",
        "--max-plies",
        "20",
        "--out",
        "m",
        "--quiet",
    ];
    let players = ["match", "--pairs", "2", "--a", "@careful.toml", "--b", "plain"];
    let output = run(folder.path(), &[&players[..], &own].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let games = || columns_but_times(&fs::read_to_string(folder.path().join("m/games.csv")).unwrap());
    let (before, elsewhere) = (games(), folder.path().join("elsewhere"));
    let again = run(
        &elsewhere,
        &["run", "../m/run.toml", "--out", "../m", "--json", "--quiet"],
    );
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(
        json(&again)["a"].as_str(),
        Some("careful"),
        "a label outlives its file"
    );
    assert_eq!(games(), before);
    assert!(!elsewhere.join("m").exists());
}
