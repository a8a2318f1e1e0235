//! Simulated matches of known strength: how often the stop rule and the estimators are right.

mod file;
pub(crate) mod table;

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Args;

use crate::config::parse_sprt;
use crate::document::Document;
use crate::document::file::write_atomically;
use crate::interrupt::{Interrupt, Signal};
use crate::kinds::match_;
use crate::match_state::result_of;
use crate::record::GameOutcome;
use crate::session::error::{ExperimentError, Result};
use crate::session::options::RunOptions;
use crate::session::stored::Run;
use crate::stats::{PairModelError, PairResult, Sprt};
use crate::stop::StopRule;
use crate::stop::simulate::{Goal, Openings, PairPool, Rate, SimulationSpec, SimulationSummary, missed};

pub use file::read_simulations;

/// With these the sum of squared lengths fits into 64 bits.
const PAIRS_LIMIT: u64 = 1_000_000;
const MATCHES_LIMIT: u64 = 10_000_000;

#[derive(Debug, Clone, Args)]
pub struct SimulationGrid {
    /// The test, written as in a match: 0,20 or stc or elo0=0,elo1=20,model=logistic; may be given several times.
    #[arg(long, value_name = "TEST", default_value = "0,20", allow_hyphen_values = true)]
    pub sprt: Vec<String>,
    /// True strengths of A on the scale of the test, separated by commas (H0, the middle, H1).
    #[arg(long, value_name = "ELO", value_delimiter = ',', allow_hyphen_values = true)]
    pub elo: Vec<f64>,
    /// Shares of drawn games, separated by commas.
    #[arg(long, value_name = "SHARE", value_delimiter = ',', default_value = "0.02")]
    pub draws: Vec<f64>,
    /// What openings are worth to the first mover in Elo: one value, or one for each of --draws.
    #[arg(
        long,
        value_name = "ELO",
        value_delimiter = ',',
        default_value = "50",
        allow_hyphen_values = true
    )]
    pub bias: Vec<f64>,
    /// Standard deviation of what openings are worth to A, in Elo.
    #[arg(long, value_name = "ELO", default_value_t = 0.0)]
    pub opening_sd: f64,
    /// Reuse this many openings (each is used once).
    #[arg(long, value_name = "OPENINGS")]
    pub repeat: Option<NonZero<u64>>,
    /// Resample the pairs of this match, as they are and with players exchanged in half of the openings.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["draws", "bias"])]
    pub from: Option<PathBuf>,
    /// Matches a row.
    #[arg(long, value_name = "N", default_value = "10000")]
    pub matches: NonZero<u64>,
    /// Pairs after which a match ends undecided.
    #[arg(long, value_name = "N", default_value = "100000")]
    pub pairs: NonZero<u64>,
    /// Also matches without a test, of exactly so many pairs.
    #[arg(long, value_name = "PAIRS")]
    pub fixed: Option<NonZero<u64>>,
    /// Decides every game.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

#[derive(Debug, Clone)]
pub struct SimulationRow {
    pub spec: SimulationSpec,
    pub summary: SimulationSummary,
    pub expected_pairs: Option<f64>,
    /// Wrong verdicts where one hypothesis is true, and the share asked for.
    pub error: Option<(Rate, f64)>,
    pub missed: Vec<Goal>,
}

/// A table of the rows, and the signal that ended it early.
pub struct Simulated {
    pub document: Document<'static>,
    pub rows: usize,
    pub stopped: Option<Signal>,
}

impl SimulationRow {
    pub fn new(spec: SimulationSpec, summary: SimulationSummary) -> Result<SimulationRow, PairModelError> {
        let simulation = spec.simulation()?;
        Ok(SimulationRow {
            spec,
            expected_pairs: simulation.expected_pairs(),
            error: simulation.error(&summary),
            missed: missed(&simulation, &summary),
            summary,
        })
    }

    pub fn pairs_ratio(&self) -> Option<f64> {
        let mean = self.summary.pairs().map(|(mean, _)| mean);
        mean.zip(self.expected_pairs).map(|(mean, theory)| mean / theory)
    }
}

