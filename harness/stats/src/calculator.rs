//! What to expect of a sequential test before it is played: test, draw ratio and true Elo in, probability to pass and
//! expected length out. Wald's theory for a walk without overshoot; real tests with [`super::Overshoot`] come close.
//! Source: A. Wald, *Sequential Analysis* (1947); variance of a game within its pair as in fishtest's calculator.

use super::brownian::{Brownian, absorbed_below};
use super::elo::{NELO_SCALE, score_of_elo};
use super::normal;
use super::sample::Sample;
use super::sprt::{Bounds, EloModel, Sprt};
use std::f64::consts::PI;
use thiserror::Error;

/// A test together with the spread of one game, from which its course can be forecast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calculator {
    bounds: Bounds,
    score0: f64,
    score1: f64,
    variance: f64,
    model: EloModel,
}

/// The expected course of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Probability that H1 is accepted.
    pub pass_probability: f64,
    /// Expected number of games.
    pub games: f64,
}

impl Forecast {
    /// Expected number of pairs.
    pub fn pairs(&self) -> f64 {
        0.5 * self.games
    }
}

/// Why a test cannot be forecast.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum CalculatorError {
    /// A draw ratio outside `[0, 1)`.
    #[error("draw ratio {0} must be at least 0 and less than 1")]
    DrawRatio(f64),
    /// At this draw ratio openings of this bias decide every game.
    #[error("an opening bias of {1} elo leaves no variance at draw ratio {0}; lower one of them")]
    NoVariance(f64, f64),
    /// A variance that is not positive and finite.
    #[error("variance {0} of one game must lie in (0, 0.5]")]
    Variance(f64),
    /// A true strength that is no number.
    #[error("elo {0} is not a finite number")]
    Elo(f64),
    /// A true strength whose mean score would not lie between 0 and 1.
    #[error("a true strength of {0} elo is out of reach at this draw ratio and opening bias")]
    Strength(f64),
}

/// What is still to come of a test: true strengths that are plausible after what was seen, as mean scores, and their weights.
///
/// Before the first pair a strength is plausible by its distance from the middle of the hypotheses (Cauchy's distribution, at the scale of
/// their distance: wide differences are rare, and not excluded). What was seen weighs as much as it says, so that the luck of the first
/// pairs is not extrapolated.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    calculator: Calculator,
    games_per_pair: f64,
    strengths: Vec<(f64, f64)>,
}

/// Strengths that are looked at: so many quantiles of what is plausible beforehand, and of what the results say.
const QUANTILES: usize = 41;
/// Pairs that the variance of a game that is nothing known of weighs.
const VARIANCE_PAIRS: f64 = 8.0;

impl Outlook {
    /// After `sample`, with the log likelihood ratio at `llr` between the `bounds` in force; `None` where no forecast is possible.
    pub fn new(sprt: &Sprt, sample: &Sample, llr: f64, bounds: Bounds) -> Option<Outlook> {
        let pairs = if sample.count() == 0 { 0.0 } else { sample.total() };
        let games_per_pair = sample.games_per_sample() as f64;
        // As much as a game without draws, until the results say otherwise.
        let variance =
            (pairs * sample.sigma_game().powi(2) + VARIANCE_PAIRS * 0.25) / (pairs + VARIANCE_PAIRS);
        let calculator = Calculator::with_variance(sprt, variance.min(0.5)).ok()?;
        let (middle, width) = (
            0.5 * (calculator.score0 + calculator.score1),
            calculator.score1 - calculator.score0,
        );
        let error = (variance / (games_per_pair * pairs)).sqrt();
        let plausible = |score: f64| {
            let (beforehand, seen) = ((score - middle) / width, (score - sample.mean()) / error);
            (-0.5 * seen * seen).exp() / (1.0 + beforehand * beforehand)
        };
        let shares = (0..QUANTILES).map(|place| (place as f64 + 0.5) / QUANTILES as f64);
        let beforehand = shares
            .clone()
            .map(|share| middle + width * (PI * (share - 0.5)).tan());
        let seen = shares.map(|share| sample.mean() + error * normal::quantile(share));
        let mut scores: Vec<f64> = beforehand.chain(seen.filter(|score| score.is_finite())).collect();
        scores.sort_by(f64::total_cmp);
        let strengths = scores.windows(2).map(|ends| {
            let weight = (ends[1] - ends[0]) * (plausible(ends[0]) + plausible(ends[1]));
            (0.5 * (ends[0] + ends[1]), weight)
        });
        Some(Outlook {
            calculator: calculator.standing_at(llr, bounds),
            games_per_pair,
            strengths: strengths.collect(),
        })
    }

