//! `tanren replay`.
//!
//! In: the folder of a run and a game of it. Out: whether the game, played again, is the same. Must not: write.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use tanren_engine::eval::Evaluated;
use tanren_engine::game::{GameMove, ParseError};

use super::shared::CliError;
use crate::experiment::{Run, StoredSeats, with_game};
use crate::interrupt::Interrupt;
use crate::play::Table;
use crate::record::{GameRecord, PairRecord, PlayerId};
use crate::report::print_data;

const EXAMPLES: &str = "\
Examples:
  tanren replay results/null-move --game 17
      a game again
  tanren replay results/null-move --pair 9 --json
      both games of a pair";

/// Play a game of a run again and say whether every move, score, depth and node count is the same.
///
/// Exit codes: 0 the same, 1 different. A game in which time decides what is played, or another program plays, is shown and
/// not played again.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReplayArgs {
    /// The folder of a match or tournament.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The game's number in games.csv; with --pair 1 or 2, the first or second game of that pair.
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    /// A pair's number in games.csv: both its games, or the one of --game.
    #[arg(long, value_name = "N", required_unless_present = "game")]
    pair: Option<u64>,
    /// Print one JSON object, or an array of two for both games of a pair.
    #[arg(long)]
    json: bool,
}

impl ReplayArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let (pair, games) = self.chosen()?;
        let run = Run::open(&self.folder)?;
        let seats = run.seats()?;
        let record = run.ledger().pair(pair)?.ok_or_else(|| {
            let message = format!("'{}' holds no pair {}", self.folder.display(), pair + 1);
            CliError::input(message)
        })?;
        with_game!(
            seats.game(),
            replay_games(&seats, &self.folder, &record, &games, self.json)
        )
    }

    /// The pair from 0 and its games, 0 and 1.
    fn chosen(&self) -> Result<(u64, Vec<usize>), CliError> {
        let refuse = |message: &str| Err(CliError::input(message.to_owned()));
        match (self.pair, self.game) {
            (Some(0), _) | (_, Some(0)) => refuse("pairs and games are numbered from 1"),
            (None, None) => refuse("give --game or --pair"),
            (None, Some(game)) => Ok(((game - 1) / 2, vec![(game - 1) as usize % 2])),
            (Some(pair), None) => Ok((pair - 1, vec![0, 1])),
            (Some(pair), Some(game @ (1 | 2))) => Ok((pair - 1, vec![game as usize - 1])),
            (Some(_), Some(_)) => refuse("with --pair, --game is 1 or 2"),
        }
    }
}

/// Where two games part.
struct Difference {
    ply: usize,
    recorded: String,
    replayed: String,
}

fn replay_games<P: Evaluated>(
    seats: &StoredSeats,
    folder: &Path,
    record: &PairRecord,
    games: &[usize],
    is_json: bool,
) -> Result<(), CliError> {
    let start = P::parse(&record.opening).map_err(|ParseError(message)| {
        CliError::input(format!(
            "'{}': the opening does not parse: {message}",
            folder.display()
        ))
    })?;
    let [a, b] = record.players;
    if !(seats.is_repeatable(a) && seats.is_repeatable(b)) {
        show_moves::<P>(record, games, is_json)?;
        return Err(CliError::input(format!(
            "{} against {}: where time decides or another program plays, a game played again is another game; the moves are above",
            seats.describe(a),
            seats.describe(b)
        )));
    }
    let process = Interrupt::install().map_err(CliError::system("watch for signals"))?;
    let interrupt = process.for_run();
    let no_player = || CliError::input(format!("'{}' does not name all its players", folder.display()));
    let player = |number, id| seats.player::<P>(number, id, &interrupt).ok_or_else(no_player);
    let mut table = Table::new(
        [player(a, PlayerId::A)?, player(b, PlayerId::B)?],
        seats.conditions.rules,
    );
    let mut are_same = true;
    let mut results = Results::new(is_json);
    for &index in games {
        let game = &record.games[index];
        let Some(again) = table.play_game(&start, game.first, game.seed) else {
            return process
                .signal()
                .map_or(Ok(()), |signal| Err(CliError::Stopped(signal)));
        };
        let difference = first_difference::<P>(game, &again);
        are_same &= difference.is_none();
        let number = number_of(record, index);
        let json = to_json(number, game, difference.as_ref());
        results.add(&describe(number, game, difference.as_ref()), json)?;
    }
    results.end()?;
    if are_same {
        Ok(())
    } else {
        Err(CliError::Different)
    }
}

