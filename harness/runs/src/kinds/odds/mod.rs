//! A study of odds from its specification to its outcome: batches of pairs, each a match at one ratio.

pub mod plan;
pub(crate) mod plot;
pub(crate) mod report;
pub(crate) mod spec;

use std::path::{Path, PathBuf};

use tanren_engine::search::Searchable;

use crate::config::{Identity, MatchSpec, MoveLimit};
use crate::document::Document;
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::document::number::plural;
use crate::kinds::match_::{labels, play_in};
use crate::kinds::odds::plan::{OddsPlan, OddsStep};
use crate::ledger::Ledger;
use crate::match_state::{FaultCounts, MatchState};
use crate::openings::OpeningSuite;
use crate::random::Random;
use crate::record::PairFault;
use crate::runner;
use crate::schedule::Schedule;
use crate::session::error::{ExperimentError, Result, StoppedByFault};
use crate::session::folder::{self, place};
use crate::session::found::Found;
use crate::session::game::with_game;
use crate::session::kind::{Holds, KeysInfo, Kind, KindInfo, Workload};
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, Progress, Unit};
use crate::session::overview::Overview;
use crate::session::stored::{Run, StoredSeats};
use crate::session::{Needs, Session};

pub use spec::{OddsKeys, OddsSpec};

pub static KIND: KindInfo = KindInfo {
    name: "odds",
    holds: Holds::Parts,
    workload: Workload::Games,
    pauses: false,
    keys: KeysInfo::of::<OddsKeys>(),
};

impl Kind for OddsSpec {
    fn needs(&self) -> Needs<'_> {
        Needs::of_match(&self.games)
    }

    fn check_openings(&self, openings: usize) -> Result<()> {
        let pairs = self.batches() * self.batch;
        Ok(self.games.conditions.check_pairs(pairs, openings)?)
    }

    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome> {
        with_game!(self.games.conditions.game, play(self, options, observer))
    }

    fn recount(&self, run: &Run, _: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)> {
        let found = recount(self, &run.folder)?;
        let is_over = found.steps.len() as u64 == self.batches();
        Ok((Box::new(found), is_over))
    }

    fn seats(&self, _: &Path) -> Result<StoredSeats, String> {
        Err("a study of odds; its matches are in the folder 'batches'".to_owned())
    }
}

fn play<P: Searchable>(
    spec: &OddsSpec,
    options: &RunOptions,
    observer: &mut dyn RunObserver,
) -> Result<Outcome> {
    let mut session = Session::<P>::open(spec, options, observer)?;
    let identity = session.identified(spec.identity(&session.suite.sha256));
    let labels = labels(&spec.games);
    let default = format!("odds-{}-vs-{}", labels[0], labels[1]);
    let name = (spec.games.conditions.name.as_deref(), &*default);
    choose_folder(
        spec,
        &mut session,
        &identity,
        name.0.unwrap_or(&folder::plain_name(&default)),
    )?;
    let ledger = session.store(&KIND, identity, &labels, name, |folder| spec.text(folder))?;
    let played = play_batches(spec, &ledger, &mut session);
    session.end(Unit::Pairs)?;
    let (found, fault) = played?;
    let fault = fault.map(|fault| StoppedByFault::of(&labels, fault));
    let progress = Progress::new(found.steps.len() as u64, spec.batches(), Unit::Batches);
    let is_over = progress.done == progress.of;
    Ok(session.outcome(found, fault, is_over, progress))
}

/// A study is not continued with fewer batches than it has.
fn choose_folder<P: Searchable>(
    spec: &OddsSpec,
    session: &mut Session<'_, P>,
    identity: &Identity,
    name: &str,
) -> Result<()> {
    let shard = session.shard();
    if session.folder.as_os_str().is_empty() {
        session.folder = folder::first_usable(&session.folder_name(name), |folder| {
            Ledger::is_resumable(folder, identity, shard) && batches_in(folder) <= spec.batches()
        });
    }
    let (stored, folder) = (batches_in(&session.folder), session.folder.display());
    if Ledger::is_resumable(&session.folder, identity, shard) && stored > spec.batches() {
        return Err(ExperimentError::Input(format!(
            "'{folder}' has {stored} batches, but --pairs {} has {}: give --pairs {} or more, or another --out",
            spec.pairs,
            spec.batches(),
            stored * spec.batch
        )));
    }
    Ok(())
}

fn batches_in(folder: &Path) -> u64 {
    let is_there = |&number: &u64| Ledger::exists(&folder.join(batch_folder(number)));
    (0..).take_while(is_there).count() as u64
}

