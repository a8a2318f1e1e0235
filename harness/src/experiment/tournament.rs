//! A tournament from its specification to its outcome.
//!
//! In: a [`TournamentSpec`]. Out: a folder with its ledger, an [`Outcome`].

use std::path::Path;

use super::capacity::Demand;
use super::engines;
use super::findings::{Found, TournamentFindings};
use super::folder;
use super::game::with_game;
use super::hosts;
use super::mending::tell_mended;
use super::news::{Audience, Begins, News};
use super::options::RunOptions;
use super::outcome::{Ending, Findings, Outcome, Progress, Unit};
use super::programs::{Programs, tell_suspensions};
use super::seating::{player, table_text};
use super::suite::load_openings;
use super::{ExperimentError, FileError};
use crate::config::{Identity, TournamentSpec};
use crate::crosstable::Crosstable;
use crate::event::{Event, Warning};
use crate::interrupt::Signal;
use crate::ledger::{About, Ledger, LedgerError, RunKind};
use crate::openings::{Opening, OpeningSuite};
use crate::play::EnginePool;
use crate::player::signature;
use crate::record::PlayerId;
use crate::runner::{self, Elsewhere, PlayError, Run};
use crate::schedule::{PairPlan, Schedule};
use crate::standing::Standing;
use tanren_engine::search::Searchable;

/// Plays `spec`, or what is left of it, in the folder of `options` or the default one.
pub(super) fn play_tournament(
    spec: &TournamentSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    with_game!(spec.conditions.game, play(spec, options, audience))
}

fn play<P: Searchable>(
    spec: &TournamentSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    let conditions = &spec.conditions;
    let suite = load_openings::<P>(conditions, audience)?;
    let rounds = conditions.pairs_max(suite.openings.len())?;
    let demand = |programs: &Programs| Demand::of(conditions, &spec.seats, programs);
    options.workers_for(&demand(&Programs::default()))?;
    let process = options.interrupt()?;
    let seats = (1_u32..).zip(&spec.seats);
    let programs = Programs::examine(conditions, seats, options.outside()?, &process)?;
    programs.check_openings(&suite.openings)?;
    let workers = options.workers(&demand(&programs))?;
    let mut identity = identify(spec, &suite, rounds);
    programs.identify(&mut identity);
    let folder = options.folder(|| folder::of_tournament(spec, &identity));
    let about = describe(spec, identity, &folder);
    if let Some(signal) = process.signal() {
        return Err(ExperimentError::Stopped(signal));
    }
    let interrupt = process.for_run();
    let mut ledger = Ledger::open_or_create(&folder, &about)?;
    tell_mended(&ledger, audience)?;
    tell_mirror(spec, audience)?;
    let all = rounds * spec.pairings.len() as u64;
    let until = options.pairs_until_pause(all);
    let mut total = Standing::of_players(conditions.stop_rule_without_test(all), spec.labels.len());
    let seat = |number: u16| &spec.seats[usize::from(number)];
    let make_player = |number: u16| player::<P>(conditions, seat(number), PlayerId::A, &programs, &interrupt);
    let engine_pool = || EnginePool::new(spec.seats.len(), conditions.rules, Box::new(make_player));
    let make_table = || engine_pool().with_endgames(programs.tables.clone());
    let describe = |plan: &PairPlan| table_text(conditions, plan.players.map(seat));
    let run = Run {
        openings: &suite.openings,
        seed: conditions.seed,
        pairs_max: until,
        make_table: &make_table,
        elsewhere: Some(Elsewhere {
            table: &describe,
            rules: conditions.rules,
            policies: conditions.fault_policies(&spec.seats),
            is_timed: spec.seats.iter().any(|seat| seat.limit.is_timed()),
            engines: programs.engine_digests(spec.seats.iter().map(|seat| &seat.player)),
        }),
        interrupt: &interrupt,
    };
    let schedule = schedule(spec, suite.openings.len(), until);
    let mut listener = |event: &Event<'_>| {
        // What only shows something has nothing that could fail.
        let _ = audience.hear(news_of(event, spec, rounds, until, &folder));
    };
    let executor = workers.executor();
    let played = runner::play_schedule(&run, schedule, executor, &mut ledger, &mut total, &mut listener);
    let fault = PlayError::apart(played)?;
    let found = count(spec, &ledger, rounds, total.tally().pairs())?;
    let told = audience.hear(News::Found {
        folder: &folder,
        ledger: Some(&ledger),
        found: Found::Tournament(&found),
    });
    programs.tell_faults(audience)?;
    tell_suspensions(executor, audience)?;
    // What kept the games from being played may keep their files from being written too, and the user is to hear of it.
    let fault = fault?;
    told?;
    let ending = match (fault, found.invalid()) {
        (Some(fault), _) => Ending::of_fault(&about.labels, fault),
        (None, Some(invalid)) => Ending::Invalid(invalid),
        (None, None) => ending_of(found.counted, until, all, interrupt.signal()),
    };
    Ok(Outcome {
        folder,
        ending,
        findings: Findings::Tournament(found),
    })
}

