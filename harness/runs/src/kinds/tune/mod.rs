//! A tuning from its specification to its outcome, its confirming match included. Values are chosen by `tune`.

pub mod optimizer;
pub(crate) mod plot;
pub(crate) mod power;
pub(crate) mod report;
pub(crate) mod spec;
mod steps;
mod widths;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Mutex;

use tanren_engine::search::Searchable;

use crate::config::{ConfigError, Identity, MatchKeys, parse_sprt};
use crate::document::Document;
use crate::document::file::FileError;
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::document::number::plural;
use crate::event::Warning;
use crate::kinds::match_::{self, MatchFindings, identify, play_in};
use crate::kinds::tune::optimizer::{Parameter, Tuner, TuningStep};
use crate::kinds::tune::power::{power, test_within};
use crate::kinds::tune::steps::{Steps, TuneTable, match_of};
use crate::ledger::Ledger;
use crate::match_state::{FaultCounts, Verdict};
use crate::openings::OpeningSuite;
use crate::random::Random;
use crate::record::PairFault;
use crate::runner::{self, Elsewhere, QueueWindow};
use crate::schedule::{PairPlan, Schedule};
use crate::session::error::{ExperimentError, Result, StoppedByFault};
use crate::session::external_engines;
use crate::session::folder::{self, place};
use crate::session::found::Found;
use crate::session::game::with_game;
use crate::session::hosts::HostTotals;
use crate::session::kind::{Holds, Keys, KeysInfo, Kind, KindInfo, StoredGames, Workload};
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, Progress, Unit};
use crate::session::overview::{ExpectedProgress, Overview};
use crate::session::seating::table_text;
use crate::session::stored::{Run, StoredSeats};
use crate::session::{Needs, Session};
use crate::shard::Shard;
use crate::stats::Sprt;

pub use spec::{Confirm, TuneKeys, TuningSpec, Widths};

/// A confirming match has as many pairs as its tuning, but so many at least, if there are openings for them.
const CONFIRM_PAIRS_MIN: u64 = 500;
/// Every so many openings one is kept for the confirming match.
const CONFIRM_EVERY: usize = 4;

pub static KIND: KindInfo = KindInfo {
    name: "tune",
    holds: Holds::Pairs,
    workload: Workload::Games,
    pauses: true,
    keys: KeysInfo::of::<TuneKeys>(),
};

