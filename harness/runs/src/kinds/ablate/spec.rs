use std::num::NonZero;
use std::path::Path;

use clap::Args;
use serde::Deserialize;
use tanren_engine::config::{Config, SettingError};
use tanren_engine::game::Game;
use tanren_engine::search::PLY_MAX;
use toml::Value;

use crate::config::{
    ADVANCED, ConfigError, GameKeys, Identity, LimitKeys, MatchKeys, MatchSpec, Mistakes, MoveLimit,
    OpeningSource, PlayerSpec, RepeatKeys, listed, texts,
};
use crate::kinds::ablate::study::{Length, Skipped, Variant, variants};
use crate::kinds::nodes::spec::POSITIONS_SEED;
use crate::session::error::{ExperimentError, Result};
use crate::session::kind::Keys;

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
    pub positions: OpeningSource,
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub struct AblateKeys {
    /// The full engine: a preset, settings or @file.toml (base).
    #[arg(long, value_name = "PLAYER", help_heading = "Players")]
    base: Option<String>,
    /// Only these settings.
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        help_heading = "Players"
    )]
    #[serde(deserialize_with = "listed")]
    only: Vec<String>,
    /// An additional row for any setting; once for each.
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Players")]
    #[serde(deserialize_with = "texts")]
    also: Vec<String>,
    /// Pairs of each row (1000).
    #[arg(long, value_name = "N", help_heading = "Length")]
    pairs: Option<NonZero<u64>>,
    /// More pairs for rows without a significant result after --pairs (with --budget 16 times --pairs).
    #[arg(long, value_name = "M", help_heading = "Length")]
    straddle_pairs: Option<NonZero<u64>>,
    /// Pairs of all rows: each gets --pairs, the rest goes where it decides.
    #[arg(long, value_name = "PAIRS", help_heading = "Length")]
    budget: Option<NonZero<u64>>,
    /// Depth at which nodes are compared, in plies; 0 for no comparison (8).
    #[arg(long, value_name = "D", help_heading = "Searches")]
    node_depth: Option<u32>,
    /// Give a search of that comparison up after so many nodes (2000000).
    #[arg(long, value_name = "N", hide = true, help_heading = ADVANCED)]
    nodes_max: Option<NonZero<u64>>,
    /// Positions of that comparison, one a line, or random:PLIES (100 built-in positions).
    #[arg(long, value_name = "FILE", hide = true, help_heading = ADVANCED)]
    positions: Option<String>,
    /// What reports call the engine.
    #[arg(long, value_name = "LABEL", hide = true, help_heading = ADVANCED)]
    label: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    repeat: RepeatKeys,
    #[command(flatten)]
    #[serde(flatten)]
    limit: LimitKeys,
    #[command(flatten)]
    #[serde(flatten)]
    games: GameKeys,
    /// Every row, NAME=VALUE, instead of those of `only` and `also`.
    #[arg(skip)]
    rows: Vec<String>,
}

impl AblateKeys {
    /// The base against itself.
    pub fn games(&self, wrong: &mut Mistakes) -> MatchSpec {
        let mut keys = MatchKeys::mirror(self.base.as_deref(), self.label.as_ref(), &self.limit);
        keys.length.pairs = Some(self.pairs());
        keys.length.repeat = self.repeat.clone();
        keys.games = self.games.clone();
        MatchSpec::checked(&keys, wrong)
    }

    fn pairs(&self) -> u64 {
        self.pairs.map_or(1000, NonZero::get)
    }

    /// What is measured, and the settings that have no row.
    pub fn rows(&self, games: &MatchSpec, wrong: &mut Mistakes) -> Result<(Vec<Variant>, Vec<Skipped>)> {
        let (game, base) = (games.conditions.game, games.seats[0].player.builtin()?);
        if self.rows.is_empty() {
            return rows(game, base, &self.only, &self.also);
        }
        let rows = self.rows.iter().enumerate().filter_map(|(number, text)| {
            let row = variant(game, base, text).map_err(|message| format!("row '{text}'{message}"));
            wrong.take(&format!("rows.{number}"), row)
        });
        Ok((rows.collect(), Vec::new()))
    }
}

impl Keys for AblateKeys {
    type Spec = AblationSpec;
    const FILE_KEYS: &'static [&'static str] = &["rows"];

    fn spec(&self, _: Option<&Path>) -> Result<AblationSpec> {
        let mut wrong = Mistakes::default();
        let games = self.games(&mut wrong);
        let length = Length {
            pairs: self.pairs(),
            straddle_pairs: self.straddle_pairs.map(NonZero::get),
            budget: self.budget.map(NonZero::get),
        };
        let comparison = NodesComparison {
            depth: self.node_depth.unwrap_or(8),
            nodes_max: self.nodes_max.map_or(2_000_000, NonZero::get),
            positions: OpeningSource::of_key(
                "positions",
                self.positions.as_ref(),
                POSITIONS_SEED,
                &mut wrong,
            ),
        };
        let spec = self.rows(&games, &mut wrong).and_then(|(rows, skipped)| {
            let spec = AblationSpec::new(games, rows, length, comparison)?;
            Ok(AblationSpec { skipped, ..spec })
        });
        ExperimentError::with_all(wrong, spec)
    }
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

    pub fn text(&self, folder: &Path) -> String {
        let mut table = self.games.table_of_both("ablate", Some("base"), folder);
        table.retain(|key, _| !["startup_ms", "stall_ms"].contains(&key));
        let positions = self.comparison.positions.text(folder);
        let rows = self.rows.iter().map(|row| row.assignment().into());
        let number = |number: u64| Value::Integer(number as i64);
        let entries = [
            ("rows", Some(Value::Array(rows.collect()))),
            ("pairs", Some(number(self.length.pairs))),
            ("straddle_pairs", self.length.straddle_pairs.map(number)),
            ("budget", self.length.budget.map(number)),
            ("node_depth", Some(number(self.comparison.depth.into()))),
            ("nodes_max", Some(number(self.comparison.nodes_max))),
            ("positions", positions.map(Value::from)),
        ];
        let entries = entries.into_iter();
        table.extend(entries.filter_map(|(key, value)| Some((key.to_owned(), value?))));
        table.to_string()
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
pub(crate) fn rows(
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
