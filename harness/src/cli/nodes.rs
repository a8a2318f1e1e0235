//! `tanren nodes`.
//!
//! In: players, positions, a depth. Out: a folder of results, tables or JSON on stdout. Must not: count or compare
//! itself.

use std::num::NonZero;
use std::path::PathBuf;

#[cfg(feature = "cluster")]
use super::shared::FleetArgs;
use super::shared::{CliError, GameArg, NotifyArgs, Printing};
use crate::config::{Patience, PlayerSpec};
use crate::experiment::{Experiment, NodesSpec, RunOptions};
use clap::Args;

/// The demonstration: what null-move reduction saves.
const DEMO_CONFIGS: [&str; 2] = ["base", "base,null_move=off"];

const EXAMPLES: &str = "\
Examples:
  tanren nodes --config base --config base,lmr=off --depth 10
      what late move reductions save
  tanren nodes --config base --config tacos-ss --config tacos-ds --depth 12 --positions openings/shogi-endgame.sfen
      the first two techniques against none, in endgames
  tanren nodes --game chess --config base --config uci:stockfish,option.Threads=1 --depth 10 --stall-ms 60000
      another program";

/// Count the nodes that configurations need for each depth, over a suite of positions.
///
/// Every position is searched by every configuration, each time as the first move of a new game, and compared with the
/// first configuration. The settings that end a search before its depth (one_reply, mate_stop, second_best_stop) are
/// switched off in all configurations of the built-in engine. The same command on the same folder takes up where it
/// stopped.
///
/// Other programs are asked for `go depth D` and counted by their info lines; what these leave out stays empty. Engines count
/// differently (quiescence, the root, null moves; what a depth is): a ratio between two engines is no measure of either, their
/// growth from depth to depth is. A position that a program fails on is in no ratio.
///
/// Files: nodes.csv, nodes_summary.csv, counters.csv, distances.csv, nodes.svg, and ledger.sqlite, which the others are made from.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct NodesArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// A configuration: base, PRESET, PRESET,key=value,..., key=value,..., usi:COMMAND,..., uci:COMMAND,... or @file.toml;
    /// once for each, ratios are to the first (without any: base and base,null_move=off).
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
    /// How long another program may take to start and to be ready, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = Patience::default().startup_ms)]
    startup_ms: u64,
    /// How long another program may take for a position, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = Patience::default().stall_ms)]
    stall_ms: u64,
    /// Write down all that is said to and by other programs, one file each.
    #[arg(long, value_name = "DIR")]
    engine_log: Option<PathBuf>,
    /// Where results go (results/<date>-nodes-<configurations> if absent).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: FleetArgs,
    #[command(flatten)]
    notify: NotifyArgs,
    /// Print the rows of nodes_summary.csv as a JSON array on stdout.
    #[arg(long)]
    json: bool,
    /// Show no progress and no text.
    #[arg(long)]
    quiet: bool,
}

impl NodesArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let (experiment, options) = self.experiment()?;
        let printing = Printing {
            is_quiet: self.quiet,
            is_json: self.json,
            notify: self.notify.clone(),
        };
        printing.run(&experiment, &options)
    }

    /// What is to be searched, and how.
    pub(super) fn experiment(&self) -> Result<(Experiment, RunOptions), CliError> {
        let spec = NodesSpec {
            game: self.game.game(),
            players: self.players()?,
            positions: self.positions.clone(),
            positions_max: self.limit_positions.map_or(usize::MAX, NonZero::get),
            depth: self.depth,
            nodes_max: self.nodes_max.map(NonZero::get),
            hash_mib: self.hash,
            patience: Patience {
                startup_ms: self.startup_ms,
                stall_ms: self.stall_ms,
            },
        };
        spec.check()?;
        let options = RunOptions {
            out: self.out.clone(),
            concurrency: self.concurrency,
            engine_log: self.engine_log.clone(),
            #[cfg(feature = "cluster")]
            fleet: self.cluster.options(),
            ..RunOptions::default()
        };
        Ok((Experiment::Nodes(Box::new(spec)), options))
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
                return Err(CliError::input(message));
            }
            players.push(player);
        }
        Ok(players)
    }
}
