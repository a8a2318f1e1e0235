//! A tuning from its specification to its outcome, its confirming match included. Values are chosen by `tune`.

pub mod optimizer;
pub(crate) mod plot;
pub(crate) mod power;
pub(crate) mod report;
pub(crate) mod slice_plot;
pub(crate) mod spec;

use std::borrow::Cow;
use std::path::Path;

use power::Power;
use tanren_engine::search::Searchable;

use crate::config::{MoveLimit, Seat};
use crate::document::Document;
use crate::document::file::{FileError, write_text};
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::event::Warning;
use crate::kinds::match_::{self, MatchFindings, identify, play_in};
use crate::kinds::tune::optimizer::{Plan, Sensitivity, Space, Step, Surface, Trial, TuneRun, Tuner};
use crate::kinds::tune::report::StepsFile;
use crate::ledger::{Ledger, LedgerError};
use crate::match_state::{FaultCounts, Verdict};
use crate::openings::{Opening, OpeningSuite};
use crate::random::Random;
use crate::record::{PairFault, PlayerId};
use crate::runner::LocalExecutor;
use crate::schedule::Schedule;
use crate::session::error::{ExperimentError, Result, StoppedByFault};
use crate::session::folder::{place, plain_name};
use crate::session::found::Found;
use crate::session::game::with_game;
use crate::session::hosts::{self, HostTotals};
use crate::session::kind::{Experiment, Holds, Kind, KindInfo, StoredGames};
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::openings::load_positions;
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, Progress, Unit};
use crate::session::seating::{player, table_text};
use crate::session::stored::{Run, StoredSeats};
use crate::session::{Needs, Session};

pub use spec::TuningSpec;

/// Every so many openings one is kept for the confirming match.
const CONFIRM_EVERY: usize = 4;

pub(crate) static KIND: KindInfo = KindInfo {
    name: "tune",
    holds: Holds::Pairs,
    parse: Some(|source| Ok(Experiment::new(TuningSpec::of_source(source)?))),
    has_verdict: true,
};

impl Kind for TuningSpec {
    fn needs(&self) -> Needs<'_> {
        let start = self.seat(&self.space.start());
        // That the start can be played was checked when it was made.
        let start = start.unwrap_or_else(|_| self.games.seats[0].clone());
        Needs::Games {
            conditions: &self.games.conditions,
            names: vec!["a".to_owned()],
            seats: vec![Cow::Owned(start.clone()), Cow::Owned(start)],
            positions: None,
        }
    }

    fn check_openings(&self, openings: usize) -> Result<()> {
        check_openings(self, openings)
    }

    fn check_new(&self) -> Result<()> {
        Ok(self.games.seats[0].player.check_game()?)
    }

    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome> {
        with_game!(self.games.conditions.game, play(self, options, observer))
    }

    fn recount(&self, run: &Run, observer: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)> {
        let mut found = recount(self, &run.folder, &run.ledger, observer)?;
        let confirm = run.folder.join(CONFIRM_FOLDER);
        if Ledger::exists(&confirm) {
            let confirm = Run::open(&confirm)?;
            let games = match_::parse(&confirm.source()?)?;
            found.confirmation = Some(match_::recount(&games, &confirm)?);
        }
        let is_over = found.is_finished();
        Ok((Box::new(found), is_over))
    }

    fn games(&self) -> Option<StoredGames> {
        Some(StoredGames {
            conditions: self.games.conditions.clone(),
            seed: self.plan.seed,
            pairings: vec![[0, 1]],
        })
    }

    fn seats(&self, folder: &Path) -> Result<StoredSeats, String> {
        Err(format!(
            "a tuning, whose players change with every iteration; its confirming match is in '{}'",
            folder.join(CONFIRM_FOLDER).display()
        ))
    }
}

