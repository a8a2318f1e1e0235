//! The files of a run's games: `games.csv`, `games.sfen` or `games.fen`, `replayed.csv`; they hold the pairs that were counted.

use std::error::Error;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::Path;

use tanren_engine::game::{Game, GameMove, Position};

use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::file::{FileError, write_atomically};
use crate::kinds::match_::report::replayed_columns;
use crate::ledger::Ledger;
use crate::record::{GameOutcome, PairOutcome, PairRecord, PlayerId};
use crate::session::game::with_game;

/// `labels` are those of the run's players; `games.csv` says who played only in a tournament.
pub(crate) fn write_games(
    folder: &Path,
    ledger: &Ledger,
    game: Game,
    counted: u64,
    labels: &[String],
    is_tournament: bool,
) -> Result<(), FileError> {
    write_atomically(&folder.join("games.csv"), |output| {
        let mut games = columns(is_tournament.then_some(labels)).writer(output)?;
        let mut result = Ok(());
        let read = ledger.for_each_counted(counted, |pair| {
            if result.is_ok() {
                let mut rows = GameRow::played(pair).into_iter();
                result = rows.try_for_each(|row| games.write(&row));
            }
        });
        read.map_err(io::Error::other)?;
        result?;
        games.finish().map(drop).map_err(io::Error::from)
    })?;
    with_game!(game, write_moves(folder, ledger, counted))?;
    let (mut faults, file) = (Vec::new(), folder.join("replayed.csv"));
    ledger.for_each_counted(counted, |pair| faults.extend(pair.replayed))?;
    if faults.is_empty() && !file.exists() {
        return Ok(());
    }
    write_atomically(&file, |output| {
        output.write_all(&replayed_columns(labels).csv(&faults)?)
    })
}

fn write_moves<P: Position>(folder: &Path, ledger: &Ledger, counted: u64) -> Result<(), FileError> {
    write_atomically(&folder.join(format!("games.{}", P::GAME.notation())), |output| {
        let mut lines = MoveLines::<P>::new();
        for_each_counted(ledger, counted, |pair| lines.write(output, pair))
    })
}

pub(crate) fn for_each_counted(
    ledger: &Ledger,
    counted: u64,
    mut write: impl FnMut(&PairRecord) -> io::Result<()>,
) -> io::Result<()> {
    let written = ledger.for_each_pair(counted, |record| -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(write(&record)?)
    });
    written.map_err(|error| match error.downcast::<io::Error>() {
        Ok(error) => *error,
        Err(error) => io::Error::other(error),
    })
}

pub(crate) struct GameRow {
    pair: PairOutcome,
    index: usize,
}

impl GameRow {
    fn played(pair: PairOutcome) -> Vec<GameRow> {
        let played = [0, 1].into_iter().filter(|&index| pair.games[index].is_played());
        let row = |index| GameRow {
            pair: pair.clone(),
            index,
        };
        played.map(row).collect()
    }

    fn game(&self) -> &GameOutcome {
        &self.pair.games[self.index]
    }

    fn first_side(&self) -> PlayerId {
        self.pair.first_side(self.index)
    }

    fn result(&self) -> &'static str {
        match self.game().winner {
            None => "1/2",
            Some(winner) if winner == self.first_side() => "1-0",
            Some(_) => "0-1",
        }
    }
}

