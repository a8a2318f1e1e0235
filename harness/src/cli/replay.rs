//! `tanren replay`.

use std::path::PathBuf;

use clap::Args;

use super::shared::{CliError, print, print_either};
use crate::report::{describe_recount, describe_replay, recount_json, replay_json};
use crate::tools::recount::{RecountSpec, recount};
use crate::tools::replay::{ReplayEnding, ReplaySpec, replay};

const EXAMPLES: &str = "\
Examples:
  tanren replay results/null-move --game 17
      a game again
  tanren replay results/null-move --pair 9 --json
      both games of a pair
  tanren replay results/null-move --counters --pairs 8
      how often each technique was tried and succeeded in the first 16 games: why it went as it did";

/// Pairs that are counted where nothing is said.
const PAIRS: u64 = 4;

/// Play a game of a run again and say whether every move, score, depth and node count is the same.
///
/// Exit codes: 0 the same, 1 different. A game in which time decides what is played, or an external engine plays, is shown and
/// not played again.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
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
    /// Search every position of the games again and print how often each technique was tried and succeeded, by player.
    #[arg(long)]
    counters: bool,
    /// With --counters: the games of the first N pairs [default: 4].
    #[arg(long, value_name = "N", requires = "counters", conflicts_with_all = ["game", "pair"], value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pairs: Option<u64>,
    /// Print one JSON object, or an array of two for both games of a pair; with --counters an array of all counters.
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
                let ReplaySpec { pair, games, .. } = self.spec()?;
                (vec![pair], games)
            }
        };
        let found = recount(&RecountSpec {
            folder: self.folder.clone(),
            pairs,
            games,
        })?;
        let text = if self.json {
            recount_json(&found).to_string()
        } else {
            describe_recount(&found)
        };
        print(text.trim_end())?;
        found
            .stopped
            .map_or(Ok(()), |signal| Err(CliError::Stopped(signal)))
    }

    fn replay(&self) -> Result<(), CliError> {
        let found = replay(&self.spec()?)?;
        if !found.games.is_empty() {
            print_either(self.json, || replay_json(&found), || describe_replay(&found))?;
        }
        match &found.ending {
            ReplayEnding::Stopped(signal) => Err(CliError::Stopped(*signal)),
            ReplayEnding::Unrepeatable([a, b]) => Err(CliError::input(format!(
                "{a} against {b}: where time decides or an external engine plays, a game played again is another game; the moves \
                 are above"
            ))),
            ReplayEnding::Complete if found.are_same() => Ok(()),
            ReplayEnding::Complete => Err(CliError::Different),
        }
    }

    fn spec(&self) -> Result<ReplaySpec, CliError> {
        let (pair, games) = match (self.pair, self.game) {
            (Some(0), _) | (_, Some(0)) => Err("pairs and games are numbered from 1"),
            (None, None) => Err("give --game or --pair"),
            (None, Some(game)) => Ok(((game - 1) / 2, vec![(game - 1) as usize % 2])),
            (Some(pair), None) => Ok((pair - 1, vec![0, 1])),
            (Some(pair), Some(game @ (1 | 2))) => Ok((pair - 1, vec![game as usize - 1])),
            (Some(_), Some(_)) => Err("with --pair, --game is 1 or 2"),
        }
        .map_err(CliError::input)?;
        Ok(ReplaySpec {
            folder: self.folder.clone(),
            pair,
            games,
        })
    }
}
