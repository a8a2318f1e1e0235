//! A match from its specification to its outcome.
//!
//! In: a [`MatchSpec`]. Out: a folder with its ledger, an [`Outcome`]. What larger experiments play is a match, too:
//! [`Place::play`].

use std::path::Path;

use super::ExperimentError;
use super::capacity::Demand;
use super::engines;
use super::findings::{Found, MatchFindings};
use super::folder;
use super::game::with_game;
use super::hosts;
use super::mending::tell_mended;
use super::news::{Audience, Begins, News};
use super::options::RunOptions;
use super::outcome::{Ending, Findings, Outcome, Progress, Unit};
use super::programs::{Programs, tell_suspensions};
use super::seating::{table, table_text};
use super::suite::load_openings;
use crate::config::{Identity, MatchSpec};
use crate::event::{Event, Warning};
use crate::interrupt::Interrupt;
use crate::ledger::{About, Ledger, RunKind};
use crate::openings::{Opening, OpeningSuite};
use crate::player::signature;
use crate::record::PairFault;
use crate::runner::{self, Elsewhere, Executor, PlayError, Run};
use crate::schedule::Schedule;
use crate::standing::Standing;
use tanren_engine::search::Searchable;

/// Plays `spec`, or what is left of it, in the folder of `options` or the default one.
pub(super) fn play_match(
    spec: &MatchSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    with_game!(spec.conditions.game, play_game_match(spec, options, audience))
}

fn play_game_match<P: Searchable>(
    spec: &MatchSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    let suite = load_openings::<P>(&spec.conditions, audience)?;
    let pairs = spec.conditions.pairs_max(suite.openings.len())?;
    let demand = |programs: &Programs| Demand::of(&spec.conditions, &spec.seats, programs);
    options.workers_for(&demand(&Programs::default()))?;
    let process = options.interrupt()?;
    let seats = ["a", "b"].into_iter().zip(&spec.seats);
    let programs = Programs::examine(&spec.conditions, seats, options.outside()?, &process)?;
    programs.check_openings(&suite.openings)?;
    let workers = options.workers(&demand(&programs))?;
    let mut identity = identify(spec, &suite, pairs);
    programs.identify(&mut identity);
    let folder = options.folder(|| folder::of_match(spec, &identity));
    let about = describe(spec, identity, &folder);
    if spec.is_mirror() {
        audience.hear(News::Warning(Warning::Mirror))?;
    }
    let place = Place {
        suite: &suite,
        executor: workers.executor(),
        process: &process,
        folder: &folder,
        programs: &programs,
    };
    let until = options.pairs_until_pause(pairs);
    let played = place.play_told(spec, &about, [pairs, until], true, audience);
    programs.tell_faults(audience)?;
    tell_suspensions(workers.executor(), audience)?;
    let (found, fault) = played?;
    let (repeated, counted) = (found.standing.repeated(), found.standing.tally().pairs());
    if repeated > 0 && fault.is_none() {
        let warning = Warning::RepeatedPairs {
            pairs: repeated,
            of: counted,
        };
        audience.hear(News::Warning(warning))?;
    }
    let ending = match (fault, process.signal()) {
        (Some(fault), _) => Ending::of_fault(&about.labels, fault),
        (None, _) if found.standing.is_decided() => Ending::of_validity(found.invalid()),
        (None, Some(signal)) => Ending::Stopped {
            signal,
            progress: Progress {
                done: counted,
                of: pairs,
                unit: Unit::Pairs,
            },
        },
        (None, None) => Ending::Paused,
    };
    Ok(Outcome {
        folder,
        ending,
        findings: Findings::Match(Box::new(found)),
    })
}

/// Where a match is played: what it shares with the other matches of an experiment, and its folder.
pub(super) struct Place<'a, P> {
    pub(super) suite: &'a OpeningSuite<P>,
    pub(super) executor: &'a dyn Executor,
    /// The signals that end the command.
    pub(super) process: &'a Interrupt,
    pub(super) folder: &'a Path,
    pub(super) programs: &'a Programs,
}

