//! `tanren tsume`.
//!
//! In: a suite of mate problems, or games. Out: the share that a player solves, the check of a suite, or a new suite.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::Args;

use super::shared::{CliError, GameArg};
use crate::experiment::{SolveTask, TsumeSpec, TsumeTask, tsume};
use crate::report::{SearchProgress, describe_tsume, print_data, tsume_json, write_tsume};
use crate::study::tsume::MineSpec;

const EXAMPLES: &str = "\
Examples:
  tanren tsume --nodes 100000
      the default player on the built-in suite of the repository
  tanren tsume --config base,mate_in_one=on --suite mine.sfen --nodes 20000 --out results/mine
      another player on another suite
  tanren tsume --mine results/night/games.sfen --out mine.sfen
      a suite from the games of a match";

/// Count the mate problems that a player solves; check a suite of them, or mine one from games.
///
/// A problem is a position with a mate by checks alone. It is solved if the player's score is a mate and its move is proven
/// to be the first of one by an exhaustive solver. Nothing depends on --concurrency.
///
/// File: tsume.csv.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TsumeArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// The problems, a line each: POSITION ; mate PLIES (suites/shogi-tsume.sfen if absent).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "mine"])]
    suite: Option<PathBuf>,
    /// Prove the lengths of all problems in FILE instead; exit code 2 if one is wrong.
    #[arg(long, value_name = "FILE", conflicts_with = "mine")]
    check: Option<PathBuf>,
    /// Write a suite of mates from the ends of games instead, one game a line: sfen POSITION moves MOVE ...
    #[arg(long, value_name = "GAMES", num_args = 1.., requires = "out")]
    mine: Vec<PathBuf>,
    /// The player: base, PRESET, PRESET,key=value,..., key=value,... or @file.toml.
    #[arg(long, value_name = "PLAYER", default_value = "base")]
    config: String,
    /// The player's nodes for each problem.
    #[arg(long, value_name = "N", default_value = "1000000")]
    nodes: NonZero<u64>,
    /// The player's hash table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Longest mate to mine, in plies.
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=31))]
    plies_max: u32,
    /// Problems of each length to mine.
    #[arg(long, value_name = "N", default_value = "16")]
    per_length: NonZero<usize>,
    /// Leave out positions whose proof takes more nodes when mining.
    #[arg(long, value_name = "N", default_value = "50000")]
    mine_nodes: NonZero<u64>,
    /// Positions at the same time (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Where the result goes (results/<date>-tsume-<player> if absent); with --mine the file to write.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// With --mine: replace the file if it exists.
    #[arg(long, requires = "mine")]
    force: bool,
    /// Print one JSON object on stdout.
    #[arg(long)]
    json: bool,
    /// Show no progress and no text.
    #[arg(long)]
    quiet: bool,
}

impl TsumeArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let progress = OnceLock::new();
        let solved = |of: usize| {
            if !self.quiet {
                progress.get_or_init(|| SearchProgress::of("problems", of)).add(1);
            }
        };
        let found = tsume(&self.spec(), &solved).map_err(CliError::of_unwritten);
        if let Some(progress) = progress.get() {
            progress.end();
        }
        let found = found?;
        write_tsume(&found)?;
        let text = if self.json {
            tsume_json(&found).to_string()
        } else if self.quiet {
            return Ok(());
        } else {
            describe_tsume(&found)
        };
        print_data(&text).map_err(CliError::system("print the result"))
    }

    fn spec(&self) -> TsumeSpec {
        let task = match (&self.check, &self.out) {
            (Some(file), _) => TsumeTask::Check { file: file.clone() },
            (None, Some(out)) if !self.mine.is_empty() => TsumeTask::Mine {
                games: self.mine.clone(),
                wanted: MineSpec {
                    plies_max: self.plies_max,
                    per_length: self.per_length.get(),
                    nodes_max: self.mine_nodes.get(),
                },
                out: out.clone(),
                replaces: self.force,
            },
            _ => TsumeTask::Solve(SolveTask {
                suite: self.suite.clone(),
                player: self.config.clone(),
                nodes_max: self.nodes.get(),
                hash_mib: self.hash as usize,
                out: self.out.clone(),
            }),
        };
        TsumeSpec {
            game: self.game.game(),
            concurrency: self.concurrency,
            task,
        }
    }
}
