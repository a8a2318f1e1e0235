//! The comparison of tuning methods on made-up landscapes.

use std::io::Write;
use std::path::Path;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::kinds::tune::optimizer::landscape::{Landscape, LandscapeShape};
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

const GAMES: [u64; 2] = [1_000, 20_000];
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
    let kinds: Vec<(LandscapeShape, u64)> = comparison.kinds().collect();
    let mut rows: Vec<MethodRow> = Vec::new();
    let of = kinds.len();
    for (done, (shape, games)) in kinds.iter().enumerate() {
        if let Some(signal) = process.signal() {
            return Err(ExperimentError::Stopped(signal));
        }
        progress(done, of);
        rows.extend(executor.pool.install(|| comparison.rows(shape, *games)));
        if let Some(path) = out {
            let csv = columns().csv(&rows);
            write_atomically(path, |output| output.write_all(&csv?))?;
        }
    }
    progress(of, of);
    Ok(Document::of_text(text(&rows), columns().array(&rows)))
}

const STREAM_GAMES: u64 = 0x7475_0004;

/// A method with its schedule; none knows what a width is worth or how much there is to gain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rival {
    method: MethodName,
    r_end: f64,
}

impl Rival {
    const fn spsa(r_end: f64) -> Rival {
        Rival {
            method: MethodName::Spsa,
            r_end,
        }
    }

    const ALL: [Rival; 4] = [
        Rival {
            method: MethodName::Newton,
            r_end: 0.002,
        },
        Rival::spsa(0.0005),
        Rival::spsa(0.002),
        Rival::spsa(0.008),
    ];

    fn name(&self) -> String {
        match self.method {
            MethodName::Newton => self.method.name().to_owned(),
            MethodName::Spsa => format!("{} {}", self.method.name(), self.r_end),
        }
    }
}

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
    shape: LandscapeShape,
    rival: Rival,
    games: u64,
    elo: Vec<f64>,
}

impl MethodRow {
    /// Elo that this share of the tunings did not exceed.
    fn quantile(&self, share: f64) -> f64 {
        let place = share * (self.elo.len() - 1) as f64;
        let (low, high) = (place.floor() as usize, place.ceil() as usize);
        self.elo[low] + (self.elo[high] - self.elo[low]) * place.fract()
    }

    fn mean(&self) -> f64 {
        self.elo.iter().sum::<f64>() / self.elo.len() as f64
    }

    fn standard_error(&self) -> f64 {
        let (mean, count) = (self.mean(), self.elo.len() as f64);
        let squares = self.elo.iter().map(|elo| (elo - mean).powi(2)).sum::<f64>();
        (squares / ((count - 1.0).max(1.0) * count)).sqrt()
    }
}

impl Comparison {
    fn kinds(&self) -> impl Iterator<Item = (LandscapeShape, u64)> {
        self.games
            .iter()
            .flat_map(|&games| LandscapeShape::all().map(move |shape| (shape, games)))
    }

    fn rows(&self, shape: &LandscapeShape, games: u64) -> Vec<MethodRow> {
        let row = |rival| MethodRow {
            shape: shape.clone(),
            rival,
            games,
            elo: self.elo(shape, rival, games),
        };
        Rival::ALL.map(row).into()
    }

    fn elo(&self, shape: &LandscapeShape, rival: Rival, games: u64) -> Vec<f64> {
        let one = |index: u64| {
            let plan = Plan {
                method: rival.method,
                iterations: (games / 2 / self.pairs_per_iteration).max(1),
                pairs_per_iteration: self.pairs_per_iteration,
                lag: self.lag,
                seed: self.seed + index,
            };
            tune(&Landscape::new(shape, plan.seed), rival.r_end, plan)
        };
        let mut elo: Vec<f64> = (0..self.seeds).into_par_iter().map(one).collect();
        elo.sort_by(f64::total_cmp);
        elo
    }
}

fn tune(landscape: &Landscape, r_end: f64, plan: Plan) -> f64 {
    let mut space = landscape.space().clone();
    for parameter in &mut space.parameters {
        parameter.r_end = r_end;
    }
    let mut tuner = Tuner::new(space, plan);
    while let Some(trial) = tuner.trial(tuner.applied) {
        let mut random = Random::new(plan.seed, &[STREAM_GAMES, trial.iteration]);
        let balance = landscape.play(trial, plan.pairs_per_iteration, &mut random);
        tuner.advance(balance);
    }
    landscape.gain(&tuner.tuned())
}

/// `methods.csv`
pub(crate) fn columns() -> Columns<'static, MethodRow> {
    let elo = |value| Cell::fixed(Some(value), 2);
    columns! { row: MethodRow;
        "ground", "how the loss grows: quadratic, rotated, saturating or plateau" => row.shape.ground.name();
        "parameters", "the number of parameters" => row.shape.parameters;
        "elo_per_c", "what a parameter loses on average by one `c_end`, in Elo" => row.shape.elo_per_width.to_string();
        "elo_max", "what there is to gain, in Elo" => row.shape.elo.to_string();
        "draws", "share of drawn games" => row.shape.draw_ratio.to_string();
        "games", "games of each tuning" => row.games;
        "method", "how it was tuned" => row.rival.method.name();
        "r_end", "its schedule; nothing to `newton`" => row.rival.r_end.to_string();
        "seeds", "tunings" => row.elo.len();
        "elo_mean", "the mean Elo reached" => elo(row.mean());
        "elo_mean_se", "its standard error" => elo(row.standard_error());
        "elo_lower_quartile", "Elo that three of four tunings reached" => elo(row.quantile(0.25));
        "elo_median", "Elo that the median tuning reached" => elo(row.quantile(0.5));
        "elo_upper_quartile", "Elo that one of four tunings reached" => elo(row.quantile(0.75));
    }
}