/// `games.csv`; with `labels` also who was A and B.
pub(crate) fn columns<'a>(labels: Option<&'a [String]>) -> Columns<'a, GameRow> {
    let columns = columns! { row: GameRow;
        "pair", "number of the pair through the run, from 1" => row.pair.pair + 1;
        "game", "number of the game through the run, from 1" => 2 * row.pair.pair + row.index as u64 + 1;
        "opening", "line of the opening in its file" => row.pair.opening_line;
        "first_side", "who has Sente or White, `a` or `b`; A moves first in odd games" => row.first_side().letter();
        "second_side", "who has Gote or Black" => row.first_side().opponent().letter();
        "winner", "`a`, `b` or `draw`" => row.game().winner.map_or("draw", PlayerId::letter);
        "result", "`1-0`, `0-1` or `1/2`, from the view of Sente or White" => row.result();
        "reason", "why the game ended" => row.game().reason.name();
        "plies", "moves played" => row.game().plies;
        "nodes_a", "nodes that A searched" => row.game().nodes[0];
        "nodes_b", "nodes that B searched" => row.game().nodes[1];
        "time_a_ms", "thinking time of A in milliseconds" => time_ms(row.game(), PlayerId::A);
        "time_b_ms", "thinking time of B in milliseconds" => time_ms(row.game(), PlayerId::B);
        "depth_a", "mean depth of a search of A" => mean_depth(row.game(), PlayerId::A);
        "depth_b", "mean depth of a search of B" => mean_depth(row.game(), PlayerId::B);
        "seed", "the game's seed" => row.game().seed;
    };
    let Some(labels) = labels else { return columns };
    let label = |player: u16| labels.get(usize::from(player)).map_or("", String::as_str);
    columns.and(columns! { row: GameRow;
        "player_a", "in a tournament: who sat at A's place" => label(row.pair.players[0]).to_owned();
        "player_b", "in a tournament: who sat at B's place" => label(row.pair.players[1]).to_owned();
    })
}

fn time_ms(game: &GameOutcome, player: PlayerId) -> Cell<'static> {
    ((game.time_us[player.index()] + 500) / 1000).into()
}

/// Declarations and resignations are decided without a move, so searches are counted by moves.
fn mean_depth(game: &GameOutcome, player: PlayerId) -> Cell<'static> {
    let moves = u64::from(game.moves_by(player).max(1));
    let hundredths = (game.depth_sum[player.index()] * 100 + moves / 2) / moves;
    Cell::fixed(hundredths as f64 / 100.0, 2)
}

/// Writes games as lines, `sfen <position> moves <move> …`, and remembers the text of every move: a long run has millions
/// of moves, but only some thousand different ones.
pub(crate) struct MoveLines<P> {
    /// By bits: the length, then the text; length 0 is not known yet.
    texts: Vec<[u8; MOVE_TEXT_MAX + 1]>,
    position: PhantomData<P>,
}

const MOVE_TEXT_MAX: usize = 7;

impl<P: Position> MoveLines<P> {
    pub(crate) fn new() -> Self {
        MoveLines {
            texts: vec![[0; MOVE_TEXT_MAX + 1]; 1 << 16],
            position: PhantomData,
        }
    }

    pub(crate) fn write(&mut self, output: &mut impl Write, pair: &PairRecord) -> std::io::Result<()> {
        for (_, game) in pair.played() {
            write!(output, "{} {} moves", P::GAME.notation(), pair.opening)?;
            for &bits in &game.moves {
                output.write_all(b" ")?;
                self.write_move(output, bits)?;
            }
            writeln!(output)?;
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use crate::kinds::match_::game_files::*;
    use tanren_core::fixtures::pair;
    use tanren_engine::shogi::Board;

    #[test]
    fn the_columns_are_those_of_the_contract() {
        let pairs = [pair(0, [2, 1], 3), pair(4, [0, 2], 3)];
        let rows = pairs
            .iter()
            .flat_map(|record| GameRow::played(PairOutcome::from(record)));
        let expected = "\
pair,game,opening,first_side,second_side,winner,result,reason,plies,nodes_a,nodes_b,time_a_ms,time_b_ms,depth_a,depth_b,seed
1,1,1,a,b,a,1-0,no_legal_move,4,103,200,2,3,4.50,3.50,0
1,2,1,b,a,draw,1/2,repetition,4,103,200,2,3,4.50,3.50,0
5,9,5,a,b,b,0-1,no_legal_move,4,103,200,2,3,4.50,3.50,4
5,10,5,b,a,a,0-1,no_legal_move,4,103,200,2,3,4.50,3.50,4
";
        assert_eq!(
            String::from_utf8(columns(None).csv(rows).unwrap()).unwrap(),
            expected
        );
    }

    #[test]
    fn a_game_is_one_line_of_position_and_moves() {
        let first = Board::start().parse_move("7g7f").unwrap().bits();
        let mut pair = pair(0, [1, 1], 0);
        pair.opening = "startpos".to_owned();
        pair.games[0].moves = vec![first];
        pair.games[1].moves = Vec::new();
        let mut output = Vec::new();
        MoveLines::<Board>::new().write(&mut output, &pair).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text, "sfen startpos moves 7g7f\nsfen startpos moves\n");
    }
}
