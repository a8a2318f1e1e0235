//! `tanren simulate`.
//!
//! In: truths, a test, a number of matches. Out: how often the stop rule and the estimators are right, as a table, JSON
//! and CSV. Must not: draw, judge or count a match itself.

use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde_json::Value;

use super::shared::{CliError, executor};
use crate::config::parse_elo_model;
use crate::experiment::{ExperimentError, write_atomically};
use crate::interrupt::Interrupt;
use crate::report::{
    SearchProgress, SimulationRow, describe_simulations, finished_simulations, note, print_data,
    simulations_csv,
};
use crate::runner::LocalExecutor;
use crate::stats::{CONFIDENCE, EloModel, Sprt};
use crate::stop::StopRule;
use crate::stop::simulate::{SimulationSpec, Summary};

/// With these the sum of squared lengths fits into 64 bits.
const PAIRS_LIMIT: u64 = 1_000_000;
const MATCHES_LIMIT: u64 = 10_000_000;

const EXAMPLES: &str = "\
Examples:
  tanren simulate
      a test of 0 against 20 normalized Elo at both hypotheses and between them
  tanren simulate --elo 0,10,20 --model normalized,logistic --draws 0.02,0.5 --bias 50,100 \\
                  --matches 100000 --out simulate.csv
      12 rows: every strength under both models, for games like shogi's and like chess's
  tanren simulate --elo0 -5 --elo1 0 --elo -5 --matches 20000 --json
      one row, as a JSON array

Every match is played by the stop rule and judged by the estimators that judge real ones; only the games are drawn. The
numbers depend on the options alone, not on the number of threads. With --out, finished rows are kept: the same command
goes on where it was stopped.";

/// Check the statistics: simulate matches of known strength and count how often tests err and intervals cover.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SimulateArgs {
    /// True strengths of A on the scale of the model, separated by commas (H0, the middle, H1).
    #[arg(long, value_name = "ELO", value_delimiter = ',', allow_hyphen_values = true)]
    elo: Vec<f64>,
    /// Scales of the hypotheses and of the true strength: normalized, logistic or both.
    #[arg(
        long,
        value_name = "MODEL",
        value_delimiter = ',',
        default_value = "normalized"
    )]
    model: Vec<String>,
    /// H0 in Elo of the model.
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    elo0: f64,
    /// H1 in Elo of the model.
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 20.0,
        allow_negative_numbers = true
    )]
    elo1: f64,
    /// Probability to accept H1 under H0.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// Probability to accept H0 under H1.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// Shares of drawn games, separated by commas.
    #[arg(long, value_name = "SHARE", value_delimiter = ',', default_value = "0.02")]
    draws: Vec<f64>,
    /// What openings are worth to the first mover in Elo: one value, or one for each of --draws.
    #[arg(
        long,
        value_name = "ELO",
        value_delimiter = ',',
        default_value = "50",
        allow_hyphen_values = true
    )]
    bias: Vec<f64>,
    /// Matches a row.
    #[arg(long, value_name = "N", default_value = "10000")]
    matches: NonZero<u64>,
    /// Pairs after which a match ends undecided.
    #[arg(long, value_name = "N", default_value = "100000")]
    pairs: NonZero<u64>,
    /// Also matches without a test, of exactly so many pairs.
    #[arg(long, value_name = "PAIRS")]
    fixed: Option<NonZero<u64>>,
    /// Decides every game.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Write the rows to this file after each row; rows that it already holds are not simulated again.
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print a JSON array of rows, keys as the columns of the CSV.
    #[arg(long)]
    json: bool,
}

