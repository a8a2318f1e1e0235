//! How long the jobs of a queue may take.
//!
//! In: jobs, the games that their folder holds already. Out: seconds at most, and where they come from. Must not: promise
//! what was not measured: a job of unknown length is called that.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

use tanren_engine::eval::Evaluated;
use tanren_engine::game::Game;

use super::super::Command;
use super::super::error::CliError;
use super::super::game::with_game;
use super::super::play::{load_openings, table};
use super::super::programs::Programs;
use super::line::Line;
use super::night::Night;
use crate::config::wire::MatchFile;
use crate::config::{ConditionKeys, Conditions, MatchSpec, MoveLimit, SeatKeys};
use crate::interrupt::Interrupt;
use crate::play::PlayPairs;
use crate::queue::{JobState, Queue};
use crate::record::GameRecord;
use crate::report::{NightRow, PlanRow};
use crate::schedule::Schedule;

/// What is played where nothing was recorded.
const CALIBRATION_PAIRS: u64 = 4;
const CALIBRATION_NODES: u64 = 500;

/// The jobs in the order in which they would run.
pub(super) fn plan<'a>(
    queue: &Queue,
    lines: &'a [Line<'a>],
    night: &'a Night<'a>,
    folder: &Path,
) -> Result<Vec<PlanRow<'a>>, CliError> {
    let mut paces: Vec<(Game, Pace)> = Vec::new();
    let endings = night.endings();
    let mut rows = Vec::with_capacity(lines.len());
    for job in queue.order() {
        let line = &lines[job];
        let entry = night.entry(job);
        let (seconds, basis) = match (&endings[job], &line.command) {
            (Some(_), _) => (Some(0.0), "it is over".to_owned()),
            (None, command) => match Play::of(command)? {
                None => (
                    None,
                    format!("nothing is known about the length of {}", line.job.command.name()),
                ),
                Some(play) => {
                    let game = play.conditions.game;
                    let known = paces.iter().position(|(known, _)| *known == game);
                    let index = match known {
                        Some(index) => index,
                        None => {
                            paces.push((game, with_game!(game, pace_of(folder))?));
                            paces.len() - 1
                        }
                    };
                    let done = entry.and_then(|entry| entry.pairs).unwrap_or(0);
                    with_game!(game, estimate(&play, line, &paces[index].1, done))?
                }
            },
        };
        let spent_s = entry
            .filter(|entry| entry.state != JobState::Failed)
            .map_or(0.0, |entry| entry.time_ms as f64 / 1e3);
        let left_s = line
            .job
            .budget_time
            .map(|budget| (budget.as_secs_f64() - spent_s).max(0.0));
        let (seconds, basis) = match (seconds, left_s) {
            (Some(seconds), Some(left)) if seconds > left => (Some(left), "its budget ends it".to_owned()),
            (None, Some(left)) => (Some(left), "its budget ends it at the latest".to_owned()),
            (seconds, _) => (seconds, basis),
        };
        rows.push(PlanRow {
            night: NightRow { job: line.job, entry },
            seconds,
            basis,
        });
    }
    Ok(rows)
}

/// How games go on this machine.
struct Pace {
    plies_per_game: f64,
    nodes_per_second: f64,
    basis: String,
}

/// Sums over games.
#[derive(Default)]
struct Sums {
    games: u64,
    plies: u64,
    nodes: u64,
    time_us: u64,
}

impl Sums {
    fn pace(&self, basis: String) -> Option<Pace> {
        (self.games > 0 && self.nodes > 0 && self.time_us > 0).then(|| Pace {
            plies_per_game: self.plies as f64 / self.games as f64,
            nodes_per_second: self.nodes as f64 * 1e6 / self.time_us as f64,
            basis,
        })
    }
}

/// From the games below `folder`, or from a few that are played now.
fn pace_of<P: Evaluated>(folder: &Path) -> Result<Pace, CliError> {
    let recorded = recorded(folder, P::GAME.notation());
    let basis = format!("by the {} games recorded in the folder", recorded.games);
    if let Some(pace) = recorded.pace(basis) {
        return Ok(pace);
    }
    let played = calibrate::<P>()?;
    let basis = format!(
        "by {} games of base against itself at {CALIBRATION_NODES} nodes, played just now",
        played.games
    );
    let unknown =
        || CliError::Input("the games that were to show this machine's speed took no time".to_owned());
    played.pace(basis).ok_or_else(unknown)
}

fn recorded(folder: &Path, notation: &str) -> Sums {
    let mut sums = Sums::default();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !entry.path().join(format!("games.{notation}")).exists() {
            continue;
        }
        let Ok(mut reader) = csv::Reader::from_path(entry.path().join("games.csv")) else {
            continue;
        };
        let header = reader.headers().cloned().unwrap_or_default();
        for row in reader.records().flatten() {
            let number = |name: &str| {
                let index = header.iter().position(|column| column == name);
                index
                    .and_then(|index| row.get(index)?.parse::<u64>().ok())
                    .unwrap_or(0)
            };
            sums.games += 1;
            sums.plies += number("plies");
            sums.nodes += number("nodes_a") + number("nodes_b");
            sums.time_us += 1000 * (number("time_a_ms") + number("time_b_ms"));
        }
    }
    sums
}