impl Kind for TuningSpec {
    fn needs(&self) -> Needs<'_> {
        let start = self.seat(&self.space.start());
        // That the start can be played was checked when it was made.
        let start = start.unwrap_or_else(|_| self.games.seats[0].clone());
        Needs {
            names: vec!["a".to_owned()],
            players: vec![Cow::Owned(start.player.clone()), Cow::Owned(start.player)],
            ..Needs::of_match(&self.games)
        }
    }

    fn check_openings(&self, openings: usize) -> Result<()> {
        let kept = openings / CONFIRM_EVERY;
        let pairs = self.confirm_pairs.unwrap_or(1);
        if self.confirm == Confirm::Off || pairs <= kept as u64 {
            return Ok(());
        }
        Err(ExperimentError::Input(format!(
            "the confirming match needs {pairs} openings of its own, but of {openings} only {kept} are kept for it; lower \
             --confirm-pairs, add openings, or say --confirm off"
        )))
    }

    fn check_new(&self) -> Result<()> {
        self.check_parameters()?;
        if let (Confirm::Off, Some(pairs)) = (self.confirm, self.confirm_pairs) {
            let message = format!("confirm_pairs is {pairs}, but confirm is off: leave one of them out");
            return Err(ConfigError::refused("confirm_pairs", message).into());
        }
        self.needs().check_players()
    }

    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome> {
        with_game!(self.games.conditions.game, play(self, options, observer))
    }

    fn recount(&self, run: &Run, observer: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)> {
        tell_beginning(self, &run.folder, 0, observer)?;
        let tuner = Mutex::new(Tuner::new(self.space.clone(), self.plan));
        let mut steps = Steps::new(self, &tuner, self.plan.pairs(), &run.folder, observer)?;
        runner::recount(&run.ledger, &mut steps)?;
        let mut found = steps.end(&run.ledger)?;
        let confirm = run.folder.join(CONFIRM_FOLDER);
        if Ledger::exists(&confirm) {
            let confirm = Run::open(&confirm)?;
            let games = <MatchKeys as Keys>::read(&confirm.source()?, &[])?;
            found.confirmation = Some(match_::recount(&games, &confirm)?);
        }
        let is_over = found.is_finished();
        Ok((Box::new(found), is_over))
    }

    fn has_test(&self) -> bool {
        self.confirm != Confirm::Off
    }

    fn games(&self) -> Option<StoredGames> {
        Some(StoredGames::of_two(&self.games.conditions))
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
    let mut session = Session::<P>::open(spec, options, observer)?;
    check_ranges(spec, &session)?;
    let default = folder::plain_name(&format!("tune-{}", spec.label()));
    let name = spec.games.conditions.name.clone().unwrap_or(default);
    let measured;
    let asked = spec;
    let spec = match asked.widths {
        Widths::Given => spec,
        Widths::Measured(share) => {
            let stored = |folder: &Path| spec.with_stored_widths(folder);
            if options.out.is_none() {
                let is_own = |spec: &TuningSpec, folder: &Path| {
                    Ledger::is_resumable(folder, &identity(spec, &session), Shard::WHOLE)
                };
                let is_resumable =
                    |folder: &Path| matches!(stored(folder), Some(Ok(spec)) if is_own(&spec, folder));
                let folder = folder::first_usable(&folder::dated(&name), is_resumable);
                session.folder = folder;
            }
            measured = match stored(&session.folder).transpose()? {
                Some(spec) => spec,
                None => spec.with_measured_widths(share, options, &mut session)?,
            };
            &measured
        }
    };
    let labels = TuningSpec::SIDES.map(str::to_owned);
    let identity = identity(spec, &session);
    let mut ledger = session.store(&KIND, identity, &labels, (Some(&*name), ""), |folder| {
        spec.text(folder)
    })?;
    asked.keep_widths(&mut ledger)?;
    let folder = session.folder.clone();
    tell_beginning(spec, &folder, ledger.finished()?.len(), session.observer)?;
    tell_other_starts(spec, session.observer)?;
    let kept = session.suite.openings.len() / CONFIRM_EVERY;
    if let Some((sprt, pairs)) = spec.confirming(kept, &folder)
        && let Some(power) = power(spec.games.conditions.game, &sprt, pairs)
    {
        session.on_event(RunEvent::Line(power))?;
    }
    let (mut found, fault) = tune(spec, &mut ledger, &mut session)?;
    let mut fault = fault.map(|fault| StoppedByFault::of(&labels, fault));
    session.tell_faults()?;
    let has_match = spec.confirm != Confirm::Off && found.tuned() != spec.space.start();
    let is_valid = found.is_finished() && found.invalid().is_none();
    if is_valid && has_match && session.signal().is_none() {
        // Written before the confirming match, so that the tuned values can be read while it is played.
        session.tell_found(&ledger, &found)?;
        let (confirmation, confirm_fault) = confirm(spec, &found.tuned(), &mut session)?;
        fault = confirm_fault.map(|fault| StoppedByFault::of(&confirmation.labels, fault));
        found.confirmation = Some(confirmation);
    }
    session.tell_found(&ledger, &found)?;
    session.tell_workers(Unit::Pairs)?;
    let confirmation = found.confirmation.as_ref();
    let is_confirmed = confirmation.is_some_and(|found| found.match_state.is_decided());
    let progress = Progress {
        done: found.applied(),
        of: spec.plan.iterations,
        unit: Unit::Iterations,
    };
    let is_over = found.is_finished() && (!has_match || is_confirmed);
    Ok(session.outcome(found, fault, is_over, progress))
}

/// Refuses ends of ranges that an external engine does not take.
fn check_ranges<P: Searchable>(spec: &TuningSpec, session: &Session<'_, P>) -> Result<()> {
    let (conditions, programs) = (&spec.games.conditions, session.programs());
    let ends: [fn(&Parameter) -> f64; 2] = [|parameter| parameter.min, |parameter| parameter.max];
    for end in ends {
        let seat = spec.seat(&spec.space.parameters.iter().map(end).collect::<Vec<_>>())?;
        if let Some(process) = seat.player.process() {
            let process = programs.resolve(process)?.within(conditions.engine_memory_mib);
            let (timeouts, hash_mib) = (conditions.timeouts, conditions.hash_mib);
            external_engines::check(timeouts, hash_mib, spec.label(), &process, session.interrupt())
                .map_err(|error| match error {
                    ExperimentError::Engine { message, .. } if message.starts_with("option ") => {
                        ExperimentError::Input(format!("a range of the space is too wide: {message}"))
                    }
                    error => error,
                })?;
        }
    }
    Ok(())
}

