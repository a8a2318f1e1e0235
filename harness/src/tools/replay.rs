use std::path::PathBuf;

use tanren_engine::game::{GameMove, ParseError};
use tanren_engine::search::Searchable;

use crate::interrupt::{Interrupt, Signal};
use crate::play::Table;
use crate::record::{GameRecord, PairRecord};
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::open_tables;
use crate::session::game::with_game;
use crate::session::stored::{Run, StoredSeats};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplaySpec {
    pub folder: PathBuf,
    pub pair: u64,
    pub games: Vec<usize>,
}

#[derive(Debug, Clone)]
pub struct ReplayFindings {
    pub games: Vec<ReplayedGame>,
    pub ending: ReplayEnding,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayEnding {
    Complete,
    Unrepeatable([String; 2]),
    Stopped(Signal),
}

#[derive(Debug, Clone)]
pub struct ReplayedGame {
    pub number: u64,
    pub notation: &'static str,
    pub opening: String,
    pub moves: Vec<String>,
    pub nodes: [u64; 2],
    pub verdict: ReplayVerdict,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayVerdict {
    NotPlayed,
    /// Every move, score, depth and node count is the same.
    Same,
    Different(Difference),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub ply: usize,
    /// What was played there; nothing if the game was over.
    pub recorded: Option<ReplayedTurn>,
    pub replayed: Option<ReplayedTurn>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedTurn {
    pub mv: String,
    pub nodes: u64,
    pub depth: u32,
}

impl ReplayFindings {
    pub fn are_same(&self) -> bool {
        let is_same = |game: &ReplayedGame| game.verdict == ReplayVerdict::Same;
        self.games.iter().all(is_same)
    }
}

pub fn replay(spec: &ReplaySpec) -> Result<ReplayFindings> {
    let run = Run::open(&spec.folder)?;
    let seats = run.seats()?;
    let record = run.ledger.pair(spec.pair)?.ok_or_else(|| {
        let (folder, pair) = (spec.folder.display(), spec.pair + 1);
        ExperimentError::Input(format!("'{folder}' holds no pair {pair}"))
    })?;
    with_game!(seats.game(), replay_games(spec, &seats, &record))
}

fn replay_games<P: Searchable>(
    spec: &ReplaySpec,
    seats: &StoredSeats,
    record: &PairRecord,
) -> Result<ReplayFindings> {
    let folder = spec.folder.display();
    let start = P::parse(&record.opening).map_err(|ParseError(message)| {
        ExperimentError::Input(format!("'{folder}': the opening does not parse: {message}"))
    })?;
    let [a, b] = record.players;
    let mut found = ReplayFindings {
        games: Vec::new(),
        ending: ReplayEnding::Complete,
    };
    if !(seats.is_repeatable(a) && seats.is_repeatable(b)) {
        let shown = |&index: &usize| as_recorded::<P>(record, index, ReplayVerdict::NotPlayed);
        found.games = spec.games.iter().map(shown).collect();
        found.ending = ReplayEnding::Unrepeatable([a, b].map(|number| seats.describe(number)));
        return Ok(found);
    }
    let process = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let interrupt = process.for_run();
    let no_player = || ExperimentError::Input(format!("'{folder}' does not name all its players"));
    let player = |number| seats.player::<P>(number, &interrupt).ok_or_else(no_player);
    let mut table = Table::new([player(a)?, player(b)?], seats.conditions.rules)
        .with_endgames(open_tables(&seats.conditions)?);
    for &index in &spec.games {
        let game = &record.games[index];
        let Some(again) = table.play_game(&start, game.first, game.seed) else {
            found.ending = process
                .signal()
                .map_or(ReplayEnding::Complete, ReplayEnding::Stopped);
            break;
        };
        let verdict =
            first_difference::<P>(game, &again).map_or(ReplayVerdict::Same, ReplayVerdict::Different);
        found.games.push(as_recorded::<P>(record, index, verdict));
    }
    Ok(found)
}

fn as_recorded<P: Searchable>(record: &PairRecord, index: usize, verdict: ReplayVerdict) -> ReplayedGame {
    let game = &record.games[index];
    ReplayedGame {
        number: 2 * record.pair + index as u64 + 1,
        notation: P::GAME.notation(),
        opening: record.opening.clone(),
        moves: game.moves.iter().map(|&bits| move_text::<P>(bits)).collect(),
        nodes: game.nodes,
        verdict,
    }
}

/// The first turn that is not what it was; times do not count.
pub(crate) fn first_difference<P: Searchable>(
    recorded: &GameRecord,
    replayed: &GameRecord,
) -> Option<Difference> {
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
    let shown = |game: &GameRecord| {
        let (mv, nodes, depth, _) = turn(game, at)?;
        let end = || game.reason.name().to_owned();
        let mv = mv.map_or_else(end, move_text::<P>);
        Some(ReplayedTurn { mv, nodes, depth })
    };
    Some(Difference {
        ply: at + 1,
        recorded: shown(recorded),
        replayed: shown(replayed),
    })
}

fn move_text<P: Searchable>(bits: u16) -> String {
    P::Move::from_bits(bits).to_string()
}
