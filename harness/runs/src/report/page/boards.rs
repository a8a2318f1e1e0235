//! The boards of games in progress.

use serde_json::{Value, json};
use tanren_engine::game::{Game, Position};

use crate::play::LiveGame;
use crate::sanitize;
use crate::session::game::with_game;

const OPENING_BYTES_MAX: usize = 256;
const PLIES_MAX: usize = 4_096;

/// Games in progress as the page's script takes them, each with the run that it is of and what the players are called there.
pub fn boards_json(games: &[(String, [String; 2], LiveGame)]) -> Value {
    let boards = games
        .iter()
        .filter_map(|(run, labels, game)| board_of(run, labels, game));
    json!({ "boards": boards.collect::<Vec<_>>() })
}

fn board_of(run: &str, labels: &[String; 2], game: &LiveGame) -> Option<Value> {
    let kind = Game::from_name(&game.game)?;
    let [position, last] = with_game!(kind, position_of(game))?;
    let number = game.pair.checked_mul(2)?.checked_add(u64::from(game.index) + 1)?;
    Some(json!({
        "run": sanitize::line(run),
        "game": kind.name(),
        "n": number,
        "players": labels.each_ref().map(|label| sanitize::line(label)),
        "opening_line": game.opening_line,
        "opening": game.opening,
        "plies": game.moves.split(' ').filter(|word| !word.is_empty()).count(),
        "position": position,
        "last_move": last,
        "clocks_ms": game.clocks_ms,
    }))
}

/// The position by the rules, and the move that led there.
fn position_of<P: Position>(game: &LiveGame) -> Option<[String; 2]> {
    if game.opening.len() > OPENING_BYTES_MAX || game.index > 1 {
        return None;
    }
    let mut position = P::parse(&game.opening).ok()?;
    let mut last = "";
    for (ply, word) in game.moves.split_ascii_whitespace().enumerate() {
        let mv = position.parse_move(word).ok().filter(|_| ply < PLIES_MAX)?;
        if !(position.is_pseudo_legal(mv) && position.is_legal(mv)) {
            return None;
        }
        position.make(mv);
        last = word;
    }
    Some([position.to_string(), last.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(game: &str, opening: &str, moves: &str) -> Value {
        let game = LiveGame {
            game: game.to_owned(),
            pair: 4,
            index: 1,
            players: [1, 0],
            opening_line: 9,
            opening: opening.to_owned(),
            moves: moves.to_owned(),
            clocks_ms: [None, Some(50)],
        };
        let labels = ["one\u{1b}[2J".to_owned(), "two".to_owned()];
        boards_json(&[("m".to_owned(), labels, game)])["boards"][0].clone()
    }

    #[test]
    fn a_board_stands_where_its_moves_lead_and_what_the_rules_do_not_know_is_not_shown() {
        let board = shown("chess", "startpos", "e2e4 e7e5 e1e2");
        let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 1 2";
        assert_eq!(
            (&board["position"], &board["last_move"]),
            (&json!(after), &json!("e1e2"))
        );
        assert_eq!((&board["n"], &board["plies"]), (&json!(10), &json!(3)));
        assert!(!board["players"][0].as_str().unwrap().contains('\u{1b}'));
        assert_eq!(shown("shogi", "startpos", "")["plies"], 0);
        let (long, many) = ("2h3h 8b7b 3h2h 7b8b ".repeat(1_100), "startpos ".repeat(99));
        for (game, opening, moves) in [
            ("go", "startpos", ""),
            ("chess", "<svg>", ""),
            ("shogi", "startpos", "7g7e"),
            ("shogi", "startpos", "7g7f <b>"),
            ("shogi", "startpos", &long),
            ("chess", &many, ""),
        ] {
            assert!(
                shown(game, opening, moves).is_null(),
                "{game} {opening:.20} {moves:.20}"
            );
        }
    }
}
