use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tanren_engine::config::{Config, SettingError};
use tanren_engine::game::Game;
use tanren_engine::search::PLY_MAX;

use crate::config::{ConfigError, Identity, MatchSpec, MoveLimit, PlayerSpec, Refusals, Source, relative};
use crate::kinds::ablate::study::{Length, Skipped, Variant, variants};
use crate::session::error::{ExperimentError, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct AblationSpec {
    /// The base against itself; its pairs are those of the longest row.
    pub games: MatchSpec,
    pub rows: Vec<Variant>,
    pub length: Length,
    pub comparison: NodesComparison,
    pub skipped: Vec<Skipped>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodesComparison {
    pub depth: u32,
    pub nodes_max: u64,
    pub positions: Option<PathBuf>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AblationFile {
    command: String,
    rows: Vec<String>,
    pairs: u64,
    straddle_pairs: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<u64>,
    node_depth: u32,
    nodes_max: u64,
    positions: Option<String>,
    games: toml::Table,
}

impl AblationSpec {
    pub fn new(
        mut games: MatchSpec,
        rows: Vec<Variant>,
        length: Length,
        comparison: NodesComparison,
    ) -> Result<AblationSpec> {
        games.seats[0].player.builtin()?;
        let depth_max = PLY_MAX as u32 - 1;
        if comparison.depth > depth_max {
            let depth = comparison.depth;
            let message = format!("node_depth is {depth}, but must be from 0 to {depth_max}");
            return Err(ConfigError::refused("node_depth", message).into());
        }
        if let Some(most) = length.straddle_pairs.filter(|&most| most < length.pairs) {
            let message = format!(
                "straddle_pairs is {most}, but must be at least the {} of pairs",
                length.pairs
            );
            return Err(ConfigError::refused("straddle_pairs", message).into());
        }
        if rows.is_empty() {
            return Err(ExperimentError::Input("there is no setting to change".to_owned()));
        }
        let first = length.pairs * rows.len() as u64;
        if let Some(budget) = length.budget.filter(|&budget| budget < first) {
            let (rows, pairs) = (rows.len(), length.pairs);
            let message = format!(
                "budget is {budget}, but the first {pairs} pairs of each of {rows} rows are {first}: give more, or fewer pairs"
            );
            return Err(ConfigError::refused("budget", message).into());
        }
        games.conditions.pairs = Some(length.most());
        Ok(AblationSpec {
            games,
            rows,
            length,
            comparison,
            skipped: Vec::new(),
        })
    }

    pub(crate) fn of_source(source: &Source) -> Result<AblationSpec> {
        let mut wrong = Refusals::default();
        let required = ["rows", "pairs", "node_depth", "nodes_max"];
        let file: AblationFile = source.read_file(&required, &mut wrong);
        let (_, games) = source.games(&mut wrong);
        let game = games.conditions.game;
        let base = games.seats[0].player.builtin()?;
        let mut rows = Vec::with_capacity(file.rows.len());
        for (number, text) in file.rows.iter().enumerate() {
            let row = variant(game, base, text).map_err(|message| format!("row '{text}'{message}"));
            // Ablations of before had rows of settings that do nothing in their game.
            let is_idle = text
                .split_once('=')
                .is_some_and(|(name, _)| Config::is_idle(game, name.trim()));
            if !is_idle {
                rows.extend(wrong.take(&format!("rows.{number}"), row));
            }
        }
        let length = Length {
            pairs: file.pairs,
            straddle_pairs: file.straddle_pairs,
            budget: file.budget,
        };
        let comparison = NodesComparison {
            depth: file.node_depth,
            nodes_max: file.nodes_max,
            positions: file.positions.map(PathBuf::from),
        };
        ExperimentError::with_all(wrong, AblationSpec::new(games, rows, length, comparison))
    }

    pub fn text(&self, folder: &Path) -> String {
        let positions = self.comparison.positions.as_ref();
        let file = AblationFile {
            command: "ablate".to_owned(),
            rows: self.rows.iter().map(Variant::assignment).collect(),
            pairs: self.length.pairs,
            straddle_pairs: self.length.straddle_pairs,
            budget: self.length.budget,
            node_depth: self.comparison.depth,
            nodes_max: self.comparison.nodes_max,
            positions: positions.map(|path| relative(path, folder).to_string_lossy().into_owned()),
            games: self.games.table(folder),
        };
        toml::to_string(&file).unwrap_or_else(|error| unreachable!("specification: {error}"))
    }

    pub(crate) fn base(&self) -> &PlayerSpec {
        &self.games.seats[0].player
    }

    pub(crate) fn config(&self) -> Result<&Config> {
        Ok(self.base().builtin()?)
    }

    pub(crate) fn match_of(&self, row: &Variant, pairs: u64) -> MatchSpec {
        let mut games = self.games.clone();
        games.conditions.pairs = Some(pairs);
        let label = format!("{},{}", self.base().canonical(), row.assignment());
        games.seats[1].player = PlayerSpec::of_config(games.conditions.game, label, row.config.clone());
        games
    }

    pub(crate) fn identity(&self, openings_sha256: &str) -> Identity {
        let conditions = &self.games.conditions;
        let mut identity = Identity::default();
        identity.push("study", "ablate");
        identity.push("game", conditions.game.name());
        identity.push("base", self.base().canonical());
        match self.games.seats[0].limit {
            MoveLimit::Nodes(nodes) => identity.push("nodes", nodes),
            limit => identity.push("limit", limit),
        }
        identity.push("openings (SHA-256)", openings_sha256);
        identity.push("seed", conditions.seed);
        identity.push("hash", format_args!("{} MiB", conditions.hash_mib));
        conditions.identify_changes(&mut identity);
        identity
    }
}

/// The rows of `base`: those of the settings in `only`, or of all if there are none, and one for each of `also`
/// (`name=value`); and the settings that have none.
pub fn rows(
    game: Game,
    base: &Config,
    only: &[String],
    also: &[String],
) -> Result<(Vec<Variant>, Vec<Skipped>)> {
    let (mut rows, skipped) = variants(game, base);
    if !only.is_empty() {
        for name in only {
            check_only(game, name, &rows, &skipped)?;
        }
        rows.retain(|row| only.contains(&row.technique));
    }
    for text in also {
        let variant = variant(game, base, text)
            .map_err(|message| ExperimentError::Input(format!("--also '{text}'{message}")))?;
        if variant.setting == variant.base_setting {
            let message = format!("--also '{text}': the base has that already");
            return Err(ExperimentError::Input(message));
        }
        if !rows.contains(&variant) {
            rows.push(variant);
        }
    }
    let skipped = if only.is_empty() { skipped } else { Vec::new() };
    Ok((rows, skipped))
}

pub(crate) fn variant(game: Game, base: &Config, text: &str) -> Result<Variant, String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| " is not of the form name=value".to_owned())?;
    if Config::is_idle(game, name.trim()) {
        return Err(format!(": {} does nothing in {}", name.trim(), game.name()));
    }
    Variant::new(game, base, name.trim(), value.trim()).map_err(|error| format!(": {error}"))
}

/// A name given to --only must have a row, and if it has none the reason is said.
fn check_only(game: Game, name: &str, rows: &[Variant], skipped: &[Skipped]) -> Result<()> {
    if rows.iter().any(|row| row.technique == name) {
        return Ok(());
    }
    let message = match skipped.iter().find(|skipped| skipped.name() == name) {
        Some(reason) => format!("--only: {reason}"),
        None => match Config::default().set(game, name, "") {
            Err(error @ SettingError::UnknownName { .. }) => format!("--only: {error}"),
            _ => format!("--only: '{name}' is a number; give its other value with --also {name}=VALUE"),
        },
    };
    Err(ExperimentError::Input(message))
}
