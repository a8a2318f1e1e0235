//! `games.csv` and the move lists, one row a game.
//!
//! In: counted pairs. Out: rows. Must not: depend on when or where a game was played, but in the time columns.

use std::io::Write;
use std::marker::PhantomData;

use tanren_engine::game::{GameMove, Position};

use crate::ledger::GameMoves;
use crate::record::{GameOutcome, PairOutcome, PlayerId};

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
pub(super) struct GamesCsv<'a, W: Write> {
    writer: csv::Writer<W>,
    labels: Option<&'a [String]>,
}

impl<'a, W: Write> GamesCsv<'a, W> {
    pub(super) fn new(output: W) -> csv::Result<Self> {
        let mut writer = csv::Writer::from_writer(output);
        writer.write_record(HEADER)?;
        Ok(GamesCsv { writer, labels: None })
    }

    /// With the columns `player_a` and `player_b`: who sat at A's and B's place, by label.
    pub(super) fn of_players(output: W, labels: &'a [String]) -> csv::Result<Self> {
        let mut writer = csv::Writer::from_writer(output);
        writer.write_record(HEADER.iter().chain(&["player_a", "player_b"]))?;
        Ok(GamesCsv {
            writer,
            labels: Some(labels),
        })
    }

    pub(super) fn write(&mut self, pair: &PairOutcome) -> csv::Result<()> {
        let label = |player: u16| {
            let labels = self.labels.unwrap_or_default();
            labels.get(usize::from(player)).map_or("", String::as_str)
        };
        let players: Vec<&str> = match self.labels {
            Some(_) => pair.players.into_iter().map(label).collect(),
            None => Vec::new(),
        };
        for (index, game) in pair.games.iter().enumerate() {
            let number = 2 * pair.pair + index as u64 + 1;
            self.writer.serialize((
                (pair.pair + 1, number, pair.opening_line),
                (game.first.letter(), game.first.opponent().letter()),
                (
                    game.winner.map_or("draw", PlayerId::letter),
                    result(game),
                    game.reason.name(),
                ),
                game.plies,
                game.nodes,
                game.time_us.map(|time_us| (time_us + 500) / 1000),
                (mean_depth(game, PlayerId::A), mean_depth(game, PlayerId::B)),
                game.seed,
                &players,
            ))?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> csv::Result<W> {
        Ok(self.writer.into_inner().map_err(|error| error.into_error())?)
    }
}

/// Writes games as lines, `sfen <position> moves <move> …`, and remembers the text of every move: a long run has millions
/// of moves, but only some thousand different ones.
pub(super) struct MoveLines<P> {
    /// By bits: the length, then the text; length 0 is not known yet.
    texts: Vec<[u8; MOVE_TEXT_MAX + 1]>,
    position: PhantomData<P>,
}

/// Longest text of a move that is remembered.
const MOVE_TEXT_MAX: usize = 7;

impl<P: Position> MoveLines<P> {
    pub(super) fn new() -> Self {
        MoveLines {
            texts: vec![[0; MOVE_TEXT_MAX + 1]; 1 << 16],
            position: PhantomData,
        }
    }

    /// Writes one game.
    pub(super) fn write(&mut self, output: &mut impl Write, game: &GameMoves<'_>) -> std::io::Result<()> {
        write!(output, "{} {} moves", P::GAME.notation(), game.opening)?;
        for bytes in game.moves.chunks_exact(2) {
            output.write_all(b" ")?;
            self.write_move(output, u16::from_le_bytes([bytes[0], bytes[1]]))?;
        }
        writeln!(output)
    }

    fn write_move(&mut self, output: &mut impl Write, bits: u16) -> std::io::Result<()> {
        let entry = &mut self.texts[usize::from(bits)];
        if entry[0] == 0 {
            let text = P::Move::from_bits(bits).to_string();
            if text.len() > MOVE_TEXT_MAX {
                return output.write_all(text.as_bytes());
            }
            entry[0] = text.len() as u8;
            entry[1..=text.len()].copy_from_slice(text.as_bytes());
        }
        output.write_all(&entry[1..=usize::from(entry[0])])
    }
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
fn mean_depth(game: &GameOutcome, player: PlayerId) -> String {
    let moves = u64::from(game.moves_by(player).max(1));
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
        games.write(&PairOutcome::from(&pair(0, [2, 1], 3))).unwrap();
        games.write(&PairOutcome::from(&pair(4, [0, 2], 3))).unwrap();
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
        let game = GameMoves {
            pair: 0,
            opening: "9 a",
            moves: &[1, 0, 2, 0, 3, 0],
        };
        MoveLines::<Toy>::new().write(&mut output, &game).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text, "sfen 9 a moves 1 2 3\n");
    }
}