fn play<P: Searchable>(
    spec: &TuningSpec,
    options: &RunOptions,
    observer: &mut dyn RunObserver,
) -> Result<Outcome> {
    let measured = with_measured_widths(spec, options, observer)?;
    let spec = measured.as_ref().unwrap_or(spec);
    let conditions = &spec.games.conditions;
    let mut session = Session::<P>::open(spec, options, observer)?;
    let mut identity = session.identified(identify(&spec.games, &session.suite, spec.plan.pairs()));
    spec.identify(&mut identity);
    let labels = TuningSpec::SIDES.map(str::to_owned);
    let default = || plain_name(&format!("tune-{}", spec.label()));
    let name = || conditions.name.clone().unwrap_or_else(default);
    let mut ledger = session.store(&KIND, identity, &labels, name, |folder| spec.text(folder))?;
    let folder = session.folder.clone();
    tell_beginning(spec, &folder, session.observer)?;
    tell_other_starts(spec, session.observer)?;
    if let Some(power) = power(spec, session.suite.openings.len())? {
        session.on_event(RunEvent::Line(power.text()))?;
    }
    let (tuner, mut found, fault) = tune(spec, &mut ledger, &mut session)?;
    let mut fault = fault.map(|fault| StoppedByFault::of(&labels, fault));
    session.tell_faults()?;
    let has_match = spec.confirm.is_some() && tuner.tuned() != spec.space.start();
    let is_valid = tuner.is_finished() && found.invalid().is_none();
    if is_valid && has_match && session.signal().is_none() {
        // The files of the tuning are there while the match goes on.
        session.tell_found(&ledger, &found)?;
        let (confirmation, confirm_fault) = confirm(spec, &tuner.tuned(), &mut session)?;
        fault = confirm_fault.map(|fault| StoppedByFault::of(&confirmation.labels, fault));
        found.confirmation = Some(confirmation);
    }
    session.tell_found(&ledger, &found)?;
    session.tell_workers(Unit::Pairs)?;
    let confirmation = found.confirmation.as_ref();
    let is_confirmed = confirmation.is_some_and(|found| found.standing.is_decided());
    let progress = Progress {
        done: tuner.applied,
        of: spec.plan.iterations,
        unit: Unit::Iterations,
    };
    let is_over = tuner.is_finished() && (!has_match || is_confirmed);
    Ok(session.outcome(found, fault, is_over, progress))
}

fn check_openings(spec: &TuningSpec, openings: usize) -> Result<()> {
    if spec.confirm.is_none() {
        return Ok(());
    }
    let kept = openings / CONFIRM_EVERY;
    let pairs = spec.confirm_pairs.unwrap_or(1);
    if pairs > kept as u64 {
        return Err(ExperimentError::Input(format!(
            "the confirming match needs {pairs} openings of its own, but of {openings} only {kept} are kept for it; lower \
             --confirm-pairs, add openings, or say --no-confirm"
        )));
    }
    Ok(())
}

/// The openings of the tuning or of the confirming match; no opening is in both.
fn openings<P: Clone>(spec: &TuningSpec, all: &OpeningSuite<P>, confirms: bool) -> OpeningSuite<P> {
    if spec.confirm.is_none() {
        return all.clone();
    }
    let is_kept = |index: usize| index % CONFIRM_EVERY == CONFIRM_EVERY - 1;
    let numbered = all.openings.iter().enumerate();
    let chosen = numbered.filter(|&(index, _)| is_kept(index) == confirms);
    OpeningSuite {
        openings: chosen.map(|(_, opening)| opening.clone()).collect(),
        duplicates: Vec::new(),
        sha256: format!("{}, every {CONFIRM_EVERY}th: {confirms}", all.sha256),
    }
}

fn tell_beginning(spec: &TuningSpec, folder: &Path, observer: &mut dyn RunObserver) -> Result<(), FileError> {
    observer.on_event(RunEvent::Line(format!(
        "tuning {} parameters of {} by {}: {} iterations of {} pairs; {}",
        spec.space.parameters.len(),
        spec.label(),
        spec.plan.method.name(),
        spec.plan.iterations,
        spec.plan.pairs_per_iteration,
        place(folder)
    )))
}

fn tell_other_starts(spec: &TuningSpec, observer: &mut dyn RunObserver) -> Result<(), FileError> {
    let Some(config) = spec.games.seats[0].player.config() else {
        return Ok(());
    };
    let game = spec.games.conditions.game;
    let own = |name: &str| config.get(game, name)?.parse::<f64>().ok();
    let parameters = spec.space.parameters.iter();
    let others: Vec<_> = parameters
        .filter_map(|parameter| Some((parameter, own(&parameter.name)?)))
        .filter(|(parameter, own)| parameter.start != *own)
        .collect();
    let Some((parameter, own)) = others.first() else {
        return Ok(());
    };
    observer.on_event(RunEvent::Warning(Warning::OtherStarts {
        count: others.len(),
        name: &parameter.name,
        start: parameter.start,
        own: *own,
    }))
}

