//! `tanren nodes`.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use tanren_engine::game::Game;

use super::shared::{CliError, OutputArgs, Plan, Work, WorkKeys};
use crate::config::{PlayerSpec, Refusals, TimeoutKeys, Timeouts, texts};
use crate::kinds::nodes::spec::NodesSpec;
use crate::session::error::ExperimentError;
use crate::session::kind::Experiment;

/// The demonstration: what null-move reduction saves.
const DEMO_CONFIGS: [&str; 2] = ["base", "base,null_move=off"];

const EXAMPLES: &str = "\
Examples:
  tanren nodes --config base --config base,lmr=off --depth 10
      what late move reductions save
  tanren nodes --config base --config tacos-ss --config tacos-ds --depth 12 --positions openings/shogi-endgame.sfen
      the first two techniques against none, in endgames
  tanren nodes --game chess --config base --config uci:stockfish,option.Threads=1 --depth 10 --stall-ms 60000
      an external engine";

/// Count the nodes that configurations need for each depth, over a suite of positions.
///
/// Every position is searched by every configuration, each time as the first move of a new game, and compared with the
/// first configuration. The settings that end a search before its depth (one_reply, mate_stop, second_best_stop) are
/// switched off in all configurations of the built-in engine. The same command on the same folder resumes where it
/// stopped.
///
/// External engines are asked for `go depth D` and counted by their info lines; what these leave out stays empty. Engines count
/// differently (quiescence, the root, null moves; what a depth is): a ratio between two engines is no measure of either, their
/// growth from depth to depth is. A position that an engine fails on is in no ratio.
///
/// Files: nodes.csv, nodes_summary.csv, counters.csv, distances.csv, nodes.svg, and ledger.sqlite, which the others are made from.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct NodesArgs {
    #[command(flatten)]
    keys: NodesKeys,
    #[command(flatten)]
    work: WorkKeys,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Default, Args, Deserialize)]
#[command(next_help_heading = "Searches")]
#[serde(default)]
pub(super) struct NodesKeys {
    /// What is searched: shogi or chess (shogi).
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// A configuration: base, PRESET, PRESET,key=value,..., key=value,..., usi:COMMAND,..., uci:COMMAND,... or @file.toml;
    /// once for each, ratios are to the first (without any: base and base,null_move=off).
    #[arg(long, value_name = "PLAYER")]
    #[serde(deserialize_with = "texts")]
    config: Vec<String>,
    /// One position a line (a built-in suite of 100 positions from all parts of games if absent).
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Use the first N positions only.
    #[arg(long, value_name = "N")]
    limit_positions: Option<NonZero<usize>>,
    /// Last depth in plies (10).
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Give a search up after so many nodes; its position counts for the depths that every configuration finished.
    #[arg(long, value_name = "N")]
    nodes_max: Option<NonZero<u64>>,
    /// Hash table of each search in MiB (16).
    #[arg(long, value_name = "MIB")]
    hash: Option<usize>,
    #[command(flatten)]
    #[serde(flatten)]
    timeouts: TimeoutKeys,
}

impl Plan for NodesKeys {
    type Work = WorkKeys;

    fn plan(&self, _: Option<&Path>) -> Result<Experiment, ExperimentError> {
        let mut wrong = Refusals::default();
        let game = wrong.game(self.game.as_ref());
        let default = Timeouts::default();
        let spec = NodesSpec {
            game,
            players: self.players(game, &mut wrong),
            positions: self.positions.clone(),
            positions_max: self.limit_positions.map_or(usize::MAX, NonZero::get),
            depth: self.depth.unwrap_or(10),
            nodes_max: self.nodes_max.map(NonZero::get),
            hash_mib: self.hash.unwrap_or(16),
            timeouts: Timeouts {
                startup_ms: self.timeouts.startup_ms.unwrap_or(default.startup_ms),
                stall_ms: self.timeouts.stall_ms.unwrap_or(default.stall_ms),
            },
        };
        let checked = spec.check().map_err(ExperimentError::from).map(|()| spec);
        Ok(Experiment::new(ExperimentError::with_all(wrong, checked)?))
    }
}

impl NodesKeys {
    fn players(&self, game: Game, wrong: &mut Refusals) -> Vec<PlayerSpec> {
        let demo = DEMO_CONFIGS.map(str::to_owned);
        let texts = if self.config.is_empty() {
            &demo[..]
        } else {
            &self.config
        };
        let mut players: Vec<PlayerSpec> = Vec::with_capacity(texts.len());
        for (index, text) in texts.iter().enumerate() {
            let (key, number) = (format!("config.{index}"), index + 1);
            let parsed = PlayerSpec::parse(game, &format!("of config {number}"), text);
            let Some(player) = wrong.take(&key, parsed) else {
                continue;
            };
            let label = &player.label;
            wrong.unless(players.iter().all(|other| other.label != *label), &key, || {
                format!("config {number}: there is another '{label}'; rows could not be told apart")
            });
            players.push(player);
        }
        players
    }
}

impl NodesArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let out = self.output.out.as_deref();
        let options = self.work.run_options(out, None)?;
        self.output.printing().run(&self.keys.plan(out)?, &options)
    }
}
