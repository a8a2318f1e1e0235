//! The games in progress.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tanren_engine::game::Position;
use tanren_engine::shogi::Board;

use crate::folder::{Ended, Folder};
use crate::running::{Running, signal, wait_until};
use crate::server::Server;

fn begin(folder: &Path, line: &str, run: &str) -> Running {
    let line = format!("{line} --nodes 300 --quiet --hash 1");
    Running::start(folder, &line, &format!("results/{run}"))
}

/// A server of an empty folder of results.
fn server(folder: &Path) -> Server {
    fs::create_dir(folder.join("results")).unwrap();
    Server::start(folder, "")
}

/// The first game in progress that a server tells of.
fn board(server: &Server, run: &str) -> Value {
    let mut board = Value::Null;
    wait_until("no game is shown", || {
        let answer = server.get(&format!("/api/v1/runs/{run}/boards"));
        let boards: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        board = boards["boards"][0].clone();
        board.is_object()
    });
    board
}

fn assert_no_boards(server: &Server, run: &str) {
    let boards = server.json(&format!("/api/v1/runs/{run}/boards"));
    assert_eq!(boards["boards"], json!([]));
}

#[test]
fn a_game_is_shown_while_it_is_played_and_is_a_beginning_of_the_game_that_is_stored() {
    let folder = Folder::new();
    let server = server(&folder);
    let playing = begin(&folder, "match --a base --b plain --pairs 20000", "m");
    let board = board(&server, "m");
    assert_eq!((&board["run"], &board["game"]), (&json!("m"), &json!("shogi")));
    let number = board["n"].as_u64().unwrap();
    let games = format!("/api/v1/runs/m/games?from={}&count=1", number - 1);
    let mut row = Value::Null;
    wait_until("the game is not stored", || {
        row = server.json(&games)["rows"][0].clone();
        row["n"] == number
    });
    let moves: Vec<&str> = row["m"].as_str().unwrap().split(' ').collect();
    let plies = board["plies"].as_u64().unwrap() as usize;
    assert_eq!(row["p"], board["opening"]);
    assert!(plies == 0 || board["last_move"] == moves[plies - 1]);
    let mut position = Board::parse(row["p"].as_str().unwrap()).unwrap();
    for text in &moves[..plies] {
        let mv = position.parse_move(text).unwrap();
        position.make(mv);
    }
    assert_eq!(board["position"], position.to_string());
    assert_eq!(board["players"][0], if row["f"] == 0 { "base" } else { "plain" });
    signal(playing.pid(), "INT");
    playing.end().ended(130);
    assert!(!folder.join("results/m/live.json").exists());
    assert_no_boards(&server, "m");
}

#[test]
fn tournaments_and_tunings_show_their_games_under_the_names_of_who_plays() {
    let folder = Folder::new();
    let server = server(&folder);
    for (run, line) in [
        (
            "t",
            "tournament --player base --player plain --player base,lmr=off --pairs 20000",
        ),
        (
            "u",
            "tune --tune futility.* --iterations 100000 --confirm-pairs 4",
        ),
    ] {
        let playing = begin(&folder, line, run);
        let board = board(&server, run);
        let names = board["players"].as_array().unwrap();
        assert_ne!(names[0], names[1], "{run}");
        for name in names {
            let known = ["base", "plain", "base,lmr=off", "plus", "minus"];
            assert!(known.contains(&name.as_str().unwrap()), "{name}");
        }
        signal(playing.pid(), "INT");
        playing.end().ended(130);
    }
}

#[test]
fn what_a_killed_run_left_behind_is_not_shown_and_a_study_shows_the_games_of_its_parts() {
    let folder = Folder::new();
    let server = server(&folder);
    let playing = begin(&folder, "ablate --only lmr --node-depth 2 --pairs 20000", "a");
    let run = board(&server, "a")["run"].as_str().unwrap().to_owned();
    assert!(run.starts_with("a/"), "{run}");
    playing.kill();
    assert!(folder.join("results").join(&run).join("live.json").exists());
    assert_no_boards(&server, "a");
}
