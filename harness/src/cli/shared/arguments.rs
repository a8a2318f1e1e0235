//! Arguments of every command that plays.
//!
//! In: words. Out: options of a run, the manner in which it is shown.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;
use tanren_engine::game::Game;

#[cfg(feature = "cluster")]
use super::ClusterArgs;
use super::finish::Printing;
use super::notify::NotifyArgs;
use crate::experiment::RunOptions;

/// The games as a command-line option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum GameArg {
    /// Japanese chess.
    Shogi,
    /// Western chess.
    Chess,
}

impl GameArg {
    pub(in crate::cli) fn game(self) -> Game {
        match self {
            GameArg::Shogi => Game::Shogi,
            GameArg::Chess => Game::Chess,
        }
    }
}

/// Options of every command that plays; they change no result.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct PlayArgs {
    /// Pairs played at the same time (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Play more games by time than there are cores for, though some will be lost on time for it.
    #[arg(long)]
    oversubscribe: bool,
    /// Stop after so many pairs; without it, or with more, the same command goes on.
    #[arg(long, value_name = "PAIRS")]
    pause_after: Option<NonZero<u64>>,
    /// Keep each worker on one core; changes no result.
    #[arg(long)]
    pin_cores: bool,
    /// Write down what every other program says and is told, one file for each start, in this folder.
    #[arg(long, value_name = "DIR")]
    engine_log: Option<PathBuf>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    notify: NotifyArgs,
    /// Show no progress and no text.
    #[arg(long)]
    quiet: bool,
    /// Print the result as one JSON object on stdout, keys as the columns of summary.csv.
    #[arg(long)]
    json: bool,
}

impl PlayArgs {
    /// The options of a run whose results go to `out`.
    pub(in crate::cli) fn run_options(&self, out: Option<&Path>) -> RunOptions {
        RunOptions {
            out: out.map(Path::to_owned),
            concurrency: self.concurrency,
            oversubscribe: self.oversubscribe,
            pause_after: self.pause_after,
            pin_cores: self.pin_cores,
            engine_log: self.engine_log.clone(),
            #[cfg(feature = "cluster")]
            fleet: self.cluster.options(),
            interrupt: None,
        }
    }

    /// How its result is printed.
    pub(in crate::cli) fn printing(&self) -> Printing {
        Printing {
            is_quiet: self.quiet,
            is_json: self.json,
            notify: self.notify.clone(),
        }
    }
}