impl<P: Searchable> Place<'_, P> {
    /// Plays `spec` as a part of a larger experiment, or what is left of it, up to `pairs` pairs, and has every file of its
    /// folder written. A fault after which the run is to stop ends the larger experiment as well.
    pub(super) fn play(
        &self,
        spec: &MatchSpec,
        about: &About,
        pairs: u64,
        audience: &mut dyn Audience,
    ) -> Result<(MatchFindings, Option<PairFault>), ExperimentError> {
        self.play_told(spec, about, [pairs, pairs], false, audience)
    }

    /// As [`play`](Place::play), of so many pairs and up to so many of them now; says that it begins if that `is_all` there is.
    fn play_told(
        &self,
        spec: &MatchSpec,
        about: &About,
        [pairs, until]: [u64; 2],
        is_all: bool,
        audience: &mut dyn Audience,
    ) -> Result<(MatchFindings, Option<PairFault>), ExperimentError> {
        // In a queue the signal may have come after the run before was decided.
        if let Some(signal) = self.process.signal() {
            return Err(ExperimentError::Stopped(signal));
        }
        let interrupt = self.process.for_run();
        let mut ledger = Ledger::open_or_create(self.folder, about)?;
        tell_mended(&ledger, audience)?;
        let mut standing = Standing::new(spec.conditions.stop_rule(pairs));
        let make_table = || table::<P>(spec, self.programs, &interrupt);
        let text = table_text(&spec.conditions, &spec.seats);
        let run = Run {
            openings: &self.suite.openings,
            seed: spec.conditions.seed,
            pairs_max: until,
            make_table: &make_table,
            elsewhere: Some(Elsewhere {
                table: &|_| text.clone(),
                rules: spec.conditions.rules,
                policies: spec.conditions.fault_policies(&spec.seats),
                is_timed: spec.seats.iter().any(|seat| seat.limit.is_timed()),
                engines: self
                    .programs
                    .engine_digests(spec.seats.iter().map(|seat| &seat.player)),
            }),
            interrupt: &interrupt,
        };
        let schedule = Schedule::new(spec.conditions.seed, self.suite.openings.len(), until)
            .in_order(spec.conditions.order);
        let labels = about.labels_of([0, 1]);
        let mut listener = |event: &Event<'_>| {
            if let (Event::Started { standing }, true) = (event, is_all) {
                let begins = Begins::Match {
                    labels: labels.each_ref().map(String::as_str),
                    standing,
                    pairs_max: until,
                    folder: self.folder,
                };
                // What only shows something has nothing that could fail.
                let _ = audience.hear(News::Begins(begins));
            }
            let _ = audience.hear(News::Play {
                event,
                pairs_max: until,
                workers: self.executor.concurrency(),
            });
        };
        let played = runner::play_schedule(
            &run,
            schedule,
            self.executor,
            &mut ledger,
            &mut standing,
            &mut listener,
        );
        let fault = PlayError::apart(played)?;
        let findings = MatchFindings {
            game: spec.conditions.game,
            engines: engines::count(&ledger, &labels, standing.tally().pairs())?,
            hosts: hosts::count(&ledger, standing.tally().pairs())?,
            labels,
            standing,
        };
        let told = audience.hear(News::Found {
            folder: self.folder,
            ledger: Some(&ledger),
            found: Found::Match(&findings),
        });
        // What kept the games from being played may keep their files from being written too, and the user is to hear of it.
        let fault = fault?;
        told?;
        Ok((findings, fault))
    }
}

/// Everything that decides the results of `spec`, but for the programs that play.
pub(super) fn identify<P: Searchable>(spec: &MatchSpec, suite: &OpeningSuite<P>, pairs: u64) -> Identity {
    let configs = spec.seats.iter().filter_map(|seat| seat.player.config());
    let engine = signature(configs, suite.openings.iter().map(Opening::position));
    spec.identity(&suite.sha256, pairs, &engine)
}

/// What the ledger of `spec` says about itself.
pub(super) fn describe(spec: &MatchSpec, identity: Identity, folder: &Path) -> About {
    About {
        kind: RunKind::Match,
        identity,
        spec_toml: spec.table(folder).to_string(),
        labels: spec.seats.iter().map(|seat| seat.player.label.clone()).collect(),
    }
}
