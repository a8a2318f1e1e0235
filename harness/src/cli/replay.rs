//! `tanren replay`.

use std::path::PathBuf;

use clap::Args;

use super::shared::{CliError, print_document};
use crate::tools::recount::recount;
use crate::tools::replay::{ReplayEnding, replay};

/// Pairs that are counted where nothing is said.
const PAIRS: u64 = 4;

/// Play a game of a run again and compare every move, score, depth and node count.
///
/// Exit codes: 0 the same, 1 different. Games by time or with an external engine are shown, not played again.
#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// The folder of a match or tournament.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The game's number in games.csv; with --pair 1 or 2, the first or second game of that pair.
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    /// A pair's number in games.csv: both its games, or the one of --game.
    #[arg(long, value_name = "N", required_unless_present_any = ["game", "counters"])]
    pair: Option<u64>,
    /// Search every position again and count how often each technique acted.
    #[arg(long)]
    counters: bool,
    /// With --counters: the games of the first N pairs [default: 4].
    #[arg(long, value_name = "N", requires = "counters", conflicts_with_all = ["game", "pair"], value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pairs: Option<u64>,
    /// Print JSON: an object, or an array of two games or of all counters.
    #[arg(long)]
    json: bool,
}

impl ReplayArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if self.counters {
            self.count()
        } else {
            self.replay()
        }
    }

    fn count(&self) -> Result<(), CliError> {
        let (pairs, games) = match (self.pair, self.game) {
            (None, None) => ((0..self.pairs.unwrap_or(PAIRS)).collect(), vec![0, 1]),
            _ => {
                let (pair, games) = self.games()?;
                (vec![pair], games)
            }
        };
        let (found, stopped) = recount(&self.folder, &pairs, &games)?;
        print_document(self.json, &found)?;
        stopped.map_or(Ok(()), |signal| Err(CliError::Stopped(signal)))
    }

    fn replay(&self) -> Result<(), CliError> {
        let (pair, games) = self.games()?;
        let (found, ending) = replay(&self.folder, pair, &games)?;
        if let Some(found) = found {
            print_document(self.json, &found)?;
        }
        match ending {
            ReplayEnding::Stopped(signal) => Err(CliError::Stopped(signal)),
            ReplayEnding::Unrepeatable([a, b]) => Err(CliError::input(format!(
                "{a} against {b}: games by time or with an external engine are not reproducible; showing the \
                 recorded moves"
            ))),
            ReplayEnding::Same => Ok(()),
            ReplayEnding::Different => Err(CliError::Different),
        }
    }

    /// The number of a pair from 0, and which of its games.
    fn games(&self) -> Result<(u64, Vec<usize>), CliError> {
        match (self.pair, self.game) {
            (Some(0), _) | (_, Some(0)) => Err("pairs and games are numbered from 1"),
            (None, None) => Err("give --game or --pair"),
            (None, Some(game)) => Ok(((game - 1) / 2, vec![(game - 1) as usize % 2])),
            (Some(pair), None) => Ok((pair - 1, vec![0, 1])),
            (Some(pair), Some(game @ (1 | 2))) => Ok((pair - 1, vec![game as usize - 1])),
            (Some(_), Some(_)) => Err("with --pair, --game is 1 or 2"),
        }
        .map_err(CliError::input)
    }
}
