//! `tanren nodes`.
//!
//! In: configurations, positions, a depth. Out: a folder of results, tables or JSON on stdout. Must not: count or
//! compare itself.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;
use tanren_engine::config::Config;
use tanren_engine::eval::Evaluated;
use tanren_engine::search::PLY_MAX;

use super::error::CliError;
use super::folder;
use super::game::{GameArg, with_game};
use super::play::executor;
use crate::config::{Identity, PlayerSpec};
use crate::event::Warning;
use crate::interrupt::Interrupt;
use crate::openings::{self, OpeningSuite};
use crate::report::{NodesReport, SearchProgress, note, print_data};
use crate::study::nodes::{Journal, NodesStudy, NodesSummary, without_early_stops};

/// The demonstration: what null-move reduction saves.
const DEMO_CONFIGS: [&str; 2] = ["base", "base,null_move=off"];

const EXAMPLES: &str = "\
Examples:
  tanren nodes --config base --config base,lmr=off --depth 10
      what late move reductions save
  tanren nodes --config base --config tacos-ss --config tacos-ds --depth 12 --positions openings/shogi-endgame.sfen
      the first two techniques against none, in endgames";

/// Count the nodes that configurations need for each depth, over a suite of positions.
///
/// Every position is searched by every configuration, each time as the first move of a new game, and compared with the
/// first configuration. The settings that end a search before its depth (one_reply, mate_stop, second_best_stop) are
/// switched off in all configurations. The same command on the same folder takes up where it stopped.
///
/// Files: nodes.csv, nodes_summary.csv, counters.csv, nodes.svg, and searches.jsonl, which the others are made from.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct NodesArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// A configuration: base, PRESET, PRESET,key=value,..., key=value,... or @file.toml; once for each, ratios are to
    /// the first (without any: base and base,null_move=off).
    #[arg(long = "config", value_name = "PLAYER")]
    configs: Vec<String>,
    /// One position a line (a built-in suite of 100 positions from all parts of games if absent).
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Use the first N positions only.
    #[arg(long, value_name = "N")]
    limit_positions: Option<NonZero<usize>>,
    /// Last depth in plies.
    #[arg(long, value_name = "D", default_value_t = 10)]
    depth: u32,
    /// Give a search up after so many nodes; its position counts for the depths that every configuration finished.
    #[arg(long, value_name = "N")]
    nodes_max: Option<NonZero<u64>>,
    /// Hash table of each search in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    hash: usize,
    /// Searches at the same time (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Where results go (results/<date>-nodes-<configurations> if absent).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the rows of nodes_summary.csv as a JSON array on stdout.
    #[arg(long)]
    json: bool,
    /// Show no progress and no text.
    #[arg(long)]
    quiet: bool,
}

impl NodesArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        with_game!(self.game.game(), count_nodes(self))
    }

    fn check_numbers(&self) -> Result<(), CliError> {
        let depth_max = PLY_MAX as u32 - 1;
        if !(1..=depth_max).contains(&self.depth) {
            let message = format!("--depth is {}, but must be from 1 to {depth_max}", self.depth);
            return Err(CliError::Input(message));
        }
        if !(1..=65_536).contains(&self.hash) {
            let message = format!("--hash is {}, but must be from 1 to 65536 MiB", self.hash);
            return Err(CliError::Input(message));
        }
        Ok(())
    }

    fn players(&self) -> Result<Vec<PlayerSpec>, CliError> {
        let texts: Vec<&str> = if self.configs.is_empty() {
            DEMO_CONFIGS.to_vec()
        } else {
            self.configs.iter().map(String::as_str).collect()
        };
        let mut players: Vec<PlayerSpec> = Vec::with_capacity(texts.len());
        for (number, text) in (1..).zip(texts) {
            let player = PlayerSpec::parse(self.game.game(), &format!("of --config {number}"), text)?;
            if players.iter().any(|other| other.label == player.label) {
                let message = format!(
                    "--config {number}: there is another '{}'; rows could not be told apart",
                    player.label
                );
                return Err(CliError::Input(message));
            }
            players.push(player);
        }
        Ok(players)
    }

    fn suite<P: Evaluated>(&self) -> Result<OpeningSuite<P>, CliError> {
        let mut suite = match &self.positions {
            None => openings::parse(
                openings::built_in_nodes(P::GAME),
                "the built-in positions for counting nodes",
            ),
            Some(path) => openings::load(path),
        }?;
        if !suite.duplicates.is_empty() {
            let lines = suite.duplicates.len();
            note(&format!("warning: {}", Warning::RepeatedOpenings { lines }));
        }
        let limit = self.limit_positions.map_or(usize::MAX, NonZero::get);
        suite.openings.truncate(limit);
        Ok(suite)
    }

    fn folder(&self, players: &[PlayerSpec], identity: &Identity) -> PathBuf {
        let labels: Vec<&str> = players.iter().map(|player| player.label.as_str()).collect();
        let name = folder::plain_name(&format!("nodes-{}", labels.join("-vs-")));
        let default = || folder::first_usable(&name, |path| Journal::is_resumable(path, identity));
        self.out.clone().unwrap_or_else(default)
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            note(text);
        }
    }
}

