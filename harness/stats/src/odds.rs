//! At which ratio of resources two players are equally strong: batches of pairs at known ratios in, the ratio with its
//! interval and the next ratio to play at out.
//!
//! The expected score of A is taken to be logistic in the logarithm of the ratio, `1 / (1 + exp(-(a + b ln ratio)))`; the
//! players are even at `exp(-a/b)`. Sources: quasi-likelihood for scores that are no counts, P. McCullagh and J. A. Nelder,
//! *Generalized Linear Models* (1989), chapter 9; the covariance that does not rest on the binomial variance (draws and
//! openings make pairs vary less), H. White, *Econometrica* 50 (1982) 1; the interval of a quotient of two estimates,
//! E. C. Fieller, *J. R. Stat. Soc. B* 16 (1954) 175; playing near the estimated median, alternately on both sides of it,
//! C. F. J. Wu, *J. Am. Stat. Assoc.* 80 (1985) 974.

use super::elo::{Estimate, MIN_PAIRS};
use super::linear::{Cholesky, Matrix, dot};
use super::normal;
use super::sample::Sample;
use std::f64::consts::{LN_2, LN_10};

/// What doubling the resources is worth before anything is known, as the slope `b`, and how sure that is. 0.8 is about
/// 96 Elo for doubling.
const SLOPE_EXPECTED: f64 = 0.8;
const SLOPE_SPREAD: f64 = 0.5;
/// Keeps the estimate that steers finite while every game is won.
const INTERCEPT_SPREAD: f64 = 4.0;
/// The curve before anything is known, and how sure it is.
const EXPECTED: [f64; 2] = [0.0, SLOPE_EXPECTED];
const PRECISION: [f64; 2] = [
    1.0 / (INTERCEPT_SPREAD * INTERCEPT_SPREAD),
    1.0 / (SLOPE_SPREAD * SLOPE_SPREAD),
];
/// No slope that steers is flatter.
const SLOPE_MIN: f64 = 0.2;
/// How far beside the estimate the next batch is played, in the argument of the logistic function: near enough to lose little
/// information and to leave the curve's bend aside, far enough to learn the slope. ln (0.55/0.45): scores of 55 % and 45 %.
const OFFSET: f64 = 0.200_670_695_462_151_13;
/// How far beyond the ratios played the next one may be, as a factor.
const STEP_MAX: f64 = 4.0;
const ITERATIONS_MAX: usize = 60;
/// Of so few batches the quantile is that of five.
const FREEDOM_MIN: f64 = 3.0;

/// The pairs played at one ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OddsBatch {
    /// Natural logarithm of A's resources over B's.
    pub log_ratio: f64,
    /// Pairs LL, LD, DD or WL, DW, WW from A's view.
    pub pentanomial: [u64; 5],
}

impl OddsBatch {
    fn pairs(&self) -> f64 {
        self.pentanomial.iter().sum::<u64>() as f64
    }

    /// Mean score of A; none of nothing.
    pub fn score(&self) -> Option<f64> {
        Sample::pairs(self.pentanomial).score()
    }

    /// Sum over the pairs of the squared difference between score and `mean`.
    fn squares(&self, mean: f64) -> f64 {
        let terms = (0..).zip(self.pentanomial);
        terms
            .map(|(halves, count)| count as f64 * (f64::from(halves) / 4.0 - mean).powi(2))
            .sum()
    }

    /// What a parameter of the curve is multiplied by: 1 and the logarithm.
    fn features(&self) -> [f64; 2] {
        [1.0, self.log_ratio]
    }
}

/// The curve that was fitted: A's score by the logarithm of the ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OddsCurve {
    /// `a`: the logit of A's score at equal resources.
    pub intercept: f64,
    /// `b`: by how much the logit grows with the logarithm of the ratio.
    pub slope: f64,
    /// Variance of the intercept, covariance, variance of the slope.
    covariance: [f64; 3],
    /// Of Student's distribution: few ratios carry the slope, and results chose them.
    freedom: f64,
}

