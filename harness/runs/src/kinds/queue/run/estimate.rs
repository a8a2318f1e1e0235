use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

use tanren_engine::game::Game;
use tanren_engine::search::Searchable;

use super::state::JobStates;
use super::{PlannedJob, QueueSpec};

use crate::config::{Conditions, MatchKeys, MatchSpec, MoveLimit, TournamentSpec};
use crate::interrupt::Interrupt;
use crate::kinds::inspection::Inspection;
use crate::kinds::queue::{JobEntry, JobState, QueueJob};
use crate::kinds::{match_, tournament};
use crate::ledger::Ledger;
use crate::openings;
use crate::play::PlayPairs;
use crate::record::PairOutcome;
use crate::schedule::Schedule;
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::ExternalEngines;
use crate::session::game::with_game;
use crate::session::seating::table;
use crate::stats::{Outlook, Sprt};

const CALIBRATION_PAIRS: u64 = 4;
const CALIBRATION_NODES: u64 = 500;

#[derive(Debug, Clone)]
pub struct JobForecast {
    pub job: QueueJob,
    pub entry: Option<JobEntry>,
    pub seconds: Option<f64>,
    pub basis: String,
}

/// `taken` is what the jobs take from outside.
pub(crate) fn plan(
    spec: &QueueSpec,
    state: &JobStates,
    folder: &Path,
    taken: &[Inspection],
) -> Result<Vec<JobForecast>> {
    let mut paces: Vec<(Game, GameSpeed)> = Vec::new();
    let endings = state.endings(spec);
    let mut forecasts = Vec::with_capacity(spec.jobs.len());
    for job in spec.queue.order() {
        let planned = &spec.jobs[job];
        let entry = state.entries[job].as_ref();
        let (seconds, basis) = match (&endings[job], Play::of(planned)) {
            (Some(_), _) => (Some(0.0), "it is over".to_owned()),
            (None, None) => (
                None,
                format!(
                    "nothing is known about the length of {}",
                    planned.job.command.name
                ),
            ),
            (None, Some(play)) => {
                let game = play.conditions.game;
                let index = match paces.iter().position(|(known, _)| *known == game) {
                    Some(index) => index,
                    None => {
                        paces.push((game, with_game!(game, pace_of(folder))?));
                        paces.len() - 1
                    }
                };
                let done = entry.and_then(|entry| entry.overview.pairs).unwrap_or(0);
                let openings = taken[job].openings.unwrap_or(0);
                estimate(&play, &planned.job, &paces[index].1, openings, done)?
            }
        };
        let spent_s = entry
            .filter(|entry| entry.state != JobState::Error)
            .map_or(0.0, |entry| entry.time_ms as f64 / 1e3);
        let left_s = planned
            .job
            .budget_time
            .map(|budget| (budget.as_secs_f64() - spent_s).max(0.0));
        let (seconds, basis) = match (seconds, left_s) {
            (Some(seconds), Some(left)) if seconds > left => (Some(left), "its budget ends it".to_owned()),
            (None, Some(left)) => (Some(left), "its budget ends it at the latest".to_owned()),
            (seconds, _) => (seconds, basis),
        };
        let failed = entry.filter(|entry| entry.state == JobState::Error);
        let failure = failed.and_then(|entry| entry.message.as_ref());
        let basis = match (&state.changes[job], failure) {
            (Some(changes), _) => format!(
                "its keys changed since it ran: {changes}; its folder accepts only the same keys or more pairs, so delete the folder to play the job again; {basis}"
            ),
            (None, Some(message)) => {
                format!(
                    "it failed: {}; {basis}",
                    message.replace(":\n  ", ": ").replace("\n  ", "; ")
                )
            }
            (None, None) => basis,
        };
        forecasts.push(JobForecast {
            job: planned.job.clone(),
            entry: entry.cloned(),
            seconds,
            basis,
        });
    }
    Ok(forecasts)
}

/// How fast games go, and where that comes from.
#[derive(Default)]
struct GameSpeed {
    games: u64,
    plies: u64,
    nodes: u64,
    time_us: u64,
    basis: String,
}

impl GameSpeed {
    fn add(&mut self, pair: &PairOutcome) {
        for game in pair.played() {
            self.games += 1;
            self.plies += u64::from(game.plies);
            self.nodes += game.nodes.iter().sum::<u64>();
            self.time_us += game.time_us.iter().sum::<u64>();
        }
    }

    fn is_known(&self) -> bool {
        self.games > 0 && self.nodes > 0 && self.time_us > 0
    }

    fn plies_per_game(&self) -> f64 {
        self.plies as f64 / self.games as f64
    }

    fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 * 1e6 / self.time_us as f64
    }
}