fn count_nodes<P: Evaluated>(args: &NodesArgs) -> Result<(), CliError> {
    args.check_numbers()?;
    let players = args.players()?;
    let suite = args.suite::<P>()?;
    let executor = executor(args.concurrency)?;
    let configs: Vec<Config> = players
        .iter()
        .map(|player| player.builtin().map(without_early_stops))
        .collect::<Result<_, _>>()?;
    let (lines, positions): (Vec<u32>, Vec<P>) = suite
        .openings
        .iter()
        .map(|opening| (opening.line, opening.position.clone()))
        .unzip();
    let study = NodesStudy {
        configs: &configs,
        positions: &positions,
        depth: args.depth,
        nodes_max: args.nodes_max.map(NonZero::get),
        hash_mib: args.hash,
    };
    let canonical: Vec<String> = players.iter().map(PlayerSpec::canonical).collect();
    let identity = study.identity(&canonical, &suite.sha256);
    let folder = args.folder(&players, &identity);
    let mut journal = Journal::open_or_create(&folder, &identity, configs.len(), positions.len())?;
    let interrupt = Interrupt::install().map_err(CliError::system("watch for signals"))?;
    let total = configs.len() * positions.len();
    args.say(&format!(
        "{} configurations, {} positions, depth {}; {} of {total} searches are done; results in {}",
        configs.len(),
        positions.len(),
        args.depth,
        journal.searches().len(),
        folder.display()
    ));
    let progress = (!args.quiet).then(|| SearchProgress::new(total));
    let result = study.run(executor.pool(), &mut journal, &interrupt, |done| {
        if let Some(progress) = &progress {
            progress.show(done);
        }
    });
    if let Some(progress) = &progress {
        progress.end();
    }
    let summary = NodesSummary::new(journal.searches(), configs.len(), args.depth);
    let labels: Vec<String> = players.into_iter().map(|player| player.label).collect();
    let report = NodesReport {
        labels: &labels,
        lines: &lines,
        searches: journal.searches(),
        summary: &summary,
    };
    report.write(&folder)?;
    result?;
    finish(args, &report, total, &interrupt, &folder)
}

fn finish(
    args: &NodesArgs,
    report: &NodesReport<'_>,
    total: usize,
    interrupt: &Interrupt,
    folder: &Path,
) -> Result<(), CliError> {
    let text = if args.json {
        report.json().to_string()
    } else {
        format!("{}\nfiles  {}\n", report.describe(), folder.display())
    };
    if args.json || !args.quiet {
        print_data(&text).map_err(CliError::system("print the result"))?;
    }
    match interrupt.signal() {
        Some(signal) if report.searches.len() < total => {
            note(&format!(
                "stopped after {} of {total} searches, all saved; to go on: {}",
                report.searches.len(),
                folder::resume_command(folder)
            ));
            Err(CliError::Stopped(signal))
        }
        _ => Ok(()),
    }
}
