//! `tanren odds`.
//!
//! In: two players, a limit, a number of pairs. Out: a folder with a match for each batch, the ratio as text or JSON on
//! stdout. Must not: choose a ratio or judge a result itself.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;

#[cfg(feature = "cluster")]
use super::shared::ClusterArgs;
use super::shared::{CliError, ConditionArgs, NotifyArgs, OfAll, OfB, Printing, SeatArgs, Usage};
use crate::config::wire::MatchFile;
use crate::experiment::{Experiment, ExperimentError, OddsSpec, RunOptions};

const EXAMPLES: &str = "\
Examples:
  tanren odds --a base --b base,null_move=off --nodes 1000 --pairs 2000 --out results/null-move-odds
      how many nodes a technique is worth
  tanren odds --a usi:./new --b usi:./old --byoyomi 200 --pairs 500
      how much time a new build is worth
  tanren odds --a base --b usi:./other --nodes 10000 --depth-b 8 --pairs 500
      how many nodes it takes to be as strong as another program to depth 8";

/// Find the ratio of nodes (or time) at which A and B are equally strong.
///
/// B always plays with the limit given, A with a multiple of it that is chosen anew for every batch of pairs: beside the
/// ratio at which the players seem even by all batches before. A ratio below 1 says that A needs less.
///
/// B may have a limit of another kind: --nodes 10000 --depth-b 8 finds how many times 10,000 nodes make A as strong as B
/// to depth 8.
///
/// The same command on the same folder goes on where it stopped, with more --pairs too.
///
/// Files: odds.csv, odds.svg, and the folder of a match for each batch (batches/...).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct OddsArgs {
    /// Player A, whose limit varies: PRESET, PRESET,key=value,..., key=value,..., usi:COMMAND,... or @file.toml.
    #[arg(long, value_name = "PLAYER", default_value = "base")]
    a: String,
    /// Player B.
    #[arg(long, value_name = "PLAYER")]
    b: String,
    /// Pairs in all; rounded up to whole batches.
    #[arg(long, value_name = "N", default_value = "1000")]
    pairs: NonZero<u64>,
    /// Pairs of a batch, all at one ratio.
    #[arg(long, value_name = "N", default_value = "50")]
    batch: NonZero<u64>,
    /// Greatest ratio either way.
    #[arg(long, value_name = "RATIO", default_value_t = 64.0)]
    ratio_max: f64,
    #[command(flatten)]
    both: SeatArgs<OfAll>,
    #[command(flatten)]
    seat_a: SeatArgs<OfVariedA>,
    #[command(flatten)]
    seat_b: SeatArgs<OfB>,
    #[command(flatten)]
    conditions: ConditionArgs<InOdds>,
    /// Pairs played at the same time (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Play more games by time than there are cores for, though some will be lost on time for it.
    #[arg(long)]
    oversubscribe: bool,
    /// Keep each worker on one core; changes no result.
    #[arg(long)]
    pin_cores: bool,
    /// Write down what every other program says and is told, one file for each start, in this folder.
    #[arg(long, value_name = "DIR")]
    engine_log: Option<PathBuf>,
    /// Where results go (results/<date>-odds-<a>-vs-<b> if absent).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    notify: NotifyArgs,
    /// Print the result and its batches as one JSON object on stdout.
    #[arg(long)]
    json: bool,
    /// Show no progress and no text.
    #[arg(long)]
    quiet: bool,
}

impl OddsArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
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
        if self.seat_a.keys.has_limit() {
            return Err(CliError::input(
                "the limit of A is what is looked for: give that of B, such as --nodes",
            ));
        }
        let games = OddsSpec::games_of(&self.file()).map_err(ExperimentError::from)?;
        let spec = OddsSpec::new(games, self.pairs.get(), self.batch.get(), self.ratio_max)?;
        let options = RunOptions {
            pin_cores: self.pin_cores,
            engine_log: self.engine_log.clone(),
            out: self.out.clone(),
            concurrency: self.concurrency,
            oversubscribe: self.oversubscribe,
            #[cfg(feature = "cluster")]
            fleet: self.cluster.options(),
            ..RunOptions::default()
        };
        Ok((Experiment::Odds(Box::new(spec)), options))
    }

    /// The match that every batch is one of.
    fn file(&self) -> MatchFile {
        let mut conditions = self.conditions.keys.clone();
        conditions.pairs = Some(self.batch.get());
        MatchFile {
            players: [Some(self.a.clone()), Some(self.b.clone())],
            common: self.both.keys.clone(),
            seats: [self.seat_a.keys.clone(), self.seat_b.keys.clone()],
            conditions,
            ..MatchFile::default()
        }
    }
}

/// A, whose limit is what is looked for.
#[derive(Debug, Clone)]
struct OfVariedA;

impl Usage for OfVariedA {
    const PLAYER: Option<&'static str> = Some("a");
    const HIDDEN: &'static [&'static str] = &["nodes", "depth", "movetime", "tc", "byoyomi"];
}

#[derive(Debug, Clone)]
struct InOdds;

impl Usage for InOdds {
    const LEFT_OUT: &'static [&'static str] = &["pairs", "sprt"];
}
