//! What is counted: the keys of the command and of its file, and what they come to.

use std::num::NonZero;
use std::path::Path;

use clap::Args;
use serde::{Deserialize, Serialize};
use tanren_engine::game::Game;
use tanren_engine::search::PLY_MAX;

use crate::config::{Mistakes, OpeningSource, PlayerSpec, TimeoutKeys, Timeouts, texts};
use crate::session::error::Result;
use crate::session::kind::Keys;

/// The demonstration: what null-move reduction saves.
const DEMO_CONFIGS: [&str; 2] = ["base", "base,null_move=off"];

/// Of random positions, where none is given.
pub(crate) const POSITIONS_SEED: u64 = 1;

#[derive(Debug, Default, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Searches")]
#[serde(default)]
pub struct NodesKeys {
    /// What is searched: shogi or chess (chess with a uci: engine, else shogi).
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// A configuration, once for each: a preset, settings, a path, usi:COMMAND, uci:COMMAND or @file.toml.
    ///
    /// Ratios are to the first. Without any: base and base,null_move=off.
    #[arg(long, value_name = "PLAYER")]
    #[serde(deserialize_with = "texts")]
    config: Vec<String>,
    /// One position a line, or random:PLIES (100 built-in positions).
    #[arg(long, value_name = "FILE")]
    positions: Option<String>,
    /// Use the first N positions only.
    #[arg(long, value_name = "N")]
    limit_positions: Option<NonZero<usize>>,
    /// Last depth in plies (10).
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Give a search up after so many nodes.
    ///
    /// Its position counts for the depths that every configuration finished.
    #[arg(long, value_name = "N")]
    nodes_max: Option<NonZero<u64>>,
    /// Hash table of each search in MiB (16).
    #[arg(long, value_name = "MIB")]
    hash: Option<usize>,
    #[command(flatten)]
    #[serde(flatten)]
    timeouts: TimeoutKeys,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NodesSpec {
    pub game: Game,
    /// Ratios are to the first; no two have the same label.
    pub players: Vec<PlayerSpec>,
    pub positions: OpeningSource,
    pub positions_max: usize,
    pub depth: u32,
    pub nodes_max: Option<u64>,
    pub hash_mib: usize,
    pub timeouts: Timeouts,
}

impl NodesKeys {
    fn players(&self, game: Game, wrong: &mut Mistakes) -> Vec<PlayerSpec> {
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
                format!(
                    "config {number}: an earlier one is called '{label}' too; give one of them another name"
                )
            });
            players.push(player);
        }
        players
    }
}

impl Keys for NodesKeys {
    type Spec = NodesSpec;

    fn spec(&self, _: Option<&Path>) -> Result<NodesSpec> {
        let mut wrong = Mistakes::default();
        let game = wrong.game(self.game.as_ref(), &self.config);
        let spec = NodesSpec {
            game,
            players: self.players(game, &mut wrong),
            positions: OpeningSource::of_key(
                "positions",
                self.positions.as_ref(),
                POSITIONS_SEED,
                &mut wrong,
            ),
            positions_max: self.limit_positions.map_or(usize::MAX, NonZero::get),
            depth: wrong.number("depth", self.depth, 10, 1..=PLY_MAX as u32 - 1, ""),
            nodes_max: self.nodes_max.map(NonZero::get),
            hash_mib: wrong.number("hash", self.hash, 16, 1..=65_536, " MiB"),
            timeouts: self.timeouts.checked(&mut wrong),
        };
        wrong.check()?;
        Ok(spec)
    }
}

impl NodesSpec {
    /// Its file in `folder`.
    pub(crate) fn text(&self, folder: &Path) -> String {
        let keys = NodesKeys {
            game: Some(self.game.name().to_owned()),
            config: self.players.iter().map(PlayerSpec::text).collect(),
            positions: self.positions.text(folder),
            limit_positions: NonZero::new(self.positions_max).filter(|max| max.get() < usize::MAX),
            depth: Some(self.depth),
            nodes_max: self.nodes_max.and_then(NonZero::new),
            hash: Some(self.hash_mib),
            timeouts: TimeoutKeys {
                startup_ms: Some(self.timeouts.startup_ms),
                stall_ms: Some(self.timeouts.stall_ms),
            },
        };
        let keys = toml::to_string(&keys);
        let keys = keys.unwrap_or_else(|error| unreachable!("texts and numbers: {error}"));
        format!("command = \"nodes\"\n{keys}")
    }

    pub(crate) fn labels(&self) -> Vec<String> {
        self.players.iter().map(|player| player.label.clone()).collect()
    }
}