fn calibrate<P: Evaluated>() -> Result<Sums, CliError> {
    let file = MatchFile {
        players: ["base", "base"].map(|player| Some(player.to_owned())),
        common: SeatKeys {
            nodes: Some(CALIBRATION_NODES),
            ..SeatKeys::default()
        },
        conditions: ConditionKeys {
            game: Some(P::GAME.name().to_owned()),
            ..ConditionKeys::default()
        },
        ..MatchFile::default()
    };
    let spec = MatchSpec::from_file(&file)?;
    let suite = load_openings::<P>(&spec.conditions)?;
    let interrupt = Interrupt::default();
    let mut table = table::<P>(&spec, &Programs::default(), &interrupt);
    let (mut sums, conditions) = (Sums::default(), &spec.conditions);
    for plan in
        Schedule::new(conditions.seed, suite.openings.len(), CALIBRATION_PAIRS).in_order(conditions.order)
    {
        let record = table.play_pair(&plan, &suite.openings[plan.opening]);
        for game in record.iter().flat_map(|record| &record.games) {
            sums.add(game);
        }
    }
    Ok(sums)
}

impl Sums {
    fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.nodes += game.nodes.iter().sum::<u64>();
        self.time_us += game.time_us.iter().sum::<u64>();
    }
}

/// What decides the length of a job that plays.
struct Play {
    conditions: Conditions,
    /// The limits of the two players of each pairing.
    pairings: Vec<[MoveLimit; 2]>,
    concurrency: Option<NonZero<usize>>,
    /// Can it end before its last pair?
    has_test: bool,
}

impl Play {
    /// `None`: the command plays no games, or nobody knows how many.
    fn of(command: &Command) -> Result<Option<Play>, CliError> {
        match command {
            Command::Match(args) => {
                let MatchSpec { conditions, seats } = args.spec()?;
                Ok(Some(Play {
                    pairings: vec![seats.map(|seat| seat.limit)],
                    concurrency: args.options.concurrency,
                    has_test: conditions.sprt.is_some(),
                    conditions,
                }))
            }
            Command::Tournament(args) => {
                let spec = args.spec()?;
                let limit = |player: u16| spec.seats[usize::from(player)].limit;
                Ok(Some(Play {
                    pairings: spec.pairings.iter().map(|pairing| pairing.map(limit)).collect(),
                    concurrency: args.options.concurrency,
                    has_test: false,
                    conditions: spec.conditions,
                }))
            }
            _ => Ok(None),
        }
    }
}

fn estimate<P: Evaluated>(
    play: &Play,
    line: &Line<'_>,
    pace: &Pace,
    pairs_done: u64,
) -> Result<(Option<f64>, String), CliError> {
    let suite = load_openings::<P>(&play.conditions)?;
    let budget = line.job.budget_pairs.map_or(u64::MAX, |(pairs, _)| pairs);
    let planned = play.conditions.pairs_max(suite.openings.len())? * play.pairings.len() as u64;
    let pairs = planned.min(budget).saturating_sub(pairs_done);
    let cores = available_parallelism().map_or(1, NonZero::get);
    let workers = play.concurrency.map_or(cores, NonZero::get).min(cores);
    let move_s = |limit: &MoveLimit| match *limit {
        MoveLimit::Nodes(nodes) => Some(nodes as f64 / pace.nodes_per_second),
        MoveLimit::MoveTimeMs(time_ms) => Some(time_ms as f64 / 1e3),
        // As if all time on the clock were used.
        MoveLimit::Clock(clock) => {
            let moves = match clock.period_moves {
                0 => (pace.plies_per_game / 2.0).max(1.0),
                moves => f64::from(moves),
            };
            let base_ms = clock.base_ms as f64 / moves;
            Some((base_ms + (clock.increment_ms + clock.byoyomi_ms) as f64) / 1e3)
        }
        MoveLimit::Depth(_) => None,
    };
    let moves: Option<Vec<f64>> = play.pairings.iter().flatten().map(move_s).collect();
    let Some(moves) = moves else {
        return Ok((
            None,
            "nothing is known about the length of games by depth or clock".to_owned(),
        ));
    };
    let game_s = pace.plies_per_game * moves.iter().sum::<f64>() / moves.len() as f64;
    let seconds = pairs as f64 * 2.0 * game_s / workers as f64;
    let test = if play.has_test {
        ", and its test may end it sooner"
    } else {
        ""
    };
    Ok((Some(seconds), format!("{}{test}", pace.basis)))
}
