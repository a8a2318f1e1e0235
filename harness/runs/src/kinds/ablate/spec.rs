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
use crate::kinds::ablate::study::{Length, Skipped, Variant, pairs_of, variants};
use crate::kinds::nodes::spec::POSITIONS_SEED;
use crate::session::error::{ExperimentError, Result};
use crate::session::kind::Keys;

#[derive(Debug, Clone, PartialEq)]
pub struct AblationSpec {
    /// The base against itself; its pairs are those of the longest row.
    pub games: MatchSpec,
    /// More limits than the one of `games`.
    pub pool: Vec<MoveLimit>,
    /// Those with another change in both engines come last.
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
    /// Interactions with this setting: each row again with it changed in both engines.
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        help_heading = "Players"
    )]
    #[serde(deserialize_with = "listed")]
    pairs_of: Vec<String>,
    /// Pairs of each row at each limit (1000).
    #[arg(long, value_name = "N", help_heading = "Length")]
    pairs: Option<NonZero<u64>>,
    /// More pairs for rows without a significant result after --pairs (with --budget 16 times --pairs).
    #[arg(long, value_name = "M", help_heading = "Length")]
    straddle_pairs: Option<NonZero<u64>>,
    /// Pairs of all rows: each gets --pairs, the rest goes where it decides.
    #[arg(long, value_name = "PAIRS", help_heading = "Length")]
    budget: Option<NonZero<u64>>,
    /// Depth at which nodes are compared, in plies; 0 for no comparison (8).
    #[arg(long, value_name = "D", hide = true, help_heading = ADVANCED)]
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
    /// More limits, pooled with the first: 10k (nodes), movetime=100, tc=10+0.1.
    #[arg(
        long,
        value_name = "LIMIT,...",
        value_delimiter = ',',
        help_heading = "Limits"
    )]
    #[serde(deserialize_with = "listed")]
    pool: Vec<String>,
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

    fn limits(&self, first: MoveLimit, wrong: &mut Mistakes) -> Vec<MoveLimit> {
        let mut limits = vec![first];
        for text in &self.pool {
            let limit = MoveLimit::parse(text).and_then(|limit| match limits.contains(&limit) {
                true => Err(format!("pool has '{text}' twice: each limit is played once")),
                false => Ok(limit),
            });
            limits.extend(wrong.take("pool", limit));
        }
        limits.split_off(1)
    }

    fn pairs(&self) -> u64 {
        self.pairs.map_or(1000, NonZero::get)
    }

    /// What is measured, and the settings that have no row.
    pub fn rows(&self, games: &MatchSpec, wrong: &mut Mistakes) -> Result<(Vec<Variant>, Vec<Skipped>)> {
        let (game, base) = (games.conditions.game, games.seats[0].player.builtin()?);
        let (mut rows, skipped) = if self.rows.is_empty() {
            rows(game, base, &self.only, &self.also)?
        } else {
            let rows = self.rows.iter().enumerate().filter_map(|(number, text)| {
                let row = variant(game, base, text).map_err(|message| format!("row '{text}'{message}"));
                wrong.take(&format!("rows.{number}"), row)
            });
            (rows.collect(), Vec::new())
        };
        let given = self.given(games, wrong)?;
        let pairs = pairs_of(game, &rows, &given);
        if pairs.is_empty() && !given.is_empty() {
            let names = self.pairs_of.join(",");
            let message = format!("pairs_of '{names}': no row of another setting acts with it");
            return Err(ConfigError::refused("pairs_of", message).into());
        }
        rows.extend(pairs);
        Ok((rows, skipped))
    }

    /// The changes whose interactions are measured: of a name each other value.
    fn given(&self, games: &MatchSpec, wrong: &mut Mistakes) -> Result<Vec<Variant>> {
        let (game, base) = (games.conditions.game, games.seats[0].player.builtin()?);
        let (all, skipped) = variants(game, base);
        let mut given = Vec::new();
        for text in &self.pairs_of {
            if text.contains('=') {
                let one = variant(game, base, text).map_err(|message| format!("pairs_of '{text}'{message}"));
                given.extend(wrong.take("pairs_of", one));
            } else {
                check_name("pairs-of", game, text, &all, &skipped)?;
                given.extend(all.iter().filter(|row| row.technique == *text).cloned());
            }
        }
        if let Some(same) = given.iter().find(|one| one.setting == one.base_setting) {
            let message = format!("pairs_of '{}': the base has that already", same.assignment());
            return Err(ConfigError::refused("pairs_of", message).into());
        }
        Ok(given)
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
            earlier: Vec::new(),
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
        let pool = self.limits(games.seats[0].limit, &mut wrong);
        let spec = self.rows(&games, &mut wrong).and_then(|(rows, skipped)| {
            let spec = AblationSpec::new(games, pool, rows, length, comparison)?;
            Ok(AblationSpec { skipped, ..spec })
        });
        ExperimentError::with_all(wrong, spec)
    }
}