/// What is said of the games: each text as it comes, or all of them as one JSON value in the end.
struct Results {
    json: Option<Vec<Value>>,
}

impl Results {
    fn new(is_json: bool) -> Results {
        Results {
            json: is_json.then(Vec::new),
        }
    }

    fn add(&mut self, text: &str, json: Value) -> Result<(), CliError> {
        match &mut self.json {
            Some(values) => {
                values.push(json);
                Ok(())
            }
            None => print_data(text).map_err(CliError::system("print the result")),
        }
    }

    fn end(self) -> Result<(), CliError> {
        let text = match self.json.as_deref() {
            None => return Ok(()),
            Some([one]) => one.to_string(),
            Some(several) => Value::from(several).to_string(),
        };
        print_data(&text).map_err(CliError::system("print the result"))
    }
}

/// The game's number through the run, as in `games.csv`.
fn number_of(record: &PairRecord, index: usize) -> u64 {
    2 * record.pair + index as u64 + 1
}

fn show_moves<P: Evaluated>(record: &PairRecord, games: &[usize], is_json: bool) -> Result<(), CliError> {
    let mut results = Results::new(is_json);
    for &index in games {
        let line = moves_line::<P>(record, &record.games[index]);
        let json = json!({ "game": number_of(record, index), "same": null, "moves": line });
        results.add(&line, json)?;
    }
    results.end()
}

/// The first turn, from ply 1, that is not what it was; times do not count.
fn first_difference<P: Evaluated>(recorded: &GameRecord, replayed: &GameRecord) -> Option<Difference> {
    let turns = recorded.turns.len().max(replayed.turns.len());
    let turn = |game: &GameRecord, index: usize| {
        let turn = game.turns.get(index)?;
        Some((game.moves.get(index).copied(), turn.nodes, turn.depth, turn.score))
    };
    let show = |game: &GameRecord, index: usize| match turn(game, index) {
        None => "nothing".to_owned(),
        Some((mv, nodes, depth, _)) => {
            let mv = mv.map_or(game.reason.name().to_owned(), |bits| {
                P::Move::from_bits(bits).to_string()
            });
            format!("{mv} ({nodes} nodes, depth {depth})")
        }
    };
    let at = (0..turns).find(|&index| turn(recorded, index) != turn(replayed, index));
    let at = at.or_else(|| {
        let is_same_end = (recorded.winner, recorded.reason) == (replayed.winner, replayed.reason);
        (!is_same_end).then_some(turns)
    })?;
    Some(Difference {
        ply: at + 1,
        recorded: show(recorded, at),
        replayed: show(replayed, at),
    })
}

fn describe(number: u64, game: &GameRecord, difference: Option<&Difference>) -> String {
    let plies = game.moves.len();
    match difference {
        None => format!(
            "game {number}: the same, {plies} plies, {} nodes",
            game.nodes.iter().sum::<u64>()
        ),
        Some(Difference {
            ply,
            recorded,
            replayed,
        }) => {
            format!("game {number}: different from ply {ply} of {plies} on: {recorded} then, {replayed} now")
        }
    }
}

fn to_json(number: u64, game: &GameRecord, difference: Option<&Difference>) -> Value {
    json!({
        "game": number,
        "same": difference.is_none(),
        "plies": game.moves.len(),
        "nodes": game.nodes,
        "ply": difference.map(|difference| difference.ply),
        "recorded": difference.map(|difference| difference.recorded.as_str()),
        "replayed": difference.map(|difference| difference.replayed.as_str()),
    })
}

fn moves_line<P: Evaluated>(record: &PairRecord, game: &GameRecord) -> String {
    let moves = game
        .moves
        .iter()
        .map(|&bits| P::Move::from_bits(bits).to_string());
    let moves: Vec<String> = moves.collect();
    format!(
        "{} {} moves {}",
        P::GAME.notation(),
        record.opening,
        moves.join(" ")
    )
}
