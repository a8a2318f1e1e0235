//! What is counted, and what another machine is told of a search: who searches, and how.
//!
//! In: players, limits. Out: a [`NodesSpec`]; words of one player. Must not: search.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tanren_engine::game::Game;
use tanren_engine::search::PLY_MAX;

use super::programs::Programs;
use crate::config::{ConfigError, PlayerKind, PlayerSpec, Timeouts};
use crate::player::ExaminedFiles;
use crate::study::nodes::{SearchConditions, without_early_stops};

const HASH_MIB_MAX: usize = 65_536;
const TIMEOUT_MS_MAX: u64 = 86_400_000;

/// What is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct NodesSpec {
    /// What is searched.
    pub game: Game,
    /// Ratios are to the first; no two have the same label.
    pub players: Vec<PlayerSpec>,
    /// One position a line; the built-in suite if absent.
    pub positions: Option<PathBuf>,
    /// Only so many of them are used.
    pub positions_max: usize,
    /// Last depth in plies.
    pub depth: u32,
    /// A search is given up after so many nodes.
    pub nodes_max: Option<u64>,
    /// Hash table of each search in MiB.
    pub hash_mib: usize,
    /// How long other programs are waited for.
    pub timeouts: Timeouts,
}

impl NodesSpec {
    /// Are all numbers within their ranges, and all labels different?
    ///
    /// # Errors
    /// The first that is not.
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
    pub(super) fn conditions(&self, log_folder: Option<PathBuf>, files: &ExaminedFiles) -> SearchConditions {
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
pub(super) fn counted(player: &PlayerSpec, programs: &Programs) -> Result<PlayerKind, ConfigError> {
    Ok(match &player.kind {
        PlayerKind::Builtin(config) => PlayerKind::Builtin(Box::new(without_early_stops(config))),
        PlayerKind::Process(spec) => PlayerKind::Process(Box::new(programs.resolve(spec)?)),
    })
}

/// A player and the conditions of its searches, as keys.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchFile {
    /// Who searches. No table of a match has this key.
    pub(super) search: String,
    pub(super) game: String,
    pub(super) depth: u32,
    pub(super) nodes_max: Option<u64>,
    pub(super) hash: usize,
    pub(super) startup_ms: u64,
    pub(super) stall_ms: u64,
}

/// In words.
pub(super) fn search_text(game: Game, player: &PlayerSpec, conditions: &SearchConditions) -> String {
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