/// From the games below `folder`, or from a few that are played now.
fn pace_of<P: Searchable>(folder: &Path) -> Result<GameSpeed> {
    let mut pace = recorded(folder, P::GAME);
    pace.basis = format!("by the {} games recorded in the folder", pace.games);
    if !pace.is_known() {
        pace = calibrate::<P>()?;
        pace.basis = format!(
            "by {} games of base against itself at {CALIBRATION_NODES} nodes, played just now",
            pace.games
        );
    }
    if !pace.is_known() {
        let message = "the games that were to show this machine's speed took no time";
        return Err(ExperimentError::Input(message.to_owned()));
    }
    Ok(pace)
}

/// The games of `game` in the ledgers below `folder`; one that cannot be read is no reason to refuse a plan.
fn recorded(folder: &Path, game: Game) -> GameSpeed {
    let mut pace = GameSpeed::default();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(ledger) = Ledger::open_existing(&entry.path()) else {
            continue;
        };
        let is_of_game = ledger.manifest().is_ok_and(|manifest| {
            let plays = [match_::KIND.name, tournament::KIND.name];
            plays.contains(&&*manifest.kind) && manifest.identity.get("game") == Some(game.name())
        });
        if is_of_game {
            let _ = ledger.for_each_outcome(|pair| pace.add(&pair));
        }
    }
    pace
}

fn calibrate<P: Searchable>() -> Result<GameSpeed> {
    let keys = format!(
        "game = '{}'\na = 'base'\nnodes = {CALIBRATION_NODES}",
        P::GAME.name()
    );
    let spec = MatchSpec::from_keys(&MatchKeys::parse(&keys, "the calibration")?)?;
    let suite = openings::built_in::<P>();
    let mut table = table::<P>(&spec, &ExternalEngines::default(), &Interrupt::default());
    let mut pace = GameSpeed::default();
    let schedule = Schedule::new(spec.conditions.seed, suite.openings.len(), CALIBRATION_PAIRS);
    for plan in schedule.in_order(spec.conditions.order, spec.conditions.first_opening) {
        if let Ok(record) = table.play_pair(&plan, &suite.openings[plan.opening], &mut Vec::new()) {
            pace.add(&PairOutcome::from(&record));
        }
    }
    Ok(pace)
}

struct Play<'a> {
    conditions: &'a Conditions,
    pairings: Vec<[MoveLimit; 2]>,
    concurrency: Option<NonZero<usize>>,
    test: Option<Sprt>,
}

impl Play<'_> {
    fn of(planned: &PlannedJob) -> Option<Play<'_>> {
        let concurrency = planned.options.concurrency;
        if let Some(spec) = planned.experiment.spec::<MatchSpec>() {
            return Some(Play {
                conditions: &spec.conditions,
                pairings: vec![spec.seats.each_ref().map(|seat| seat.limit)],
                concurrency,
                test: spec.conditions.sprt,
            });
        }
        let spec = planned.experiment.spec::<TournamentSpec>()?;
        let limit = |player: u16| spec.seats[usize::from(player)].limit;
        Some(Play {
            conditions: &spec.conditions,
            pairings: spec.pairings.iter().map(|pairing| pairing.map(limit)).collect(),
            concurrency,
            test: None,
        })
    }
}

fn estimate(
    play: &Play<'_>,
    job: &QueueJob,
    pace: &GameSpeed,
    openings: usize,
    pairs_done: u64,
) -> Result<(Option<f64>, String)> {
    let budget = job.budget_pairs.unwrap_or(u64::MAX);
    let planned = play.conditions.pairs_max(openings)? * play.pairings.len() as u64;
    let most = planned.min(budget).saturating_sub(pairs_done);
    let expected = play
        .test
        .and_then(|sprt| {
            Outlook::new(
                &sprt,
                &play.conditions.stop_rule(most).sample([0; 5]),
                0.0,
                sprt.bounds(),
            )
        })
        .map(|outlook| (outlook.pairs() as u64).saturating_sub(pairs_done).max(1));
    let pairs = most.min(expected.unwrap_or(most));
    let cores = available_parallelism().map_or(1, NonZero::get);
    let workers = play.concurrency.map_or(cores, NonZero::get).min(cores);
    let move_s = |limit: &MoveLimit| match *limit {
        MoveLimit::Nodes(nodes) => Some(nodes as f64 / pace.nodes_per_second()),
        MoveLimit::MoveTimeMs(time_ms) => Some(time_ms as f64 / 1e3),
        // As if all time on the clock were used.
        MoveLimit::Clock(clock) => {
            let moves = match clock.period_moves {
                0 => (pace.plies_per_game() / 2.0).max(1.0),
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
    let game_s = pace.plies_per_game() * moves.iter().sum::<f64>() / moves.len() as f64;
    let games = (pairs * play.conditions.games_per_pair()) as f64;
    let seconds = games * game_s / workers as f64;
    let test = match expected {
        Some(expected) if expected < most => {
            format!(", at the {expected} pairs that its test is expected to take")
        }
        Some(_) => ", and its test may end it sooner".to_owned(),
        None => String::new(),
    };
    Ok((Some(seconds), format!("{}{test}", pace.basis)))
}
