//! A match from its specification to its result.
//!
//! In: a [`MatchSpec`]. Out: a folder of results, a text or JSON on stdout. Must not: decide anything that the
//! specification decides.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::Args;
use tanren_engine::eval::Evaluated;

use super::error::CliError;
use super::folder;
use super::game::with_game;
use super::programs::Programs;
use crate::config::{Conditions, Identity, MatchSpec, OpeningSource, PlayerKind, Seat};
use crate::event::{Event, Warning};
use crate::interrupt::Interrupt;
use crate::ledger::{About, Ledger, RunKind};
use crate::openings::{self, OpeningSuite};
use crate::platform::Cores;
use crate::play::Table;
use crate::player::{Builtin, BuiltinRules, Player, Process, ProcessRules, signature};
use crate::record::PlayerId;
use crate::report::{Pace, Progress, Summary, describe, note, print_data, rebuild};
use crate::runner::{self, LocalExecutor, Run};
use crate::schedule::Schedule;
use crate::standing::Standing;
use crate::stop::StopRule;

/// Options of every command that plays; they change no result.
#[derive(Debug, Clone, Args)]
pub(super) struct PlayOptions {
    /// Pairs played at the same time (as many as there are cores).
    #[arg(long, value_name = "N")]
    pub(super) concurrency: Option<NonZero<usize>>,
    /// Stop after so many pairs as if there were no more; without it, or with more, the same command goes on.
    #[arg(long, value_name = "PAIRS")]
    pause_after: Option<NonZero<u64>>,
    /// Keep each worker on one core; changes no result.
    #[arg(long)]
    pub(super) pin_cores: bool,
    /// Write down what every other program says and is told, one file for each start, in this folder.
    #[arg(long, value_name = "DIR")]
    pub(super) engine_log: Option<PathBuf>,
    /// Show no progress and no text.
    #[arg(long)]
    pub(super) quiet: bool,
    /// Print the result as one JSON object on stdout, keys as the columns of summary.csv.
    #[arg(long)]
    pub(super) json: bool,
}

impl PlayOptions {
    /// Are the options of a run that a queue replaces by keys of its own all absent?
    pub(super) fn is_fit_for_queue(&self) -> bool {
        self.pause_after.is_none()
    }

    /// The workers as these options want them.
    pub(super) fn executor(&self) -> Result<LocalExecutor, CliError> {
        if !self.pin_cores {
            return executor(self.concurrency);
        }
        let cores = Cores::available().map_err(CliError::system("find out the cores for --pin-cores"))?;
        LocalExecutor::on_cores(workers(self.concurrency)?, cores)
            .map_err(CliError::system("start the workers"))
    }

    /// The pairs after which to stop; more than there can be if nothing is said.
    pub(super) fn pause_after(&self) -> u64 {
        self.pause_after.map_or(u64::MAX, NonZero::get)
    }

    pub(super) fn say(&self, text: &str) {
        if !self.quiet {
            note(text);
        }
    }
}

/// So many workers, or as many as there are cores.
pub(super) fn executor(concurrency: Option<NonZero<usize>>) -> Result<LocalExecutor, CliError> {
    LocalExecutor::new(workers(concurrency)?).map_err(CliError::system("start the workers"))
}

fn workers(concurrency: Option<NonZero<usize>>) -> Result<usize, CliError> {
    let available = || available_parallelism().map_or(1, NonZero::get);
    let concurrency = concurrency.map_or_else(available, NonZero::get);
    if concurrency > 4096 {
        let message = format!("--concurrency is {concurrency}, but must be 4096 at most");
        return Err(CliError::Input(message));
    }
    Ok(concurrency)
}

/// Plays `spec`, or what is left of it, in `out` or the default folder.
pub(super) fn play_match(
    spec: &MatchSpec,
    out: Option<&Path>,
    options: &PlayOptions,
) -> Result<(), CliError> {
    with_game!(spec.conditions.game, play_game_match(spec, out, options))
}

