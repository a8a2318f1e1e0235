//! Looking more than once: what a p-value and an interval are worth if a match was to be looked at after several numbers of pairs.
//!
//! The standardised score at the looks is a Brownian motion at their shares of the greatest number, divided by the square root of the
//! share. One value is critical for all looks (S. Pocock, *Biometrika* 64 (1977) 191). Since its excess at *any* look has the
//! probability given, nothing depends on why a match stopped, and the interval drawn at every look with the critical value holds at all
//! of them together (C. Jennison and B. Turnbull, *J. R. Stat. Soc. B* 51 (1989) 305). The probability is integrated numerically
//! (P. Armitage, C. McPherson and B. Rowe, *J. R. Stat. Soc. A* 132 (1969) 235).

use super::normal;

/// Of Simpson's rule: two looks are one integral, more of them take the square of it.
const INTERVALS_OF_TWO: usize = 512;
const INTERVALS_OF_MORE: usize = 128;
/// Steps of the secant, of which half usually do.
const STEPS_MAX: usize = 20;
/// Beyond this there is no probability worth integrating.
const Z_MAX: f64 = 37.0;

/// The looks at one match.
#[derive(Debug, Clone, PartialEq)]
pub struct Looks {
    /// The shares of the greatest number of pairs, ascending; the last is 1.
    shares: Vec<f64>,
}

impl Looks {
    /// After each of these numbers of pairs, in any order; looks at nothing and looks twice at the same count once.
    pub fn new(pairs: &[u64]) -> Looks {
        let mut pairs: Vec<u64> = pairs.iter().copied().filter(|&pairs| pairs > 0).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let last = pairs.last().copied().unwrap_or(1) as f64;
        Looks {
            shares: pairs.iter().map(|&pairs| pairs as f64 / last).collect(),
        }
    }

    /// The two-sided probability that equal players are as far apart as this at any of the looks, `p` being that of one look alone.
    pub fn p(&self, p: f64) -> f64 {
        if self.shares.len() < 2 || p >= 1.0 {
            return p.min(1.0);
        }
        self.crossing(-normal::quantile(0.5 * p)).clamp(p, 1.0)
    }

    /// The confidence that an interval of one look must have for the intervals of all looks to hold together at `confidence`.
    pub fn confidence_of_each(&self, confidence: f64) -> f64 {
        if self.shares.len() < 2 {
            return confidence;
        }
        // One look's is too narrow, and Bonferroni's too wide; the logarithm is nearly a parabola.
        let alpha = 1.0 - confidence;
        let excess = |z: f64| (self.crossing(z) / alpha).ln();
        let least = -normal::quantile(0.5 * alpha);
        let most = -normal::quantile(0.5 * alpha / self.shares.len() as f64);
        let (mut before, mut z) = (least, most);
        let mut excess_before = excess(before);
        for _ in 0..STEPS_MAX {
            let now = excess(z);
            let next = (z - now * (z - before) / (now - excess_before)).clamp(least, most);
            let is_near = (next - z).abs() < 1e-10;
            (before, excess_before, z) = (z, now, if next.is_nan() { z } else { next });
            if is_near || before == z {
                break;
            }
        }
        1.0 - 2.0 * normal::cdf(-z)
    }

    /// The probability that the standardised score is beyond `z` on either side at any look.
    fn crossing(&self, z: f64) -> f64 {
        let z = z.clamp(0.0, Z_MAX);
        let mut crossed = 2.0 * normal::cdf(-z);
        let Some(&first) = self.shares.first() else {
            return crossed;
        };
        let intervals = if self.shares.len() > 2 {
            INTERVALS_OF_MORE
        } else {
            INTERVALS_OF_TWO
        };
        let sd = first.sqrt();
        let mut within = Density::new(intervals, z * sd, |x| normal::density(x / sd) / sd);
        let mut before = first;
        for &share in &self.shares[1..] {
            let (end, step) = (z * share.sqrt(), (share - before).sqrt());
            crossed += within.sum(|x| normal::cdf((x - end) / step) + normal::cdf((-x - end) / step));
            if share < 1.0 {
                within = within.moved(end, step);
            }
            before = share;
        }
        crossed.min(1.0)
    }
}

/// The density of a motion that has not left its bounds, at equal distances from the lower to the upper.
struct Density {
    end: f64,
    values: Vec<f64>,
}

impl Density {
    fn new(intervals: usize, end: f64, value: impl Fn(f64) -> f64) -> Density {
        Density {
            end,
            values: places(intervals, end).map(value).collect(),
        }
    }

