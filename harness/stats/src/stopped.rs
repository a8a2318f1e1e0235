//! The estimate that stays right after a sequential stop: counts and test in, median-unbiased Elo, interval and LOS out.
//!
//! A test stops when luck and strength add up, so the naive Elo of its result leans outwards and the naive interval covers
//! less than it says. Here outcomes are ordered (fast failure, slow failure, undecided by ratio, slow pass, fast pass) and
//! the strengths are found under which the outcome seen would be median or extreme. Sources: D. Siegmund, *Sequential
//! Analysis* (1985), sections 3.4 and 4.5; fishtest's description of the same estimate.

use super::brownian::Brownian;
use super::elo::{Estimate, score_of_elo};
use super::level::Level;
use super::sample::Sample;
use super::search::bisect;
use super::sprt::{Hypothesis, Sprt};

/// Strengths are searched within ± this many Elo; an end beyond it is open.
pub const ELO_SEARCH: f64 = 1000.0;

/// Elo after (or during) a sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppedEstimate {
    /// Median-unbiased Elo (logistic, whatever the test's model) and its interval; `None` beyond ±[`ELO_SEARCH`].
    pub elo: Estimate,
    /// Probability of a worse outcome if the players were equal.
    pub los: f64,
}

/// Median-unbiased Elo, interval and LOS, given the counts at the stop (or now, while undecided) and what the test `accepted`.
///
/// With [`Level::of`] the test the interval agrees with the verdict: after H1 it lies above H0, after H0 below H1. Presumes that the variance can
/// be estimated ([`super::elo::is_degenerate`]). `None` only without any result.
pub fn stopped_estimate(
    sample: &Sample,
    sprt: &Sprt,
    accepted: Option<Hypothesis>,
    level: Level,
) -> Option<StoppedEstimate> {
    if sample.count() == 0 {
        return None;
    }
    let outcome = StoppingPoint::of(sample, sprt, accepted);
    Some(StoppedEstimate {
        elo: Estimate {
            value: outcome.elo_at(0.5),
            low: outcome.elo_at(1.0 - level.low),
            high: outcome.elo_at(level.high),
        },
        los: outcome.worse(0.0),
    })
}

/// Where the test stands, as a point of the Brownian motion that its log likelihood ratio approximates.
struct StoppingPoint {
    motion: Brownian,
    middle_score: f64,
    drift_per_score: f64,
    time: f64,
    position: f64,
}

impl StoppingPoint {
    fn of(sample: &Sample, sprt: &Sprt, accepted: Option<Hypothesis>) -> StoppingPoint {
        let (s0, s1) = sprt.scores(sample.sigma_game());
        let (middle_score, width, variance) = (0.5 * (s0 + s1), s1 - s0, sample.variance());
        let bounds = sprt.bounds();
        let (mut time, slope) = (sample.total(), (sample.mean() - middle_score) * width / variance);
        let end = time * slope;
        let mut position = end.clamp(bounds.lower, bounds.upper);
        if position != end {
            // The motion met the bound on the way; where it went beyond is overshoot.
            time = position / slope;
        }
        // The exact ratio, against bounds that allow for overshoot, says on which side the walk ended; this approximation of it may not.
        position = match accepted {
            Some(Hypothesis::H0) => bounds.lower,
            Some(Hypothesis::H1) => bounds.upper,
            None => position,
        };
        let motion = Brownian {
            lower: bounds.lower,
            upper: bounds.upper,
            drift: 0.0,
            variance: width * width / variance,
        };
        StoppingPoint {
            motion,
            middle_score,
            drift_per_score: width / variance,
            time,
            position,
        }
    }

    /// Probability of a worse outcome than the one seen, falling in `elo`.
    fn worse(&self, elo: f64) -> f64 {
        let drift = (score_of_elo(elo) - self.middle_score) * self.drift_per_score;
        Brownian { drift, ..self.motion }.worse_outcome(self.time, self.position)
    }

    /// The Elo at which a worse outcome has the given probability.
    fn elo_at(&self, probability: f64) -> Option<f64> {
        let range = [-ELO_SEARCH, ELO_SEARCH];
        if self.worse(range[0]) <= probability || self.worse(range[1]) >= probability {
            return None;
        }
        // To 1e-9.
        let [low, high] = bisect(range, 41, |elo| self.worse(elo) > probability);
        Some(0.5 * (low + high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprt::EloModel;
    use crate::testing::{counts, mirrored, model};
    use proptest::prelude::*;

    fn estimate(counts: [u64; 5], elo0: f64, elo1: f64) -> Option<StoppedEstimate> {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, EloModel::Normalized).unwrap();
        stopped_estimate(&Sample::pairs(counts), &sprt, None, Level::two_sided(0.95))
    }

    proptest! {
        #[test]
        fn mirrored_results_and_bounds_negate_the_estimate(
            counts in counts(3000),
            elo0 in -10.0f64..10.0,
            width in 1.0f64..20.0,
        ) {
            let a = estimate(counts, elo0, elo0 + width);
            let b = estimate(mirrored(counts), -elo0 - width, -elo0);
            prop_assert!(a.is_some() == b.is_some() && a.is_some() == (counts != [0; 5]));
            if let (Some(a), Some(b)) = (a, b) {
                prop_assert!((a.los + b.los - 1.0).abs() < 1e-6);
                for (u, v) in [(a.elo.value, b.elo.value), (a.elo.low, b.elo.high)] {
                    if let (Some(u), Some(v)) = (u, v) {
                        prop_assert!((u + v).abs() < 1e-4 * (1.0 + u.abs()), "{} {}", u, v);
                    }
                }
            }
        }

        #[test]
        fn the_interval_at_the_level_of_the_test_agrees_with_its_verdict(
            counts in prop::array::uniform5(20u64..3000),
            elo0 in -10.0f64..10.0,
            width in 1.0f64..20.0,
            errors in prop::array::uniform2(0.01f64..0.2),
            model in model(),
        ) {
            let sprt = Sprt::new(elo0, elo0 + width, errors[0], errors[1], model).unwrap();
            let sample = Sample::pairs(counts);
            let at = |accepted| stopped_estimate(&sample, &sprt, Some(accepted), Level::of(Some(&sprt))).unwrap().elo;
            let (s0, s1) = sprt.scores(sample.sigma_game());
            // Beyond the range that is searched there is no end.
            let low = at(Hypothesis::H1).low.map_or(1.0, score_of_elo);
            let high = at(Hypothesis::H0).high.map_or(0.0, score_of_elo);
            prop_assert!(low >= s0 - 1e-6 && high <= s1 + 1e-6, "{} {} {} {}", low, s0, high, s1);
        }

        #[test]
        fn the_estimate_of_any_counts_is_finite_and_ordered(
            counts in counts(100_000_000),
            elo0 in -150.0f64..150.0,
            width in 0.01f64..50.0,
        ) {
            let Some(estimate) = estimate(counts, elo0, elo0 + width) else { return Ok(()) };
            prop_assert!((0.0..=1.0).contains(&estimate.los));
            let ends = [estimate.elo.low, estimate.elo.value, estimate.elo.high];
            let known: Vec<f64> = ends.into_iter().flatten().collect();
            prop_assert!(known.iter().all(|x| x.is_finite()) && known.is_sorted());
        }
    }
}