impl OddsCurve {
    /// The curve of greatest quasi-likelihood; none before there are [`MIN_PAIRS`] pairs at two ratios at least, or where
    /// every game at all but one ratio went the same way.
    pub fn fit(batches: &[OddsBatch]) -> Option<OddsCurve> {
        let pairs: f64 = batches.iter().map(OddsBatch::pairs).sum();
        if pairs < MIN_PAIRS as f64 {
            return None;
        }
        let (curve, information) = maximise(batches, false)?;
        let mut squares = Matrix::zeros(2);
        for batch in batches {
            let weight = batch.squares(logistic(dot(&curve, &batch.features())));
            squares.add_square(batch.features().into_iter().enumerate(), weight);
        }
        // Two parameters are fitted, so the residuals are a little too small.
        squares.scale(pairs / (pairs - 2.0));
        let covariance = decomposed(&information)?.inverse().around(&squares);
        Some(OddsCurve {
            intercept: curve[0],
            slope: curve[1],
            covariance: [(0, 0), (0, 1), (1, 1)].map(|at| covariance[at]),
            freedom: (batches.len() as f64 - 2.0).max(FREEDOM_MIN),
        })
    }

    /// Expected score of A at this logarithm of the ratio.
    pub fn score(&self, log_ratio: f64) -> f64 {
        logistic(self.intercept + self.slope * log_ratio)
    }

    /// Elo of A for twice its resources, where the players are even.
    pub fn doubling_elo(&self) -> f64 {
        400.0 / LN_10 * self.slope * LN_2
    }

    /// The ratio at which the players are even, with its interval at `confidence`: every ratio at which a score of one half
    /// is not refuted. Without bounds as long as it is not shown that resources help at all.
    pub fn even_ratio(&self, confidence: f64) -> Estimate {
        if self.slope <= 0.0 {
            return Estimate::UNKNOWN;
        }
        let (a, b) = (self.intercept, self.slope);
        let [aa, ab, bb] = self.covariance;
        let z2 = normal::two_sided_t(confidence, self.freedom).powi(2);
        // (a + b x)² ≤ z² (aa + 2 ab x + bb x²)
        let square = b * b - z2 * bb;
        let middle = a * b - z2 * ab;
        let constant = a * a - z2 * aa;
        let value = Some((-a / b).exp()).filter(|ratio| ratio.is_finite() && *ratio > 0.0);
        let discriminant = middle * middle - square * constant;
        if square <= 0.0 || discriminant < 0.0 {
            return Estimate {
                value,
                ..Estimate::UNKNOWN
            };
        }
        let root = discriminant.sqrt();
        let end = |sign: f64| Some(((-middle + sign * root) / square).exp()).filter(|end| end.is_finite());
        Estimate {
            value,
            low: end(-1.0),
            high: end(1.0),
        }
    }
}

/// The ratio with its interval from `batches`; no value where no curve fits.
pub fn even_ratio(batches: &[OddsBatch], confidence: f64) -> Estimate {
    OddsCurve::fit(batches).map_or(Estimate::UNKNOWN, |curve| curve.even_ratio(confidence))
}

/// The logarithm of the ratio for the next batch, within `log_ratio_max` either way: beside the estimated even ratio, on
/// its two sides in turn. The first batch is played at equal resources.
pub fn next_log_ratio(batches: &[OddsBatch], log_ratio_max: f64) -> f64 {
    if batches.is_empty() {
        return 0.0;
    }
    // With the prior there is always a maximum.
    let curve = maximise(batches, true).map_or([0.0, 1.0], |(curve, _)| curve);
    let (intercept, slope) = (curve[0], curve[1].max(SLOPE_MIN));
    let side = if batches.len() % 2 == 1 { OFFSET } else { -OFFSET };
    let played = batches.iter().map(|batch| batch.log_ratio);
    let low = played.clone().fold(f64::INFINITY, f64::min) - STEP_MAX.ln();
    let high = played.fold(f64::NEG_INFINITY, f64::max) + STEP_MAX.ln();
    ((side - intercept) / slope)
        .clamp(low, high)
        .clamp(-log_ratio_max, log_ratio_max)
}

/// Intercept and slope of greatest (penalised) quasi-likelihood and the information there, by Newton's method with
/// halved steps; none without a maximum.
fn maximise(batches: &[OddsBatch], has_prior: bool) -> Option<([f64; 2], Matrix)> {
    let mut curve = if has_prior { EXPECTED } else { [0.0; 2] };
    for _ in 0..ITERATIONS_MAX {
        let (gradient, information) = derivatives(batches, has_prior, &curve);
        let step = decomposed(&information)?.solve(&gradient);
        let moved = |share: f64| [curve[0] + step[0] * share, curve[1] + step[1] * share];
        let before = likelihood(batches, has_prior, &curve);
        let mut share = 1.0;
        while likelihood(batches, has_prior, &moved(share)) < before - 1e-12 * before.abs() && share > 1e-6 {
            share *= 0.5;
        }
        curve = moved(share);
        if !curve.iter().all(|parameter| parameter.abs() < 1e3) {
            return None;
        }
        if step.iter().map(|step| step.abs()).sum::<f64>() < 1e-10 {
            let (_, information) = derivatives(batches, has_prior, &curve);
            return Some((curve, information));
        }
    }
    None
}

