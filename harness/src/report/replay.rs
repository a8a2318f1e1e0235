//! Games that were played again, as lines and JSON.

use serde_json::{Value, json};

use crate::tools::replay::{ReplayFindings, ReplayVerdict, ReplayedGame, ReplayedTurn};

pub fn describe_replay(found: &ReplayFindings) -> String {
    let lines: Vec<String> = found.games.iter().map(line).collect();
    lines.join("\n")
}

/// An object for one game, an array of them for more.
pub fn replay_json(found: &ReplayFindings) -> Value {
    match &found.games[..] {
        [game] => object(game),
        games => games.iter().map(object).collect(),
    }
}

fn line(game: &ReplayedGame) -> String {
    let (number, plies) = (game.number, game.moves.len());
    match &game.verdict {
        ReplayVerdict::NotPlayed => moves_line(game),
        ReplayVerdict::Same => {
            let nodes = game.nodes.iter().sum::<u64>();
            format!("game {number}: the same, {plies} plies, {nodes} nodes")
        }
        ReplayVerdict::Different(difference) => format!(
            "game {number}: different from ply {} of {plies} on: {} then, {} now",
            difference.ply,
            turn(difference.recorded.as_ref()),
            turn(difference.replayed.as_ref())
        ),
    }
}

fn object(game: &ReplayedGame) -> Value {
    let difference = match &game.verdict {
        ReplayVerdict::NotPlayed => {
            return json!({ "game": game.number, "same": null, "moves": moves_line(game) });
        }
        ReplayVerdict::Same => None,
        ReplayVerdict::Different(difference) => Some(difference),
    };
    json!({
        "game": game.number,
        "same": difference.is_none(),
        "plies": game.moves.len(),
        "nodes": game.nodes,
        "ply": difference.map(|difference| difference.ply),
        "recorded": difference.map(|difference| turn(difference.recorded.as_ref())),
        "replayed": difference.map(|difference| turn(difference.replayed.as_ref())),
    })
}

fn turn(turn: Option<&ReplayedTurn>) -> String {
    let Some(ReplayedTurn { mv, nodes, depth }) = turn else {
        return "nothing".to_owned();
    };
    format!("{mv} ({nodes} nodes, depth {depth})")
}

fn moves_line(game: &ReplayedGame) -> String {
    format!(
        "{} {} moves {}",
        game.notation,
        game.opening,
        game.moves.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::replay::Difference;
    use crate::tools::replay::ReplayEnding;

    fn game(number: u64, verdict: ReplayVerdict) -> ReplayedGame {
        ReplayedGame {
            number,
            notation: "sfen",
            opening: "START".to_owned(),
            moves: vec!["7g7f".to_owned(), "3c3d".to_owned()],
            nodes: [60, 61],
            verdict,
        }
    }

    fn found(games: Vec<ReplayedGame>) -> ReplayFindings {
        ReplayFindings {
            games,
            ending: ReplayEnding::Complete,
        }
    }

    #[test]
    fn one_game_is_an_object_and_two_are_an_array() {
        let one = found(vec![game(3, ReplayVerdict::Same)]);
        assert_eq!(replay_json(&one)["same"], true);
        let two = found(vec![
            game(3, ReplayVerdict::Same),
            game(4, ReplayVerdict::NotPlayed),
        ]);
        let value = replay_json(&two);
        assert_eq!((&value[0]["plies"], &value[0]["ply"]), (&json!(2), &json!(null)));
        assert_eq!(value[1]["moves"], "sfen START moves 7g7f 3c3d");
        assert_eq!(
            describe_replay(&two),
            "game 3: the same, 2 plies, 121 nodes\nsfen START moves 7g7f 3c3d"
        );
    }

    #[test]
    fn a_difference_names_its_ply_and_both_turns() {
        let difference = Difference {
            ply: 2,
            recorded: Some(ReplayedTurn {
                mv: "3c3d".to_owned(),
                nodes: 30,
                depth: 2,
            }),
            replayed: None,
        };
        let found = found(vec![game(1, ReplayVerdict::Different(difference))]);
        assert!(!found.are_same());
        assert_eq!(
            describe_replay(&found),
            "game 1: different from ply 2 of 2 on: 3c3d (30 nodes, depth 2) then, nothing now"
        );
        assert_eq!(replay_json(&found)["replayed"], "nothing");
    }
}
