//! Brownian motion between two absorbing bounds: drift, variance and an outcome in, the probability of a worse
//! outcome out. Knows nothing of games.
//!
//! Two exact expansions are used, each where it converges at once: eigenfunctions for late times, images (reflections of
//! the start in both bounds) for early ones. Sources: D. Cox & H. Miller, *The Theory of Stochastic Processes* (1965),
//! section 5.7; D. Siegmund, *Sequential Analysis* (1985), chapter 3.

use super::normal;
use std::f64::consts::PI;

/// Elapsed variance in units of the squared distance of the bounds from which the eigenfunctions are used.
const LATE: f64 = 0.3;

/// Drift, in units of the variance over the distance of the bounds, beyond which far tails are taken from their two-term
/// series. The published vectors and fishtest do so; the series is off by `3/z⁴` in a term that is itself small there, and
/// agreement to 1e-4 with what others report is worth more than the last 0.002 Elo of an interval's end.
const STRONG: f64 = 15.0;
const FAR_TAIL: f64 = -5.0;

/// Terms of both expansions; at [`LATE`] the first one left out is below 1e-15.
const EIGENFUNCTIONS: u32 = 8;
const IMAGES: i32 = 3;

/// Motion that starts at 0 and is absorbed at `lower < 0` and `upper > 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Brownian {
    /// Where the motion is stopped below; negative.
    pub(crate) lower: f64,
    /// Where the motion is stopped above; positive.
    pub(crate) upper: f64,
    /// Drift a unit of time.
    pub(crate) drift: f64,
    /// Variance a unit of time, positive.
    pub(crate) variance: f64,
}

impl Brownian {
    /// Probability of an outcome worse than being at `position` at `time`: absorbed below earlier, or alive below it.
    ///
    /// Absorption at the upper bound counts as better the earlier it happens, so with `position` at that bound the
    /// result is one minus the probability to be absorbed there before `time`; `position` must lie within the bounds.
    pub(crate) fn worse_outcome(&self, time: f64, position: f64) -> f64 {
        let elapsed = self.variance * time;
        if elapsed <= 0.0 {
            return if position > 0.0 { 1.0 } else { 0.0 };
        }
        let width = self.upper - self.lower;
        let probability = if elapsed >= LATE * width * width {
            self.late(elapsed, position)
        } else {
            self.early(elapsed, position)
        };
        probability.clamp(0.0, 1.0)
    }

    fn late(&self, elapsed: f64, position: f64) -> f64 {
        let width = self.upper - self.lower;
        let gamma = self.drift / self.variance;
        let (x, y) = (-self.lower, position - self.lower);
        let scale = (gamma * (y - x) - 0.5 * gamma * gamma * elapsed).exp();
        let sum: f64 = (1..=EIGENFUNCTIONS)
            .map(|n| {
                let k = f64::from(n) * PI / width;
                let shape = (gamma * (k * y).sin() - k * (k * y).cos()) / (gamma * gamma + k * k);
                (k * x).sin() * shape * (-0.5 * k * k * elapsed).exp()
            })
            .sum();
        absorbed_below(self.lower, self.upper, gamma) + scale * sum * 2.0 / width
    }

    fn early(&self, elapsed: f64, position: f64) -> f64 {
        let (a, width) = (self.lower, self.upper - self.lower);
        let gamma = self.drift / self.variance;
        let (shift, spread) = (gamma * elapsed, elapsed.sqrt());
        // e^weight Φ(z) in logarithms: the weight alone overflows where the tail underflows.
        let strong = (gamma * width).abs() > STRONG;
        let ln_cdf = |z: f64| {
            if strong && z < FAR_TAIL {
                normal::ln_cdf_two_terms(z)
            } else {
                normal::ln_cdf(z)
            }
        };
        let weighted = |weight: f64, z: f64| (weight + ln_cdf(z)).exp();
        let between = |weight: f64, from: f64, to: f64| {
            if from > 0.0 {
                weighted(weight, -from) - weighted(weight, -to)
            } else {
                weighted(weight, to) - weighted(weight, from)
            }
        };
        (-IMAGES..=IMAGES)
            .map(|k| {
                let period = 2.0 * f64::from(k) * width;
                let alive_from = |image: f64| {
                    let z = |edge: f64| (edge - image - shift) / spread;
                    between(gamma * image, z(a), z(position))
                };
                let distance = (period - a).abs();
                let absorbed = weighted(gamma * (a - distance), (shift - distance) / spread)
                    + weighted(gamma * (a + distance), (-shift - distance) / spread);
                alive_from(period) - alive_from(2.0 * a + period) + absorbed * (period - a).signum()
            })
            .sum()
    }
}

