//! `tanren ablate`.
//!
//! In: a base, what to change, limits. Out: a folder with a match and a count of nodes for each change, a table or JSON
//! on stdout. Must not: judge a result itself.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

#[cfg(feature = "cluster")]
use super::shared::ClusterArgs;
use super::shared::{CliError, ConditionArgs, NotifyArgs, OfOne, Printing, SeatArgs, Usage};
use crate::config::wire::MatchFile;
use crate::config::{MatchSpec, SeatKeys};
use crate::experiment::ablation::rows;
use crate::experiment::{AblationSpec, Experiment, NodesComparison, RunOptions};
use crate::report::print_data;
use crate::study::ablate::{Length, Skipped, Variant};

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
/// The same command on the same folder goes on where it stopped; more pairs, rows or positions can be asked for later.
/// A change that shows in no game of the first 50 pairs is given up as identical.
///
/// Files: ablation.csv, ablation.svg, and for each row the folder of a match (matches/...) and of its searches (nodes/...).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct AblateArgs {
    /// The full engine: base, PRESET, PRESET,key=value,..., key=value,... or @file.toml.
    #[arg(long, value_name = "PLAYER", default_value = "base")]
    base: String,
    /// Only these settings.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// A further row for any setting, numbers too; once for each.
    #[arg(long, value_name = "NAME=VALUE")]
    also: Vec<String>,
    /// Pairs of each row.
    #[arg(long, value_name = "N", default_value = "1000")]
    pairs: NonZero<u64>,
    /// Play on up to so many pairs where nothing is shown after --pairs; with --budget, the most that a row gets (16 times --pairs).
    #[arg(long, value_name = "M")]
    straddle_pairs: Option<NonZero<u64>>,
    /// Pairs of all rows together: every row gets --pairs, and the rest is spent where it decides.
    #[arg(long, value_name = "PAIRS")]
    budget: Option<NonZero<u64>>,
    /// Depth at which nodes are compared, in plies; 0 for no comparison.
    #[arg(long, value_name = "D", default_value_t = 8)]
    node_depth: u32,
    /// Give a search of that comparison up after so many nodes; its position is left out of its row.
    #[arg(long, value_name = "N", default_value = "2000000")]
    nodes_max: NonZero<u64>,
    /// Positions of that comparison, one a line (a built-in suite of 100 positions from all parts of games if absent).
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    #[command(flatten)]
    seat: SeatArgs<OfOne>,
    #[command(flatten)]
    conditions: ConditionArgs<InAblate>,
    /// Pairs or searches at the same time (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Play more games by time than there are cores for, though some will be lost on time for it.
    #[arg(long)]
    oversubscribe: bool,
    /// Keep each worker on one core; changes no result.
    #[arg(long)]
    pin_cores: bool,
    /// Where results go (results/<date>-ablate-<base> if absent).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show the rows that would be measured and those left out, and play nothing.
    #[arg(long)]
    list: bool,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    notify: NotifyArgs,
    /// Print the rows of ablation.csv as a JSON array on stdout.
    #[arg(long)]
    json: bool,
    /// Show no progress and no text.
    #[arg(long)]
    quiet: bool,
}

impl AblateArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if self.list {
            let games = MatchSpec::from_file(&self.file())?;
            let (rows, skipped) = self.rows(&games)?;
            return self.show_rows(&rows, &skipped);
        }
        let (experiment, options) = self.experiment()?;
        let printing = Printing {
            is_quiet: self.quiet,
            is_json: self.json,
            notify: self.notify.clone(),
        };
        printing.run(&experiment, &options)
    }

    /// What is to be played, and how.
    pub(super) fn experiment(&self) -> Result<(Experiment, RunOptions), CliError> {
        let games = MatchSpec::from_file(&self.file())?;
        let (rows, skipped) = self.rows(&games)?;
        let length = Length {
            pairs: self.pairs.get(),
            straddle_pairs: self.straddle_pairs.map(NonZero::get),
            budget: self.budget.map(NonZero::get),
        };
        let comparison = NodesComparison {
            depth: self.node_depth,
            nodes_max: self.nodes_max.get(),
            positions: self.positions.clone(),
        };
        let mut spec = AblationSpec::new(games, rows, length, comparison)?;
        spec.skipped = skipped;
        let options = RunOptions {
            pin_cores: self.pin_cores,
            out: self.out.clone(),
            concurrency: self.concurrency,
            oversubscribe: self.oversubscribe,
            #[cfg(feature = "cluster")]
            fleet: self.cluster.options(),
            ..RunOptions::default()
        };
        Ok((Experiment::Ablation(Box::new(spec)), options))
    }

    fn rows(&self, games: &MatchSpec) -> Result<(Vec<Variant>, Vec<Skipped>), CliError> {
        let base = games.seats[0].player.builtin()?;
        Ok(rows(games.conditions.game, base, &self.only, &self.also)?)
    }

    /// The base against itself.
    fn file(&self) -> MatchFile {
        let mut conditions = self.conditions.keys.clone();
        conditions.pairs = Some(self.pairs.get());
        let label = SeatKeys {
            label: self.seat.keys.label.clone(),
            ..SeatKeys::default()
        };
        MatchFile {
            players: [Some(self.base.clone()), Some(self.base.clone())],
            common: self.seat.keys.clone(),
            seats: [label.clone(), label],
            conditions,
            ..MatchFile::default()
        }
    }

    /// Shows what would be measured.
    fn show_rows(&self, rows: &[Variant], skipped: &[Skipped]) -> Result<(), CliError> {
        let reasons = skipped.iter().map(ToString::to_string);
        let text = if self.json {
            let rows: Vec<String> = rows.iter().map(Variant::assignment).collect();
            json!({ "rows": rows, "left_out": reasons.collect::<Vec<_>>() }).to_string()
        } else {
            let rows = rows
                .iter()
                .map(|row| format!("{}  (base: {})\n", row.assignment(), row.base_setting));
            let reasons = reasons.map(|reason| format!("left out: {reason}\n"));
            rows.chain(reasons).collect()
        };
        print_data(&text).map_err(CliError::system("print the result"))
    }
}

#[derive(Debug, Clone)]
struct InAblate;

impl Usage for InAblate {
    // Only the built-in engine plays.
    const LEFT_OUT: &'static [&'static str] = &["pairs", "sprt", "startup_ms", "stall_ms"];
}
