//! A study of odds from its specification to its outcome: batches of pairs, each a match at one ratio.
//!
//! In: an [`OddsSpec`]. Out: a folder with a match for each batch, an [`Outcome`]. Ratios are chosen and judged by
//! `study::odds`.

pub(super) mod spec;

use std::path::{Path, PathBuf};

use super::capacity::Demand;
use super::findings::{Found, OddsFindings};
use super::folder;
use super::game::with_game;
use super::r#match::{Place, describe, identify};
use super::mending::tell_mended;
use super::news::{Audience, Begins, News};
use super::options::RunOptions;
use super::outcome::{Ending, Findings, Outcome, Progress, Unit};
use super::programs::{Programs, tell_suspensions};
use super::suite::load_openings;
use super::workers::Workers;
use super::{ExperimentError, InvalidRun};
use crate::interrupt::Interrupt;
use crate::ledger::{About, Ledger, RunKind};
use crate::openings::OpeningSuite;
use crate::random::Random;
use crate::record::PairFault;
use crate::runner;
use crate::schedule::Schedule;
use crate::standing::{FaultCounts, Standing};
use crate::study::odds::OddsPlan;
use tanren_engine::search::Searchable;

pub use spec::OddsSpec;

/// What the batches share.
struct Study<'a, P> {
    spec: &'a OddsSpec,
    plan: OddsPlan,
    suite: OpeningSuite<P>,
    /// The openings of all pairs, in order.
    order: Vec<usize>,
    workers: Workers,
    process: Interrupt,
    programs: Programs,
    folder: PathBuf,
}

/// Plays `spec`, or what is left of it, in the folder of `options` or the default one.
pub(super) fn find_odds(
    spec: &OddsSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    with_game!(spec.games.conditions.game, play(spec, options, audience))
}

fn play<P: Searchable>(
    spec: &OddsSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    let conditions = &spec.games.conditions;
    let suite = load_openings::<P>(conditions, audience)?;
    let openings = suite.openings.len();
    spec.check_openings(openings)?;
    let demand = |programs: &Programs| Demand::of(conditions, &spec.games.seats, programs);
    options.workers_for(&demand(&Programs::default()))?;
    let process = options.interrupt()?;
    let seats = ["a", "b"].into_iter().zip(&spec.games.seats);
    let programs = Programs::examine(conditions, seats, options.outside()?, &process)?;
    programs.check_openings(&suite.openings)?;
    let workers = options.workers(&demand(&programs))?;
    let mut identity = spec.identity(&suite.sha256);
    programs.identify(&mut identity);
    let labels = labels(spec);
    let name = || format!("odds-{}-vs-{}", labels[0], labels[1]);
    let folder =
        options.folder(|| folder::of_study(&conditions.name.clone().unwrap_or_else(name), &identity));
    let about = About {
        kind: RunKind::Odds,
        identity,
        spec_toml: spec.text(&folder),
        labels: labels.to_vec(),
    };
    let ledger = Ledger::open_or_create(&folder, &about)?;
    tell_mended(&ledger, audience)?;
    let schedule =
        Schedule::new(conditions.seed, openings, spec.batches() * spec.batch).in_order(conditions.order);
    let study = Study {
        spec,
        plan: spec.plan()?,
        suite,
        order: schedule.map(|plan| plan.opening).collect(),
        workers,
        process,
        programs,
        folder,
    };
    let played = study.run(&ledger, audience);
    study.programs.tell_faults(audience)?;
    tell_suspensions(study.workers.executor(), audience)?;
    let (findings, fault) = played?;
    let progress = Progress {
        done: findings.steps.len() as u64,
        of: spec.batches(),
        unit: Unit::Batches,
    };
    Ok(Outcome {
        ending: match (fault, &findings.invalid) {
            (Some(fault), _) => Ending::of_fault(&about.labels, fault),
            (None, Some(invalid)) => Ending::Invalid(invalid.clone()),
            (None, None) => Ending::of_progress(study.process.signal(), progress),
        },
        folder: study.folder,
        findings: Findings::Odds(findings),
    })
}

fn labels(spec: &OddsSpec) -> [String; 2] {
    spec.games.seats.each_ref().map(|seat| seat.player.label.clone())
}

fn nothing_yet(spec: &OddsSpec) -> Result<OddsFindings, ExperimentError> {
    let resource = spec.resource()?;
    Ok(OddsFindings {
        labels: labels(spec),
        unit: resource.unit,
        resource: resource.amount,
        limit_b: spec.limit_b(),
        steps: Vec::new(),
        faults: FaultCounts::of_sides(spec.games.conditions.faults),
        invalid: None,
    })
}

fn batch_folder(folder: &Path, number: u64) -> PathBuf {
    folder.join("batches").join(format!("{:03}", number + 1))
}