    /// Pairs, or games alone, that are expected to the decision.
    pub fn pairs(&self) -> f64 {
        let pairs = self.mean(|score| self.calculator.at_score(score).pairs());
        pairs * 2.0 / self.games_per_pair
    }

    /// The probability of a decision within so many more of them.
    pub fn decided_within(&self, pairs: f64) -> f64 {
        self.mean(|score| self.calculator.decided_within(score, self.games_per_pair * pairs))
    }

    fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        let sums = self
            .strengths
            .iter()
            .map(|&(score, weight)| (weight * of(score), weight));
        let (sum, weights) = sums.fold((0.0, 0.0), |sums, each| (sums.0 + each.0, sums.1 + each.1));
        sum / weights
    }
}

impl Calculator {
    /// For games with the given share of draws and openings of the given root-mean-square advantage in Elo:
    /// a game's variance within its pair is `(1 - draws)/4 - (L(bias) - 1/2)²`.
    /// Errors: Draw ratio outside `[0, 1)`; no variance left.
    pub fn new(sprt: &Sprt, draw_ratio: f64, opening_bias: f64) -> Result<Calculator, CalculatorError> {
        if !(0.0..1.0).contains(&draw_ratio) {
            return Err(CalculatorError::DrawRatio(draw_ratio));
        }
        let bias_score = score_of_elo(opening_bias) - 0.5;
        let variance = (1.0 - draw_ratio) / 4.0 - bias_score * bias_score;
        if variance.is_nan() || variance <= 0.0 {
            return Err(CalculatorError::NoVariance(draw_ratio, opening_bias));
        }
        Calculator::with_variance(sprt, variance)
    }

    /// For a known variance of one game, that is twice the variance of a pair's mean score: more than a lone game's 0.25 where
    /// both games of a pair tend to go the same way.
    /// Errors: A variance outside `(0, 0.5]`.
    pub fn with_variance(sprt: &Sprt, variance: f64) -> Result<Calculator, CalculatorError> {
        if !(variance > 0.0 && variance <= 0.5) {
            return Err(CalculatorError::Variance(variance));
        }
        let (score0, score1) = sprt.scores(variance.sqrt());
        Ok(Calculator {
            bounds: sprt.bounds(),
            score0,
            score1,
            variance,
            model: sprt.model(),
        })
    }

    /// The rest of a test whose log likelihood ratio stands at `llr` between the `bounds` in force: forecasts are of what is
    /// still to be played.
    #[must_use]
    pub fn standing_at(self, llr: f64, bounds: Bounds) -> Calculator {
        let bounds = Bounds {
            lower: (bounds.lower - llr).min(0.0),
            upper: (bounds.upper - llr).max(0.0),
        };
        Calculator { bounds, ..self }
    }

    /// The mean score of a player truly `elo` stronger on the test's own scale, strictly between 0 and 1.
    /// Errors: `elo` is not finite or beyond what any score gives.
    pub fn score(&self, elo: f64) -> Result<f64, CalculatorError> {
        let logistic = logistic_score(elo)?;
        let score = match self.model {
            EloModel::Logistic => logistic,
            EloModel::Normalized => 0.5 + elo / NELO_SCALE * self.variance.sqrt(),
        };
        if score > 0.0 && score < 1.0 {
            Ok(score)
        } else {
            Err(CalculatorError::Strength(elo))
        }
    }

