//! What the techniques did in games that were searched again.

use serde_json::{Value, json};
use tanren_engine::search::{Counters, Technique};

use crate::document::table::{Align, table};
use crate::tools::recount::{RecountFindings, RecountedPlayer};

/// Tries and successes a game of every technique that was tried, the players side by side.
pub fn describe_recount(found: &RecountFindings) -> String {
    let players: Vec<&RecountedPlayer> = found.players.iter().filter(|player| player.games > 0).collect();
    if players.is_empty() {
        return "every game goes another way now: nothing was counted\n".to_owned();
    }
    let games: u64 = found.players.iter().map(|player| player.games).sum::<u64>() / 2;
    let mut text = format!("{games} games searched again; tries and successes of a player a game\n");
    if found.different > 0 {
        text += &format!(
            "{} games go another way now and are not counted\n",
            found.different
        );
    }
    let mut header = vec!["technique".to_owned()];
    for player in &players {
        header.extend([player.label.clone(), "successes".to_owned()]);
    }
    let is_tried = |technique: &&Technique| {
        players
            .iter()
            .any(|player| player.counters.tries(**technique) > 0)
    };
    let rows = Technique::ALL.iter().filter(is_tried).map(|&technique| {
        let mut row = vec![technique.name().to_owned()];
        for player in &players {
            let a_game = |count: u64| format!("{:.1}", count as f64 / player.games as f64);
            row.push(a_game(player.counters.tries(technique)));
            row.push(a_game(player.counters.successes(technique)));
        }
        row
    });
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    format!("{text}\n{}", table(&rows, Align::FirstLeft))
}

/// An object for each player and counter, sums over its games.
pub fn recount_json(found: &RecountFindings) -> Value {
    let names = Counters::names();
    let of_player = |player: &RecountedPlayer| {
        let rows = names.iter().zip(player.counters.rows());
        let objects = rows.map(|(name, (tries, successes))| {
            json!({
                "player": player.label,
                "games": player.games,
                "technique": name,
                "tries": tries,
                "successes": successes,
            })
        });
        objects.collect::<Vec<Value>>()
    };
    found.players.iter().flat_map(of_player).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(label: &str, games: u64) -> RecountedPlayer {
        RecountedPlayer {
            label: label.to_owned(),
            games,
            counters: Counters::default(),
        }
    }

    #[test]
    fn what_nobody_tried_has_no_row_and_no_games_are_no_table() {
        let mut found = RecountFindings {
            players: vec![player("base", 4), player("base,null_move=off", 4)],
            different: 0,
            stopped: None,
        };
        let text = describe_recount(&found);
        assert!(text.starts_with("4 games searched again"), "{text}");
        assert!(
            text.contains("base,null_move=off") && !text.contains("probcut"),
            "{text}"
        );
        found.players = vec![player("base", 0)];
        assert!(describe_recount(&found).contains("nothing was counted"));
    }
}
