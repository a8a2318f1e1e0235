//! Ratios over positions, as of node counts: one ratio a position in, their geometric mean with an interval and a test out.
//!
//! The interval resamples *positions*, since those are what another suite would exchange. Percentile bootstrap on the
//! logarithms, its percentiles widened for small suites as in T. Hesterberg, *What Teachers Should Know About the
//! Bootstrap* (2015), section 5.3. The p-value is that of the widest interval without 1, so the two never contradict each other.
//! Reproducible: the caller gives the seed.

use super::elo::Estimate;
use super::normal;
use super::random::Random;
use statrs::distribution::{ContinuousCDF, StudentsT};
use thiserror::Error;

/// Resamples that make the interval's end steady to about a hundredth of its width.
pub const RESAMPLES: usize = 10_000;

/// Why no mean can be formed.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum BootstrapError {
    /// No ratio at all.
    #[error("no positions to compare")]
    Empty,
    /// The ratio of a position, by its index, that has no logarithm.
    #[error("ratio {1} of position {0} is not a positive finite number")]
    NotPositive(usize, f64),
}

/// A geometric mean of ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanRatio {
    /// The mean and its interval.
    pub ratio: Estimate,
    /// Two-sided, for a mean of 1; `None` for one position.
    pub p: Option<f64>,
}

/// The geometric mean of `ratios`, its interval at `confidence` and its p-value from [`RESAMPLES`] resamples.
/// A single position gives a value without bounds.
/// Errors: No ratios, or one that is not positive and finite.
pub fn geometric_mean(ratios: &[f64], confidence: f64, seed: u64) -> Result<MeanRatio, BootstrapError> {
    if ratios.is_empty() {
        return Err(BootstrapError::Empty);
    }
    for (index, &value) in ratios.iter().enumerate() {
        if !(value.is_finite() && value > 0.0) {
            return Err(BootstrapError::NotPositive(index, value));
        }
    }
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let count = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / count;
    let Some(tail) = widened_tail(count, confidence) else {
        let ratio = Estimate {
            value: Some(mean.exp()),
            ..Estimate::UNKNOWN
        };
        return Ok(MeanRatio { ratio, p: None });
    };
    let mut random = Random::long(seed, 0);
    let mut resample = || {
        let drawn = logs
            .iter()
            .map(|_| logs[random.below(logs.len() as u64) as usize]);
        drawn.sum::<f64>() / count
    };
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| resample()).collect();
    means.sort_unstable_by(f64::total_cmp);
    let rank = (tail * RESAMPLES as f64) as usize;
    let below = means.partition_point(|&mean| mean < 0.0);
    let above = RESAMPLES - means.partition_point(|&mean| mean <= 0.0);
    // Of those on the rarer side of 1, the ones at 1 with them; never none, which no number of resamples shows.
    let beyond = RESAMPLES - below.max(above);
    Ok(MeanRatio {
        ratio: Estimate {
            value: Some(mean.exp()),
            low: Some(means[rank].exp()),
            high: Some(means[RESAMPLES - 1 - rank].exp()),
        },
        p: p_value(count, (beyond.max(1) as f64) / RESAMPLES as f64),
    })
}

/// Two-sided, of the tail that [`widened_tail`] makes of it.
fn p_value(count: f64, tail: f64) -> Option<f64> {
    let student = StudentsT::new(0.0, 1.0, count - 1.0).ok()?;
    let t = normal::quantile(tail) / (count / (count - 1.0)).sqrt();
    Some((2.0 * student.cdf(t)).min(1.0))
}

/// The tail at which to read the percentiles: `Φ(-√(n/(n-1)) t)`, `t` being Student's quantile; `None` for one position.
fn widened_tail(count: f64, confidence: f64) -> Option<f64> {
    let student = StudentsT::new(0.0, 1.0, count - 1.0).ok()?;
    let quantile = student.inverse_cdf(0.5 + 0.5 * confidence);
    Some(normal::cdf(-quantile * (count / (count - 1.0)).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(ratios: &[f64], seed: u64) -> Estimate {
        geometric_mean(ratios, 0.95, seed).unwrap().ratio
    }

    #[test]
    fn the_p_value_agrees_with_the_interval() {
        for (ratios, expected) in [
            (&[1.0; 9][..], Some(1.0)),
            (&[0.8], None),
            (&[0.5, 2.0, 0.5, 2.0], Some(1.0)),
        ] {
            assert_eq!(geometric_mean(ratios, 0.95, 1).unwrap().p, expected);
        }
        let mut random = Random::long(5, 1);
        for seed in 0..40 {
            let ratios: Vec<f64> = (0..15).map(|_| (0.3 * random.normal() + 0.15).exp()).collect();
            let found = geometric_mean(&ratios, 0.95, seed).unwrap();
            let p = found.p.unwrap();
            assert!(
                !(0.049..0.051).contains(&p) || found.ratio.contains(1.0) == (p > 0.05),
                "{found:?}"
            );
            let at_its_own = geometric_mean(&ratios, 1.0 - p.max(0.001), seed).unwrap().ratio;
            let ends = [at_its_own.low.unwrap(), at_its_own.high.unwrap()];
            assert!(
                p < 0.01 || ends.iter().any(|end| end.ln().abs() < 0.01),
                "{p} {ends:?}"
            );
        }
    }

    #[test]
    fn a_half_and_a_double_cancel_equal_ratios_leave_no_doubt_and_one_position_leaves_all() {
        let even = mean(&[0.5, 2.0, 0.5, 2.0], 1);
        assert!((even.value.unwrap() - 1.0).abs() < 1e-12 && even.contains(1.0));
        assert!(even.high.unwrap() - even.low.unwrap() > 0.1);
        let sure = mean(&[0.8; 10], 1);
        assert!((sure.high.unwrap() - sure.low.unwrap()).abs() < 1e-12);
        let alone = mean(&[0.8], 1);
        assert_eq!((alone.low, alone.high), (None, None));
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let ratios = [0.7, 0.9, 1.3, 0.4, 0.8, 1.1];
        assert_eq!(mean(&ratios, 7), mean(&ratios, 7));
        assert_ne!(mean(&ratios, 7), mean(&ratios, 8));
    }

    #[test]
    fn what_has_no_logarithm_is_refused() {
        assert_eq!(geometric_mean(&[], 0.95, 1), Err(BootstrapError::Empty));
        for value in [0.0, -1.0, f64::INFINITY] {
            let refused = geometric_mean(&[1.0, value], 0.95, 1);
            assert_eq!(refused, Err(BootstrapError::NotPositive(1, value)));
        }
    }

    #[test]
    fn the_interval_covers_a_known_truth_about_as_often_as_promised() {
        let (mut random, trials) = (Random::long(11, 1), 60);
        let covers = |&trial: &u64| {
            let ratios: Vec<f64> = (0..12).map(|_| (0.3 * random.normal()).exp()).collect();
            mean(&ratios, trial).contains(1.0)
        };
        let covered = (0..trials).filter(covers).count();
        // 0.95 of 60 is 57; four standard errors are 6.8.
        assert!(covered >= 50, "{covered} of {trials}");
    }
}
