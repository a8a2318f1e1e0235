//! The standard normal distribution: arguments in, probabilities out. Holds no statistics of games.

use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::TAU;

/// Below this the tail is taken from its asymptotic series, since the probability itself nears underflow.
const ASYMPTOTIC_BELOW: f64 = -30.0;

fn standard() -> Normal {
    Normal::standard()
}

/// `P(Z <= z)`.
pub(crate) fn cdf(z: f64) -> f64 {
    standard().cdf(z)
}

/// The two-sided critical value: `P(|Z| <= z) = confidence`, for `confidence` in `(0, 1)`.
pub(crate) fn two_sided_z(confidence: f64) -> f64 {
    standard().inverse_cdf(0.5 + 0.5 * confidence)
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

    #[test]
    fn the_critical_value_of_95_percent_is_1_96() {
        assert!((two_sided_z(0.95) - 1.959_963_984_540_054).abs() < 1e-10);
    }

    #[test]
    fn the_logarithm_of_the_tail_joins_its_asymptotic_series_smoothly() {
        let exact = cdf(ASYMPTOTIC_BELOW + 1e-9).ln();
        assert!((ln_cdf(ASYMPTOTIC_BELOW) - exact).abs() < 1e-6);
        assert!(ln_cdf(-1e6).is_finite());
    }
}