/// Probability that a motion with drift `gamma` per unit of variance, starting at 0, meets `lower` before `upper`.
pub(crate) fn absorbed_below(lower: f64, upper: f64, gamma: f64) -> f64 {
    let width = upper - lower;
    if (gamma * width).abs() < 1e-9 {
        return upper / width;
    }
    // Both forms are the same; each keeps its exponents negative.
    if gamma > 0.0 {
        (2.0 * gamma * lower).exp() * (-2.0 * gamma * upper).exp_m1() / (-2.0 * gamma * width).exp_m1()
    } else {
        (2.0 * gamma * upper).exp_m1() / (2.0 * gamma * width).exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_near;
    use proptest::prelude::*;

    fn motion([lower, upper]: [f64; 2], drift: f64, variance: f64) -> Brownian {
        Brownian {
            lower,
            upper,
            drift,
            variance,
        }
    }

    #[test]
    fn both_expansions_agree_where_they_meet() {
        for drift in [-2.0, -0.3, 0.0, 0.4, 3.0] {
            let motion = motion([-2.0, 3.0], drift, 1.0);
            for position in [-1.9, -0.5, 0.0, 1.0, 2.9] {
                for elapsed in [0.25, 0.3, 0.5].map(|share| share * 25.0) {
                    assert_near(
                        motion.late(elapsed, position),
                        motion.early(elapsed, position),
                        1e-9,
                    );
                }
            }
        }
    }

    #[test]
    fn in_the_end_the_motion_is_absorbed_and_if_fair_by_the_distances() {
        let motion = motion([-2.0, 3.0], 0.1, 1.0);
        assert_near(
            motion.worse_outcome(1e6, 1.0),
            absorbed_below(-2.0, 3.0, 0.1),
            1e-12,
        );
        assert_near(absorbed_below(-1.0, 3.0, 0.0), 0.75, 1e-12);
        assert_near(absorbed_below(-1.0, 3.0, 1e-7), 0.75, 1e-6);
    }

    const BOUNDS: [f64; 2] = [-2.9, 2.2];

    proptest! {
        #[test]
        fn any_motion_gives_a_probability(
            drift in -50.0f64..50.0,
            time in 0.0f64..1000.0,
            position in -2.9f64..=2.2,
            variance in 1e-6f64..10.0,
        ) {
            let p = motion(BOUNDS, drift, variance).worse_outcome(time, position);
            prop_assert!((0.0..=1.0).contains(&p), "{}", p);
        }

        #[test]
        fn more_drift_makes_a_worse_outcome_rarer_and_a_mirrored_motion_mirrors_it(
            drift in -5.0f64..5.0,
            time in 0.01f64..100.0,
            position in -2.89f64..2.19,
        ) {
            let at = |drift| motion(BOUNDS, drift, 0.5).worse_outcome(time, position);
            // Between two drifts one of which is strong, the tails in two terms differ from the whole ones by 1.2e-9.
            prop_assert!(at(drift + 0.1) <= at(drift) + 1e-8);
            let mirrored = motion([-2.2, 2.9], -drift, 0.5).worse_outcome(time, -position);
            prop_assert!((at(drift) + mirrored - 1.0).abs() < 1e-8);
        }
    }
}
