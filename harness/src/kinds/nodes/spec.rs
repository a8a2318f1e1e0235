//! What is counted, and what another machine is told of a search: who searches, and how.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tanren_engine::game::Game;
use tanren_engine::search::PLY_MAX;

use crate::config::{ConfigError, PlayerKind, PlayerSpec, Refusals, Source, Timeouts, relative};
use crate::kinds::nodes::study::{SearchConditions, without_early_stops};
use crate::player::ExaminedFiles;
use crate::session::error::Result;
use crate::session::external_engines::ExternalEngines;

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

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct NodesFile {
    command: String,
    game: String,
    config: Vec<String>,
    positions: Option<String>,
    limit_positions: Option<usize>,
    depth: u32,
    nodes_max: Option<u64>,
    hash: usize,
    startup_ms: u64,
    stall_ms: u64,
}

impl NodesSpec {
    pub(crate) fn of_source(source: &Source) -> Result<NodesSpec> {
        let mut wrong = Refusals::default();
        let required = ["game", "config", "depth", "hash", "startup_ms", "stall_ms"];
        let file: NodesFile = source.read_file(&required, &mut wrong);
        wrong.check()?;
        let unknown = || ConfigError::refused("game", format!("unknown game '{}'", file.game));
        let game = Game::from_name(&file.game).ok_or_else(unknown)?;
        let player =
            |(number, text): (usize, &String)| PlayerSpec::parse(game, &format!("config {number}"), text);
        let players = (1..).zip(&file.config).map(player);
        let spec = NodesSpec {
            game,
            players: players.collect::<Result<_, _>>()?,
            positions: file.positions.map(PathBuf::from),
            positions_max: file.limit_positions.unwrap_or(usize::MAX),
            depth: file.depth,
            nodes_max: file.nodes_max,
            hash_mib: file.hash,
            timeouts: Timeouts {
                startup_ms: file.startup_ms,
                stall_ms: file.stall_ms,
            },
        };
        spec.check()?;
        Ok(spec)
    }

    pub(crate) fn text(&self, folder: &Path) -> String {
        let positions = self.positions.as_ref();
        let file = NodesFile {
            command: "nodes".to_owned(),
            game: self.game.name().to_owned(),
            config: self.players.iter().map(PlayerSpec::text).collect(),
            positions: positions.map(|path| relative(path, folder).to_string_lossy().into_owned()),
            limit_positions: (self.positions_max < usize::MAX).then_some(self.positions_max),
            depth: self.depth,
            nodes_max: self.nodes_max,
            hash: self.hash_mib,
            startup_ms: self.timeouts.startup_ms,
            stall_ms: self.timeouts.stall_ms,
        };
        toml::to_string(&file).unwrap_or_else(|error| unreachable!("texts and numbers: {error}"))
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
