//! `games.csv`, one row a game.
//!
//! In: counted pairs. Out: its columns. Must not: depend on when or where a game was played, but in the time columns.

use super::cell::Cell;
use super::sheet::Sheet;
use crate::record::{GameOutcome, PairOutcome, PlayerId};

/// One game of a pair.
pub(super) struct GameRow {
    pair: PairOutcome,
    /// 0 or 1.
    index: usize,
}

impl GameRow {
    /// The two games of `pair`.
    pub(super) fn both(pair: PairOutcome) -> [GameRow; 2] {
        let first = GameRow {
            pair: pair.clone(),
            index: 0,
        };
        [first, GameRow { pair, index: 1 }]
    }

    fn game(&self) -> &GameOutcome {
        &self.pair.games[self.index]
    }

    fn number(&self) -> u64 {
        2 * self.pair.pair + self.index as u64 + 1
    }
}

/// The columns; with `labels`, those of a run's players, also who sat at A's and at B's place.
pub(super) fn sheet<'a>(labels: Option<&'a [String]>) -> Sheet<'a, GameRow> {
    let sheet = Sheet::new()
        .column(
            "pair",
            "number of the pair through the run, from 1",
            |row: &GameRow| (row.pair.pair + 1).into(),
        )
        .column("game", "number of the game through the run, from 1", |row| {
            row.number().into()
        })
        .column("opening", "line of the opening in its file", |row| {
            row.pair.opening_line.into()
        })
        .column("first", "who moved first, `a` or `b`", |row| {
            row.game().first.letter().into()
        })
        .column("second", "who moved second", |row| {
            row.game().first.opponent().letter().into()
        })
        .column("winner", "`a`, `b` or `draw`", |row| {
            row.game().winner.map_or("draw", PlayerId::letter).into()
        })
        .column(
            "result",
            "`1-0`, `0-1` or `1/2`, from the first mover's view",
            |row| result(row.game()).into(),
        )
        .column("reason", "why the game ended", |row| {
            row.game().reason.name().into()
        })
        .column("plies", "moves played", |row| row.game().plies.into())
        .column("nodes_a", "nodes that A searched", |row| {
            row.game().nodes[0].into()
        })
        .column("nodes_b", "nodes that B searched", |row| {
            row.game().nodes[1].into()
        })
        .column("time_a_ms", "thinking time of A in milliseconds", |row| {
            time_ms(row.game(), PlayerId::A)
        })
        .column("time_b_ms", "thinking time of B in milliseconds", |row| {
            time_ms(row.game(), PlayerId::B)
        })
        .column("depth_a", "mean depth of a search of A", |row| {
            mean_depth(row.game(), PlayerId::A)
        })
        .column("depth_b", "mean depth of a search of B", |row| {
            mean_depth(row.game(), PlayerId::B)
        })
        .column("seed", "the game's seed", |row| row.game().seed.into());
    let Some(labels) = labels else { return sheet };
    let label = move |player: u16| labels.get(usize::from(player)).map_or("", String::as_str);
    sheet
        .column("player_a", "in a tournament: who sat at A's place", move |row| {
            Cell::from(label(row.pair.players[0]).to_owned())
        })
        .column("player_b", "in a tournament: who sat at B's place", move |row| {
            Cell::from(label(row.pair.players[1]).to_owned())
        })
}

fn time_ms(game: &GameOutcome, player: PlayerId) -> Cell<'static> {
    ((game.time_us[player.index()] + 500) / 1000).into()
}

/// From the first mover's view.
fn result(game: &GameOutcome) -> &'static str {
    match game.winner {
        None => "1/2",
        Some(winner) if winner == game.first => "1-0",
        Some(_) => "0-1",
    }
}

/// Declarations and resignations are decided without a move, so searches are counted by moves.
fn mean_depth(game: &GameOutcome, player: PlayerId) -> Cell<'static> {
    let moves = u64::from(game.moves_by(player).max(1));
    let hundredths = (game.depth_sum[player.index()] * 100 + moves / 2) / moves;
    Cell::fixed(hundredths as f64 / 100.0, 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_core::fixtures::pair;

    #[test]
    fn the_columns_are_those_of_the_contract() {
        let mut games = sheet(None).writer(Vec::new()).unwrap();
        for record in [pair(0, [2, 1], 3), pair(4, [0, 2], 3)] {
            for row in GameRow::both(PairOutcome::from(&record)) {
                games.write(&row).unwrap();
            }
        }
        let text = String::from_utf8(games.finish().unwrap()).unwrap();
        let expected = "\
pair,game,opening,first,second,winner,result,reason,plies,nodes_a,nodes_b,time_a_ms,time_b_ms,depth_a,depth_b,seed
1,1,1,a,b,a,1-0,no_legal_move,4,103,200,2,3,4.50,3.50,0
1,2,1,b,a,draw,1/2,repetition,4,103,200,2,3,4.50,3.50,0
5,9,5,a,b,b,0-1,no_legal_move,4,103,200,2,3,4.50,3.50,4
5,10,5,b,a,a,0-1,no_legal_move,4,103,200,2,3,4.50,3.50,4
";
        assert_eq!(text, expected);
    }
}
