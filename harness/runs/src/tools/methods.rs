//! The comparison of tuning methods on made-up landscapes.

use std::io::Write;
use std::path::Path;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::kinds::tune::optimizer::landscape::{Landscape, LandscapeShape, SHAPES};
use crate::kinds::tune::optimizer::{MethodName, Plan, Tuner};

use crate::document::Document;
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::file::write_atomically;
use crate::document::number::signed;
use crate::document::table::{Align, table, wrapped};
use crate::interrupt::Interrupt;
use crate::random::Random;
use crate::session::error::{ExperimentError, Result};
use crate::session::options::RunOptions;

const GAMES: [u64; 3] = [1_000, 10_000, 100_000];
const GAMES_MAX: u64 = 10_000_000;

/// Writes `methods.csv` to `out` after each comparison; `progress` gets how many are done, and of how many.
pub fn compare_methods(
    mut comparison: Comparison,
    options: &RunOptions,
    out: Option<&Path>,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Document<'static>> {
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
    let mut rows: Vec<MethodRow> = Vec::new();
    let of = kinds.len();
    for (done, &(shape, games)) in kinds.iter().enumerate() {
        if let Some(signal) = process.signal() {
            return Err(ExperimentError::Stopped(signal));
        }
        progress(done, of);
        rows.extend(executor.pool.install(|| comparison.rows(shape, games)));
        if let Some(path) = out {
            let csv = columns().csv(&rows);
            write_atomically(path, |output| output.write_all(&csv?))?;
        }
    }
    progress(of, of);
    Ok(Document::of_text(text(&rows), columns().array(&rows)))
}

const STREAM_GAMES: u64 = 0x7475_0004;

#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    pub games: Vec<u64>,
    pub seeds: u64,
    pub pairs_per_iteration: u64,
    pub lag: u64,
    pub seed: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MethodRow {
    pub shape: &'static LandscapeShape,
    pub method: MethodName,
    pub games: u64,
    pub elo: Vec<f64>,
    pub elo_half: Vec<f64>,
    /// What is reached with half the games, less what `spsa` reaches with all of them.
    half_less_spsa: Option<f64>,
}

impl MethodRow {
    /// Elo that this share of the tunings did not exceed.
    fn quantile(&self, share: f64) -> f64 {
        quantile(&self.elo, share)
    }

    fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    fn mean(&self) -> f64 {
        self.elo.iter().sum::<f64>() / self.elo.len().max(1) as f64
    }

    fn standard_error(&self) -> f64 {
        let (mean, count) = (self.mean(), self.elo.len() as f64);
        let squares = self.elo.iter().map(|elo| (elo - mean).powi(2)).sum::<f64>();
        (squares / ((count - 1.0).max(1.0) * count.max(1.0))).sqrt()
    }

    fn median_half(&self) -> f64 {
        quantile(&self.elo_half, 0.5)
    }
}

impl Comparison {
    fn kinds(&self) -> impl Iterator<Item = (&'static LandscapeShape, u64)> {
        SHAPES
            .iter()
            .flat_map(|shape| self.games.iter().map(move |&games| (shape, games)))
    }

    fn rows(&self, shape: &'static LandscapeShape, games: u64) -> Vec<MethodRow> {
        let row = |method: MethodName| MethodRow {
            shape,
            method,
            games,
            elo: self.elo(shape, method, games),
            elo_half: self.elo(shape, method, games / 2),
            half_less_spsa: None,
        };
        let methods = MethodName::ALL.into_iter();
        let methods = methods.filter(|method| method.takes(shape.parameters));
        let mut rows: Vec<MethodRow> = methods.map(row).collect();
        compare_with_spsa(&mut rows);
        rows
    }