fn play_game_match<P: Evaluated>(
    spec: &MatchSpec,
    out: Option<&Path>,
    options: &PlayOptions,
) -> Result<(), CliError> {
    let suite = load_openings::<P>(&spec.conditions)?;
    let pairs_max = spec.conditions.pairs_max(suite.openings.len())?;
    let executor = options.executor()?;
    let process = Interrupt::install().map_err(CliError::system("watch for signals"))?;
    let players = ["a", "b"]
        .into_iter()
        .zip(spec.seats.iter().map(|seat| &seat.player));
    let programs = Programs::examine(&spec.conditions, players, options.engine_log.as_deref(), &process)?;
    let mut identity = identify(spec, &suite, pairs_max);
    programs.identify(&mut identity);
    let pairs_max = pairs_max.min(options.pause_after());
    let chosen = folder::choose(out, spec, &identity);
    let about = describe_run(spec, identity, &chosen);
    let mut progress = (!options.quiet).then(|| Progress::new(pairs_max));
    let mut pace = Pace::new(executor.concurrency());
    let mut listener = |event: &Event<'_>| {
        pace.event(event);
        if let Event::Started { standing } = event {
            options.say(&opening_line(&about, standing, pairs_max, &chosen));
        }
        if let Some(progress) = &mut progress {
            progress.event(event);
        }
    };
    if spec.is_mirror() {
        note(&format!("warning: {}", Warning::Mirror));
    }
    let place = Place {
        suite: &suite,
        executor: &executor,
        process: &process,
        folder: &chosen,
        programs: &programs,
    };
    let played = place.play(spec, &about, pairs_max, &mut listener);
    programs.tell_faults();
    let (summary, standing) = played?;
    if let Some(text) = pace.text() {
        options.say(&text);
    }
    finish(&summary, &standing, &process, &chosen, options)
}

/// Where a match is played: what it shares with the other matches of a command, and its folder.
pub(super) struct Place<'a, P> {
    pub(super) suite: &'a OpeningSuite<P>,
    pub(super) executor: &'a LocalExecutor,
    /// The signals that end the command.
    pub(super) process: &'a Interrupt,
    pub(super) folder: &'a Path,
    pub(super) programs: &'a Programs,
}

impl<P: Evaluated> Place<'_, P> {
    /// Plays `spec`, or what is left of it, up to `pairs_max` pairs and writes every file of its folder.
    pub(super) fn play(
        &self,
        spec: &MatchSpec,
        about: &About,
        pairs_max: u64,
        listener: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(Summary, Standing), CliError> {
        // In a queue the signal may have come after the run before was decided.
        if let Some(signal) = self.process.signal() {
            return Err(CliError::Stopped(signal));
        }
        let conditions = &spec.conditions;
        let interrupt = self.process.for_run();
        let mut ledger = Ledger::open_or_create(self.folder, about)?;
        let mut standing = Standing::new(StopRule {
            sprt: conditions.sprt,
            pairs_max,
        });
        let make_table = || table::<P>(spec, self.programs, &interrupt);
        let run = Run {
            openings: &self.suite.openings,
            seed: conditions.seed,
            pairs_max,
            make_table: &make_table,
            interrupt: &interrupt,
        };
        let schedule =
            Schedule::new(conditions.seed, self.suite.openings.len(), pairs_max).in_order(conditions.order);
        let stopped = runner::play_schedule(
            &run,
            schedule,
            self.executor,
            &mut ledger,
            &mut standing,
            listener,
        )?;
        let summary = rebuild::<P>(self.folder, &ledger, &standing)?;
        stopped.map_or(Ok((summary, standing)), |fault| {
            Err(CliError::fault(about, fault))
        })
    }
}

pub(super) fn load_openings<P: Evaluated>(conditions: &Conditions) -> Result<OpeningSuite<P>, CliError> {
    let suite = match &conditions.openings {
        OpeningSource::BuiltIn => openings::parse(openings::built_in(conditions.game), "the built-in suite"),
        OpeningSource::File(path) => openings::load(path),
    }?;
    if !suite.duplicates.is_empty() {
        let lines = suite.duplicates.len();
        note(&format!("warning: {}", Warning::RepeatedOpenings { lines }));
    }
    Ok(suite)
}

