//! A tuning from its specification to its outcome, its confirming match included.
//!
//! In: a [`TuningSpec`]. Out: a folder with the tuning's ledger and that of the match, an [`Outcome`]. Values are
//! chosen by `tune`.

mod confirm;
mod parts;
pub(super) mod power;
pub(super) mod spec;
pub(super) mod trajectory;
mod widths;

use std::path::Path;

use super::capacity::Demand;
use super::findings::{Found, TuningFindings};
use super::folder;
use super::game::with_game;
use super::hosts;
use super::r#match::identify;
use super::mending::tell_mended;
use super::news::{Audience, Begins, News};
use super::options::RunOptions;
use super::outcome::{Ending, Findings, Outcome, Progress, Unit};
use super::programs::{Programs, tell_suspensions};
use super::seating::{player, table_text};
use super::suite::load_openings;
use super::{ExperimentError, FileError};
use crate::event::{OtherStarts, Warning};
use crate::ledger::{About, Ledger, RunKind};
use crate::record::{PairFault, PlayerId};
use crate::schedule::Schedule;
use crate::tune::{self, Step, Trial, TuneRun, Tuner};
use parts::{CONFIRM_EVERY, Tuning};
use power::Power;
use tanren_engine::search::Searchable;

pub use confirm::FOLDER as CONFIRM_FOLDER;
pub use spec::TuningSpec;
pub use trajectory::Trajectory;

/// Plays `spec`, or what is left of it, in the folder of `options` or the default one.
pub(super) fn play_tuning(
    spec: &TuningSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    with_game!(spec.games.conditions.game, play(spec, options, audience))
}

fn play<P: Searchable>(
    spec: &TuningSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    let suite = load_openings::<P>(&spec.games.conditions, audience)?;
    check_openings(spec, suite.openings.len())?;
    let measured = widths::measured(spec, options, audience)?;
    let spec = measured.as_ref().unwrap_or(spec);
    let start = spec.seat(&spec.space.start())?;
    let demand = |programs: &Programs| Demand::of(&spec.games.conditions, [&start; 2], programs);
    options.workers_for(&demand(&Programs::default()))?;
    let process = options.interrupt()?;
    let programs = Programs::examine(
        &spec.games.conditions,
        [("a", &start)],
        options.outside()?,
        &process,
    )?;
    programs.check_openings(&suite.openings)?;
    let workers = options.workers(&demand(&programs))?;
    let mut identity = identify(&spec.games, &suite, spec.plan.pairs());
    programs.identify(&mut identity);
    spec.identify(&mut identity);
    let default = || folder::plain_name(&format!("tune-{}", spec.label()));
    let name = spec.games.conditions.name.clone().unwrap_or_else(default);
    let folder = options.folder(|| folder::of_run(&name, &identity));
    let about = About {
        kind: RunKind::Tune,
        identity,
        spec_toml: spec.text(&folder),
        labels: TuningSpec::SIDES.map(str::to_owned).to_vec(),
    };
    let tuning = Tuning {
        spec,
        options,
        suite,
        workers,
        process,
        programs,
        folder,
    };
    tuning.run(&about, audience)
}