/// A line for each landscape and length, a column for each method; below what each reaches on average, by what there is to gain.
fn text(rows: &[MethodRow]) -> String {
    let name = ["ground", "numbers", "Elo a c", "draws", "games", "to gain"].map(str::to_owned);
    let header: Vec<String> = name
        .into_iter()
        .chain(Rival::ALL.map(|rival| rival.name()))
        .collect();
    let mut lines = vec![header.clone()];
    lines.extend(rows.chunks(Rival::ALL.len()).map(|group| {
        let MethodRow { shape, games, .. } = &group[0];
        let of = [
            shape.ground.name().to_owned(),
            shape.parameters.to_string(),
            shape.elo_per_width.to_string(),
            format!("{:.0} %", 100.0 * shape.draw_ratio),
            games.to_string(),
            shape.elo.to_string(),
        ];
        let means = group.iter().map(|row| signed(Some(row.mean()), 2));
        of.into_iter().chain(means).collect()
    }));
    let mut gains: Vec<f64> = rows.iter().map(|row| row.shape.elo).collect();
    gains.sort_by(f64::total_cmp);
    gains.dedup();
    let mut means = vec![header[5..].to_vec()];
    means.extend(gains.into_iter().map(|gain| {
        let of = |rival| {
            rows.iter()
                .filter(move |row| row.rival == rival && row.shape.elo == gain)
        };
        let mean = |rival| of(rival).map(MethodRow::mean).sum::<f64>() / of(rival).count() as f64;
        let means = Rival::ALL.map(|rival| signed(Some(mean(rival)), 2));
        [gain.to_string()].into_iter().chain(means).collect()
    }));
    let worst = Rival::ALL.map(|rival| {
        let rows = rows
            .iter()
            .filter(|row| row.rival == rival && row.shape.elo == 0.0);
        signed(rows.map(MethodRow::mean).min_by(f64::total_cmp), 2)
    });
    means.push(["worst of 0".to_owned()].into_iter().chain(worst).collect());
    let note = "Mean Elo reached; the schedule of spsa is its r_end. Below the means over all landscapes.\n";
    table(&lines, Align::Right) + &wrapped(note) + &table(&means, Align::Right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::tune::optimizer::landscape::Ground;

    const SMALL: Comparison = Comparison {
        games: Vec::new(),
        seeds: 20,
        pairs_per_iteration: 5,
        lag: 8,
        seed: 1,
    };

    fn shape(ground: Ground, parameters: usize, elo_per_width: f64, elo: f64) -> LandscapeShape {
        let is_wanted = |shape: &LandscapeShape| {
            (shape.ground, shape.parameters) == (ground, parameters)
                && shape.elo_per_width == elo_per_width
                && shape.elo == elo
        };
        LandscapeShape::all().find(is_wanted).unwrap()
    }

    fn means(shape: &LandscapeShape, games: u64) -> [f64; 2] {
        let rows = SMALL.rows(shape, games);
        [rows[0].mean(), rows[2].mean()]
    }

    /// Where what a width is worth is taken for granted, one of these fails.
    #[test]
    fn the_default_keeps_what_is_there_and_gains_what_a_width_is_worth() {
        for (ground, elo_per_width) in [
            (Ground::Quadratic, 0.1),
            (Ground::Rotated, 1.0),
            (Ground::Saturating, 10.0),
            (Ground::Plateau, 1.0),
        ] {
            let [newton, spsa] = means(&shape(ground, 20, elo_per_width, 0.0), 8_000);
            assert!(
                newton > -0.6 && newton > spsa - 0.5,
                "{ground:?}: {newton}, spsa {spsa}"
            );
            let [newton, spsa] = means(&shape(ground, 5, elo_per_width, 20.0), 20_000);
            assert!(
                newton > 8.0 && newton > spsa - 1.0,
                "{ground:?}: {newton}, spsa {spsa}"
            );
        }
    }

    #[test]
    fn the_same_seeds_give_the_same_rows_and_more_games_gain_more() {
        let shape = shape(Ground::Quadratic, 5, 1.0, 20.0);
        let rows = SMALL.rows(&shape, 400);
        assert_eq!(rows, SMALL.rows(&shape, 400));
        for (short, long) in rows.iter().zip(SMALL.rows(&shape, 4_000)) {
            assert!(long.mean() > short.mean(), "{long:?}");
            assert!(long.quantile(0.25) <= long.quantile(0.5));
        }
    }

    #[test]
    fn the_table_has_a_line_a_landscape_and_the_means() {
        let rows: Vec<MethodRow> = [0.0, 20.0]
            .into_iter()
            .flat_map(|elo| {
                Rival::ALL.map(|rival| MethodRow {
                    shape: shape(Ground::Quadratic, 20, 1.0, elo),
                    rival,
                    games: 1000,
                    elo: vec![elo - 1.0, elo + rival.r_end],
                })
            })
            .collect();
        let shown = text(&rows);
        for wanted in ["+19.50", "worst of 0", "spsa 0.008"] {
            assert!(shown.contains(wanted), "{shown}");
        }
        let csv = String::from_utf8(columns().csv(&rows).unwrap()).unwrap();
        assert!(csv.contains("quadratic,20,1,20,"), "{csv}");
    }
}
