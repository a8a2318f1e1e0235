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
use super::normal;
use std::f64::consts::{LN_2, LN_10};

/// What doubling the resources is worth before anything is known, as the slope `b`, and how sure that is. 0.8 is about
/// 96 Elo for doubling.
const SLOPE_EXPECTED: f64 = 0.8;
const SLOPE_SPREAD: f64 = 0.5;
/// Keeps the estimate that steers finite while every game is won.
const INTERCEPT_SPREAD: f64 = 4.0;
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
        let halves: u64 = (0..)
            .zip(self.pentanomial)
            .map(|(halves, count)| halves * count)
            .sum();
        (self.pairs() > 0.0).then(|| halves as f64 / (4.0 * self.pairs()))
    }

    /// Sum over the pairs of the squared difference between score and `mean`.
    fn squares(&self, mean: f64) -> f64 {
        let terms = (0..).zip(self.pentanomial);
        terms
            .map(|(halves, count)| count as f64 * (f64::from(halves) / 4.0 - mean).powi(2))
            .sum()
    }
}

/// The fitted curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OddsCurve {
    /// `a`: the logit of A's score at equal resources.
    pub intercept: f64,
    /// `b`: by how much the logit grows with the logarithm of the ratio.
    pub slope: f64,
    /// Of intercept and slope: two variances and what they have in common.
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
        let (intercept, slope, information) = maximise(batches, None)?;
        let mut squares = [0.0; 3];
        for batch in batches {
            add(
                &mut squares,
                batch.squares(logistic(intercept + slope * batch.log_ratio)),
                batch.log_ratio,
            );
        }
        // Two parameters are fitted, so the residuals are a little too small.
        let factor = pairs / (pairs - 2.0);
        let inverse = inverse(information)?;
        let covariance = sandwich(inverse, squares.map(|sum| sum * factor));
        Some(OddsCurve {
            intercept,
            slope,
            covariance,
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
    let prior = Prior {
        intercept_precision: INTERCEPT_SPREAD.powi(-2),
        slope_mean: SLOPE_EXPECTED,
        slope_precision: SLOPE_SPREAD.powi(-2),
    };
    // With the prior there is always a maximum.
    let (intercept, slope) = maximise(batches, Some(prior)).map_or((0.0, 1.0), |(a, b, _)| (a, b));
    let slope = slope.max(SLOPE_MIN);
    let side = if batches.len() % 2 == 1 { OFFSET } else { -OFFSET };
    let played = batches.iter().map(|batch| batch.log_ratio);
    let low = played.clone().fold(f64::INFINITY, f64::min) - STEP_MAX.ln();
    let high = played.fold(f64::NEG_INFINITY, f64::max) + STEP_MAX.ln();
    ((side - intercept) / slope)
        .clamp(low, high)
        .clamp(-log_ratio_max, log_ratio_max)
}

/// Normal beliefs about intercept (around 0) and slope.
#[derive(Clone, Copy)]
struct Prior {
    intercept_precision: f64,
    slope_mean: f64,
    slope_precision: f64,
}

/// Intercept and slope of greatest (penalised) quasi-likelihood and the information there, by Newton's method with
/// halved steps; none without a maximum.
fn maximise(batches: &[OddsBatch], prior: Option<Prior>) -> Option<(f64, f64, [f64; 3])> {
    let (mut a, mut b) = (0.0, prior.map_or(0.0, |prior| prior.slope_mean));
    for _ in 0..ITERATIONS_MAX {
        let (gradient, information) = derivatives(batches, prior, a, b);
        let [aa, ab, bb] = inverse(information)?;
        let (step_a, step_b) = (
            aa * gradient[0] + ab * gradient[1],
            ab * gradient[0] + bb * gradient[1],
        );
        let before = likelihood(batches, prior, a, b);
        let mut share = 1.0;
        while likelihood(batches, prior, a + share * step_a, b + share * step_b)
            < before - 1e-12 * before.abs()
            && share > 1e-6
        {
            share *= 0.5;
        }
        a += share * step_a;
        b += share * step_b;
        if !(a.abs() < 1e3 && b.abs() < 1e3) {
            return None;
        }
        if step_a.abs() + step_b.abs() < 1e-10 {
            let (_, information) = derivatives(batches, prior, a, b);
            return Some((a, b, information));
        }
    }
    None
}

/// The gradient in `a` and `b`, and the information as its three distinct entries.
fn derivatives(batches: &[OddsBatch], prior: Option<Prior>, a: f64, b: f64) -> ([f64; 2], [f64; 3]) {
    let (mut gradient, mut information) = ([0.0; 2], [0.0; 3]);
    for batch in batches {
        let Some(score) = batch.score() else { continue };
        let mean = logistic(a + b * batch.log_ratio);
        let residual = batch.pairs() * (score - mean);
        gradient[0] += residual;
        gradient[1] += residual * batch.log_ratio;
        add(
            &mut information,
            batch.pairs() * mean * (1.0 - mean),
            batch.log_ratio,
        );
    }
    if let Some(prior) = prior {
        gradient[0] -= prior.intercept_precision * a;
        gradient[1] -= prior.slope_precision * (b - prior.slope_mean);
        information[0] += prior.intercept_precision;
        information[2] += prior.slope_precision;
    }
    (gradient, information)
}

fn likelihood(batches: &[OddsBatch], prior: Option<Prior>, a: f64, b: f64) -> f64 {
    let of_batch = |batch: &OddsBatch| {
        let argument = a + b * batch.log_ratio;
        // ln(1 + e^x) without overflow.
        let softplus = argument.max(0.0) + (-argument.abs()).exp().ln_1p();
        batch
            .score()
            .map_or(0.0, |score| batch.pairs() * (score * argument - softplus))
    };
    let penalty = prior.map_or(0.0, |prior| {
        0.5 * prior.intercept_precision * a * a + 0.5 * prior.slope_precision * (b - prior.slope_mean).powi(2)
    });
    batches.iter().map(of_batch).sum::<f64>() - penalty
}

fn logistic(argument: f64) -> f64 {
    1.0 / (1.0 + (-argument).exp())
}

/// Adds `weight (1, x)ᵀ(1, x)`.
fn add(matrix: &mut [f64; 3], weight: f64, x: f64) {
    matrix[0] += weight;
    matrix[1] += weight * x;
    matrix[2] += weight * x * x;
}

/// Of a symmetric matrix; none unless it is safely positive definite.
fn inverse([aa, ab, bb]: [f64; 3]) -> Option<[f64; 3]> {
    let determinant = aa * bb - ab * ab;
    (determinant > 1e-12 * aa * bb && aa > 0.0 && bb > 0.0)
        .then(|| [bb / determinant, -ab / determinant, aa / determinant])
}

/// `outer middle outer`, all symmetric.
fn sandwich([p, q, r]: [f64; 3], [aa, ab, bb]: [f64; 3]) -> [f64; 3] {
    let (pa, pb) = (p * aa + q * ab, p * ab + q * bb);
    let (qa, qb) = (q * aa + r * ab, q * ab + r * bb);
    [pa * p + pb * q, pa * q + pb * r, qa * q + qb * r]
}

#[cfg(test)]
mod tests;