pub(super) fn identify<P: Evaluated>(spec: &MatchSpec, suite: &OpeningSuite<P>, pairs_max: u64) -> Identity {
    let configs = spec.seats.iter().filter_map(|seat| seat.player.config());
    let engine = signature(configs, suite.openings.iter().map(|opening| &opening.position));
    spec.identity(&suite.sha256, pairs_max, &engine)
}

pub(super) fn describe_run(spec: &MatchSpec, identity: Identity, folder: &Path) -> About {
    let file = spec.to_file(folder);
    About {
        kind: RunKind::Match,
        identity,
        spec_toml: toml::to_string(&file).unwrap_or_else(|error| unreachable!("specification: {error}")),
        labels: spec.seats.iter().map(|seat| seat.player.label.clone()).collect(),
    }
}

pub(super) fn table<P: Evaluated>(spec: &MatchSpec, programs: &Programs, interrupt: &Interrupt) -> Table<P> {
    let players = [PlayerId::A, PlayerId::B].map(|id| {
        let seat = &spec.seats[id.index()];
        player(&spec.conditions, seat, id, programs, interrupt)
    });
    Table::new(players, spec.conditions.rules)
}

/// The player of `seat` under `conditions`, at the place of `id`.
pub(super) fn player<P: Evaluated>(
    conditions: &Conditions,
    seat: &Seat,
    id: PlayerId,
    programs: &Programs,
    interrupt: &Interrupt,
) -> Box<dyn Player<P>> {
    let Seat { player, limit } = seat;
    match &player.kind {
        PlayerKind::Builtin(config) => {
            let rules = BuiltinRules {
                id,
                limit: *limit,
                overhead_ms: conditions.rules.clock.overhead_ms,
                node_jitter_percent: conditions.node_jitter_percent,
                declaration: conditions.rules.declaration,
            };
            Box::new(Builtin::new(
                config,
                conditions.hash_mib,
                rules,
                interrupt.clone(),
            ))
        }
        PlayerKind::Process(process) => {
            let rules = ProcessRules {
                id,
                label: player.label.clone(),
                limit: *limit,
                node_jitter_percent: conditions.node_jitter_percent,
                hash_mib: conditions.hash_mib,
                patience: conditions.patience,
                time_margin_ms: conditions.rules.clock.margin_ms,
                log_folder: programs.log_folder.clone(),
                faults: programs.faults.clone(),
            };
            Box::new(Process::new(process, rules, interrupt.clone()))
        }
    }
}

fn opening_line(about: &About, standing: &Standing, pairs_max: u64, folder: &Path) -> String {
    let [a, b] = about.labels_of([0, 1]);
    let done = standing.tally().pairs();
    let state = if standing.is_decided() {
        "already finished".to_owned()
    } else if done > 0 {
        format!("going on after {done} of {pairs_max} pairs")
    } else {
        format!("{pairs_max} pairs at most")
    };
    format!("{a} against {b}: {state}; results in {}", folder.display())
}

fn finish(
    summary: &Summary,
    standing: &Standing,
    interrupt: &Interrupt,
    folder: &Path,
    options: &PlayOptions,
) -> Result<(), CliError> {
    if standing.repeated() > 0 {
        let (pairs, of) = (standing.repeated(), standing.tally().pairs());
        note(&format!("warning: {}", Warning::RepeatedPairs { pairs, of }));
    }
    if options.json {
        print_data(&summary.json().to_string()).map_err(CliError::system("print the result"))?;
    } else if !options.quiet {
        let text = format!("{}files    {}\n", describe(summary, standing), folder.display());
        print_data(&text).map_err(CliError::system("print the result"))?;
    }
    match interrupt.signal() {
        Some(signal) if !standing.is_decided() => {
            note(&format!(
                "stopped after {} pairs, all saved; to go on: {}",
                standing.tally().pairs(),
                folder::resume_command(folder)
            ));
            Err(CliError::Stopped(signal))
        }
        _ => Ok(()),
    }
}