fn tell_mirror(spec: &TournamentSpec, audience: &mut dyn Audience) -> Result<(), FileError> {
    spec.mirror().map_or(Ok(()), |labels| {
        audience.hear(News::Warning(Warning::MirrorAmong { labels }))
    })
}

fn schedule(spec: &TournamentSpec, openings: usize, until: u64) -> Schedule {
    let schedule = Schedule::of_pairings(spec.conditions.seed, openings, spec.pairings.clone(), until);
    schedule.in_order(spec.conditions.order)
}

/// Why nothing more than `counted` pairs of `all` are played now, if `until` so many were to be.
fn ending_of(counted: u64, until: u64, all: u64, signal: Option<Signal>) -> Ending {
    let progress = Progress {
        done: counted,
        of: all,
        unit: Unit::Pairs,
    };
    match signal {
        Some(signal) if counted < until => Ending::Stopped { signal, progress },
        _ if counted < all => Ending::Paused,
        _ => Ending::Complete,
    }
}

fn news_of<'a>(
    event: &'a Event<'_>,
    spec: &TournamentSpec,
    rounds: u64,
    until: u64,
    folder: &'a Path,
) -> News<'a> {
    match event {
        Event::Started { standing } => News::Begins(Begins::Tournament {
            players: spec.labels.len(),
            pairings: spec.pairings.len(),
            rounds,
            done: standing.tally().pairs(),
            folder,
        }),
        Event::Counted { standing } => News::Done {
            done: standing.tally().pairs(),
            of: until,
            unit: Unit::Pairs,
        },
        Event::Ended { .. } => News::Over,
    }
}

/// What a stored tournament comes to.
pub(super) fn recount(
    spec: &TournamentSpec,
    ledger: &Ledger,
    rounds: u64,
) -> Result<TournamentFindings, LedgerError> {
    let all = rounds * spec.pairings.len() as u64;
    let mut total = Standing::of_players(spec.conditions.stop_rule_without_test(all), spec.labels.len());
    runner::recount(ledger, &mut total)?;
    count(spec, ledger, rounds, total.tally().pairs())
}

/// The first `counted` pairs of `ledger`, pairing by pairing.
fn count(
    spec: &TournamentSpec,
    ledger: &Ledger,
    rounds: u64,
    counted: u64,
) -> Result<TournamentFindings, LedgerError> {
    let rule = spec.conditions.stop_rule(rounds);
    let mut crosstable = Crosstable::new(spec.labels.len(), &spec.pairings, rule);
    ledger.for_each_outcome(|pair| {
        if pair.pair < counted {
            crosstable.count(&pair);
        }
    })?;
    Ok(TournamentFindings {
        game: spec.conditions.game,
        engines: engines::count(ledger, &spec.labels, counted)?,
        hosts: hosts::count(ledger, counted)?,
        labels: spec.labels.clone(),
        anchor: spec.anchor,
        crosstable,
        counted,
    })
}

fn identify<P: Searchable>(spec: &TournamentSpec, suite: &OpeningSuite<P>, rounds: u64) -> Identity {
    let configs = spec.seats.iter().filter_map(|seat| seat.player.config());
    let engine = signature(configs, suite.openings.iter().map(Opening::position));
    spec.identity(&suite.sha256, rounds, &engine)
}

fn describe(spec: &TournamentSpec, identity: Identity, folder: &Path) -> About {
    About {
        kind: RunKind::Tournament,
        identity,
        spec_toml: spec.table(folder).to_string(),
        labels: spec.labels.clone(),
    }
}
