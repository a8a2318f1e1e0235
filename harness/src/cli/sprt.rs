//! `tanren sprt`.

use std::path::PathBuf;

use clap::Args;

use super::shared::{CliError, print_document};
use crate::config::parse_sprt;
use crate::document::Document;
use crate::stats::{Sample, Sprt};
use crate::tools::sprt::{forecast, test, test_in_order};

/// Beyond so many results counts are no longer exact as floating-point numbers.
const COUNT_MAX: u64 = 1 << 50;

/// Judge counts by a sequential test, or forecast how a test would go.
#[derive(Debug, Args)]
pub(super) struct SprtArgs {
    /// The test, written as in a match: 0,2 or stc or elo0=0,elo1=5,model=logistic (0,5).
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// Counts of pairs from A's view: two losses, loss and draw, two draws or one win each, draw and win, two wins.
    #[arg(
        long,
        value_name = "LL,LD,DDWL,DW,WW",
        value_delimiter = ',',
        num_args = 1,
        conflicts_with_all = ["wdl", "elo", "draws", "bias"]
    )]
    counts: Option<Vec<u64>>,
    /// Counts of single, unpaired games from A's view.
    #[arg(
        long,
        value_name = "W,D,L",
        value_delimiter = ',',
        num_args = 1,
        conflicts_with_all = ["elo", "draws", "bias"]
    )]
    wdl: Option<Vec<u64>>,
    /// Results in their order, pair by pair, to find where the test stops: a PGN, or a CSV such as games.csv.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["counts", "wdl", "elo", "draws", "bias"]
    )]
    games: Option<PathBuf>,
    /// Who is A in the PGN (who moves first in its first game).
    #[arg(long, value_name = "NAME", requires = "games")]
    player: Option<String>,
    /// True strength to forecast for, on the scale of the test; several separated by commas (a range around the hypotheses).
    #[arg(long, value_name = "ELO", value_delimiter = ',', allow_hyphen_values = true)]
    elo: Vec<f64>,
    /// Share of drawn games, for a forecast (0).
    #[arg(long, value_name = "SHARE")]
    draws: Option<f64>,
    /// Root mean square advantage that openings give to one side in Elo, for a forecast (0).
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    bias: Option<f64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl SprtArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let sprt = match &self.sprt {
            Some(text) => parse_sprt(text).map_err(|error| CliError::input(error.to_string()))?,
            None => Sprt::default(),
        };
        if let Some(path) = &self.games {
            let found = test_in_order(path, self.player.as_deref(), &sprt)?;
            return print_document(self.json, &found);
        }
        let found = match (&self.counts, &self.wdl) {
            (Some(counts), _) => {
                let counts: [u64; 5] = exactly(counts, "--counts", "LL,LD,DDWL,DW,WW")?;
                test(&Sample::pairs(counts), &sprt)
            }
            (None, Some(wdl)) => {
                let [wins, draws, losses]: [u64; 3] = exactly(wdl, "--wdl", "W,D,L")?;
                test(&Sample::games(losses, draws, wins), &sprt)
            }
            (None, None) => self.forecast(&sprt)?,
        };
        print_document(self.json, &found)
    }

    fn forecast(&self, sprt: &Sprt) -> Result<Document<'static>, CliError> {
        let says_nothing =
            self.sprt.is_none() && self.elo.is_empty() && self.draws.is_none() && self.bias.is_none();
        if says_nothing {
            let message = "nothing to do: give --counts, --wdl or --games to judge results, or --sprt to forecast a test";
            return Err(CliError::input(message));
        }
        let (draws, bias) = (self.draws.unwrap_or(0.0), self.bias.unwrap_or(0.0));
        Ok(forecast(sprt, draws, bias, &self.elo)?)
    }
}

fn exactly<const N: usize>(values: &[u64], option: &str, form: &str) -> Result<[u64; N], CliError> {
    let counts: [u64; N] = values.try_into().map_err(|_| {
        let count = values.len();
        CliError::input(format!("{option} has {count} numbers, but must have {N}: {form}"))
    })?;
    let total = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
    match total {
        Some(0) => Err(CliError::input(format!("{option}: all counts are 0"))),
        Some(1..=COUNT_MAX) => Ok(counts),
        _ => Err(CliError::input(format!(
            "{option}: the counts sum to more than {COUNT_MAX}, which no match has"
        ))),
    }
}
