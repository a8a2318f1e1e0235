//! Every row of the shared test vectors, replayed against this crate.

use super::*;
use crate::brownian::Brownian;
use crate::elo::{elo_of_score, score_of_elo};
use std::collections::HashMap;

type Row = HashMap<String, String>;

fn rows(name: &str) -> Vec<Row> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

fn text<'a>(row: &'a Row, column: &str) -> &'a str {
    row.get(column).unwrap_or_else(|| panic!("no column {column}"))
}

fn number(row: &Row, column: &str) -> f64 {
    let cell = text(row, column);
    cell.parse()
        .unwrap_or_else(|_| panic!("{column} is `{cell}` in {row:?}"))
}

fn count(row: &Row, column: &str) -> u64 {
    text(row, column).parse().unwrap()
}

fn model(row: &Row) -> EloModel {
    match text(row, "model") {
        "Normalized" | "normalized" => EloModel::Normalized,
        "Logistic" | "logistic" => EloModel::Logistic,
        other => panic!("no model {other}"),
    }
}

fn close(ours: f64, theirs: f64, tolerance: f64) -> bool {
    (ours - theirs).abs() <= tolerance * theirs.abs()
}

/// The vectors write a bound beyond ±1000 Elo as ±1000; here it is absent.
fn close_or_open(ours: Option<f64>, theirs: f64) -> bool {
    match ours {
        Some(ours) => (ours - theirs).abs() <= 1e-4 * theirs.abs().max(1.0),
        None => theirs.abs() >= 999.9,
    }
}

/// BayesElo is deliberately not offered as a stopping rule, but its rows also state their hypotheses as logistic Elo
/// (through the draw ratio seen), which is the same test; they are replayed there.
fn sprt_of(row: &Row) -> Sprt {
    let (alpha, beta) = (number(row, "alpha"), number(row, "beta"));
    if text(row, "model") == "BayesElo" {
        let (elo0, elo1) = (number(row, "elo0_logistic"), number(row, "elo1_logistic"));
        return Sprt::new(elo0, elo1, alpha, beta, EloModel::Logistic).unwrap();
    }
    Sprt::new(number(row, "elo0"), number(row, "elo1"), alpha, beta, model(row)).unwrap()
}

fn sample_of(row: &Row) -> Sample {
    match text(row, "n_out") {
        "5" => Sample::pairs(["c0", "c1", "c2", "c3", "c4"].map(|column| count(row, column))),
        _ => Sample::games(count(row, "c0"), count(row, "c1"), count(row, "c2")),
    }
}

#[test]
fn no_row_of_the_sprt_vectors_reports_an_error_of_its_own() {
    for row in rows("sprt_vectors.csv") {
        for column in ["err_llr", "err_approx", "err_sprt", "err_fixed"] {
            assert_eq!(text(&row, column), "", "{}", text(&row, "id"));
        }
    }
}

#[test]
fn every_log_likelihood_ratio_is_reproduced() {
    let rows = rows("sprt_vectors.csv");
    assert_eq!(rows.len(), 50);
    for row in rows {
        let (sample, sprt) = (sample_of(&row), sprt_of(&row));
        let ours = llr(&sample, &sprt);
        assert!(
            close(ours, number(&row, "llr"), 1e-6),
            "{}: {ours} not {}",
            text(&row, "id"),
            text(&row, "llr")
        );
        let bounds = sprt.bounds();
        assert!(close(bounds.lower, number(&row, "lower"), 1e-12));
        assert!(close(bounds.upper, number(&row, "upper"), 1e-12));
        let state = match ours {
            llr if llr <= bounds.lower => "rejected",
            llr if llr >= bounds.upper => "accepted",
            _ => "running",
        };
        assert_eq!(state, text(&row, "state_no_overshoot"), "{}", text(&row, "id"));
    }
}