fn power(spec: &TuningSpec, openings: usize) -> Result<Option<Power>> {
    let Some(sprt) = spec.confirm_test()? else {
        return Ok(None);
    };
    let kept = openings / CONFIRM_EVERY;
    let pairs = spec.confirm_pairs.unwrap_or(kept as u64);
    Ok(Power::new(spec.games.conditions.game, &sprt, pairs))
}

fn tune<P: Searchable>(
    spec: &TuningSpec,
    ledger: &mut Ledger,
    session: &mut Session<'_, P>,
) -> Result<(Tuner, TuningFindings, Option<PairFault>)> {
    let (conditions, plan) = (&spec.games.conditions, &spec.plan);
    let openings = openings(spec, &session.suite, false);
    let until = session.pairs_until_pause(plan.pairs());
    let interrupt = session.interrupt().for_run();
    let programs = session.programs();
    let make_player = |id: PlayerId, values: &[f64]| {
        let seat = spec.seat(values);
        let seat = seat.unwrap_or_else(|error| unreachable!("values within the space: {error}"));
        player::<P>(conditions, &seat, id, &programs, &interrupt)
    };
    let describe = |trial: &Trial| {
        let seats = [&trial.plus, &trial.minus].map(|values| spec.seat(values).ok());
        let [Some(a), Some(b)] = seats else { return None };
        table_text(conditions, [&a, &b])
    };
    let run = TuneRun {
        openings: &openings.openings,
        schedule: Schedule::new(plan.seed, openings.openings.len(), until).in_order(conditions.order),
        make_player: &make_player,
        describe: &describe,
        rules: conditions.rules,
        tables: programs.tables.clone(),
        policies: conditions.fault_policies(&spec.games.seats),
        is_timed: spec.games.seats.iter().any(|seat| seat.limit.is_timed()),
        faults: conditions.faults,
        engines: programs.engine_digests([&spec.seat(&spec.space.start())?.player]),
        interrupt: &interrupt,
        pairs_max: until,
    };
    let folder = session.folder.clone();
    let (executor, observer) = session.workers_and_observer();
    let mut log = StepLog::new(spec, &folder, observer)?;
    let tuner = Tuner::new(spec.space.clone(), *plan);
    let mut listener = |step: &Step| log.step(step);
    let (tuner, faults, fault) = optimizer::tune(&run, tuner, executor, ledger, &mut listener)?;
    let found = find(spec, ledger, log.end()?, faults)?;
    Ok((tuner, found, fault))
}

fn find(
    spec: &TuningSpec,
    ledger: &Ledger,
    trajectory: Trajectory,
    faults: FaultCounts,
) -> Result<TuningFindings, LedgerError> {
    Ok(TuningFindings {
        spec: spec.clone(),
        hosts: hosts::count(ledger, trajectory.applied * spec.plan.pairs_per_iteration)?,
        trajectory,
        faults,
        confirmation: None,
    })
}

struct StepLog<'a> {
    spec: &'a TuningSpec,
    observer: &'a mut dyn RunObserver,
    trajectory: Trajectory,
    file: Option<StepsFile>,
    failure: Option<FileError>,
}

impl<'a> StepLog<'a> {
    fn new(
        spec: &'a TuningSpec,
        folder: &Path,
        observer: &'a mut dyn RunObserver,
    ) -> Result<StepLog<'a>, FileError> {
        let mut file = None;
        observer.on_event(RunEvent::Write(&mut || {
            write_text(&folder.join("run.toml"), &spec.text(folder))?;
            file = Some(StepsFile::begin(folder, &spec.space)?);
            Ok(())
        }))?;
        Ok(StepLog {
            spec,
            observer,
            trajectory: Trajectory::new(&spec.space, &spec.plan),
            file,
            failure: None,
        })
    }

    fn step(&mut self, step: &Step) {
        self.trajectory.push(step);
        if let Some(Err(error)) = self.file.as_mut().map(|file| file.step(step)) {
            self.failure.get_or_insert(error);
        }
        let about = |rate: f64| moved_most(self.spec, step, rate);
        // What only shows something has nothing that could fail.
        let _ = self.observer.on_event(RunEvent::Done {
            done: step.trial.iteration + 1,
            of: self.spec.plan.iterations,
            unit: Unit::Iterations,
            about: &about,
        });
    }

    fn end(self) -> Result<Trajectory, FileError> {
        self.observer.on_event(RunEvent::Over)?;
        self.failure.map_or(Ok(self.trajectory), Err)
    }
}

