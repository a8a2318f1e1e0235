//! `tanren sprt`.
//!
//! In: counts and a test, or a true strength and a test. Out: what the test says, or how it would go.
//! Must not: compute statistics itself.

use clap::Args;
use serde_json::{Value, json};

use super::error::CliError;
use crate::report::{describe_forecast, describe_test, print_data, test_json};
use crate::stats::{Calculator, EloModel, Sample, Sprt};

/// Judge counts by a sequential test, or forecast how a test would go.
#[derive(Debug, Args)]
pub(super) struct SprtArgs {
    /// Counts of pairs: LL,LD,DDWL,DW,WW.
    #[arg(
        long,
        value_name = "COUNTS",
        group = "input",
        value_delimiter = ',',
        num_args = 1
    )]
    counts: Option<Vec<u64>>,
    /// Counts of single games: W,D,L.
    #[arg(
        long,
        value_name = "W,D,L",
        group = "input",
        value_delimiter = ',',
        num_args = 1
    )]
    wdl: Option<Vec<u64>>,
    /// True strength to forecast for, in Elo of the model.
    #[arg(
        long,
        value_name = "ELO",
        group = "input",
        requires = "draws",
        allow_negative_numbers = true
    )]
    elo: Option<f64>,
    /// Share of drawn games, for a forecast.
    #[arg(long, value_name = "SHARE", requires = "elo")]
    draws: Option<f64>,
    /// H0.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// H1.
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Probability to accept H1 under H0.
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability to accept H0 under H1.
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// The scale of the hypotheses: normalized or logistic.
    #[arg(long, default_value = "normalized")]
    model: String,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl SprtArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let sprt = self.test().map_err(|error| CliError::Input(error.to_string()))?;
        let (value, text) = match (&self.counts, &self.wdl, self.elo, self.draws) {
            (Some(counts), ..) => {
                let counts: [u64; 5] = exactly(counts, "--counts", "LL,LD,DDWL,DW,WW")?;
                judge(&Sample::pairs(counts), &sprt)?
            }
            (_, Some(wdl), ..) => {
                let [wins, draws, losses]: [u64; 3] = exactly(wdl, "--wdl", "W,D,L")?;
                judge(&Sample::games(losses, draws, wins), &sprt)?
            }
            (_, _, Some(elo), Some(draws)) => forecast(&sprt, elo, draws)?,
            _ => {
                let message = "give --counts or --wdl to judge, or --elo and --draws to forecast";
                return Err(CliError::Input(message.to_owned()));
            }
        };
        let text = if self.json { value.to_string() } else { text };
        print_data(&text).map_err(CliError::system("print the result"))
    }

    fn test(&self) -> Result<Sprt, crate::stats::SprtError> {
        let model: EloModel = self.model.parse()?;
        Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, model)
    }
}

fn exactly<const N: usize>(values: &[u64], option: &str, form: &str) -> Result<[u64; N], CliError> {
    values.try_into().map_err(|_| {
        let count = values.len();
        CliError::Input(format!("{option} has {count} numbers, but must have {N}: {form}"))
    })
}

fn judge(sample: &Sample, sprt: &Sprt) -> Result<(Value, String), CliError> {
    if sample.count() == 0 {
        return Err(CliError::Input("all counts are 0".to_owned()));
    }
    Ok((test_json(sample, sprt), describe_test(sample, sprt)))
}

fn forecast(sprt: &Sprt, elo: f64, draws: f64) -> Result<(Value, String), CliError> {
    let refuse = |error: crate::stats::CalculatorError| CliError::Input(error.to_string());
    let calculator = Calculator::new(sprt, draws, 0.0).map_err(refuse)?;
    let forecast = calculator.forecast(elo).map_err(refuse)?;
    let value = json!({ "pass_probability": forecast.pass_probability, "pairs": forecast.pairs() });
    Ok((value, describe_forecast(&forecast, sprt, elo, draws)))
}