    fn elo(&self, shape: &LandscapeShape, method: MethodName, games: u64) -> Vec<f64> {
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

/// The columns of `methods.csv`.
pub(crate) fn columns() -> Columns<'static, MethodRow> {
    let elo = |value| Cell::fixed(value, 2);
    columns! { row: MethodRow;
        "landscape", "name of the made-up landscape" => &row.shape.name;
        "parameters", "its number of parameters" => row.shape.parameters;
        "elo_max", "what there is to gain, in Elo" => row.shape.elo.to_string();
        "condition", "ratio of its greatest curvature to its least" => row.shape.condition.to_string();
        "rotated", "`true` if parameters interact" => row.shape.is_rotated.to_string();
        "integer", "`true` if parameters are whole numbers" => row.shape.is_integer.to_string();
        "draws", "share of drawn games" => row.shape.draw_ratio.to_string();
        "games", "games of each tuning" => row.games;
        "method", "how it was tuned" => row.method.name();
        "seeds", "tunings" => row.elo.len();
        "elo_median", "Elo that the median tuning reached" => elo(Some(row.median()));
        "elo_lower_quartile", "Elo that three of four tunings reached" => elo(Some(row.quantile(0.25)));
        "elo_median_half_games", "Elo that the median tuning of half as many games reached"
            => elo(Some(row.median_half()));
        "half_less_spsa", "the same, less what the method `spsa` reached with all games"
            => elo(row.half_less_spsa);
        "elo_upper_quartile", "Elo that one of four tunings reached" => elo(Some(row.quantile(0.75)));
        "elo_mean", "the mean Elo reached" => elo(Some(row.mean()));
        "elo_mean_se", "its standard error" => elo(Some(row.standard_error()));
    }
}

/// A line for each landscape and length, a column for each method; the last says what the default reaches with half the games
/// that the method `spsa` had.
fn text(rows: &[MethodRow]) -> String {
    let mut header = vec!["landscape".to_owned(), "games".to_owned()];
    header.extend(MethodName::ALL.map(|method| method.name().to_owned()));
    header.push("half".to_owned());
    let mut lines = vec![header];
    for group in rows.chunk_by(|one, other| one.shape == other.shape && one.games == other.games) {
        let Some(first) = group.first() else { continue };
        let mut line = vec![first.shape.name.to_owned(), first.games.to_string()];
        line.extend(MethodName::ALL.map(|method| {
            let row = group.iter().find(|row| row.method == method);
            signed(row.map(MethodRow::median), 1)
        }));
        let default = group.iter().find(|row| row.method == MethodName::DEFAULT);
        line.push(signed(default.and_then(|row| row.half_less_spsa), 1));
        lines.push(line);
    }
    let note = format!(
        "Median Elo reached; half: what {} reaches with half the games, less what spsa reaches with all of them.\n",
        MethodName::DEFAULT.name()
    );
    table(&lines, Align::Right) + &wrapped(&note)
}

/// `rows` are of one landscape and length.
fn compare_with_spsa(rows: &mut [MethodRow]) {
    let spsa = rows.iter().find(|row| row.method == MethodName::Spsa);
    let spsa = spsa.map(MethodRow::median);
    for row in rows {
        row.half_less_spsa = spsa.map(|spsa| row.median_half() - spsa);
    }
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
        let nothing_is_done = &mut |_, _| unreachable!();
        let refused = compare_methods(comparison, &RunOptions::default(), None, nothing_is_done);
        let message = refused.err().unwrap().to_string();
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
        for row in SMALL.rows(&SHAPES[2], 8_000) {
            assert!(row.median() > 5.0, "{row:?}");
            assert!(row.median() > row.median_half(), "{row:?}");
            assert!(row.quantile(0.25) <= row.median());
        }
    }

    #[test]
    fn the_same_seeds_give_the_same_rows() {
        assert_eq!(SMALL.rows(&SHAPES[7], 400), SMALL.rows(&SHAPES[7], 400));
    }

    #[test]
    fn the_table_compares_half_the_games_with_spsa() {
        let row = |method, elo: f64| MethodRow {
            shape: &SHAPES[2],
            method,
            games: 1000,
            elo: vec![elo],
            elo_half: vec![elo / 2.0],
            half_less_spsa: None,
        };
        let mut rows = MethodName::ALL
            .map(|method| row(method, if method == MethodName::DEFAULT { 24.0 } else { 10.0 }));
        compare_with_spsa(&mut rows);
        let shown = text(&rows);
        assert!(
            shown.contains("+10.0") && shown.contains("+24.0") && shown.contains("+2.0"),
            "{shown}"
        );
        let csv = String::from_utf8(columns().csv(&rows).unwrap()).unwrap();
        assert!(
            csv.contains("10,10,30,3,false,false,0.02,1000,bayes,1,24.00,24.00,12.00,2.00,24.00,24.00,0.00"),
            "{csv}"
        );
    }
}