impl SimulationGrid {
    pub fn specs(&self) -> Result<Vec<SimulationSpec>> {
        let pool = self.from.as_deref().map(pairs_of).transpose()?;
        limit("--matches", Some(self.matches), MATCHES_LIMIT)?;
        limit("--pairs", Some(self.pairs), PAIRS_LIMIT)?;
        limit("--fixed", self.fixed, PAIRS_LIMIT)?;
        finite("--elo", &self.elo)?;
        finite("--bias", &self.bias)?;
        finite("--opening-sd", &[self.opening_sd])?;
        if self.opening_sd < 0.0 {
            return Err(input("--opening-sd must not be below 0"));
        }
        limit("--repeat", self.repeat, PAIRS_LIMIT)?;
        if let Some(pool) = pool {
            return self.of_pool(&pool);
        }
        let mut specs = Vec::new();
        for fixed in std::iter::once(None).chain(self.fixed.map(Some)) {
            for text in &self.sprt {
                self.push_test(&mut specs, &parse_sprt(text).map_err(input)?, fixed)?;
            }
        }
        for (index, spec) in specs.iter().enumerate() {
            if specs[..index].contains(spec) {
                let message = "two rows are the same: give every value of --elo, --sprt and --draws once";
                return Err(input(message));
            }
        }
        Ok(specs)
    }

    /// The pairs as they are, and with the players exchanged in half of the openings.
    fn of_pool(&self, pool: &PairPool) -> Result<Vec<SimulationSpec>> {
        if !self.elo.is_empty() || self.opening_sd != 0.0 {
            return Err(input(
                "--from resamples pairs that have a strength and openings of their own: leave --elo and --opening-sd out",
            ));
        }
        let plain = SimulationGrid {
            elo: vec![0.0],
            from: None,
            draws: self.draws.iter().copied().take(1).collect(),
            bias: self.bias.iter().copied().take(1).collect(),
            ..self.clone()
        };
        let mut specs = Vec::new();
        for spec in plain.specs()? {
            for is_mirrored in [true, false] {
                let pool = PairPool {
                    is_mirrored,
                    ..pool.clone()
                };
                let mut of_pool = spec.clone();
                (of_pool.draw_ratio, of_pool.opening_bias) = (0.0, 0.0);
                of_pool.openings.pool = Some(Arc::new(pool));
                let truth = of_pool.simulation().map_err(input)?;
                of_pool.elo = truth.elo(spec.model);
                specs.push(of_pool);
            }
        }
        Ok(specs)
    }

    fn push_test(
        &self,
        specs: &mut Vec<SimulationSpec>,
        sprt: &Sprt,
        fixed: Option<NonZero<u64>>,
    ) -> Result<()> {
        let rule = StopRule::new(
            fixed.is_none().then_some(*sprt),
            fixed.unwrap_or(self.pairs).get(),
        );
        let openings = Openings {
            sd: self.opening_sd,
            repeated: self.repeat.map(NonZero::get),
            pool: None,
        };
        for (draw_ratio, opening_bias) in self.mixes()? {
            for elo in self.truths(sprt) {
                let spec = SimulationSpec {
                    elo,
                    model: sprt.model(),
                    draw_ratio,
                    opening_bias,
                    openings: openings.clone(),
                    rule,
                    matches: self.matches.get(),
                    seed: self.seed,
                };
                spec.simulation().map_err(|error| {
                    let options = format!("--elo {elo}, --draws {draw_ratio}, --bias {opening_bias}");
                    input(format!("{options}: {error}"))
                })?;
                // Tests of one model have the matches without a test in common.
                if fixed.is_none() || !specs.contains(&spec) {
                    specs.push(spec);
                }
            }
        }
        Ok(())
    }

    fn truths(&self, sprt: &Sprt) -> Vec<f64> {
        if self.elo.is_empty() {
            vec![sprt.elo0(), 0.5 * (sprt.elo0() + sprt.elo1()), sprt.elo1()]
        } else {
            self.elo.clone()
        }
    }

    fn mixes(&self) -> Result<Vec<(f64, f64)>> {
        let biases = match &self.bias[..] {
            [bias] => vec![*bias; self.draws.len()],
            biases if biases.len() == self.draws.len() => biases.to_vec(),
            biases => {
                let (biases, draws) = (biases.len(), self.draws.len());
                return Err(input(format!(
                    "--bias has {biases} values, but must have 1 or as many as --draws: {draws}"
                )));
            }
        };
        Ok(self.draws.iter().copied().zip(biases).collect())
    }
}

fn pairs_of(folder: &Path) -> Result<PairPool> {
    let run = Run::open(folder)?;
    let origin = folder.display().to_string();
    if run.manifest.kind != match_::KIND.name {
        return Err(input(format!(
            "--from '{origin}': it holds no match, but a {}",
            run.manifest.kind
        )));
    }
    let mut openings: BTreeMap<u32, Vec<PairResult>> = BTreeMap::new();
    let mut is_paired = true;
    run.ledger.for_each_outcome(|pair| {
        is_paired &= pair.games.iter().all(GameOutcome::is_played);
        openings
            .entry(pair.opening_line)
            .or_default()
            .push(result_of(&pair));
    })?;
    if openings.is_empty() {
        return Err(input(format!("--from '{origin}': no pair is finished")));
    }
    if !is_paired {
        return Err(input(format!(
            "--from '{origin}': it holds single games, not pairs"
        )));
    }
    let mut scores = openings.values().flatten().map(|pair| pair.category());
    let first = scores.next();
    if scores.all(|score| Some(score) == first) {
        return Err(input(format!(
            "--from '{origin}': all pairs have the same score, which tells no strength; choose a longer or closer match"
        )));
    }
    Ok(PairPool {
        origin,
        openings: openings.into_values().collect(),
        is_mirrored: false,
    })
}

