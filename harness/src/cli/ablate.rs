//! `tanren ablate`.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use serde_json::json;

use super::shared::{CliError, OutputArgs, PauseArgs, Plan, PlayKeys, Work, print};
use crate::config::{
    ADVANCED, GameKeys, LengthKeys, LimitKeys, MatchKeys, MatchSpec, Refusals, RepeatKeys, listed, texts,
};
use crate::kinds::ablate::study::{Length, Skipped, Variant};
use crate::kinds::ablate::{AblationSpec, NodesComparison, rows};
use crate::session::error::ExperimentError;
use crate::session::kind::Experiment;

const EXAMPLES: &str = "\
Examples:
  tanren ablate --pairs 1000 --nodes 1000 --straddle-pairs 4000 --out results/ablation
      every setting; more pairs where nothing is shown yet
  tanren ablate --pairs 250 --budget 45000 --nodes 1000 --out results/budget
      every setting, 45,000 pairs in all, spent where they decide
  tanren ablate --only null_move,lmr --also lmr.base=500 --pairs 500 --out results/two
      two techniques, and a number
  tanren ablate --list
      the rows alone";

/// Measure what each technique is worth: the engine against itself with one setting changed.
///
/// Every switch and choice of the settings table has a row for each of its other values; settings that act only where a
/// clock runs have none. Everything is seen from the setting as it stands in the base: Elo is that of the base against the
/// changed engine (above 0: the base is stronger), the ratio of nodes at a fixed depth is the changed engine's over the
/// base's (above 1: the base needs fewer).
///
/// The same command on the same folder resumes where it stopped; more pairs, rows or positions can be asked for later.
/// A change that shows in no game of the first 50 pairs is given up as identical.
///
/// Files: ablation.csv, ablation.svg, and for each row the folder of a match (matches/...) and of its searches (nodes/...).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("engine_log", |arg| arg.hide(true).help_heading(ADVANCED)))]
#[command(mut_arg("on_fault", |arg| arg.hide(true).help_heading(ADVANCED)))]
#[command(mut_arg("pause_after", |arg| arg.hide(true).help_heading(ADVANCED)))]
pub(super) struct AblateArgs {
    #[command(flatten)]
    keys: AblateKeys,
    #[command(flatten)]
    play: PlayKeys,
    #[command(flatten)]
    pause: PauseArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Show the rows that would be measured and those left out, and play nothing.
    #[arg(long, help_heading = "Output")]
    list: bool,
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(super) struct AblateKeys {
    /// The full engine: base, PRESET, PRESET,key=value,..., key=value,... or @file.toml (base).
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
    /// A further row for any setting, numbers too; once for each.
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Players")]
    #[serde(deserialize_with = "texts")]
    also: Vec<String>,
    /// Pairs of each row (1000).
    #[arg(long, value_name = "N", help_heading = "Length")]
    pairs: Option<NonZero<u64>>,
    /// Play on up to so many pairs where nothing is shown after --pairs; with --budget, the most that a row gets (16 times --pairs).
    #[arg(long, value_name = "M", help_heading = "Length")]
    straddle_pairs: Option<NonZero<u64>>,
    /// Pairs of all rows together: every row gets --pairs, and the rest is spent where it decides.
    #[arg(long, value_name = "PAIRS", help_heading = "Length")]
    budget: Option<NonZero<u64>>,
    /// Depth at which nodes are compared, in plies; 0 for no comparison (8).
    #[arg(long, value_name = "D", help_heading = "Searches")]
    node_depth: Option<u32>,
    /// Give a search of that comparison up after so many nodes; its position is left out of its row (2000000).
    #[arg(long, value_name = "N", hide = true, help_heading = ADVANCED)]
    nodes_max: Option<NonZero<u64>>,
    /// Positions of that comparison, one a line (a built-in suite of 100 positions from all parts of games if absent).
    #[arg(long, value_name = "FILE", hide = true, help_heading = ADVANCED)]
    positions: Option<PathBuf>,
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
}

impl AblateKeys {
    /// The base against itself.
    fn games(&self, wrong: &mut Refusals) -> MatchSpec {
        let length = LengthKeys {
            pairs: self.pairs.map(NonZero::get).or(Some(1000)),
            repeat: self.repeat.clone(),
            ..LengthKeys::default()
        };
        let mut keys = MatchKeys::mirror(self.base.as_deref(), self.label.as_ref(), &self.limit);
        (keys.length, keys.games) = (length, self.games.clone());
        MatchSpec::checked(&keys, wrong)
    }

    fn rows(&self, games: &MatchSpec) -> Result<(Vec<Variant>, Vec<Skipped>), ExperimentError> {
        let base = games.seats[0].player.builtin()?;
        rows(games.conditions.game, base, &self.only, &self.also)
    }
}

impl Plan for AblateKeys {
    type Work = PlayKeys;

    fn plan(&self, _: Option<&Path>) -> Result<Experiment, ExperimentError> {
        let mut wrong = Refusals::default();
        let games = self.games(&mut wrong);
        let length = Length {
            pairs: self.pairs.map_or(1000, NonZero::get),
            straddle_pairs: self.straddle_pairs.map(NonZero::get),
            budget: self.budget.map(NonZero::get),
        };
        let comparison = NodesComparison {
            depth: self.node_depth.unwrap_or(8),
            nodes_max: self.nodes_max.map_or(2_000_000, NonZero::get),
            positions: self.positions.clone(),
        };
        let spec = self.rows(&games).and_then(|(rows, skipped)| {
            let mut spec = AblationSpec::new(games, rows, length, comparison)?;
            spec.skipped = skipped;
            Ok(spec)
        });
        Ok(Experiment::new(ExperimentError::with_all(wrong, spec)?))
    }
}

impl AblateArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if self.list {
            let mut wrong = Refusals::default();
            let games = self.keys.games(&mut wrong);
            wrong.check()?;
            let (rows, skipped) = self.keys.rows(&games)?;
            return self.show_rows(&rows, &skipped);
        }
        let out = self.output.out.as_deref();
        let options = self.play.run_options(out, Some(&self.pause))?;
        self.output.printing().run(&self.keys.plan(out)?, &options)
    }

    /// Shows what would be measured.
    fn show_rows(&self, rows: &[Variant], skipped: &[Skipped]) -> Result<(), CliError> {
        let reasons = skipped.iter().map(ToString::to_string);
        let text = if self.output.printing().is_json {
            let rows: Vec<String> = rows.iter().map(Variant::assignment).collect();
            json!({ "rows": rows, "left_out": reasons.collect::<Vec<_>>() }).to_string()
        } else {
            let rows = rows
                .iter()
                .map(|row| format!("{}  (base: {})\n", row.assignment(), row.base_setting));
            let reasons = reasons.map(|reason| format!("left out: {reason}\n"));
            rows.chain(reasons).collect()
        };
        print(&text)
    }
}