fn identity<P: Searchable>(spec: &TuningSpec, session: &Session<'_, P>) -> Identity {
    let mut identity = session.identified(identify(&spec.games, &session.suite, spec.plan.pairs()));
    spec.identify(&mut identity);
    identity
}

impl TuningSpec {
    /// The test of the confirming match and its pairs, of which as many openings are kept as are left; what is there of it decides where
    /// nothing is said.
    fn confirming(&self, kept: usize, folder: &Path) -> Option<(Sprt, u64)> {
        let stored = Run::open(&folder.join(CONFIRM_FOLDER)).ok();
        let stored = stored.map(|run| run.manifest.identity);
        let usual = self.plan.pairs().max(CONFIRM_PAIRS_MIN).min(kept as u64).max(1);
        let stored_pairs = stored.as_ref().and_then(Identity::pairs);
        let pairs = self.confirm_pairs.or(stored_pairs).unwrap_or(usual);
        let stored_test = || parse_sprt(stored.as_ref()?.get(Identity::SPRT)?).ok();
        match self.confirm {
            Confirm::Off => None,
            Confirm::Auto => Some((stored_test().unwrap_or_else(|| test_within(pairs)), pairs)),
            Confirm::By(sprt) => Some((sprt, pairs)),
        }
    }
}

/// The openings of the tuning or of the confirming match; no opening is in both.
fn openings<P: Clone>(spec: &TuningSpec, all: &OpeningSuite<P>, confirms: bool) -> OpeningSuite<P> {
    if spec.confirm == Confirm::Off {
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

fn tell_beginning(
    spec: &TuningSpec,
    folder: &Path,
    stored_pairs: usize,
    observer: &mut dyn RunObserver,
) -> Result<(), FileError> {
    let progress = match stored_pairs as u64 / spec.plan.pairs_per_iteration {
        0 => String::new(),
        done if done >= spec.plan.iterations => ", already finished".to_owned(),
        done => format!(", resumed after {done}"),
    };
    observer.on_event(RunEvent::Line(format!(
        "tuning {} of {} by {}: {} of {}{progress}; {}",
        plural(spec.space.parameters.len() as u64, "parameter"),
        spec.label(),
        spec.plan.method.name(),
        plural(spec.plan.iterations, "iteration"),
        plural(spec.plan.pairs_per_iteration, "pair"),
        place(folder)
    )))
}

fn tell_other_starts(spec: &TuningSpec, observer: &mut dyn RunObserver) -> Result<(), FileError> {
    let game = spec.games.conditions.game;
    let Some(config) = spec.games.seats[0].player.config() else {
        return Ok(());
    };
    let parameters = spec.space.parameters.iter();
    let mut others = parameters.filter_map(|parameter| {
        let own = config.get(game, &parameter.name)?.parse::<f64>().ok()?;
        (parameter.start != own).then_some((parameter, own))
    });
    let Some((parameter, own)) = others.next() else {
        return Ok(());
    };
    observer.on_event(RunEvent::Warning(Warning::OtherStarts {
        count: 1 + others.count(),
        name: &parameter.name,
        start: parameter.start,
        own,
    }))
}

fn tune<P: Searchable>(
    spec: &TuningSpec,
    ledger: &mut Ledger,
    session: &mut Session<'_, P>,
) -> Result<(TuningFindings, Option<PairFault>)> {
    let (conditions, plan) = (&spec.games.conditions, &spec.plan);
    let openings = openings(spec, &session.suite, false).openings;
    let until = session.pairs_until_pause(plan.pairs());
    let (interrupt, programs) = (session.interrupt().for_run(), session.programs());
    let tuner = Mutex::new(Tuner::new(spec.space.clone(), *plan));
    let make_table = || TuneTable {
        spec,
        tuner: &tuner,
        programs: &programs,
        interrupt: &interrupt,
        table: None,
        live_slot: None,
    };
    let describe = |pair: &PairPlan| {
        let games = match_of(spec, &tuner, pair.pair / plan.pairs_per_iteration)?;
        table_text(conditions, &games.seats)
    };
    let run = runner::PairRun {
        openings: &openings,
        seed: plan.seed,
        pairs_max: until,
        make_table: &make_table,
        elsewhere: Some(Elsewhere {
            table: &describe,
            rules: conditions.rules,
            policies: conditions.fault_policies(&spec.games.seats),
            is_timed: spec.games.seats.iter().any(|seat| seat.limit.is_timed()),
            engines: programs.engine_digests([&spec.seat(&spec.space.start())?.player]),
        }),
        game_listener: None,
        interrupt: &interrupt,
    };
    let schedule =
        Schedule::new(plan.seed, openings.len(), until).in_order(conditions.order, conditions.first_opening);
    let window = QueueWindow {
        block: plan.pairs_per_iteration,
        ahead: plan.lag - 1,
    };
    let folder = session.folder.clone();
    let (executor, observer) = session.workers_and_observer();
    let mut steps = Steps::new(spec, &tuner, until, &folder, observer)?;
    let fault = runner::play_counted(&run, schedule, window, executor, ledger, &mut steps)?;
    Ok((steps.end(ledger)?, fault))
}

#[derive(Debug)]
pub struct TuningFindings {
    pub spec: TuningSpec,
    /// So many that they can be shown.
    pub steps: Vec<TuningStep>,
    pub last: Option<TuningStep>,
    pub faults: FaultCounts,
    pub hosts: Vec<HostTotals>,
    /// The match of tuned (A) against start, if it was played.
    pub confirmation: Option<MatchFindings>,
}

impl TuningFindings {
    pub fn tuned(&self) -> Vec<f64> {
        let space = &self.spec.space;
        self.last
            .as_ref()
            .map_or_else(|| space.start(), |step| space.nearest(&step.estimate))
    }

    pub fn applied(&self) -> u64 {
        self.last.as_ref().map_or(0, |step| step.trial.iteration + 1)
    }

    pub fn tuning_pairs(&self) -> u64 {
        self.applied() * self.spec.plan.pairs_per_iteration
    }

    pub fn is_finished(&self) -> bool {
        self.applied() == self.spec.plan.iterations
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

    fn verdict_name(&self) -> Option<&'static str> {
        if self.has_no_signal() {
            return Some("no_signal");
        }
        Some(self.verdict().map_or("unconfirmed", Verdict::name))
    }

    fn pairs(&self) -> Option<u64> {
        Some(self.tuning_pairs())
    }

    fn numbers(&self) -> Overview {
        let confirmation = self.confirmation.as_ref().map(|found| found.numbers());
        let confirmed = confirmation.unwrap_or_default();
        let iterations = Progress::new(self.applied(), self.spec.plan.iterations, Unit::Iterations);
        Overview {
            games: Some(2 * self.tuning_pairs() + confirmed.games.unwrap_or(0)),
            faults: Some(Overview::faults_of(&self.faults) + confirmed.faults.unwrap_or(0)),
            tuned: Some(report::changes(self)),
            progress: confirmed.progress.or(Some(ExpectedProgress::of(iterations))),
            ..confirmed
        }
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
            Some(found) => Some(found.match_state.verdict()),
            None => (!self.is_finished()).then_some(Verdict::Interrupted),
        }
    }
}

pub const CONFIRM_FOLDER: &str = "confirm";
const STREAM_CONFIRM: u64 = 0x7475_0005;

fn confirm<P: Searchable>(
    spec: &TuningSpec,
    tuned: &[f64],
    session: &mut Session<'_, P>,
) -> Result<(MatchFindings, Option<PairFault>)> {
    let suite = openings(spec, &session.suite, true);
    let openings = suite.openings.len();
    let mut games = spec.games.clone();
    games.seats = [spec.seat(tuned)?, spec.seat(&spec.space.start())?];
    for (seat, label) in games.seats.iter_mut().zip(["tuned", "start"]) {
        label.clone_into(&mut seat.player.label);
    }
    let confirming = spec.confirming(openings, &session.folder);
    (games.conditions.sprt, games.conditions.pairs) = confirming.unzip();
    (games.conditions.repeat, games.conditions.first_opening) = (false, 1);
    // Files hold seeds up to 2^63.
    games.conditions.seed = Random::new(spec.plan.seed, &[STREAM_CONFIRM]).next_u64() >> 1;
    let pairs = games.conditions.pairs_max(openings)?;
    session.on_event(RunEvent::Line(format!(
        "confirming: tuned against start, {} at most on other openings",
        plural(pairs, "pair")
    )))?;
    let mut part = session.part(CONFIRM_FOLDER, Some(suite));
    play_in(&games, [pairs, pairs], &mut part)
}
