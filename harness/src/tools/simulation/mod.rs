//! Simulated matches of known strength: how often the stop rule and the estimators are right.

mod file;
pub(crate) mod table;

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::config::parse_elo_model;
use crate::document::Document;
use crate::document::file::write_atomically;
use crate::interrupt::{Interrupt, Signal};
use crate::kinds::match_;
use crate::match_state::result_of;
use crate::session::error::{ExperimentError, Result};
use crate::session::options::RunOptions;
use crate::session::stored::Run;
use crate::stats::{CONFIDENCE, PairModelError, PairResult, Sprt};
use crate::stop::simulate::{Goal, Openings, PairPool, Rate, SimulationSpec, Summary, missed};
use crate::stop::{FaultLimits, StopRule};

pub use file::read_simulations;

/// With these the sum of squared lengths fits into 64 bits.
const PAIRS_LIMIT: u64 = 1_000_000;
const MATCHES_LIMIT: u64 = 10_000_000;

#[derive(Debug, Clone, PartialEq)]
pub struct SimulationGrid {
    /// True strengths of A; H0, the middle and H1 if there are none.
    pub elo: Vec<f64>,
    pub models: Vec<String>,
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    pub draws: Vec<f64>,
    /// What openings are worth to the first mover in Elo: one value, or one for each share of draws.
    pub bias: Vec<f64>,
    pub matches: u64,
    pub pairs_max: u64,
    pub fixed: Option<u64>,
    pub seed: u64,
    pub openings: Openings,
}

#[derive(Debug, Clone)]
pub struct SimulationRow {
    pub spec: SimulationSpec,
    pub summary: Summary,
    pub expected_pairs: Option<f64>,
    /// Wrong verdicts where one hypothesis is true, and the share asked for.
    pub error: Option<(Rate, f64)>,
    pub missed: Vec<Goal>,
}

/// How far a simulation is.
#[derive(Debug, Clone, Copy)]
pub struct SimulationProgress {
    /// The number of the row, and of all.
    pub row: [usize; 2],
    /// Simulated now, and to be.
    pub matches: [u64; 2],
    /// What the row took, once it is finished.
    pub seconds: Option<f64>,
}

/// A table of the rows, and the signal that ended it early.
pub struct Simulated {
    pub document: Document<'static>,
    pub rows: usize,
    pub stopped: Option<Signal>,
}

impl SimulationRow {
    pub fn new(spec: SimulationSpec, summary: Summary) -> Result<SimulationRow, PairModelError> {
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
        limit("--matches", self.matches, MATCHES_LIMIT)?;
        limit("--pairs", self.pairs_max, PAIRS_LIMIT)?;
        limit("--fixed", self.fixed.unwrap_or(0), PAIRS_LIMIT)?;
        finite("--elo", &self.elo)?;
        finite("--bias", &self.bias)?;
        finite("--opening-sd", &[self.openings.sd])?;
        if self.openings.sd < 0.0 {
            return Err(input("--opening-sd must not be below 0"));
        }
        limit("--repeat", self.openings.repeated.unwrap_or(0), PAIRS_LIMIT)?;
        if let Some(pool) = &self.openings.pool {
            return self.of_pool(pool);
        }
        let mut specs = Vec::new();
        let lengths = std::iter::once(None).chain(self.fixed.map(Some));
        for fixed in lengths {
            for model in &self.models {
                self.push_model(&mut specs, model, fixed)?;
            }
        }
        for (index, spec) in specs.iter().enumerate() {
            if specs[..index].contains(spec) {
                let message = "two rows are the same: give every value of --elo, --model and --draws once";
                return Err(input(message));
            }
        }
        Ok(specs)
    }