#[test]
fn every_estimate_after_a_stop_is_reproduced() {
    for row in rows("sprt_vectors.csv") {
        let (sample, sprt) = (sample_of(&row), sprt_of(&row));
        let confidence = 1.0 - number(&row, "p");
        let Some(estimate) = stopped_estimate(&sample, &sprt, confidence) else {
            // Without a single result the vectors describe the placeholder counts alone.
            assert_eq!(sample.count(), 0);
            assert!(number(&row, "sprt_los") == 0.5);
            continue;
        };
        let elo = estimate.elo;
        for (ours, column) in [
            (elo.value, "sprt_elo"),
            (elo.low, "sprt_ci_lo"),
            (elo.high, "sprt_ci_hi"),
        ] {
            let theirs = number(&row, column);
            assert!(
                close_or_open(ours, theirs),
                "{} {column}: {ours:?} not {theirs}",
                text(&row, "id")
            );
        }
        let theirs = number(&row, "sprt_los");
        assert!(
            (estimate.los - theirs).abs() <= 1e-4,
            "{}: {} not {theirs}",
            text(&row, "id"),
            estimate.los
        );
    }
}

/// Rows below the smallest sample, and rows whose samples all scored the same, are skipped: there the vectors show an
/// estimate that this crate refuses to give.
#[test]
fn every_estimate_of_a_fixed_number_of_games_is_reproduced() {
    let mut compared = 0;
    for row in rows("sprt_vectors.csv") {
        let sample = sample_of(&row);
        assert!(close(sample.mean(), number(&row, "score"), 1e-9));
        let per_game = sample.sigma_game() * sample.sigma_game();
        assert!(close(per_game, number(&row, "var_per_game"), 1e-9));
        let Some(estimate) = elo::elo(&sample, 0.95) else {
            assert!(!elo::is_enough(&sample));
            continue;
        };
        if sample.constant_score().is_some() {
            continue;
        }
        compared += 1;
        let id = text(&row, "id");
        let nelo = elo::nelo(&sample, 0.95).unwrap().value.unwrap();
        assert!(
            (nelo - number(&row, "nelo")).abs() < 1e-6 * nelo.abs().max(1.0),
            "{id}: {nelo}"
        );
        assert!(
            (estimate.value.unwrap() - number(&row, "fixed_elo")).abs() < 1e-6,
            "{id}"
        );
        let half = 0.5 * (estimate.high.unwrap() - estimate.low.unwrap());
        assert!(close(half, number(&row, "fixed_elo95"), 1e-6), "{id}: {half}");
        assert!(
            (elo::los(&sample).unwrap() - number(&row, "fixed_los")).abs() < 1e-9,
            "{id}"
        );
    }
    assert!(compared >= 30, "{compared}");
}

#[test]
fn every_row_of_the_calculator_is_reproduced() {
    let rows = rows("sprt_calc_vectors.csv");
    assert_eq!(rows.len(), 30);
    for row in rows {
        let sprt = Sprt::new(
            number(&row, "elo_input0"),
            number(&row, "elo_input1"),
            number(&row, "alpha"),
            number(&row, "beta"),
            model(&row),
        )
        .unwrap();
        let calculator =
            Calculator::new(&sprt, number(&row, "draw_ratio"), number(&row, "rms_bias")).unwrap();
        let (s0, s1) = sprt.scores(number(&row, "variance").sqrt());
        for (score, column) in [(s0, "elo0_logistic"), (s1, "elo1_logistic")] {
            assert!((elo_of_score(score).unwrap() - number(&row, column)).abs() < 1e-9);
        }
        let w2 = (s1 - s0) * (s1 - s0) / number(&row, "variance");
        assert!(close(w2, number(&row, "w2"), 1e-9));
        let forecast = calculator
            .forecast_logistic(number(&row, "elo_true_logistic"))
            .unwrap();
        assert!(
            close(forecast.pass_probability, number(&row, "pass_prob"), 1e-6),
            "{forecast:?} {row:?}"
        );
        // Between the hypotheses h is about 1e-6 and the vectors' own difference of equal numbers leaves 1e-6.
        assert!(
            close(forecast.games, number(&row, "expected_games"), 1e-5),
            "{forecast:?} {row:?}"
        );
    }
}

#[test]
fn every_crossing_probability_is_reproduced() {
    for row in rows("brownian_vectors.csv") {
        let motion = Brownian {
            lower: number(&row, "a"),
            upper: number(&row, "b"),
            drift: number(&row, "mu"),
            variance: number(&row, "sigma").powi(2),
        };
        let ours = motion.worse_outcome(number(&row, "T"), number(&row, "y"));
        assert!(
            (ours - number(&row, "outcome_cdf")).abs() < 1e-7,
            "{ours} {row:?}"
        );
    }
}

/// The generator behind the overshoot vectors: Knuth's MMIX constants, a uniform number from the whole state after each
/// step, compared with the cumulated probabilities. Found by matching the final counts of all eight rows.
struct Lcg {
    state: u64,
    cumulated: Vec<f64>,
}