fn derivatives(batches: &[OddsBatch], has_prior: bool, curve: &[f64; 2]) -> ([f64; 2], Matrix) {
    let (mut gradient, mut information) = ([0.0; 2], Matrix::zeros(2));
    for batch in batches {
        let (Some(score), features) = (batch.score(), batch.features()) else {
            continue;
        };
        let mean = logistic(dot(curve, &features));
        for (gradient, feature) in gradient.iter_mut().zip(features) {
            *gradient += feature * batch.pairs() * (score - mean);
        }
        let weight = batch.pairs() * mean * (1.0 - mean);
        information.add_square(features.into_iter().enumerate(), weight);
    }
    if has_prior {
        for index in 0..2 {
            gradient[index] -= PRECISION[index] * (curve[index] - EXPECTED[index]);
        }
        information.add_diagonal(PRECISION);
    }
    (gradient, information)
}

fn likelihood(batches: &[OddsBatch], has_prior: bool, curve: &[f64; 2]) -> f64 {
    let of_batch = |batch: &OddsBatch| {
        let argument = dot(curve, &batch.features());
        // ln(1 + e^x) without overflow.
        let softplus = argument.max(0.0) + (-argument.abs()).exp().ln_1p();
        let score = batch.score();
        score.map_or(0.0, |score| batch.pairs() * (score * argument - softplus))
    };
    let games = batches.iter().map(of_batch).sum::<f64>();
    let penalty = (0..2).map(|index| 0.5 * PRECISION[index] * (curve[index] - EXPECTED[index]).powi(2));
    if has_prior {
        games - penalty.sum::<f64>()
    } else {
        games
    }
}

fn logistic(argument: f64) -> f64 {
    1.0 / (1.0 + (-argument).exp())
}