impl<P: Searchable> Study<'_, P> {
    /// Plays batch by batch; the files are written after each.
    fn run(
        &self,
        ledger: &Ledger,
        audience: &mut dyn Audience,
    ) -> Result<(OddsFindings, Option<PairFault>), ExperimentError> {
        let batches = self.spec.batches();
        let mut findings = nothing_yet(self.spec)?;
        audience.hear(News::Begins(Begins::Odds {
            labels: &findings.labels,
            batches,
            pairs: self.spec.batch,
            limit: self.spec.games.seats[1].limit,
            folder: &self.folder,
        }))?;
        for number in 0..batches {
            if self.process.is_requested() {
                break;
            }
            let (is_over, fault) = self.batch(number, &mut findings, audience)?;
            if fault.is_some() {
                return Ok((findings, fault));
            }
            if !is_over {
                break;
            }
            if findings.invalid.is_some() {
                audience.hear(News::Found {
                    folder: &self.folder,
                    ledger: Some(ledger),
                    found: Found::Odds(&findings),
                })?;
                break;
            }
            audience.hear(News::Found {
                folder: &self.folder,
                ledger: Some(ledger),
                found: Found::Odds(&findings),
            })?;
            audience.hear(News::Batch {
                number: [number + 1, batches],
                found: &findings,
            })?;
        }
        Ok((findings, None))
    }

    /// Plays one batch and adds its step; false if it was interrupted.
    fn batch(
        &self,
        number: u64,
        findings: &mut OddsFindings,
        audience: &mut dyn Audience,
    ) -> Result<(bool, Option<PairFault>), ExperimentError> {
        let resource_a = self.plan.next_resource(&findings.steps);
        let mut games = self.spec.games.clone();
        games.seats[0].limit = games.seats[0].limit.with_amount(resource_a);
        // Files hold seeds up to 2^63.
        games.conditions.seed = Random::new(self.spec.games.conditions.seed, &[number]).next_u64() >> 1;
        let suite = self.openings(number);
        let pairs = self.spec.batch;
        let folder = batch_folder(&self.folder, number);
        let mut identity = identify(&games, &suite, pairs);
        self.programs.identify(&mut identity);
        let about = describe(&games, identity, &folder);
        let place = Place {
            suite: &suite,
            executor: self.workers.executor(),
            process: &self.process,
            folder: &folder,
            programs: &self.programs,
        };
        let (found, fault) = place.play(&games, &about, pairs, audience)?;
        let is_over = found.standing.is_decided();
        if is_over {
            take_in(findings, &self.plan, resource_a, &found.standing);
        }
        Ok((is_over, fault))
    }

    /// The openings of one batch: no opening is used again before all were.
    fn openings(&self, number: u64) -> OpeningSuite<P> {
        let pairs = self.spec.batch as usize;
        let from = number as usize * pairs;
        let places = &self.order[from..from + pairs];
        OpeningSuite {
            openings: places
                .iter()
                .map(|&place| self.suite.openings[place].clone())
                .collect(),
            duplicates: Vec::new(),
            sha256: format!(
                "{}, pairs {} to {} in the order of seed {}",
                self.suite.sha256,
                from + 1,
                from + pairs,
                self.spec.games.conditions.seed
            ),
        }
    }
}

/// What the batches in `folder` come to.
pub(super) fn recount(spec: &OddsSpec, folder: &Path) -> Result<OddsFindings, ExperimentError> {
    let plan = spec.plan()?;
    let mut findings = nothing_yet(spec)?;
    for number in 0..spec.batches() {
        let folder = batch_folder(folder, number);
        if !Ledger::exists(&folder) {
            break;
        }
        let rule = spec.games.conditions.stop_rule_without_test(spec.batch);
        let mut standing = Standing::new(rule);
        runner::recount(&Ledger::open_existing(&folder)?, &mut standing)?;
        if !standing.is_decided() {
            break;
        }
        // A course depends on its results alone.
        let resource_a = plan.next_resource(&findings.steps);
        take_in(&mut findings, &plan, resource_a, &standing);
        if findings.invalid.is_some() {
            break;
        }
    }
    Ok(findings)
}

/// Adds a finished batch: a step, unless faults decide it or the study so far.
fn take_in(findings: &mut OddsFindings, plan: &OddsPlan, resource_a: u64, standing: &Standing) {
    findings.faults.add(standing.faults());
    let labels = &findings.labels;
    let of_all = || InvalidRun::of_counts(&findings.faults, labels);
    findings.invalid = InvalidRun::of_match(standing, labels).or_else(of_all);
    if findings.invalid.is_none() {
        let mut step = plan.step(&findings.steps, resource_a, standing.tally());
        step.faults = standing.faults().of_both();
        findings.steps.push(step);
    }
}
