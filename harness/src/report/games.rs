//! `games.csv` and the move lists, one row a game.
//!
//! In: counted pairs. Out: rows. Must not: depend on when or where a game was played, but in the time columns.

use std::io::Write;

use tanren_engine::game::{GameMove, Position};

use crate::record::{GameRecord, PairRecord, PlayerId};

const HEADER: [&str; 16] = [
    "pair",
    "game",
    "opening",
    "first",
    "second",
    "winner",
    "result",
    "reason",
    "plies",
    "nodes_a",
    "nodes_b",
    "time_a_ms",
    "time_b_ms",
    "depth_a",
    "depth_b",
    "seed",
];

/// Writes `games.csv` row by row. Pairs and games are numbered from 1 through the match; `opening` is the line of the
/// opening file; `depth_a` and `depth_b` are mean depths of a search.
pub(super) struct GamesCsv<W: Write> {
    writer: csv::Writer<W>,
}

impl<W: Write> GamesCsv<W> {
    pub(super) fn new(output: W) -> csv::Result<Self> {
        let mut writer = csv::Writer::from_writer(output);
        writer.write_record(HEADER)?;
        Ok(GamesCsv { writer })
    }

    pub(super) fn write(&mut self, record: &PairRecord) -> csv::Result<()> {
        for (index, game) in record.games.iter().enumerate() {
            let number = 2 * record.pair + index as u64 + 1;
            self.writer.serialize((
                (record.pair + 1, number, record.opening_line),
                (game.first.letter(), game.first.opponent().letter()),
                (
                    game.winner.map_or("draw", PlayerId::letter),
                    result(game),
                    game.reason.name(),
                ),
                game.moves.len(),
                game.nodes,
                game.time_us.map(|time_us| (time_us + 500) / 1000),
                (mean_depth(game, PlayerId::A), mean_depth(game, PlayerId::B)),
                game.seed,
            ))?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> csv::Result<W> {
        Ok(self.writer.into_inner().map_err(|error| error.into_error())?)
    }
}

/// Writes one game as a line: `sfen <position> moves <move> …`.
pub(super) fn write_moves<P: Position>(output: &mut impl Write, record: &PairRecord) -> std::io::Result<()> {
    for game in &record.games {
        write!(output, "{} {} moves", P::GAME.notation(), record.opening)?;
        for &bits in &game.moves {
            write!(output, " {}", P::Move::from_bits(bits))?;
        }
        writeln!(output)?;
    }
    Ok(())
}

/// From the first mover's view.
fn result(game: &GameRecord) -> &'static str {
    match game.winner {
        None => "1/2",
        Some(winner) if winner == game.first => "1-0",
        Some(_) => "0-1",
    }
}

/// Declarations and resignations are decided without a move, so searches are counted by moves.
fn mean_depth(game: &GameRecord, player: PlayerId) -> String {
    let moves = game.moves_by(player).max(1) as u64;
    let hundredths = (game.depth_sum[player.index()] * 100 + moves / 2) / moves;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::tests::pair;
    use crate::toy::Toy;

    #[test]
    fn the_columns_are_those_of_the_contract() {
        let mut games = GamesCsv::new(Vec::new()).unwrap();
        games.write(&pair(0, [2, 1], 3)).unwrap();
        games.write(&pair(4, [0, 2], 3)).unwrap();
        let text = String::from_utf8(games.finish().unwrap()).unwrap();
        let expected = "\
pair,game,opening,first,second,winner,result,reason,plies,nodes_a,nodes_b,time_a_ms,time_b_ms,depth_a,depth_b,seed
1,1,1,a,b,a,1-0,no_legal_move,4,103,200,2,3,4.50,3.50,0
1,2,1,b,a,draw,1/2,repetition,4,103,200,2,3,4.50,3.50,0
5,9,2,a,b,b,0-1,no_legal_move,4,103,200,2,3,4.50,3.50,4
5,10,2,b,a,a,0-1,no_legal_move,4,103,200,2,3,4.50,3.50,4
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_game_is_one_line_of_position_and_moves() {
        let mut output = Vec::new();
        write_moves::<Toy>(&mut output, &pair(0, [2, 0], 3)).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text, "sfen 9 a moves 1 2 3 1\nsfen 9 a moves 1 2 3 2\n");
    }
}