    /// The course of the test if the true strength is `elo` on the test's own scale.
    /// Errors: As [`Calculator::score`].
    pub fn forecast(&self, elo: f64) -> Result<Forecast, CalculatorError> {
        self.score(elo).map(|score| self.at_score(score))
    }

    /// The course of the test if the true strength is `elo` on the logistic scale.
    /// Errors: `elo` is not finite.
    pub fn forecast_logistic(&self, elo: f64) -> Result<Forecast, CalculatorError> {
        Ok(self.at_score(logistic_score(elo)?))
    }

    /// The probability to accept H1 within so many games if the true strength is `elo` on the logistic scale.
    /// Errors: `elo` is not finite.
    pub fn pass_within_logistic(&self, elo: f64, games: f64) -> Result<f64, CalculatorError> {
        let motion = self.motion(logistic_score(elo)?);
        Ok(1.0 - motion.worse_outcome(games, self.bounds.upper))
    }

    /// The probability to accept either hypothesis within so many games.
    fn decided_within(&self, score: f64, games: f64) -> f64 {
        let motion = self.motion(score);
        let mirrored = Brownian {
            lower: -motion.upper,
            upper: -motion.lower,
            drift: -motion.drift,
            ..motion
        };
        let accepted = [motion, mirrored].map(|motion| 1.0 - motion.worse_outcome(games, motion.upper));
        accepted.iter().sum::<f64>().min(1.0)
    }

    fn motion(&self, score: f64) -> Brownian {
        let width = self.score1 - self.score0;
        let scale = width / self.variance;
        Brownian {
            lower: self.bounds.lower,
            upper: self.bounds.upper,
            drift: scale * (score - 0.5 * (self.score0 + self.score1)),
            variance: scale * width,
        }
    }

    fn at_score(&self, score: f64) -> Forecast {
        let (a, b) = (self.bounds.lower, self.bounds.upper);
        let width = self.score1 - self.score0;
        let h = (2.0 * score - self.score0 - self.score1) / width;
        let games_per_square = self.variance / (width * width);
        let pass_probability = 1.0 - absorbed_below(a, b, 0.5 * h);
        // Near h = 0 the general form is 0/0; at 1e-6 either form is still right to 1e-6.
        let squares = if h.abs() < 1e-6 {
            -a * b
        } else {
            2.0 / h * (b * pass_probability + a * (1.0 - pass_probability))
        };
        Forecast {
            pass_probability,
            games: squares * games_per_square,
        }
    }
}

