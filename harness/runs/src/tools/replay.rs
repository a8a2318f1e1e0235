use std::path::Path;

use serde_json::{Value, json};
use tanren_engine::game::{GameMove, ParseError};
use tanren_engine::search::Searchable;

use crate::document::Document;
use crate::document::number::plural;
use crate::interrupt::{Interrupt, Signal};
use crate::play::GameTable;
use crate::record::{GameRecord, PairRecord};
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::open_tables;
use crate::session::game::with_game;
use crate::session::stored::{Run, StoredSeats};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayEnding {
    /// Every move, score, depth and node count is.
    Same,
    Different,
    Unrepeatable([String; 2]),
    Stopped(Signal),
}

/// Plays these games of a pair again, or shows them where that would be other games; nothing is to be shown if no game ended.
pub fn replay(
    folder: &Path,
    pair: u64,
    games: &[usize],
) -> Result<(Option<Document<'static>>, ReplayEnding)> {
    let run = Run::open(folder)?;
    let seats = run.seats()?;
    let Some(record) = run.ledger.pair(pair)? else {
        let (folder, stored) = (
            folder.display(),
            plural(run.ledger.finished()?.len() as u64, "pair"),
        );
        let message = format!(
            "'{folder}' holds no pair {} (games {} and {}): {stored} are stored",
            pair + 1,
            2 * pair + 1,
            2 * pair + 2
        );
        return Err(ExperimentError::Input(message));
    };
    let played = games
        .iter()
        .copied()
        .filter(|&index| record.games[index].is_played());
    let played: Vec<usize> = played.collect();
    if played.is_empty() {
        let message = format!(
            "game {} was not played: each opening has one game in '{}'",
            2 * pair + games[0] as u64 + 1,
            folder.display()
        );
        return Err(ExperimentError::Input(message));
    }
    let (games, ending) = with_game!(
        seats.conditions.game,
        replay_games(folder, &seats, &record, &played)
    )?;
    Ok(((!games.is_empty()).then(|| document(games)), ending))
}

fn document(games: Vec<(String, Value)>) -> Document<'static> {
    let (lines, mut values): (Vec<String>, Vec<Value>) = games.into_iter().unzip();
    let values = if values.len() == 1 {
        values.remove(0)
    } else {
        values.into()
    };
    Document::of_text(lines.join("\n"), values)
}

fn replay_games<P: Searchable>(
    folder: &Path,
    seats: &StoredSeats,
    record: &PairRecord,
    games: &[usize],
) -> Result<(Vec<(String, Value)>, ReplayEnding)> {
    let [a, b] = record.players;
    if !(seats.is_repeatable(a) && seats.is_repeatable(b)) {
        let shown = games.iter().map(|&index| not_played::<P>(record, index));
        let players = [a, b].map(|number| seats.describe(number));
        return Ok((shown.collect(), ReplayEnding::Unrepeatable(players)));
    }
    let process = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let differences = play_again::<P>(folder, seats, record, games, &process)?;
    let ending = match process.signal().filter(|_| differences.len() < games.len()) {
        Some(signal) => ReplayEnding::Stopped(signal),
        None if differences.iter().all(Option::is_none) => ReplayEnding::Same,
        None => ReplayEnding::Different,
    };
    let shown = games.iter().zip(differences).map(|(&index, difference)| {
        let number = 2 * record.pair + index as u64 + 1;
        played_again(number, &record.games[index], difference)
    });
    Ok((shown.collect(), ending))
}

/// Plays these games of a pair again: the first difference of each. There are fewer if a signal came.
pub(crate) fn play_again<P: Searchable>(
    folder: &Path,
    seats: &StoredSeats,
    record: &PairRecord,
    games: &[usize],
    process: &Interrupt,
) -> Result<Vec<Option<GameDifference>>> {
    let folder = folder.display();
    let start = P::parse(&record.opening).map_err(|ParseError(message)| {
        ExperimentError::Input(format!("'{folder}': the opening does not parse: {message}"))
    })?;
    let interrupt = process.for_run();
    let no_player = || ExperimentError::Input(format!("'{folder}' does not name all its players"));
    let player = |number| seats.player::<P>(number, &interrupt).ok_or_else(no_player);
    let [a, b] = record.players;
    let mut table = GameTable::new([player(a)?, player(b)?], seats.conditions.rules)
        .with_endgames(open_tables(&seats.conditions)?);
    let again = games.iter().map_while(|&index| {
        let game = &record.games[index];
        let again = table.play_game(&start, game.first, game.seed)?;
        Some(first_difference::<P>(game, &again))
    });
    Ok(again.collect())
}

fn not_played<P: Searchable>(record: &PairRecord, index: usize) -> (String, Value) {
    let moves = record.games[index].moves.iter().map(|&bits| move_text::<P>(bits));
    let moves = moves.collect::<Vec<_>>().join(" ");
    let line = format!("{} {} moves {moves}", P::GAME.notation(), record.opening);
    let number = 2 * record.pair + index as u64 + 1;
    let value = json!({ "game": number, "same": null, "moves": line });
    (line, value)
}

fn played_again(number: u64, game: &GameRecord, difference: Option<GameDifference>) -> (String, Value) {
    let (plies, nodes) = (game.moves.len(), game.nodes.iter().sum::<u64>());
    let line = match &difference {
        None => format!("game {number}: the same, {plies} plies, {nodes} nodes"),
        Some(GameDifference {
            ply,
            turns: [then, now],
        }) => {
            format!("game {number}: different from ply {ply} of {plies} on: {then} then, {now} now")
        }
    };
    let is_same = difference.is_none();
    let (ply, turns) = difference.map(|found| (found.ply, found.turns)).unzip();
    let [recorded, replayed] = turns.map_or([None, None], |turns| turns.map(Some));
    let value = json!({
        "game": number,
        "same": is_same,
        "plies": plies,
        "nodes": game.nodes,
        "ply": ply,
        "recorded": recorded,
        "replayed": replayed,
    });
    (line, value)
}

pub(crate) struct GameDifference {
    pub(crate) ply: usize,
    /// What was played there, recorded and now, in words.
    turns: [String; 2],
}

/// The first turn that is not what it was; times do not count.
fn first_difference<P: Searchable>(recorded: &GameRecord, replayed: &GameRecord) -> Option<GameDifference> {
    let turns = recorded.turns.len().max(replayed.turns.len());
    let turn = |game: &GameRecord, index: usize| {
        let turn = game.turns.get(index)?;
        Some((game.moves.get(index).copied(), turn.nodes, turn.depth, turn.score))
    };
    let at = (0..turns).find(|&index| turn(recorded, index) != turn(replayed, index));
    let at = at.or_else(|| {
        let is_same_end = (recorded.winner, recorded.reason) == (replayed.winner, replayed.reason);
        (!is_same_end).then_some(turns)
    })?;
    let shown = |game: &GameRecord| match turn(game, at) {
        None => "nothing".to_owned(),
        Some((mv, nodes, depth, _)) => {
            let mv = mv.map_or_else(|| game.reason.name().to_owned(), move_text::<P>);
            format!("{mv} ({nodes} nodes, depth {depth})")
        }
    };
    Some(GameDifference {
        ply: at + 1,
        turns: [recorded, replayed].map(shown),
    })
}

fn move_text<P: Searchable>(bits: u16) -> String {
    P::Move::from_bits(bits).to_string()
}
