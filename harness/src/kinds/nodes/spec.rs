//! What is counted, and what another machine is told of a search: who searches, and how.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use tanren_engine::game::Game;
use tanren_engine::search::PLY_MAX;
use toml::{Table, Value};

use crate::config::{ConfigError, PlayerKind, PlayerSpec, Refusals, TimeoutKeys, Timeouts, relative, texts};
use crate::kinds::nodes::study::{SearchConditions, without_early_stops};
use crate::player::ExaminedFiles;
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::ExternalEngines;
use crate::session::kind::Keys;

/// The demonstration: what null-move reduction saves.
const DEMO_CONFIGS: [&str; 2] = ["base", "base,null_move=off"];
const HASH_MIB_MAX: usize = 65_536;
const TIMEOUT_MS_MAX: u64 = 86_400_000;

#[derive(Debug, Clone, PartialEq)]
pub struct NodesSpec {
    pub game: Game,
    /// Ratios are to the first; no two have the same label.
    pub players: Vec<PlayerSpec>,
    pub positions: Option<PathBuf>,
    pub positions_max: usize,
    pub depth: u32,
    pub nodes_max: Option<u64>,
    pub hash_mib: usize,
    pub timeouts: Timeouts,
}

#[derive(Debug, Default, Args, Deserialize)]
#[command(next_help_heading = "Searches")]
#[serde(default)]
pub struct NodesKeys {
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

impl Keys for NodesKeys {
    type Spec = NodesSpec;

    fn spec(&self, _: Option<&Path>) -> Result<NodesSpec> {
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
        ExperimentError::with_all(wrong, checked)
    }
}

impl NodesSpec {
    pub(crate) fn text(&self, folder: &Path) -> String {
        let positions = self.positions.as_ref();
        let positions = positions.map(|path| relative(path, folder).to_string_lossy().into_owned());
        let limit = (self.positions_max < usize::MAX).then_some(self.positions_max as i64);
        let players = self.players.iter().map(|player| player.text().into());
        let entries = [
            ("command", Some("nodes".into())),
            ("game", Some(self.game.name().into())),
            ("config", Some(Value::Array(players.collect()))),
            ("positions", positions.map(Value::from)),
            ("limit_positions", limit.map(Value::from)),
            ("depth", Some(i64::from(self.depth).into())),
            ("nodes_max", self.nodes_max.map(|nodes| (nodes as i64).into())),
            ("hash", Some((self.hash_mib as i64).into())),
            ("startup_ms", Some((self.timeouts.startup_ms as i64).into())),
            ("stall_ms", Some((self.timeouts.stall_ms as i64).into())),
        ];
        let entries = entries.into_iter();
        let given = entries.filter_map(|(key, value)| Some((key.to_owned(), value?)));
        given.collect::<Table>().to_string()
    }

    pub fn check(&self) -> Result<(), ConfigError> {
        let ranges: [(&str, u64, u64, &str); 4] = [
            ("depth", self.depth.into(), PLY_MAX as u64 - 1, "from 1 to 127"),
            (
                "hash",
                self.hash_mib as u64,
                HASH_MIB_MAX as u64,
                "from 1 to 65536 MiB",
            ),
            (
                "startup_ms",
                self.timeouts.startup_ms,
                TIMEOUT_MS_MAX,
                "from 1 to 86400000 milliseconds",
            ),
            (
                "stall_ms",
                self.timeouts.stall_ms,
                TIMEOUT_MS_MAX,
                "from 1 to 86400000 milliseconds",
            ),
        ];
        for (name, value, most, expected) in ranges {
            if !(1..=most).contains(&value) {
                return Err(ConfigError::refused(
                    name,
                    format!("{name} is {value}, but must be {expected}"),
                ));
            }
        }
        Ok(())
    }

    /// How each position is searched; programs have to be those of `files`.
    pub(crate) fn conditions(&self, log_folder: Option<PathBuf>, files: &ExaminedFiles) -> SearchConditions {
        SearchConditions {
            depth: self.depth,
            nodes_max: self.nodes_max,
            hash_mib: self.hash_mib,
            timeouts: self.timeouts,
            log_folder,
            files: files.clone(),
        }
    }
}

/// A player as it counts: nothing ends a search of the built-in engine before its depth.
pub(crate) fn counted(player: &PlayerSpec, programs: &ExternalEngines) -> Result<PlayerKind, ConfigError> {
    Ok(match &player.kind {
        PlayerKind::Builtin(config) => PlayerKind::Builtin(Box::new(without_early_stops(config))),
        PlayerKind::Process(spec) => PlayerKind::Process(Box::new(programs.resolve(spec)?)),
    })
}

/// A player and the conditions of its searches, as keys.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchFile {
    /// Who searches. No table of a match has this key.
    pub(crate) search: String,
    pub(crate) game: String,
    pub(crate) depth: u32,
    pub(crate) nodes_max: Option<u64>,
    pub(crate) hash: usize,
    pub(crate) startup_ms: u64,
    pub(crate) stall_ms: u64,
}

pub(crate) fn search_text(game: Game, player: &PlayerSpec, conditions: &SearchConditions) -> String {
    let file = SearchFile {
        search: player.text(),
        game: game.name().to_owned(),
        depth: conditions.depth,
        nodes_max: conditions.nodes_max,
        hash: conditions.hash_mib,
        startup_ms: conditions.timeouts.startup_ms,
        stall_ms: conditions.timeouts.stall_ms,
    };
    toml::to_string(&file).unwrap_or_else(|error| unreachable!("texts and numbers: {error}"))
}
