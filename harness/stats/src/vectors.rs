//! Every row of the shared test vectors, replayed against this crate.

use super::*;
use crate::brownian::Brownian;
use crate::elo::elo_of_score;
use std::collections::HashMap;

#[derive(Debug)]
struct CsvRow(HashMap<String, String>);

impl CsvRow {
    fn all(name: &str) -> Vec<CsvRow> {
        let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
        let mut reader = csv::Reader::from_path(path).unwrap();
        reader.deserialize().map(|row| CsvRow(row.unwrap())).collect()
    }

    fn text(&self, column: &str) -> &str {
        self.0.get(column).unwrap_or_else(|| panic!("no column {column}"))
    }

    fn number(&self, column: &str) -> f64 {
        let cell = self.text(column);
        cell.parse()
            .unwrap_or_else(|_| panic!("{column} is `{cell}` in {self:?}"))
    }

    fn counts(&self) -> [u64; 5] {
        ["c0", "c1", "c2", "c3", "c4"].map(|column| self.text(column).parse().unwrap_or(0))
    }

    fn sample(&self) -> Sample {
        match (self.text("n_out"), self.counts()) {
            ("5", counts) => Sample::pairs(counts),
            (_, [losses, draws, wins, ..]) => Sample::games(losses, draws, wins),
        }
    }

    /// BayesElo is deliberately not offered as a stopping rule, but its rows also state their hypotheses as logistic Elo
    /// (through the draw ratio seen), which is the same test; they are replayed there.
    fn sprt(&self, hypotheses: [&str; 2]) -> Sprt {
        let (model, hypotheses) = match self.text("model") {
            "Normalized" | "normalized" => (EloModel::Normalized, hypotheses),
            "Logistic" | "logistic" => (EloModel::Logistic, hypotheses),
            "BayesElo" => (EloModel::Logistic, ["elo0_logistic", "elo1_logistic"]),
            other => panic!("no model {other}"),
        };
        let [elo0, elo1] = hypotheses.map(|column| self.number(column));
        Sprt::new(elo0, elo1, self.number("alpha"), self.number("beta"), model).unwrap()
    }

    /// Fails unless `ours` is the number of the column to within `relative` of it and `absolute`.
    #[track_caller]
    fn is(&self, column: &str, ours: f64, relative: f64, absolute: f64) {
        let theirs = self.number(column);
        let is_near = (ours - theirs).abs() <= relative * theirs.abs() + absolute;
        assert!(is_near, "{column}: {ours} not {theirs} in {self:?}");
    }
}

const HYPOTHESES: [&str; 2] = ["elo0", "elo1"];

#[test]
fn every_log_likelihood_ratio_is_reproduced() {
    let rows = CsvRow::all("sprt_vectors.csv");
    assert_eq!(rows.len(), 50);
    for row in rows {
        for column in ["err_llr", "err_approx", "err_sprt", "err_fixed"] {
            assert_eq!(row.text(column), "", "the vectors report no error of their own");
        }
        let sprt = row.sprt(HYPOTHESES);
        let (ours, bounds) = (llr(&row.sample(), &sprt), sprt.bounds());
        row.is("llr", ours, 1e-6, 0.0);
        row.is("lower", bounds.lower, 1e-12, 0.0);
        row.is("upper", bounds.upper, 1e-12, 0.0);
        let state = match ours {
            llr if llr <= bounds.lower => "rejected",
            llr if llr >= bounds.upper => "accepted",
            _ => "running",
        };
        assert_eq!(state, row.text("state_no_overshoot"), "{row:?}");
    }
}

#[test]
fn every_estimate_after_a_stop_is_reproduced() {
    for file in ["sprt_vectors.csv", "reference_vectors.csv"] {
        for row in CsvRow::all(file) {
            let (sample, sprt) = (row.sample(), row.sprt(HYPOTHESES));
            let level = Level::two_sided(1.0 - row.number("p"));
            row.is("llr", llr(&sample, &sprt), 1e-6, 0.0);
            let Some(estimate) = stopped_estimate(&sample, &sprt, None, level) else {
                // Without a single result the vectors describe the placeholder counts alone.
                assert_eq!((sample.count(), row.number("sprt_los")), (0, 0.5));
                continue;
            };
            row.is("sprt_los", estimate.los, 0.0, 1e-4);
            let Estimate { value, low, high } = estimate.elo;
            for (ours, column) in [(value, "sprt_elo"), (low, "sprt_ci_lo"), (high, "sprt_ci_hi")] {
                match ours {
                    Some(ours) => row.is(column, ours, 1e-4, 1e-4),
                    // The vectors write a bound beyond ±1000 Elo as ±1000.
                    None => assert!(row.number(column).abs() >= 999.9, "{column} {row:?}"),
                }
            }
        }
    }
}