impl Lcg {
    fn draw(&mut self) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let uniform = (self.state >> 11) as f64 / (1u64 << 53) as f64;
        self.cumulated
            .iter()
            .position(|&limit| uniform < limit)
            .unwrap_or(self.cumulated.len() - 1)
    }
}

#[test]
fn every_walk_with_overshoot_stops_where_the_vectors_say() {
    for row in rows("sprt_overshoot_vectors.csv") {
        let sprt = Sprt::new(
            number(&row, "elo0"),
            number(&row, "elo1"),
            0.05,
            0.05,
            model(&row),
        )
        .unwrap();
        let cumulated = text(&row, "probs").split(' ').scan(0.0, |sum, p| {
            *sum += p.parse::<f64>().unwrap();
            Some(*sum)
        });
        let mut lcg = Lcg {
            state: count(&row, "lcg_seed"),
            cumulated: cumulated.collect(),
        };
        let (batch, mut counts, mut overshoot) = (count(&row, "batch_size"), [0u64; 5], Overshoot::default());
        let mut plain_crossing = None;
        let (pairs, value, state) = loop {
            for _ in 0..batch {
                counts[lcg.draw()] += 1;
            }
            let pairs: u64 = counts.iter().sum();
            let value = llr(&Sample::pairs(counts), &sprt);
            overshoot.feed(value);
            if value <= sprt.bounds().lower || value >= sprt.bounds().upper {
                plain_crossing.get_or_insert(pairs);
            }
            let bounds = overshoot.corrected(sprt.bounds(), 1.0);
            if value < bounds.lower {
                break (pairs, value, "rejected");
            }
            if value > bounds.upper {
                break (pairs, value, "accepted");
            }
        };
        assert_eq!((pairs, state), (count(&row, "stop_pairs"), text(&row, "state")));
        assert_eq!(
            counts,
            ["c0", "c1", "c2", "c3", "c4"].map(|column| count(&row, column))
        );
        assert!(close(value, number(&row, "llr"), 1e-6));
        assert!((overshoot.lower() - number(&row, "o0")).abs() < 1e-6);
        assert!((overshoot.upper() - number(&row, "o1")).abs() < 1e-6);
        let expected = text(&row, "first_plain_crossing_pairs");
        assert_eq!(
            plain_crossing.map(|pairs| pairs.to_string()).unwrap_or_default(),
            expected
        );
    }
}

#[test]
fn the_table_of_reference_values_is_reproduced() {
    let table = [
        (
            [10789, 19328, 33806, 19402, 10543],
            EloModel::Logistic,
            -3.0,
            1.0,
            2.1310678118,
            [-0.99254, -3.48849, 1.48859],
            0.188035,
        ),
        (
            [39, 2226, 31451, 2412, 40],
            EloModel::Normalized,
            0.764,
            3.439,
            2.1629408696,
            [0.86516, 0.16827, 1.54058],
            0.991999,
        ),
        (
            [379, 10170, 21828, 10640, 343],
            EloModel::Normalized,
            0.0,
            2.0,
            2.9454954309,
            [1.42111, 0.14605, 2.66426],
            0.985302,
        ),
        (
            [0, 3, 10, 4, 1],
            EloModel::Logistic,
            0.0,
            5.0,
            0.1433279657,
            [28.99921, -32.46592, 92.35109],
            0.822516,
        ),
    ];
    for (counts, model, elo0, elo1, expected, [value, low, high], los) in table {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap();
        let sample = Sample::pairs(counts);
        assert!(close(llr(&sample, &sprt), expected, 1e-6));
        let estimate = stopped_estimate(&sample, &sprt, 0.95).unwrap();
        for (ours, theirs) in [
            (estimate.elo.value, value),
            (estimate.elo.low, low),
            (estimate.elo.high, high),
        ] {
            assert!((ours.unwrap() - theirs).abs() < 1e-4, "{estimate:?}");
        }
        assert!((estimate.los - los).abs() < 1e-5);
    }
}

#[test]
fn elo_and_score_are_inverse_over_the_useful_range() {
    for elo in (-2000..=2000).step_by(37).map(f64::from) {
        assert!((elo_of_score(score_of_elo(elo)).unwrap() - elo).abs() < 1e-6);
    }
}