fn logistic_score(elo: f64) -> Result<f64, CalculatorError> {
    if elo.is_finite() {
        Ok(score_of_elo(elo))
    } else {
        Err(CalculatorError::Elo(elo))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::elo_of_score;
    use crate::testing::assert_near;

    fn calculator(elo0: f64, elo1: f64, beta: f64) -> Calculator {
        let sprt = Sprt::new(elo0, elo1, 0.05, beta, EloModel::Normalized).unwrap();
        Calculator::new(&sprt, 0.3, 0.0).unwrap()
    }

    #[test]
    fn at_the_hypotheses_the_test_errs_as_often_as_it_says_and_between_them_it_joins_smoothly() {
        let at = |elo| calculator(-5.0, 5.0, 0.1).forecast(elo).unwrap();
        assert_near(at(-5.0).pass_probability, 0.05, 1e-9);
        assert_near(at(5.0).pass_probability, 0.9, 1e-9);
        assert_near(at(0.0).games, at(1e-4).games, 1e-3 * at(0.0).games);
        assert_near(at(0.0).pass_probability, at(1e-4).pass_probability, 1e-3);
    }

    #[test]
    fn a_test_that_ends_early_passes_less_often_and_a_long_one_as_often_as_one_without_end() {
        let calculator = calculator(0.0, 15.0, 0.05);
        let within = |games| calculator.pass_within_logistic(10.0, games).unwrap();
        let whole = calculator.forecast_logistic(10.0).unwrap();
        assert!(within(100.0) < 0.01 && within(1e3) < within(4e3) && within(4e3) < within(1e4));
        assert_near(within(1e6), whole.pass_probability, 1e-6);
        assert!(calculator.pass_within_logistic(f64::NAN, 10.0).is_err());
    }

    /// One lucky start of 40 pairs, and what a tool that takes its score for the truth would say.
    #[test]
    fn the_outlook_does_not_extrapolate_the_luck_of_the_first_pairs_and_believes_many() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::Normalized).unwrap();
        let after = |counts: [u64; 5]| {
            let sample = Sample::pairs(counts);
            let llr = if sample.count() == 0 {
                0.0
            } else {
                crate::llr(&sample, &sprt)
            };
            Outlook::new(&sprt, &sample, llr, sprt.bounds()).unwrap()
        };
        let start = after([0; 5]).pairs();
        let calculator = calculator(0.0, 5.0, 0.05);
        let [at_h0, between] = [0.0, 2.5].map(|elo| calculator.forecast(elo).unwrap().pairs());
        assert!(
            start > 0.5 * at_h0 && start < between,
            "{start} {at_h0} {between}"
        );
        let lucky = [5, 6, 12, 9, 8];
        let naive = calculator.standing_at(crate::llr(&Sample::pairs(lucky), &sprt), sprt.bounds());
        let naive = naive
            .forecast_logistic(elo_of_score(Sample::pairs(lucky).mean()).unwrap())
            .unwrap();
        assert!(naive.pairs() < 0.1 * start, "{naive:?}");
        assert!(
            (0.6..1.1).contains(&(after(lucky).pairs() / start)),
            "{}",
            after(lucky).pairs()
        );
        let sure = after(lucky.map(|count| 10 * count)).pairs();
        assert!(sure < 3.0 * naive.pairs(), "{sure}");
        let within = [10.0, 1e3, 1e4, 1e6].map(|pairs| after([0; 5]).decided_within(pairs));
        assert!(
            within.is_sorted() && within[0] < 1e-3 && within[3] > 0.999,
            "{within:?}"
        );
    }

    #[test]
    fn a_test_of_single_games_takes_as_many_games_as_one_of_pairs_takes_at_its_start() {
        let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05, EloModel::Normalized).unwrap();
        let of = |sample: &Sample| Outlook::new(&sprt, sample, 0.0, sprt.bounds()).unwrap();
        let (pairs, games) = (of(&Sample::pairs([0; 5])), of(&Sample::games(0, 0, 0)));
        assert_near(games.pairs() / pairs.pairs(), 2.0, 1e-12);
        assert_near(
            games.decided_within(2_000.0) - pairs.decided_within(1_000.0),
            0.0,
            1e-12,
        );
    }

    #[test]
    fn what_is_left_of_a_test_shrinks_towards_a_bound_and_is_all_of_it_at_zero() {
        let whole = calculator(0.0, 10.0, 0.05);
        let left = |llr| whole.standing_at(llr, whole.bounds).forecast(10.0).unwrap().games;
        assert_near(left(0.0), whole.forecast(10.0).unwrap().games, 1e-9);
        assert!(left(0.0) > left(1.0) && left(1.0) > left(2.5));
        assert_near(left(whole.bounds.upper), 0.0, 1e-9);
    }

    #[test]
    fn impossible_matches_are_refused() {
        let new = |draw_ratio, bias| Calculator::new(&Sprt::default(), draw_ratio, bias);
        assert_eq!(new(1.0, 0.0), Err(CalculatorError::DrawRatio(1.0)));
        assert_eq!(new(0.9, 200.0), Err(CalculatorError::NoVariance(0.9, 200.0)));
        let calculator = new(0.5, 0.0).unwrap();
        assert!(calculator.forecast(f64::NAN).is_err());
        assert_eq!(calculator.forecast(900.0), Err(CalculatorError::Strength(900.0)));
        assert!(calculator.forecast_logistic(f64::INFINITY).is_err());
    }
}