    /// One normal step further, within `end`.
    fn moved(&self, end: f64, step: f64) -> Density {
        Density::new(self.values.len() - 1, end, |y| {
            self.sum(|x| normal::density((y - x) / step) / step)
        })
    }

    /// The integral of the density times `weight`, by Simpson's rule.
    fn sum(&self, weight: impl Fn(f64) -> f64) -> f64 {
        let intervals = self.values.len() - 1;
        let points = self.values.iter().zip(places(intervals, self.end)).enumerate();
        let terms = points.map(|(point, (value, place))| {
            let share = match point {
                point if point == 0 || point == intervals => 1.0,
                odd if odd % 2 == 1 => 4.0,
                _ => 2.0,
            };
            share * value * weight(place)
        });
        terms.sum::<f64>() * 2.0 * self.end / (3.0 * intervals as f64)
    }
}

/// The ends of so many intervals from `-end` to `end`.
fn places(intervals: usize, end: f64) -> impl Iterator<Item = f64> {
    (0..=intervals).map(move |point| end * (2.0 * point as f64 / intervals as f64 - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn critical(looks: &Looks, alpha: f64) -> f64 {
        normal::two_sided_z(looks.confidence_of_each(1.0 - alpha))
    }

    /// Pocock (1977, table 1) and C. Jennison and B. Turnbull, *Group Sequential Methods* (2000), table 2.1.
    #[test]
    fn critical_values_at_equal_distances_are_pococks() {
        let cases = [
            (2, 0.05, 2.178),
            (3, 0.05, 2.289),
            (4, 0.05, 2.361),
            (5, 0.05, 2.413),
            (2, 0.01, 2.772),
            (5, 0.01, 2.986),
            (5, 0.10, 2.122),
        ];
        for (number, alpha, expected) in cases {
            let pairs: Vec<u64> = (1..=number).map(|look| 1000 * look).collect();
            let found = critical(&Looks::new(&pairs), alpha);
            assert!(
                (found - expected).abs() < 6e-4,
                "{number} looks at {alpha}: {found}"
            );
        }
    }

    #[test]
    fn a_second_look_late_costs_more_than_one_soon_after_and_less_than_two_matches() {
        let at = |first: u64| critical(&Looks::new(&[first, 10_000]), 0.05);
        assert!((at(9_999) - 1.959_964) < 0.02, "{}", at(9_999));
        let found = [9_000, 5_000, 2_500, 100].map(at);
        assert!(found.is_sorted(), "{found:?}");
        // Two independent looks: 1 - sqrt(0.95).
        assert!(found[3] < 2.236_477 && found[3] > 2.22, "{found:?}");
    }

    #[test]
    fn the_p_value_is_that_of_a_simulation() {
        let looks = Looks::new(&[250, 500, 1000, 2000]);
        let (mut random, runs, z) = (Random::long(11, 0), 200_000, 2.0);
        let is_crossed = |_: &u32| {
            let (mut sum, mut before, mut is_beyond) = (0.0, 0.0_f64, false);
            for time in [250.0, 500.0, 1000.0, 2000.0] {
                sum += random.normal() * (time - before).sqrt();
                before = time;
                is_beyond |= sum.abs() > z * time.sqrt();
            }
            is_beyond
        };
        let share = (0..runs).filter(is_crossed).count() as f64 / f64::from(runs);
        let p = looks.p(2.0 * normal::cdf(-z));
        let error = (p * (1.0 - p) / f64::from(runs)).sqrt();
        assert!((p - share).abs() < 4.0 * error, "{p} {share} ± {error}");
    }

    #[test]
    fn one_look_changes_nothing_and_certainty_stays() {
        let one = Looks::new(&[500, 500, 0]);
        assert_eq!((one.p(0.03), one.confidence_of_each(0.95)), (0.03, 0.95));
        let two = Looks::new(&[500, 2000]);
        assert_eq!((two.p(1.0), two.p(0.0)), (1.0, two.p(0.0)));
        assert!(two.p(0.0) < 1e-250 && Looks::new(&[]).p(0.2) == 0.2);
    }

    #[test]
    fn a_p_value_grows_with_the_looks_and_agrees_with_the_interval() {
        let two = Looks::new(&[1000, 4000]);
        for p in [1e-30, 1e-12, 1e-6, 0.001, 0.02, 0.3, 0.9] {
            let corrected = two.p(p);
            assert!(corrected > p && corrected < 2.000_001 * p, "{p}: {corrected}");
            assert!(Looks::new(&[1000, 2000, 4000]).p(p) >= corrected);
        }
        let each = 1.0 - two.confidence_of_each(0.95);
        assert!((two.p(each) - 0.05).abs() < 1e-8);
    }
}