impl SimulateArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let specs = self.specs()?;
        let mut summaries = match &self.out {
            Some(path) => finished(path, &specs)?,
            None => vec![None; specs.len()],
        };
        let executor = executor(self.concurrency)?;
        let interrupt = Interrupt::install().map_err(CliError::system("watch for signals"))?;
        let progress = SimulationProgress::new(&specs, &summaries, self.quiet);
        for index in 0..specs.len() {
            if summaries[index].is_none() {
                let Some(summary) = progress.row(index, &specs[index], &executor, &interrupt)? else {
                    break;
                };
                summaries[index] = Some(summary);
                if let Some(path) = &self.out {
                    save(path, &rows(&specs, &summaries)?)?;
                }
            }
        }
        progress.end();
        let rows = rows(&specs, &summaries)?;
        if let Some(signal) = interrupt.signal().filter(|_| rows.len() < specs.len()) {
            note(&self.interruption(rows.len(), specs.len()));
            return Err(CliError::Stopped(signal));
        }
        let text = if self.json {
            rows.iter()
                .map(SimulationRow::json)
                .collect::<Value>()
                .to_string()
        } else {
            describe_simulations(&rows)
        };
        print_data(&text).map_err(CliError::system("print the result"))
    }

    /// One specification a row: model by model, mix by mix, strength by strength; the fixed lengths last.
    fn specs(&self) -> Result<Vec<SimulationSpec>, CliError> {
        limit("--matches", self.matches.get(), MATCHES_LIMIT)?;
        limit("--pairs", self.pairs.get(), PAIRS_LIMIT)?;
        limit("--fixed", self.fixed.map_or(0, NonZero::get), PAIRS_LIMIT)?;
        finite("--elo", &self.elo)?;
        finite("--bias", &self.bias)?;
        let mut specs = Vec::new();
        let lengths = std::iter::once(None).chain(self.fixed.map(Some));
        for fixed in lengths {
            for model in &self.model {
                self.push_model(&mut specs, model, fixed)?;
            }
        }
        for (index, spec) in specs.iter().enumerate() {
            if specs[..index].contains(spec) {
                let message = "two rows are the same: give every value of --elo, --model and --draws once";
                return Err(CliError::input(message.to_owned()));
            }
        }
        Ok(specs)
    }

    fn push_model(
        &self,
        specs: &mut Vec<SimulationSpec>,
        model: &str,
        fixed: Option<NonZero<u64>>,
    ) -> Result<(), CliError> {
        let input = |error: &dyn std::fmt::Display| CliError::input(error.to_string());
        let model: EloModel = parse_elo_model(model).map_err(|error| input(&error))?;
        let sprt =
            Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, model).map_err(|error| input(&error))?;
        let (sprt, pairs_max) = match fixed {
            Some(pairs) => (None, pairs.get()),
            None => (Some(sprt), self.pairs.get()),
        };
        for (draw_ratio, opening_bias) in self.mixes()? {
            for elo in self.truths() {
                let spec = SimulationSpec {
                    elo,
                    model,
                    draw_ratio,
                    opening_bias,
                    rule: StopRule { sprt, pairs_max },
                    confidence: CONFIDENCE,
                    matches: self.matches.get(),
                    seed: self.seed,
                };
                spec.simulation().map_err(|error| {
                    let options = format!("--elo {elo}, --draws {draw_ratio}, --bias {opening_bias}");
                    CliError::input(format!("{options}: {error}"))
                })?;
                specs.push(spec);
            }
        }
        Ok(())
    }

    fn truths(&self) -> Vec<f64> {
        if self.elo.is_empty() {
            vec![self.elo0, 0.5 * (self.elo0 + self.elo1), self.elo1]
        } else {
            self.elo.clone()
        }
    }

    fn mixes(&self) -> Result<Vec<(f64, f64)>, CliError> {
        let biases = match &self.bias[..] {
            [bias] => vec![*bias; self.draws.len()],
            biases if biases.len() == self.draws.len() => biases.to_vec(),
            biases => {
                let (biases, draws) = (biases.len(), self.draws.len());
                let message =
                    format!("--bias has {biases} values, but must have 1 or as many as --draws: {draws}");
                return Err(CliError::input(message));
            }
        };
        Ok(self.draws.iter().copied().zip(biases).collect())
    }

    fn interruption(&self, done: usize, all: usize) -> String {
        match &self.out {
            Some(path) => format!(
                "stopped after {done} of {all} rows, which are in {}; the same command goes on",
                path.display()
            ),
            None => "stopped; nothing is kept, since there is no --out".to_owned(),
        }
    }
}

fn limit(option: &str, value: u64, most: u64) -> Result<(), CliError> {
    if value <= most {
        return Ok(());
    }
    Err(CliError::input(format!(
        "{option} is {value}, but must be {most} at most"
    )))
}

fn finite(option: &str, values: &[f64]) -> Result<(), CliError> {
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(value) => Err(CliError::input(format!(
            "{option} {value} is not a finite number"
        ))),
    }
}

/// What is finished, in the order of `specs`.
fn rows(specs: &[SimulationSpec], summaries: &[Option<Summary>]) -> Result<Vec<SimulationRow>, CliError> {
    let both = specs.iter().zip(summaries);
    let finished = both.filter_map(|(spec, summary)| Some((*spec, (*summary)?)));
    finished
        .map(|(spec, summary)| {
            SimulationRow::new(spec, summary).map_err(|error| CliError::input(error.to_string()))
        })
        .collect()
}

/// Reads the rows that `path` already holds; also makes sure that it can be written before hours are spent.
fn finished(path: &Path, specs: &[SimulationSpec]) -> Result<Vec<Option<Summary>>, CliError> {
    let unwritable = |source| ExperimentError::Unwritable {
        path: path.to_owned(),
        source,
    };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::File::create(path).map_err(unwritable)?;
            String::new()
        }
        Err(error) => return Err(unwritable(error).into()),
    };
    finished_simulations(&text, specs).map_err(|error| {
        CliError::input(format!(
            "--out '{}': {error}; choose another file",
            path.display()
        ))
    })
}

fn save(path: &Path, rows: &[SimulationRow]) -> Result<(), CliError> {
    write_atomically(path, |output| {
        output.write_all(&simulations_csv(rows).map_err(io::Error::from)?)
    })?;
    Ok(())
}

/// A line over all rows on a terminal, one after each row elsewhere.
struct SimulationProgress {
    line: Option<SearchProgress>,
    rows: usize,
}

impl SimulationProgress {
    fn new(specs: &[SimulationSpec], summaries: &[Option<Summary>], quiet: bool) -> Self {
        let left = specs
            .iter()
            .zip(summaries)
            .filter(|(_, summary)| summary.is_none());
        let matches: u64 = left.map(|(spec, _)| spec.matches).sum();
        SimulationProgress {
            line: (!quiet).then(|| SearchProgress::of("matches", matches as usize)),
            rows: specs.len(),
        }
    }

    /// Simulates one row; `None` if interrupted.
    fn row(
        &self,
        index: usize,
        spec: &SimulationSpec,
        executor: &LocalExecutor,
        interrupt: &Interrupt,
    ) -> Result<Option<Summary>, CliError> {
        let simulation = spec
            .simulation()
            .map_err(|error| CliError::input(error.to_string()))?;
        let start = Instant::now();
        let tell = |more: u64| {
            if let Some(line) = &self.line {
                line.add(more as usize);
            }
        };
        let summary = executor.simulate(&simulation, spec.matches, interrupt, &tell);
        if summary.is_some() && self.line.as_ref().is_some_and(|line| !line.is_drawn()) {
            let (row, rows, seconds) = (index + 1, self.rows, start.elapsed().as_secs_f64());
            note(&format!("row {row} of {rows} after {seconds:.1} s"));
        }
        Ok(summary)
    }

    fn end(&self) {
        if let Some(line) = &self.line {
            line.end();
        }
    }
}