    /// The pairs as they are, and with the players exchanged in half of the openings.
    fn of_pool(&self, pool: &Arc<PairPool>) -> Result<Vec<SimulationSpec>> {
        if !self.elo.is_empty() || self.openings.sd != 0.0 {
            return Err(input(
                "--from resamples pairs that have a strength and openings of their own: leave --elo and --opening-sd out",
            ));
        }
        let plain = SimulationGrid {
            elo: vec![0.0],
            openings: Openings {
                pool: None,
                ..self.openings.clone()
            },
            draws: self.draws.iter().copied().take(1).collect(),
            bias: self.bias.iter().copied().take(1).collect(),
            ..self.clone()
        };
        let mut specs = Vec::new();
        for spec in plain.specs()? {
            for is_mirrored in [true, false] {
                let pool = PairPool {
                    is_mirrored,
                    ..PairPool::clone(pool)
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

    fn push_model(&self, specs: &mut Vec<SimulationSpec>, model: &str, fixed: Option<u64>) -> Result<()> {
        let model = parse_elo_model(model).map_err(input)?;
        let sprt = Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, model).map_err(input)?;
        let rule = match fixed {
            Some(pairs_max) => StopRule {
                sprt: None,
                pairs_max,
                faults: FaultLimits::default(),
            },
            None => StopRule {
                sprt: Some(sprt),
                pairs_max: self.pairs_max,
                faults: FaultLimits::default(),
            },
        };
        for (draw_ratio, opening_bias) in self.mixes()? {
            for elo in self.truths() {
                let spec = SimulationSpec {
                    elo,
                    model,
                    draw_ratio,
                    opening_bias,
                    openings: self.openings.clone(),
                    rule,
                    confidence: CONFIDENCE,
                    matches: self.matches,
                    seed: self.seed,
                };
                spec.simulation().map_err(|error| {
                    let options = format!("--elo {elo}, --draws {draw_ratio}, --bias {opening_bias}");
                    input(format!("{options}: {error}"))
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

pub fn pairs_of(folder: &Path) -> Result<PairPool> {
    let run = Run::open(folder)?;
    let origin = folder.display().to_string();
    if run.manifest.kind != match_::KIND.name {
        return Err(input(format!(
            "--from '{origin}': it holds no match, but a {}",
            run.manifest.kind
        )));
    }
    let mut openings: BTreeMap<u32, Vec<PairResult>> = BTreeMap::new();
    run.ledger.for_each_outcome(|pair| {
        openings
            .entry(pair.opening_line)
            .or_default()
            .push(result_of(&pair));
    })?;
    if openings.is_empty() {
        return Err(input(format!("--from '{origin}': no pair is finished")));
    }
    Ok(PairPool {
        origin,
        openings: openings.into_values().collect(),
        is_mirrored: false,
    })
}

/// Simulates the rows of `specs` that are not in `finished`, which has a place for each, and writes them to `out`.
pub fn simulate(
    specs: &[SimulationSpec],
    finished: Vec<Option<Summary>>,
    concurrency: Option<NonZero<usize>>,
    out: Option<&Path>,
    tell: &(dyn Fn(SimulationProgress) + Sync),
) -> Result<Simulated> {
    let (rows, stopped) = simulated_rows(specs, finished, concurrency, out, tell)?;
    Ok(Simulated {
        document: table::document(&rows),
        rows: rows.len(),
        stopped,
    })
}

fn simulated_rows(
    specs: &[SimulationSpec],
    mut finished: Vec<Option<Summary>>,
    concurrency: Option<NonZero<usize>>,
    out: Option<&Path>,
    tell: &(dyn Fn(SimulationProgress) + Sync),
) -> Result<(Vec<SimulationRow>, Option<Signal>)> {
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
            tell(SimulationProgress {
                row: [index + 1, specs.len()],
                matches: [done.fetch_add(more, Ordering::Relaxed) + more, of],
                seconds,
            });
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
    let stopped = interrupt.signal().filter(|_| rows.len() < specs.len());
    Ok((rows, stopped))
}

fn rows(specs: &[SimulationSpec], finished: &[Option<Summary>]) -> Result<Vec<SimulationRow>> {
    let both = specs.iter().zip(finished);
    let done = both.filter_map(|(spec, summary)| Some((spec.clone(), (*summary)?)));
    done.map(|(spec, summary)| SimulationRow::new(spec, summary).map_err(input))
        .collect()
}

fn limit(option: &str, value: u64, most: u64) -> Result<()> {
    if value <= most {
        return Ok(());
    }
    Err(input(format!("{option} is {value}, but must be {most} at most")))
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
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn grid() -> SimulationGrid {
        SimulationGrid {
            elo: Vec::new(),
            models: vec!["normalized".to_owned()],
            elo0: 0.0,
            elo1: 80.0,
            alpha: 0.05,
            beta: 0.05,
            draws: vec![0.1],
            bias: vec![50.0],
            matches: 20,
            pairs_max: 1000,
            fixed: None,
            seed: 1,
            openings: Openings::default(),
        }
    }

    #[test]
    fn a_grid_has_a_row_for_every_combination_and_the_fixed_lengths_last() {
        let mut grid = grid();
        let elo = |specs: &[SimulationSpec]| specs.iter().map(|spec| spec.elo).collect::<Vec<_>>();
        assert_eq!(elo(&grid.specs().unwrap()), [0.0, 40.0, 80.0]);
        (grid.draws, grid.fixed) = (vec![0.1, 0.5], Some(30));
        let specs = grid.specs().unwrap();
        assert_eq!(specs.len(), 12);
        assert_eq!((specs[5].draw_ratio, specs[5].rule.pairs_max), (0.5, 1000));
        assert_eq!((specs[6].rule.sprt, specs[6].rule.pairs_max), (None, 30));
        grid.bias = vec![1.0, 2.0, 3.0];
        assert!(
            grid.specs()
                .unwrap_err()
                .to_string()
                .contains("as many as --draws")
        );
    }

    #[test]
    fn only_rows_that_are_not_finished_are_simulated() {
        let specs = grid().specs().unwrap();
        let [one, three] = [0, 2].map(|index: usize| specs[index].simulation().unwrap().run(0..20));
        let told = Mutex::new(Vec::new());
        let found = simulated_rows(
            &specs,
            vec![Some(one), None, Some(three)],
            NonZero::new(1),
            None,
            &|progress| {
                told.lock()
                    .unwrap()
                    .push((progress.row, progress.seconds.is_some()))
            },
        );
        let (rows, stopped) = found.unwrap();
        let told = told.into_inner().unwrap();
        assert!(
            told.iter().all(|(row, _)| *row == [2, 3]) && told.last().unwrap().1,
            "{told:?}"
        );
        assert!(stopped.is_none() && rows.len() == 3);
        assert_eq!(rows[1].summary, specs[1].simulation().unwrap().run(0..20));
    }
}
