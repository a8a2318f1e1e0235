//! The games in progress.

use std::fs;
use std::process::{Child, Command};
use std::time::Instant;

use super::*;

fn begin(folder: &Path, words: &[&str]) -> Child {
    let mut command = tanren();
    command
        .args(words)
        .args(["--quiet", "--hash", "1"])
        .current_dir(folder);
    command.spawn().unwrap()
}

/// The first games in progress that a server tells of.
fn boards(server: &Server, address: &str) -> Vec<Value> {
    let began = Instant::now();
    loop {
        let answer = server.get(address);
        if answer.status == 200 {
            let value: Value = serde_json::from_str(&answer.body).unwrap();
            let boards = value["boards"].as_array().unwrap();
            if !boards.is_empty() {
                return boards.clone();
            }
        }
        assert!(began.elapsed() < Duration::from_secs(60), "no game is shown");
        sleep(Duration::from_millis(50));
    }
}

fn wait_with_signal(mut child: Child) {
    let signal = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(signal.unwrap().success());
    child.wait().unwrap();
}

#[test]
fn a_game_is_shown_while_it_is_played_and_is_a_beginning_of_the_game_that_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("results")).unwrap();
    let server = Server::start(folder.path(), &[]);
    let playing = begin(
        folder.path(),
        &[
            "match",
            "--a",
            "base",
            "--b",
            "plain",
            "--nodes",
            "300",
            "--pairs",
            "20000",
            "--out",
            "results/m",
        ],
    );
    let board = boards(&server, "/api/v1/runs/m/boards").remove(0);
    assert_eq!(
        (&board["run"], &board["game"]),
        (&Value::from("m"), &Value::from("shogi"))
    );
    let number = board["n"].as_u64().unwrap();
    let began = Instant::now();
    let games = format!("/api/v1/runs/m/games?from={}&count=2", number - 1);
    let row = loop {
        let value = server.json(&games);
        let row = value["rows"]
            .as_array()
            .unwrap()
            .iter()
            .find(|row| row["n"] == number)
            .cloned();
        if let Some(row) = row {
            break row;
        }
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "game {number} is not stored"
        );
        sleep(Duration::from_millis(50));
    };
    let moves: Vec<&str> = row["m"].as_str().unwrap().split(' ').collect();
    let plies = board["plies"].as_u64().unwrap() as usize;
    assert_eq!(row["p"], board["opening"]);
    if plies > 0 {
        assert_eq!(board["last_move"], moves[plies - 1]);
    }
    let mut position: tanren_engine::shogi::Board =
        tanren_engine::game::Position::parse(row["p"].as_str().unwrap()).unwrap();
    for text in &moves[..plies] {
        let mv = tanren_engine::game::Position::parse_move(&position, text).unwrap();
        tanren_engine::game::Position::make(&mut position, mv);
    }
    assert_eq!(board["position"], position.to_string());
    let names = ["base", "plain"].map(|label| row["f"] == u64::from(label == "plain"));
    assert_eq!(board["players"][0], if names[0] { "base" } else { "plain" });
    wait_with_signal(playing);
    assert!(!folder.path().join("results/m/live.json").exists());
    assert_eq!(
        server.json("/api/v1/runs/m/boards")["boards"],
        serde_json::json!([])
    );
}

#[test]
fn tournaments_and_tunings_show_their_games_under_the_names_of_who_plays() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("results")).unwrap();
    let server = Server::start(folder.path(), &[]);
    let tournament = [
        "tournament",
        "--player",
        "base",
        "--player",
        "plain",
        "--player",
        "base,lmr=off",
        "--nodes",
        "300",
        "--pairs",
        "20000",
        "--out",
        "results/t",
    ];
    let tuning = [
        "tune",
        "--tune",
        "futility.*",
        "--iterations",
        "100000",
        "--nodes",
        "300",
        "--confirm-pairs",
        "4",
        "--out",
        "results/u",
    ];
    for (words, address) in [
        (&tournament[..], "/api/v1/runs/t/boards"),
        (&tuning, "/api/v1/runs/u/boards"),
    ] {
        let playing = begin(folder.path(), words);
        let board = boards(&server, address).remove(0);
        let names = board["players"].as_array().unwrap();
        assert_ne!(names[0], names[1], "{address}");
        let known = ["base", "plain", "base,lmr=off", "plus", "minus"];
        for name in names {
            assert!(known.contains(&name.as_str().unwrap()), "{name}");
        }
        wait_with_signal(playing);
    }
}

#[test]
fn what_a_killed_run_left_behind_is_not_shown_and_a_study_shows_the_games_of_its_parts() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("results")).unwrap();
    let server = Server::start(folder.path(), &[]);
    let words = [
        "ablate",
        "--only",
        "lmr",
        "--node-depth",
        "2",
        "--nodes",
        "300",
        "--pairs",
        "20000",
        "--out",
        "results/a",
    ];
    let mut playing = begin(folder.path(), &words);
    let board = boards(&server, "/api/v1/runs/a/boards").remove(0);
    let run = board["run"].as_str().unwrap().to_owned();
    assert!(run.starts_with("a/"), "{run}");
    playing.kill().unwrap();
    playing.wait().unwrap();
    let file = folder.path().join("results").join(&run).join("live.json");
    assert!(file.exists());
    assert_eq!(
        server.json("/api/v1/runs/a/boards")["boards"],
        serde_json::json!([])
    );
}
