//! A game that is shown while it is played is a beginning of the game that is stored.

use serde_json::Value;
use tanren_engine::game::Position;
use tanren_engine::shogi::Board;

use crate::http::browser;
use crate::shell::{BOUND, Shell};

fn ask(shell: &mut Shell, path: &str) -> Value {
    serde_json::from_str(&shell.run(&format!("http server GET /api/v1/runs/m/{path}"), ""))
        .unwrap_or_default()
}

#[test]
fn a_game_is_shown_while_it_is_played_and_is_a_beginning_of_the_game_that_is_stored() {
    let shell = &mut Shell::new("", browser());
    for line in [
        "mkdir results",
        "tanren serve & server",
        "tanren match --b plain --pairs 20000 --nodes 300 --quiet --hash 1 --out results/m & match",
        "until '\"players\":' http server GET /api/v1/runs/m/boards",
    ] {
        shell.run(line, "");
    }
    let mut board = Value::Null;
    shell.until_it_is(BOUND, "a game that is shown", |shell| {
        board = ask(shell, "boards")["boards"][0].clone();
        board.is_object()
    });
    assert_eq!((&board["run"], &board["game"]), (&"m".into(), &"shogi".into()));
    let number = board["n"].as_u64().unwrap();
    let mut row = Value::Null;
    shell.until_it_is(BOUND, "a game that is stored", |shell| {
        row = ask(shell, &format!("games?from={}&count=1", number - 1))["rows"][0].clone();
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
    for (line, printed) in [
        ("signal match INT", ""),
        ("wait match | count tanren", "? 130\n1\n"),
        ("ls results/m | grep live.json", ""),
        ("http server GET /api/v1/runs/m/boards", "{\"boards\":[]}"),
    ] {
        assert_eq!(shell.run(line, ""), printed, "{line}");
    }
}