/// Rows of too few or nearly equal scores are skipped: there the vectors show a normal approximation that this crate refuses to give.
#[test]
fn every_estimate_of_a_fixed_number_of_games_is_reproduced() {
    let mut compared = 0;
    for row in CsvRow::all("sprt_vectors.csv") {
        let sample = row.sample();
        row.is("score", sample.mean(), 1e-9, 0.0);
        row.is("var_per_game", sample.sigma_game().powi(2), 1e-9, 0.0);
        if elo::is_degenerate(&sample) {
            continue;
        }
        let estimate = elo::elo(&sample, Level::two_sided(0.95));
        compared += 1;
        let nelo = elo::nelo(&sample, estimate);
        row.is("nelo", nelo.value.unwrap(), 1e-6, 1e-6);
        row.is("fixed_elo", estimate.value.unwrap(), 0.0, 1e-6);
        let half = 0.5 * (estimate.high.unwrap() - estimate.low.unwrap());
        row.is("fixed_elo95", half, 1e-6, 0.0);
        row.is("fixed_los", elo::los(&sample).unwrap(), 0.0, 1e-9);
    }
    assert!(compared >= 30, "{compared}");
}

#[test]
fn every_row_of_the_calculator_is_reproduced() {
    let rows = CsvRow::all("sprt_calc_vectors.csv");
    assert_eq!(rows.len(), 30);
    for row in rows {
        let sprt = row.sprt(["elo_input0", "elo_input1"]);
        let calculator = Calculator::new(&sprt, row.number("draw_ratio"), row.number("rms_bias")).unwrap();
        let variance = row.number("variance");
        let (s0, s1) = sprt.scores(variance.sqrt());
        row.is("elo0_logistic", elo_of_score(s0).unwrap(), 0.0, 1e-9);
        row.is("elo1_logistic", elo_of_score(s1).unwrap(), 0.0, 1e-9);
        row.is("w2", (s1 - s0) * (s1 - s0) / variance, 1e-9, 0.0);
        let forecast = calculator
            .forecast_logistic(row.number("elo_true_logistic"))
            .unwrap();
        row.is("pass_prob", forecast.pass_probability, 1e-6, 0.0);
        // Between the hypotheses h is about 1e-6 and the vectors' own difference of equal numbers leaves 1e-6.
        row.is("expected_games", forecast.games, 1e-5, 0.0);
    }
}

#[test]
fn every_crossing_probability_is_reproduced() {
    for row in CsvRow::all("brownian_vectors.csv") {
        let motion = Brownian {
            lower: row.number("a"),
            upper: row.number("b"),
            drift: row.number("mu"),
            variance: row.number("sigma").powi(2),
        };
        let ours = motion.worse_outcome(row.number("T"), row.number("y"));
        row.is("outcome_cdf", ours, 0.0, 1e-7);
    }
}

/// The generator behind the overshoot vectors: Knuth's MMIX constants, a uniform number from the whole state after each
/// step, compared with the cumulated probabilities. Found by matching the final counts of all eight rows.
fn draw(state: &mut u64, cumulated: &[f64]) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    let uniform = (*state >> 11) as f64 / (1u64 << 53) as f64;
    let place = cumulated.iter().position(|&limit| uniform < limit);
    place.unwrap_or(cumulated.len() - 1)
}

#[test]
fn every_walk_with_overshoot_stops_where_the_vectors_say() {
    for row in CsvRow::all("sprt_overshoot_vectors.csv") {
        let sprt = row.sprt(HYPOTHESES);
        let cumulated = row.text("probs").split(' ').scan(0.0, |sum, p| {
            *sum += p.parse::<f64>().unwrap();
            Some(*sum)
        });
        let cumulated: Vec<f64> = cumulated.collect();
        let mut state = row.text("lcg_seed").parse().unwrap();
        let batch = row.number("batch_size") as u64;
        let (mut counts, mut overshoot, mut plain_crossing) = ([0; 5], Overshoot::default(), String::new());
        let (pairs, value, verdict) = loop {
            (0..batch).for_each(|_| counts[draw(&mut state, &cumulated)] += 1);
            let pairs: u64 = counts.iter().sum();
            let value = llr(&Sample::pairs(counts), &sprt);
            overshoot.feed(value);
            let plain = sprt.bounds();
            if plain_crossing.is_empty() && !(plain.lower < value && value < plain.upper) {
                plain_crossing = pairs.to_string();
            }
            let bounds = overshoot.corrected(plain, 1.0);
            if value < bounds.lower {
                break (pairs, value, "rejected");
            }
            if value > bounds.upper {
                break (pairs, value, "accepted");
            }
        };
        assert_eq!(
            (pairs.to_string().as_str(), verdict),
            (row.text("stop_pairs"), row.text("state"))
        );
        assert_eq!(
            (counts, plain_crossing.as_str()),
            (row.counts(), row.text("first_plain_crossing_pairs"))
        );
        row.is("llr", value, 1e-6, 0.0);
        row.is("o0", overshoot.lower(), 0.0, 1e-6);
        row.is("o1", overshoot.upper(), 0.0, 1e-6);
    }
}
