//! `tanren simulate`.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use clap::Args;
use console::Term;

use super::shared::{CliError, print_document};
use crate::report::{SearchProgress, note};
use crate::session::folder::check_out;
use crate::stop::simulate::Openings;
use crate::tools::simulation::{SimulationGrid, SimulationProgress, pairs_of, read_simulations, simulate};

/// Check the statistics: simulate matches of known strength and count how often tests err and intervals cover.
#[derive(Debug, Args)]
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
    /// By how much what an opening is worth to A varies, in Elo: pairs of one opening favour the same player.
    #[arg(long, value_name = "ELO", default_value_t = 0.0)]
    opening_sd: f64,
    /// So many openings are used again and again, as with --repeat of a match (each opening is used once).
    #[arg(long, value_name = "OPENINGS")]
    repeat: Option<NonZero<u64>>,
    /// Count pairs as if no two had the same opening, to see what telling them apart corrects.
    #[arg(long, requires = "repeat")]
    unclustered: bool,
    /// Draw the pairs of this match again, instead of making them up: as they are, and with the players exchanged in half of the openings.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["draws", "bias"])]
    from: Option<PathBuf>,
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
    /// Write the rows to this file after each row; rows of the same options that it already holds are not simulated again,
    /// and a file of anything else is refused.
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// Replace the file if it exists, whatever it holds.
    #[arg(long, requires = "out")]
    force: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print a JSON array of rows, keys as the columns of the CSV.
    #[arg(long)]
    json: bool,
}

impl SimulateArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let specs = self.grid()?.specs()?;
        let finished = match &self.out {
            Some(path) if !self.force => read_simulations(path, &specs)?,
            Some(path) => {
                check_out(path, self.force)?;
                vec![None; specs.len()]
            }
            None => vec![None; specs.len()],
        };
        let is_line = !self.quiet && Term::stderr().is_term();
        let shown = OnceLock::new();
        let out = self.out.as_deref();
        let found = simulate(&specs, finished, self.concurrency, out, &|progress| {
            let SimulationProgress {
                row: [row, rows],
                matches: [done, of],
                seconds,
            } = progress;
            let row = format!("row {row} of {rows}");
            match seconds {
                _ if is_line => shown
                    .get_or_init(|| SearchProgress::of("matches", of as usize))
                    .show_with(done as usize, &|_| vec![row.clone()]),
                Some(seconds) if !self.quiet => note(&format!("{row} after {seconds:.1} s")),
                _ => {}
            }
        });
        if let Some(progress) = shown.get() {
            progress.end();
        }
        let found = found?;
        if let Some(signal) = found.stopped {
            note(&self.interruption(found.rows, specs.len()));
            return Err(CliError::Stopped(signal));
        }
        print_document(self.json, &found.document)
    }

    fn grid(&self) -> Result<SimulationGrid, CliError> {
        let pool = self.from.as_deref().map(pairs_of).transpose()?;
        Ok(SimulationGrid {
            elo: self.elo.clone(),
            models: self.model.clone(),
            elo0: self.elo0,
            elo1: self.elo1,
            alpha: self.alpha,
            beta: self.beta,
            draws: self.draws.clone(),
            bias: self.bias.clone(),
            matches: self.matches.get(),
            pairs_max: self.pairs.get(),
            fixed: self.fixed.map(NonZero::get),
            seed: self.seed,
            openings: Openings {
                sd: self.opening_sd,
                repeated: self.repeat.map(NonZero::get),
                is_unclustered: self.unclustered,
                pool: pool.map(Arc::new),
            },
        })
    }

    fn interruption(&self, done: usize, all: usize) -> String {
        match &self.out {
            Some(path) => format!(
                "stopped after {done} of {all} rows, which are in {}; the same command resumes",
                path.display()
            ),
            None => "stopped; nothing is kept, since there is no --out".to_owned(),
        }
    }
}
