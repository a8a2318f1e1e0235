use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::kinds::tune::optimizer::landscape::{Landscape, SHAPES, Shape};
use crate::kinds::tune::optimizer::{MethodName, Plan, Tuner};

use crate::document::file::FileError;
use crate::interrupt::Interrupt;
use crate::random::Random;
use crate::session::error::{ExperimentError, Result};
use crate::session::options::RunOptions;

const GAMES: [u64; 3] = [1_000, 10_000, 100_000];
const GAMES_MAX: u64 = 10_000_000;

#[derive(Debug, Clone, Copy)]
pub struct MethodsProgress<'a> {
    pub done: usize,
    pub of: usize,
    pub rows: &'a [Row],
}

pub fn compare_methods(
    mut comparison: Comparison,
    options: &RunOptions,
    audience: &mut dyn FnMut(MethodsProgress<'_>) -> Result<(), FileError>,
) -> Result<Vec<Row>> {
    if comparison.games.is_empty() {
        comparison.games = GAMES.to_vec();
    }
    let least = 4 * comparison.pairs_per_iteration;
    let is_wrong = |games: &&u64| !(least..=GAMES_MAX).contains(*games);
    if let Some(wrong) = comparison.games.iter().find(is_wrong) {
        let message = format!("--games is {wrong}, but must be from {least} to {GAMES_MAX} with --bench");
        return Err(ExperimentError::Input(message));
    }
    let executor = options.executor()?;
    let process = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let kinds: Vec<_> = comparison.kinds().collect();
    let mut rows: Vec<Row> = Vec::new();
    let of = kinds.len();
    for (done, &(shape, games)) in kinds.iter().enumerate() {
        if let Some(signal) = process.signal() {
            return Err(ExperimentError::Stopped(signal));
        }
        let made = MethodsProgress {
            done,
            of,
            rows: &rows,
        };
        audience(made)?;
        rows.extend(executor.pool().install(|| comparison.rows(shape, games)));
    }
    audience(MethodsProgress {
        done: of,
        of,
        rows: &rows,
    })?;
    Ok(rows)
}

const STREAM_GAMES: u64 = 0x7475_0004;

#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    pub games: Vec<u64>,
    pub seeds: u64,
    pub pairs_per_iteration: u64,
    pub lag: u64,
    /// The first seed.
    pub seed: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub shape: Shape,
    pub method: MethodName,
    pub games: u64,
    pub elo: Vec<f64>,
    pub elo_half: Vec<f64>,
}

impl Row {
    pub fn median(&self) -> f64 {
        quantile(&self.elo, 0.5)
    }

    pub fn lower_quartile(&self) -> f64 {
        quantile(&self.elo, 0.25)
    }

    pub fn upper_quartile(&self) -> f64 {
        quantile(&self.elo, 0.75)
    }

    pub fn mean(&self) -> f64 {
        self.elo.iter().sum::<f64>() / self.elo.len().max(1) as f64
    }

    pub fn standard_error(&self) -> f64 {
        let (mean, count) = (self.mean(), self.elo.len() as f64);
        let squares = self.elo.iter().map(|elo| (elo - mean).powi(2)).sum::<f64>();
        (squares / ((count - 1.0).max(1.0) * count.max(1.0))).sqrt()
    }

    pub fn median_half(&self) -> f64 {
        quantile(&self.elo_half, 0.5)
    }
}

impl Comparison {
    pub fn kinds(&self) -> impl Iterator<Item = (Shape, u64)> {
        SHAPES
            .iter()
            .flat_map(|&shape| self.games.iter().map(move |&games| (shape, games)))
    }

    pub fn rows(&self, shape: Shape, games: u64) -> Vec<Row> {
        let row = |method: MethodName| Row {
            shape,
            method,
            games,
            elo: self.elo(shape, method, games),
            elo_half: self.elo(shape, method, games / 2),
        };
        let methods = MethodName::ALL.into_iter();
        let methods = methods.filter(|method| method.takes(shape.parameters));
        methods.map(row).collect()
    }

    fn elo(&self, shape: Shape, method: MethodName, games: u64) -> Vec<f64> {
        let pairs = games / 2;
        let landscape = Landscape::new(shape, self.seed);
        let one = |index: u64| {
            let plan = Plan {
                method,
                iterations: (pairs / self.pairs_per_iteration).max(1),
                pairs_per_iteration: self.pairs_per_iteration,
                lag: self.lag,
                seed: self.seed + index,
            };
            tune(&landscape.with_seed(plan.seed), plan)
        };
        let mut elo: Vec<f64> = (0..self.seeds).into_par_iter().map(one).collect();
        elo.sort_by(f64::total_cmp);
        elo
    }
}

fn tune(landscape: &Landscape, plan: Plan) -> f64 {
    let mut tuner = Tuner::new(landscape.space().clone(), plan);
    while let Some(trial) = tuner.trial(tuner.applied) {
        let mut random = Random::new(plan.seed, &[STREAM_GAMES, trial.iteration]);
        let balance = landscape.play(trial, plan.pairs_per_iteration, &mut random);
        tuner.advance(balance);
    }
    landscape.gain(&tuner.tuned())
}

fn quantile(values: &[f64], share: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let place = share * (values.len() - 1) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    values[low] + (values[high] - values[low]) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_short_a_tuning_is_refused_before_any_is_made() {
        let comparison = Comparison {
            games: vec![100, 3],
            seeds: 1,
            pairs_per_iteration: 1,
            lag: 1,
            seed: 1,
        };
        let refused = compare_methods(comparison, &RunOptions::default(), &mut |_| {
            unreachable!("nothing is done")
        });
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("--games is 3, but must be from 4"), "{message}");
    }

    const SMALL: Comparison = Comparison {
        games: Vec::new(),
        seeds: 6,
        pairs_per_iteration: 1,
        lag: 8,
        seed: 1,
    };

    #[test]
    fn every_method_gains_and_more_games_gain_more() {
        for row in SMALL.rows(SHAPES[2], 8_000) {
            assert!(row.median() > 5.0, "{row:?}");
            assert!(row.median() > row.median_half(), "{row:?}");
            assert!(row.lower_quartile() <= row.median());
        }
    }

    #[test]
    fn the_same_seeds_give_the_same_rows() {
        assert_eq!(SMALL.rows(SHAPES[7], 400), SMALL.rows(SHAPES[7], 400));
    }
}
