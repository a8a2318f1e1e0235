//! The standard normal distribution: arguments in, probabilities out. Holds no statistics of games.

use super::search::bisect;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use std::f64::consts::TAU;

/// Below this the tail is taken from its asymptotic series, since the probability itself nears underflow.
const ASYMPTOTIC_BELOW: f64 = -30.0;

/// The distribution function, `P(Z <= z)`.
pub(crate) fn cdf(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// The density at `z`.
pub(crate) fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / TAU.sqrt()
}

/// The `z` with `P(Z <= z) = p`; infinite at 0 and 1.
pub(crate) fn quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// `count` equally likely values of about a standard normal distribution, of mean 0 and variance 1.
pub fn normal_scores(count: usize) -> Vec<f64> {
    let scores: Vec<f64> = (0..count)
        .map(|place| quantile((place as f64 + 0.5) / count as f64))
        .collect();
    let spread = (scores.iter().map(|z| z * z).sum::<f64>() / count as f64).sqrt();
    scores
        .into_iter()
        .map(|z| if spread > 0.0 { z / spread } else { 0.0 })
        .collect()
}

/// The two-sided critical value: `P(|Z| <= z) = confidence`, for `confidence` in `(0, 1)`.
pub(crate) fn two_sided_z(confidence: f64) -> f64 {
    quantile(0.5 + 0.5 * confidence)
}

/// The same of Student's distribution with so many degrees of freedom, which must be above 0.
pub(crate) fn two_sided_t(confidence: f64, freedom: f64) -> f64 {
    let Ok(student) = StudentsT::new(0.0, 1.0, freedom) else {
        return f64::INFINITY;
    };
    // By halves: the library's own inverse does not end for many degrees of freedom.
    let wanted = 0.5 + 0.5 * confidence;
    bisect([0.0, 1e4], 60, |t| student.cdf(t) < wanted)[1]
}

/// `ln P(Z <= z)`, finite for every finite `z`.
///
/// The far tail is Mills' asymptotic expansion (Abramowitz & Stegun 26.2.12); four terms leave a relative error below 1e-9 there.
pub(crate) fn ln_cdf(z: f64) -> f64 {
    if z > ASYMPTOTIC_BELOW {
        return cdf(z).ln();
    }
    let r = 1.0 / (z * z);
    ln_density_over(z) + (-r * (1.0 - 3.0 * r * (1.0 - 5.0 * r))).ln_1p()
}

/// The same from the first two terms only, for `z < -1`: too small by `3/z⁴` of itself at most.
pub(crate) fn ln_cdf_two_terms(z: f64) -> f64 {
    ln_density_over(z) + (-1.0 / (z * z)).ln_1p()
}

/// `ln(φ(z)/|z|)`, the leading term of the lower tail.
fn ln_density_over(z: f64) -> f64 {
    -0.5 * z * z - 0.5 * TAU.ln() - (-z).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_near;

    #[test]
    fn critical_values_are_those_of_the_tables() {
        assert_near(two_sided_z(0.95), 1.959_963_984_540_054, 1e-10);
        assert_near(two_sided_t(0.95, 3.0), 3.182_446, 1e-5);
        assert_near(two_sided_t(0.95, 18.0), 2.100_922, 1e-5);
        assert_near(two_sided_t(0.95, 1e6), two_sided_z(0.95), 1e-4);
    }

    #[test]
    fn equally_likely_values_have_mean_0_and_variance_1() {
        let scores = normal_scores(41);
        let sum = |power| scores.iter().map(|z: &f64| z.powi(power)).sum::<f64>() / 41.0;
        assert!(scores.is_sorted() && sum(1).abs() < 1e-9 && (sum(2) - 1.0).abs() < 1e-12);
        assert_eq!(normal_scores(1), [0.0]);
    }

    #[test]
    fn the_logarithm_of_the_tail_joins_its_asymptotic_series_smoothly() {
        assert_near(ln_cdf(ASYMPTOTIC_BELOW), cdf(ASYMPTOTIC_BELOW + 1e-9).ln(), 1e-6);
        assert!(ln_cdf(-1e6).is_finite());
    }
}