fn moved_most(spec: &TuningSpec, step: &Step, rate: f64) -> Vec<String> {
    let parameters = spec.space.parameters.iter().zip(&step.estimate);
    let moved =
        parameters.map(|(parameter, now)| ((now - parameter.start) / parameter.c_end, &parameter.name));
    let mut moved: Vec<(f64, &String)> = moved.collect();
    moved.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let most: Vec<String> = moved
        .iter()
        .take(2)
        .map(|(by, name)| format!("{name} {by:+.1}c"))
        .collect();
    let games = 2.0 * rate * spec.plan.pairs_per_iteration as f64;
    most.into_iter().chain([format!("{games:.1} games/s")]).collect()
}

/// What the tuning in `folder` comes to, but for its confirming match; `observer` hears of its beginning and its steps.
fn recount(
    spec: &TuningSpec,
    folder: &Path,
    ledger: &Ledger,
    observer: &mut dyn RunObserver,
) -> Result<TuningFindings> {
    tell_beginning(spec, folder, observer)?;
    let mut log = StepLog::new(spec, folder, observer)?;
    let tuner = Tuner::new(spec.space.clone(), spec.plan);
    let limits = spec.games.conditions.faults;
    let (_, faults) = optimizer::recount(tuner, limits, ledger, &mut |step| log.step(step))?;
    Ok(find(spec, ledger, log.end()?, faults)?)
}

#[derive(Debug)]
pub struct TuningFindings {
    pub spec: TuningSpec,
    pub trajectory: Trajectory,
    pub faults: FaultCounts,
    pub hosts: Vec<HostTotals>,
    /// The match of tuned (A) against start, if it was played.
    pub confirmation: Option<MatchFindings>,
}

impl TuningFindings {
    pub fn tuned(&self) -> Vec<f64> {
        self.spec.space.nearest(&self.trajectory.estimate)
    }

    pub fn is_finished(&self) -> bool {
        self.trajectory.applied == self.spec.plan.iterations
    }

    pub fn has_no_signal(&self) -> bool {
        let asked = self.spec.plan.method.asks_for_signal();
        let is_judged = self.is_finished() && self.invalid().is_none();
        asked && is_judged && self.tuned() == self.spec.space.start()
    }
}

impl Found for TuningFindings {
    fn kind(&self) -> Option<&'static str> {
        Some(KIND.name)
    }

    fn document<'a>(&'a self, _: Option<&Gathered>) -> Document<'a> {
        report::document(self)
    }

    fn write_bulk(&self, folder: &Path, _: Option<&Ledger>) -> Result<bool, FileError> {
        report::write_tuned(folder, self)?;
        Ok(true)
    }

    fn with_files(&self, text: &str, folder: &Path) -> String {
        format!("{text}files    {}\n", folder.display())
    }

    fn verdict_name(&self) -> Option<&'static str> {
        if self.has_no_signal() {
            return Some("no_signal");
        }
        Some(self.verdict().map_or("unconfirmed", Verdict::name))
    }

    fn pairs(&self) -> Option<u64> {
        Some(self.trajectory.applied * self.spec.plan.pairs_per_iteration)
    }

    fn invalid(&self) -> Option<InvalidRun> {
        let is_judged = self.is_finished() || self.faults.in_a_row().is_some();
        let own = || InvalidRun::of_counts(&self.faults, &TuningSpec::SIDES.map(str::to_owned));
        let confirmation = || self.confirmation.as_ref()?.invalid();
        is_judged.then(own).flatten().or_else(confirmation)
    }

    fn verdict(&self) -> Option<Verdict> {
        if self.invalid().is_some() {
            return Some(Verdict::Invalid);
        }
        match &self.confirmation {
            Some(found) => Some(found.standing.verdict()),
            None => (!self.is_finished()).then_some(Verdict::Interrupted),
        }
    }
}

