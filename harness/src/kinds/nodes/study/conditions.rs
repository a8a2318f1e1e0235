//! What a count of nodes is made of.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tanren_engine::config::Config;
use tanren_engine::search::{Counters, Searchable};

use crate::config::{Identity, PlayerKind, Timeouts};
use crate::player::{ExaminedFiles, signature};

#[derive(Debug)]
pub struct NodesStudy<'a, P> {
    /// The players; ratios are to the first. The built-in engine should be [`without_early_stops`].
    pub players: &'a [PlayerKind],
    pub positions: &'a [P],
    pub lines: &'a [u32],
    pub conditions: SearchConditions,
    pub elsewhere: SearchesElsewhere,
}

#[derive(Debug, Clone)]
pub struct SearchConditions {
    pub depth: u32,
    pub nodes_max: Option<u64>,
    pub hash_mib: usize,
    pub timeouts: Timeouts,
    pub log_folder: Option<PathBuf>,
    pub files: ExaminedFiles,
}

#[derive(Debug, Clone, Default)]
pub struct SearchesElsewhere {
    pub tables: Vec<String>,
    pub engines: BTreeMap<String, String>,
}

/// `config` without what would end a search before its depth: an only move, a mate that was found, other
/// moves that all lose.
#[must_use]
pub fn without_early_stops(config: &Config) -> Config {
    let mut config = config.clone();
    config.search.one_reply = false;
    config.search.mate_stop = false;
    config.search.second_best_stop = false;
    config
}

impl<P: Searchable> NodesStudy<'_, P> {
    /// Everything that decides the searches of the built-in engine, and what other programs are told: `canonical` is the text
    /// of each player, `positions_sha256` the hash of the file that the positions are the first of.
    pub fn identity(&self, canonical: &[String], positions_sha256: &str) -> Identity {
        let mut identity = Identity::default();
        identity.push("study", "nodes");
        identity.push("game", P::GAME.name());
        for (number, text) in (1..).zip(canonical) {
            identity.push(&format!("config {number}"), text);
        }
        identity.push("positions", positions_sha256);
        identity.push("positions used", self.positions.len());
        let conditions = &self.conditions;
        identity.push("depth", conditions.depth);
        let nodes_max = conditions.nodes_max.map(|nodes| nodes.to_string());
        identity.push("nodes_max", nodes_max.as_deref().unwrap_or(Identity::NONE));
        identity.push("hash", conditions.hash_mib);
        // The ledger holds counters by their place in this list.
        identity.push("counters", Counters::names().join(","));
        let configs = self.players.iter().filter_map(|player| match player {
            PlayerKind::Builtin(config) => Some(&**config),
            PlayerKind::Process(_) => None,
        });
        identity.push("engine", signature(configs, self.positions.iter().cloned()));
        identity
    }
}