/// Simulates the rows of `specs` that are not in `finished`, which has a place for each, and writes them to `out`. `tell` gets the number of
/// the row and of all, the matches simulated now and in all, and the seconds that the row took once it is finished.
pub fn simulate(
    specs: &[SimulationSpec],
    mut finished: Vec<Option<SimulationSummary>>,
    concurrency: Option<NonZero<usize>>,
    out: Option<&Path>,
    tell: &(dyn Fn([usize; 2], [u64; 2], Option<f64>) + Sync),
) -> Result<Simulated> {
    let options = RunOptions {
        concurrency,
        ..RunOptions::default()
    };
    let executor = options.executor()?;
    let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let left = specs.iter().zip(&finished).filter(|(_, done)| done.is_none());
    let (done, of) = (AtomicU64::new(0), left.map(|(spec, _)| spec.matches).sum());
    for (index, spec) in specs.iter().enumerate() {
        if finished[index].is_some() {
            continue;
        }
        let tell = |more: u64, seconds: Option<f64>| {
            let matches = [done.fetch_add(more, Ordering::Relaxed) + more, of];
            tell([index + 1, specs.len()], matches, seconds);
        };
        tell(0, None);
        let start = Instant::now();
        let simulation = spec.simulation().map_err(input)?;
        let summary = executor.simulate(&simulation, spec.matches, &interrupt, &|more| tell(more, None));
        let Some(summary) = summary else { break };
        finished[index] = Some(summary);
        tell(0, Some(start.elapsed().as_secs_f64()));
        if let Some(path) = out {
            let csv = table::columns().csv(rows(specs, &finished)?);
            write_atomically(path, |output| output.write_all(&csv?))?;
        }
    }
    let rows = rows(specs, &finished)?;
    Ok(Simulated {
        document: table::document(&rows),
        rows: rows.len(),
        stopped: interrupt.signal().filter(|_| rows.len() < specs.len()),
    })
}

fn rows(specs: &[SimulationSpec], finished: &[Option<SimulationSummary>]) -> Result<Vec<SimulationRow>> {
    let both = specs.iter().zip(finished);
    let done = both.filter_map(|(spec, summary)| Some((spec.clone(), (*summary)?)));
    done.map(|(spec, summary)| SimulationRow::new(spec, summary).map_err(input))
        .collect()
}

fn limit(option: &str, value: Option<NonZero<u64>>, most: u64) -> Result<()> {
    match value.filter(|value| value.get() > most) {
        None => Ok(()),
        Some(value) => Err(input(format!("{option} is {value}, but must be {most} at most"))),
    }
}

fn finite(option: &str, values: &[f64]) -> Result<()> {
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(value) => Err(input(format!("{option} {value} is not a finite number"))),
    }
}

fn input(message: impl ToString) -> ExperimentError {
    ExperimentError::Input(message.to_string())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(super) fn grid(more: &str) -> SimulationGrid {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            grid: SimulationGrid,
        }
        let line = format!("simulate --sprt 0,80 --draws 0.1 --bias 50 --matches 20 --pairs 1000 {more}");
        <Line as clap::Parser>::parse_from(line.split_whitespace()).grid
    }

    pub(super) fn row(spec: SimulationSpec) -> SimulationRow {
        let summary = spec.simulation().unwrap().run(0..spec.matches);
        SimulationRow::new(spec, summary).unwrap()
    }

    #[test]
    fn a_grid_has_a_row_for_every_combination_and_the_fixed_lengths_last() {
        let elo: Vec<f64> = grid("").specs().unwrap().iter().map(|spec| spec.elo).collect();
        assert_eq!(elo, [0.0, 40.0, 80.0]);
        let mut grid = grid("--fixed 30");
        grid.draws.push(0.5);
        let specs = grid.specs().unwrap();
        assert_eq!(specs.len(), 12);
        assert_eq!((specs[5].draw_ratio, specs[5].rule.pairs_max), (0.5, 1000));
        assert_eq!((specs[6].rule.sprt, specs[6].rule.pairs_max), (None, 30));
    }
}