const POINTS_MAX: u64 = 400;

#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub iteration: u64,
    pub state: Vec<f64>,
    pub widths: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    pub points: Vec<Point>,
    pub estimate: Vec<f64>,
    /// Which share of the movement the method keeps in them; `None` if it does not ask.
    pub kept: Option<f64>,
    pub surface: Option<Surface>,
    pub applied: u64,
    every: u64,
}

impl Trajectory {
    pub fn new(space: &Space, plan: &Plan) -> Trajectory {
        Trajectory {
            points: Vec::new(),
            estimate: space.start(),
            kept: None,
            surface: None,
            applied: 0,
            every: plan.iterations.div_ceil(POINTS_MAX),
        }
    }

    pub fn push(&mut self, step: &Step) {
        self.applied = step.trial.iteration + 1;
        self.estimate.clone_from(&step.estimate);
        self.kept = step.kept;
        self.surface.clone_from(&step.surface);
        if self.applied == 1 || self.applied.is_multiple_of(self.every) {
            self.points.push(Point {
                iteration: self.applied,
                state: step.state.clone(),
                widths: step.trial.widths.clone(),
            });
        }
    }
}

fn with_measured_widths(
    spec: &TuningSpec,
    options: &RunOptions,
    observer: &mut dyn RunObserver,
) -> Result<Option<TuningSpec>> {
    let Some(share) = spec.auto_width else {
        return Ok(None);
    };
    if !(share > 0.0 && share < 1.0) {
        return Err(ExperimentError::Input(format!(
            "--auto-c is {share}, but must be above 0 and below 1"
        )));
    }
    let MoveLimit::Nodes(nodes) = spec.games.seats[0].limit else {
        return Err(ExperimentError::Input("--auto-c needs a node limit".to_owned()));
    };
    let sensitivity = Sensitivity { share, nodes };
    let line = "measuring how much every parameter changes play";
    observer.on_event(RunEvent::Line(line.to_owned()))?;
    let executor = options.executor()?;
    let mut measured = spec.clone();
    measured.space = with_game!(spec.games.conditions.game, widen(spec, &sensitivity, &executor))?;
    measured.auto_width = None;
    Ok(Some(measured))
}

fn widen<P: Searchable>(
    spec: &TuningSpec,
    sensitivity: &Sensitivity,
    executor: &LocalExecutor,
) -> Result<Space> {
    let suite = load_positions::<P>(None)?;
    let positions: Vec<P> = suite.openings.iter().map(Opening::position).collect();
    let config = spec.games.seats[0].player.builtin()?;
    let widen = || sensitivity.widen(&spec.space, config, &positions);
    executor
        .pool()
        .install(widen)
        .map_err(|error| ExperimentError::Input(error.to_string()))
}

pub const CONFIRM_FOLDER: &str = "confirm";
const LABELS: [&str; 2] = ["tuned", "start"];
const STREAM_CONFIRM: u64 = 0x7475_0005;

pub(crate) fn confirm<P: Searchable>(
    spec: &TuningSpec,
    tuned: &[f64],
    session: &mut Session<'_, P>,
) -> Result<(MatchFindings, Option<PairFault>)> {
    let suite = openings(spec, &session.suite, true);
    let openings = suite.openings.len();
    let labelled = |values: &[f64], label: &str| -> Result<Seat> {
        let mut seat = spec.seat(values)?;
        label.clone_into(&mut seat.player.label);
        Ok(seat)
    };
    let mut games = spec.games.clone();
    games.seats = [
        labelled(tuned, LABELS[0])?,
        labelled(&spec.space.start(), LABELS[1])?,
    ];
    games.conditions.pairs = Some(spec.confirm_pairs.unwrap_or(openings as u64));
    games.conditions.sprt = spec.confirm_test()?;
    games.conditions.repeat = false;
    // Files hold seeds up to 2^63.
    games.conditions.seed = Random::new(spec.plan.seed, &[STREAM_CONFIRM]).next_u64() >> 1;
    let pairs = games.conditions.pairs_max(openings)?;
    session.on_event(RunEvent::Line(format!(
        "confirming: tuned against start, {pairs} pairs at most on other openings"
    )))?;
    let mut part = session.part(CONFIRM_FOLDER, Some(suite));
    play_in(&games, [pairs, pairs], &mut part)
}