impl AblationSpec {
    pub fn new(
        mut games: MatchSpec,
        pool: Vec<MoveLimit>,
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
        let has_pairs = rows.iter().any(|row| row.given.is_some());
        if has_pairs && (length.budget.is_some() || length.straddle_pairs.is_some()) {
            let message = "pairs_of compares rows of one length: leave budget and straddle_pairs out";
            return Err(ConfigError::refused("pairs_of", message).into());
        }
        let first = length.pairs * (rows.len() * (1 + pool.len())) as u64;
        if let Some(budget) = length.budget.filter(|&budget| budget < first) {
            let (rows, pairs) = (rows.len(), length.pairs);
            let at = match pool.len() {
                0 => String::new(),
                more => format!(" at {} limits", more + 1),
            };
            let message = format!(
                "budget is {budget}, but the first {pairs} pairs of each of {rows} rows{at} are {first}: give more, or fewer pairs"
            );
            return Err(ConfigError::refused("budget", message).into());
        }
        games.conditions.pairs = Some(length.most());
        Ok(AblationSpec {
            games,
            pool,
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
        let rows = self.rows.iter().filter(|row| row.given.is_none());
        let rows: Vec<Value> = rows.map(|row| row.assignment().into()).collect();
        let number = |number: u64| Value::Integer(number as i64);
        let list = |texts: Vec<Value>| (!texts.is_empty()).then_some(Value::Array(texts));
        let pool = self.pool.iter().map(|limit| limit.text().into());
        let mut given: Vec<&Variant> = self.rows.iter().filter_map(|row| row.given.as_deref()).collect();
        given.dedup();
        let given = given.into_iter().map(|given| given.assignment().into());
        let entries = [
            ("rows", Some(Value::Array(rows))),
            ("pairs_of", list(given.collect())),
            ("pool", list(pool.collect())),
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

    /// What the change of a row is measured against.
    pub(crate) fn base_of<'s>(&'s self, row: &'s Variant) -> Result<&'s Config> {
        row.given
            .as_ref()
            .map_or_else(|| self.config(), |given| Ok(&given.config))
    }

    pub(crate) fn limits(&self) -> impl Iterator<Item = MoveLimit> {
        std::iter::once(self.games.seats[0].limit).chain(self.pool.iter().copied())
    }

    pub(crate) fn match_of(&self, row: &Variant, limit: MoveLimit, pairs: u64) -> MatchSpec {
        let mut games = self.games.clone();
        games.conditions.pairs = Some(pairs);
        let game = games.conditions.game;
        let mut label = self.base().canonical();
        if let Some(given) = &row.given {
            label = format!("{label},{}", given.assignment());
            games.seats[0].player = PlayerSpec::of_config(game, label.clone(), given.config.clone());
        }
        label = format!("{label},{}", row.assignment());
        games.seats[1].player = PlayerSpec::of_config(game, label, row.config.clone());
        games.seats.iter_mut().for_each(|seat| seat.limit = limit);
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
            check_name("only", game, name, &rows, &skipped)?;
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

/// A name given to an option must have a row, and if it has none the reason is said.
fn check_name(option: &str, game: Game, name: &str, rows: &[Variant], skipped: &[Skipped]) -> Result<()> {
    if rows.iter().any(|row| row.technique == name) {
        return Ok(());
    }
    let message = match skipped.iter().find(|skipped| skipped.name() == name) {
        Some(reason) => format!("--{option}: {reason}"),
        None => match Config::default().set(game, name, "") {
            Err(error @ SettingError::UnknownName { .. }) => format!("--{option}: {error}"),
            _ if option == "only" => {
                format!("--only: '{name}' is a number; give its other value with --also {name}=VALUE")
            }
            _ => format!("--{option}: '{name}' is a number; give its other value: {name}=VALUE"),
        },
    };
    Err(ExperimentError::Input(message))
}
