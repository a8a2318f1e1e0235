//! A match from its specification to its result.
//!
//! In: a [`MatchSpec`]. Out: a folder of results, a text or JSON on stdout. Must not: decide anything that the
//! specification decides.

use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

use clap::Args;
use tanren_engine::eval::Evaluated;

use super::error::CliError;
use super::folder;
use super::game::with_game;
use crate::config::{MatchSpec, OpeningSource};
use crate::event::{Event, Warning};
use crate::interrupt::Interrupt;
use crate::ledger::{About, Ledger};
use crate::openings::{self, OpeningSuite};
use crate::play::Table;
use crate::player::{Builtin, BuiltinRules, Player, signature};
use crate::record::PlayerId;
use crate::report::{Progress, Summary, describe, note, print_data, rebuild};
use crate::runner::{self, LocalExecutor, Run};
use crate::standing::Standing;
use crate::stop::StopRule;

/// Options of every command that plays; they change no result.
#[derive(Debug, Clone, Args)]
pub(super) struct PlayOptions {
    /// Pairs played at the same time (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Show no progress and no text.
    #[arg(long)]
    quiet: bool,
    /// Print the result as one JSON object on stdout, keys as the columns of summary.csv.
    #[arg(long)]
    json: bool,
}

impl PlayOptions {
    fn say(&self, text: &str) {
        if !self.quiet {
            note(text);
        }
    }
}

/// Workers: `concurrency`, or as many as there are cores.
pub(super) fn executor(concurrency: Option<NonZero<usize>>) -> Result<LocalExecutor, CliError> {
    let available = || available_parallelism().map_or(1, NonZero::get);
    let concurrency = concurrency.map_or_else(available, NonZero::get);
    if concurrency > 4096 {
        let message = format!("--concurrency is {concurrency}, but must be 4096 at most");
        return Err(CliError::Input(message));
    }
    LocalExecutor::new(concurrency).map_err(CliError::system("start the workers"))
}

/// Plays `spec`, or what is left of it, in `out` or the default folder.
pub(super) fn play_match(
    spec: &MatchSpec,
    out: Option<&Path>,
    options: &PlayOptions,
) -> Result<(), CliError> {
    with_game!(spec.game, play_game_match(spec, out, options))
}

fn play_game_match<P: Evaluated>(
    spec: &MatchSpec,
    out: Option<&Path>,
    options: &PlayOptions,
) -> Result<(), CliError> {
    let suite = load_openings::<P>(spec)?;
    let pairs_max = spec.pairs_max(suite.openings.len())?;
    let executor = executor(options.concurrency)?;
    let about = describe_run(spec, &suite, pairs_max);
    let chosen = folder::choose(out, spec, &about.identity);
    let mut ledger = Ledger::open_or_create(&chosen, &about)?;
    let interrupt = Interrupt::install()
        .map_err(CliError::system("watch for signals"))?
        .for_run();
    let mut standing = Standing::new(StopRule {
        sprt: spec.sprt,
        pairs_max,
    });
    if spec.is_mirror() {
        note(&format!("warning: {}", Warning::Mirror));
    }
    let make_table = || table::<P>(spec, &interrupt);
    let run = Run {
        openings: &suite.openings,
        seed: spec.seed,
        pairs_max,
        make_table: &make_table,
        interrupt: &interrupt,
    };
    let mut progress = (!options.quiet).then(|| Progress::new(pairs_max));
    let mut listener = |event: &Event<'_>| {
        if let Event::Started { standing } = event {
            options.say(&opening_line(&about, standing, pairs_max, &chosen));
        }
        if let Some(progress) = &mut progress {
            progress.event(event);
        }
    };
    runner::play(&run, &executor, &mut ledger, &mut standing, &mut listener)?;
    let summary = rebuild::<P>(&chosen, &ledger, &standing)?;
    finish(&summary, &standing, &interrupt, &chosen, options)
}

fn load_openings<P: Evaluated>(spec: &MatchSpec) -> Result<OpeningSuite<P>, CliError> {
    let suite = match &spec.openings {
        OpeningSource::BuiltIn => openings::parse(openings::built_in(spec.game), "the built-in suite"),
        OpeningSource::File(path) => openings::load(path),
    }?;
    if !suite.duplicates.is_empty() {
        let lines = suite.duplicates.len();
        note(&format!("warning: {}", Warning::RepeatedOpenings { lines }));
    }
    Ok(suite)
}

fn describe_run<P: Evaluated>(spec: &MatchSpec, suite: &OpeningSuite<P>, pairs_max: u64) -> About {
    let configs = spec.players.each_ref().map(|player| &player.config);
    let engine = signature(configs, suite.openings.iter().map(|opening| &opening.position));
    let file = spec.to_file();
    About {
        identity: spec.identity(&suite.sha256, pairs_max, &engine),
        spec_toml: toml::to_string(&file).unwrap_or_else(|error| unreachable!("specification: {error}")),
        labels: spec.players.each_ref().map(|player| player.label.clone()),
    }
}

fn table<P: Evaluated>(spec: &MatchSpec, interrupt: &Interrupt) -> Table<P> {
    let player = |id: PlayerId| -> Box<dyn Player<P>> {
        let rules = BuiltinRules {
            id,
            limit: spec.limits[id.index()],
            node_jitter_percent: spec.node_jitter_percent,
            declaration: spec.rules.declaration,
        };
        let config = &spec.players[id.index()].config;
        Box::new(Builtin::new(config, spec.hash_mib, rules, interrupt.clone()))
    };
    Table::new([player(PlayerId::A), player(PlayerId::B)], spec.rules)
}

fn opening_line(about: &About, standing: &Standing, pairs_max: u64, folder: &Path) -> String {
    let [a, b] = &about.labels;
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