/// Both parts need openings.
pub(super) fn check_openings(spec: &TuningSpec, openings: usize) -> Result<(), ExperimentError> {
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

impl<P: Searchable> Tuning<'_, P> {
    /// Warns of a space that was made for another player.
    fn tell_other_starts(&self, audience: &mut dyn Audience) -> Result<(), ExperimentError> {
        let Some(config) = self.spec.games.seats[0].player.config() else {
            return Ok(());
        };
        let game = self.spec.games.conditions.game;
        let own = |name: &str| config.get(game, name)?.parse::<f64>().ok();
        let parameters = self.spec.space.parameters().iter();
        let others: Vec<_> = parameters
            .filter_map(|parameter| Some((parameter, own(&parameter.name)?)))
            .filter(|(parameter, own)| parameter.start != *own)
            .collect();
        let Some((parameter, own)) = others.first() else {
            return Ok(());
        };
        Ok(audience.hear(News::Warning(Warning::OtherStarts(OtherStarts {
            count: others.len(),
            name: &parameter.name,
            start: parameter.start,
            own: *own,
        })))?)
    }

    fn run(self, about: &About, audience: &mut dyn Audience) -> Result<Outcome, ExperimentError> {
        let mut ledger = Ledger::open_or_create(&self.folder, about)?;
        tell_mended(&ledger, audience)?;
        audience.hear(News::Begins(Begins::Tuning {
            spec: self.spec,
            folder: &self.folder,
        }))?;
        self.tell_other_starts(audience)?;
        if let Some(power) = self.power()? {
            audience.hear(News::Begins(Begins::Power(power)))?;
        }
        let (tuner, mut findings, fault) = self.tune(&mut ledger, audience)?;
        let mut fault = fault.map(|fault| (about.labels.clone(), fault));
        self.programs.tell_faults(audience)?;
        let is_over = tuner.is_finished() && self.process.signal().is_none() && findings.invalid().is_none();
        if is_over && self.spec.confirm.is_some() && tuner.tuned() != self.spec.space.start() {
            // The files of the tuning are there while the match goes on.
            self.tell(&ledger, &findings, audience)?;
            let (found, confirm_fault) = confirm::confirm(&self, &tuner.tuned(), audience)?;
            findings.confirmation = Some(found);
            fault = confirm_fault.map(|fault| (confirm::LABELS.map(str::to_owned).to_vec(), fault));
        }
        self.tell(&ledger, &findings, audience)?;
        tell_suspensions(self.workers.executor(), audience)?;
        let progress = Progress {
            done: tuner.applied(),
            of: self.spec.plan.iterations,
            unit: Unit::Iterations,
        };
        let ending = match (fault, findings.invalid(), self.process.signal()) {
            (Some((labels, fault)), ..) => Ending::of_fault(&labels, fault),
            (None, Some(invalid), _) => Ending::Invalid(invalid),
            (None, None, Some(signal)) => Ending::Stopped { signal, progress },
            (None, None, None) if !tuner.is_finished() => Ending::Paused,
            (None, None, None) => Ending::Complete,
        };
        Ok(Outcome {
            folder: self.folder,
            ending,
            findings: Findings::Tuning(Box::new(findings)),
        })
    }

    /// What the confirming match will be able to show.
    fn power(&self) -> Result<Option<Power>, ExperimentError> {
        let Some(sprt) = self.spec.confirm_test()? else {
            return Ok(None);
        };
        let kept = self.suite.openings.len() / CONFIRM_EVERY;
        let pairs = self.spec.confirm_pairs.unwrap_or(kept as u64);
        Ok(Power::new(self.spec.games.conditions.game, &sprt, pairs))
    }

    fn tell(
        &self,
        ledger: &Ledger,
        findings: &TuningFindings,
        audience: &mut dyn Audience,
    ) -> Result<(), FileError> {
        audience.hear(News::Found {
            folder: &self.folder,
            ledger: Some(ledger),
            found: Found::Tuning(findings),
        })
    }

    fn tune(
        &self,
        ledger: &mut Ledger,
        audience: &mut dyn Audience,
    ) -> Result<(Tuner, TuningFindings, Option<PairFault>), ExperimentError> {
        let (spec, plan) = (self.spec, &self.spec.plan);
        let openings = self.openings(false);
        let until = self.options.pairs_until_pause(plan.pairs());
        let interrupt = self.process.for_run();
        let make_player = |id: PlayerId, values: &[f64]| {
            let seat = spec.seat(values);
            let seat = seat.unwrap_or_else(|error| unreachable!("values within the space: {error}"));
            player::<P>(&spec.games.conditions, &seat, id, &self.programs, &interrupt)
        };
        let describe = |trial: &Trial| {
            let seats = [&trial.plus, &trial.minus].map(|values| spec.seat(values).ok());
            let [Some(a), Some(b)] = seats else { return None };
            table_text(&spec.games.conditions, [&a, &b])
        };
        let run = TuneRun {
            openings: &openings.openings,
            schedule: Schedule::new(plan.seed, openings.openings.len(), until)
                .in_order(spec.games.conditions.order),
            make_player: &make_player,
            describe: &describe,
            rules: spec.games.conditions.rules,
            tables: self.programs.tables.clone(),
            policies: spec.games.conditions.fault_policies(&spec.games.seats),
            is_timed: spec.games.seats.iter().any(|seat| seat.limit.is_timed()),
            faults: spec.games.conditions.faults,
            engines: self
                .programs
                .engine_digests([&spec.seat(&spec.space.start())?.player]),
            interrupt: &interrupt,
            pairs_max: until,
        };
        let mut told = Told::new(spec, audience);
        let tuner = Tuner::new(spec.space.clone(), *plan);
        let mut listener = |step: &Step| told.step(step);
        let (tuner, faults, fault) = tune::tune(&run, tuner, self.workers.executor(), ledger, &mut listener)?;
        let trajectory = told.end()?;
        let findings = TuningFindings {
            spec: spec.clone(),
            hosts: hosts::count(ledger, trajectory.applied * plan.pairs_per_iteration)?,
            trajectory,
            faults,
            confirmation: None,
        };
        Ok((tuner, findings, fault))
    }
}

/// Keeps the trajectory while an audience hears of its steps.
struct Told<'a> {
    spec: &'a TuningSpec,
    audience: &'a mut dyn Audience,
    trajectory: Trajectory,
    failure: Option<FileError>,
}

impl<'a> Told<'a> {
    fn new(spec: &'a TuningSpec, audience: &'a mut dyn Audience) -> Told<'a> {
        Told {
            spec,
            audience,
            trajectory: Trajectory::new(&spec.space, &spec.plan),
            failure: None,
        }
    }

    fn step(&mut self, step: &Step) {
        self.trajectory.push(step);
        let spec = self.spec;
        if let Err(error) = self.audience.hear(News::Step { spec, step }) {
            self.failure.get_or_insert(error);
        }
    }

    fn end(self) -> Result<Trajectory, FileError> {
        self.audience.hear(News::Over)?;
        self.failure.map_or(Ok(self.trajectory), Err)
    }
}

/// What the tuning in `folder` comes to, but for its confirming match; `audience` hears of its beginning and its steps.
pub(super) fn recount(
    spec: &TuningSpec,
    folder: &Path,
    ledger: &Ledger,
    audience: &mut dyn Audience,
) -> Result<TuningFindings, ExperimentError> {
    audience.hear(News::Begins(Begins::Tuning { spec, folder }))?;
    let mut told = Told::new(spec, audience);
    let tuner = Tuner::new(spec.space.clone(), spec.plan);
    let limits = spec.games.conditions.faults;
    let (_, faults) = tune::recount(tuner, limits, ledger, &mut |step| told.step(step))?;
    let trajectory = told.end()?;
    Ok(TuningFindings {
        spec: spec.clone(),
        hosts: hosts::count(ledger, trajectory.applied * spec.plan.pairs_per_iteration)?,
        trajectory,
        faults,
        confirmation: None,
    })
}