fn play_batches<P: Searchable>(
    spec: &OddsSpec,
    ledger: &Ledger,
    session: &mut Session<'_, P>,
) -> Result<(OddsFindings, Option<PairFault>)> {
    let (plan, batches) = (spec.plan()?, spec.batches());
    let mut found = nothing_yet(spec)?;
    let conditions = &spec.games.conditions;
    let schedule = Schedule::new(
        conditions.seed,
        session.suite.openings.len(),
        batches * spec.batch,
    );
    let order: Vec<usize> = schedule
        .in_order(conditions.order, conditions.first_opening)
        .map(|plan| plan.opening)
        .collect();
    session.on_event(RunEvent::Part(format!("batch 1 of {batches}")))?;
    session.on_event(RunEvent::Line(format!(
        "{} against {}: {} of {}, B with {}; {}",
        found.labels[0],
        found.labels[1],
        plural(batches, "batch"),
        plural(spec.batch, "pair"),
        spec.games.seats[1].limit.words(),
        place(&session.folder)
    )))?;
    for number in 0..batches {
        if session.is_interrupted() || session.is_paused() {
            break;
        }
        let resource_a = plan.next_resource(&found.steps);
        let suite = openings(spec, &session.suite, &order, number);
        let mut part = session.part(batch_folder(number), Some(suite));
        let until = part.pairs_until_pause(spec.batch);
        let games = batch(spec, number, resource_a);
        let (batch, fault) = play_in(&games, [spec.batch, until], &mut part)?;
        if fault.is_some() {
            return Ok((found, fault));
        }
        if !batch.match_state.is_decided() {
            break;
        }
        take_in(&mut found, &plan, resource_a, &batch.match_state);
        session.tell_found(ledger, &found)?;
        if found.invalid.is_some() {
            break;
        }
        let line = format!("[{}/{batches}] {}", number + 1, report::line(&found));
        session.on_event(RunEvent::Line(line))?;
        session.on_event(RunEvent::Part(format!("batch {} of {batches}", number + 2)))?;
    }
    Ok((found, None))
}

fn batch(spec: &OddsSpec, number: u64, resource_a: u64) -> MatchSpec {
    let mut games = spec.games.clone();
    games.seats[0].limit = games.seats[0].limit.with_amount(resource_a);
    // Files hold seeds up to 2^63.
    games.conditions.seed = Random::new(spec.games.conditions.seed, &[number]).next_u64() >> 1;
    // Its openings begin there already.
    games.conditions.first_opening = 1;
    games
}

/// The openings of one batch, of all in their `order`: no opening is used again before all were.
fn openings<P: Searchable>(
    spec: &OddsSpec,
    all: &OpeningSuite<P>,
    order: &[usize],
    number: u64,
) -> OpeningSuite<P> {
    let pairs = spec.batch as usize;
    let from = number as usize * pairs;
    let places = &order[from..from + pairs];
    OpeningSuite {
        openings: places.iter().map(|&place| all.openings[place].clone()).collect(),
        duplicates: Vec::new(),
        sha256: format!(
            "{}, pairs {} to {} in the order of seed {}",
            all.sha256,
            from + 1,
            from + pairs,
            spec.games.conditions.seed
        ),
    }
}

fn nothing_yet(spec: &OddsSpec) -> Result<OddsFindings> {
    let resource = spec.resource()?;
    Ok(OddsFindings {
        labels: labels(&spec.games),
        unit: resource.unit,
        resource: resource.amount,
        limit_b: spec.limit_b(),
        steps: Vec::new(),
        faults: FaultCounts::of_sides(spec.games.conditions.faults),
        invalid: None,
    })
}

fn batch_folder(number: u64) -> PathBuf {
    Path::new("batches").join(format!("{:03}", number + 1))
}

fn recount(spec: &OddsSpec, folder: &Path) -> Result<OddsFindings> {
    let plan = spec.plan()?;
    let mut found = nothing_yet(spec)?;
    for number in 0..spec.batches() {
        let folder = folder.join(batch_folder(number));
        if !Ledger::exists(&folder) {
            break;
        }
        let rule = spec.games.conditions.stop_rule_without_test(spec.batch);
        let mut match_state = MatchState::new(rule);
        runner::recount(&Ledger::open_existing(&folder)?, &mut match_state)?;
        if !match_state.is_decided() {
            break;
        }
        // What comes next depends on the results alone.
        let resource_a = plan.next_resource(&found.steps);
        take_in(&mut found, &plan, resource_a, &match_state);
        if found.invalid.is_some() {
            break;
        }
    }
    Ok(found)
}

fn take_in(found: &mut OddsFindings, plan: &OddsPlan, resource_a: u64, match_state: &MatchState) {
    found.faults.add(&match_state.faults);
    let labels = &found.labels;
    let of_all = || InvalidRun::of_counts(&found.faults, labels);
    found.invalid = InvalidRun::of_match(match_state, labels).or_else(of_all);
    if found.invalid.is_none() {
        let mut step = plan.step(&found.steps, resource_a, match_state.tally());
        step.faults = match_state.faults.of_both();
        found.steps.push(step);
    }
}

#[derive(Debug, Clone)]
pub struct OddsFindings {
    pub labels: [String; 2],
    pub unit: &'static str,
    /// Units a move that A has at a ratio of 1: those of B, unless it has a limit of its own.
    pub resource: u64,
    pub limit_b: Option<MoveLimit>,
    pub steps: Vec<OddsStep>,
    pub faults: FaultCounts,
    pub invalid: Option<InvalidRun>,
}

impl Found for OddsFindings {
    fn kind(&self) -> Option<&'static str> {
        Some(KIND.name)
    }

    fn document<'a>(&'a self, _: Option<&Gathered>) -> Document<'a> {
        report::document(self)
    }

    fn numbers(&self) -> Overview {
        Overview {
            games: Some(self.steps.iter().map(|step| step.tally.games()).sum()),
            faults: Some(Overview::faults_of(&self.faults)),
            ..Overview::default()
        }
    }

    fn invalid(&self) -> Option<InvalidRun> {
        self.invalid.clone()
    }
}