/// None unless it is safely positive definite.
fn decomposed(matrix: &Matrix) -> Option<Cholesky> {
    let [product, off] = [matrix[(0, 0)] * matrix[(1, 1)], matrix[(0, 1)]];
    let is_safe = product - off * off > 1e-12 * product;
    matrix.cholesky().filter(|_| is_safe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::testing::assert_near;
    use crate::{EloModel, PairModel, Tally};

    fn batch(ratio: f64, pentanomial: [u64; 5]) -> OddsBatch {
        OddsBatch {
            log_ratio: ratio.ln(),
            pentanomial,
        }
    }

    /// Of `runs` whole studies of 20 batches of 25 pairs, how many intervals hold the true ratio.
    fn covered([ratio, doubling_elo, kept, draws, bias]: [f64; 5], runs: u64) -> u64 {
        // What each doubling is worth, summed up from the even ratio on.
        let elo_of = |doublings: f64| match kept {
            1.0 => doubling_elo * doublings,
            kept => doubling_elo * (1.0 - kept.powf(doublings)) / -kept.ln(),
        };
        let covers = |run: u64| {
            let mut random = Random::long(run, 77);
            let mut batches: Vec<OddsBatch> = Vec::new();
            for _ in 0..20 {
                let log_ratio = next_log_ratio(&batches, 64f64.ln());
                let elo = elo_of((log_ratio - ratio.ln()) / 2f64.ln());
                // Beyond this, draws leave no room; the score is as good as certain.
                let elo = elo.clamp(-450.0, 450.0);
                let model = PairModel::new(elo, EloModel::Logistic, draws, bias).unwrap();
                let mut tally = Tally::default();
                (0..25).for_each(|_| tally.add(model.draw(&mut random)));
                batches.push(OddsBatch {
                    log_ratio,
                    pentanomial: tally.pentanomial,
                });
            }
            let estimate = even_ratio(&batches, 0.95);
            estimate.value.is_some() && estimate.contains(ratio)
        };
        (0..runs).filter(|&run| covers(run)).count() as u64
    }

    /// Ratio, Elo of doubling, what the next doubling keeps, draws, bias.
    const TRUTHS: [[f64; 5]; 6] = [
        [2.5, 100.0, 0.85, 0.02, 50.0],
        [0.4, 80.0, 0.8, 0.1, 50.0],
        [1.0, 100.0, 1.0, 0.02, 50.0],
        [2.5, 100.0, 1.0, 0.02, 100.0],
        [0.3, 60.0, 1.0, 0.1, 0.0],
        [8.0, 150.0, 1.0, 0.02, 50.0],
    ];

    fn assert_coverage(runs: u64) {
        for truth in TRUTHS {
            let share = covered(truth, runs) as f64 / runs as f64;
            let least = 0.95 - 3.0 * (0.95 * 0.05 / runs as f64).sqrt();
            assert!(
                share >= least,
                "{truth:?}: covered {share:.4}, less than {least:.4}"
            );
        }
    }

    #[test]
    fn the_interval_of_a_whole_study_covers_the_truth_as_often_as_promised() {
        assert_coverage(300);
    }

    #[test]
    #[ignore = "20,000 studies for each of six truths: run with --ignored"]
    fn the_interval_covers_the_truth_in_twenty_thousand_studies_each() {
        assert_coverage(20_000);
    }

    #[test]
    fn two_ratios_with_mirrored_scores_are_even_in_their_middle() {
        let batches = [batch(0.5, [20, 0, 60, 0, 10]), batch(2.0, [10, 0, 60, 0, 20])];
        let curve = OddsCurve::fit(&batches).unwrap();
        assert_near(curve.even_ratio(0.95).value.unwrap(), 1.0, 1e-9);
        // Scores of 80/180 and 100/180 at ±ln 2.
        assert_near(curve.slope, (100f64 / 80.0).ln() / 2f64.ln(), 1e-9);
        assert_near(curve.score(2f64.ln()), 100.0 / 180.0, 1e-9);
        assert_near(curve.doubling_elo(), 400.0 * (100f64 / 80.0).log10(), 1e-9);
    }

    #[test]
    fn the_interval_is_fieller_s_and_of_the_usual_width_where_the_slope_is_sure() {
        let many = [
            batch(0.5, [400_000, 0, 400_000, 0, 200_000]),
            batch(2.0, [200_000, 0, 400_000, 0, 400_000]),
        ];
        let even = even_ratio(&many, 0.95);
        let width = (even.high.unwrap() / even.low.unwrap()).ln();
        // Score ±0.1 beside one half, variance of a pair 0.14, slope of the score as of the curve at one half.
        let slope = (0.6f64 / 0.4).ln() / 2f64.ln();
        // Of two batches with the least freedom that is taken.
        let expected = 2.0 * 3.182 * (0.14f64 / 2e6).sqrt() / (0.24 * slope);
        assert!((width / expected - 1.0).abs() < 0.01, "{width} {expected}");
    }

    #[test]
    fn without_a_slope_that_is_shown_there_are_no_bounds() {
        let flat = [batch(0.5, [10, 0, 20, 0, 10]), batch(2.0, [10, 0, 19, 0, 11])];
        let even = even_ratio(&flat, 0.95);
        assert_eq!((even.low, even.high), (None, None));
        let falling = [batch(0.5, [0, 0, 20, 0, 20]), batch(2.0, [20, 0, 20, 0, 0])];
        assert_eq!(even_ratio(&falling, 0.95).value, None);
    }

    #[test]
    fn one_ratio_or_nothing_but_wins_fit_no_curve_but_still_say_where_to_play_next() {
        assert!(OddsCurve::fit(&[]).is_none());
        assert!(OddsCurve::fit(&[batch(1.0, [9, 0, 30, 0, 9])]).is_none());
        let won = [batch(1.0, [0, 0, 0, 0, 25]), batch(0.5, [0, 0, 0, 0, 25])];
        assert!(OddsCurve::fit(&won).is_none());
        assert_eq!(next_log_ratio(&[], 9.0), 0.0);
        let next = next_log_ratio(&won, 9.0);
        assert!((0.125f64.ln()..0.5f64.ln()).contains(&next), "{next}");
        assert!(next_log_ratio(&won, 1.0) >= -1.0);
    }

    #[test]
    fn batches_lie_on_both_sides_of_the_estimate_in_turn() {
        let even = |ratio| batch(ratio, [5, 0, 15, 0, 5]);
        let mut batches = vec![even(1.0)];
        let second = next_log_ratio(&batches, 9.0);
        batches.push(batch(second.exp(), [3, 0, 14, 0, 8]));
        let third = next_log_ratio(&batches, 9.0);
        assert!(second > 0.1 && third < -0.1, "{second} {third}");
    }
}
