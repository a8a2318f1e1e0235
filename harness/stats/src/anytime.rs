//! An interval that may be looked at after every pair and acted on at will: counts in, a confidence sequence out.
//! The probability that it *ever* misses the true mean score is at most `1 - confidence`.
//!
//! To test whether the mean is `m`, a gambler starts with capital 1 and stakes the fraction `f` of it on every pair; a pair
//! of score `x` multiplies the capital by `1 - f + f x/m`. If the mean is at most `m` the capital is a supermartingale, so
//! by Ville's inequality it ever exceeds `1/p` with probability `p` at most, and so does the mean over gamblers with
//! different `f`. Values of `m` against which the gamblers got that rich are excluded; the upper end is the same game with
//! the players exchanged, each end at half the error. Since scores take a few values only, the capital depends on the
//! counts alone: nothing has to be kept between looks. Only the mean given the past must stay the same: no normality, no
//! variance known. Sources: J. Ville (1939); I. Waudby-Smith & A. Ramdas, *Estimating means of bounded random
//! variables by betting* (2024); H. Robbins (1970) for the mixture.

use super::elo::Estimate;
use super::sample::Sample;

/// Number of gamblers, their largest stake, and the ratio from each to the next: from 0.1 Elo to one-sided matches, one
/// of them is near the best stake.
const GAMBLERS: usize = 14;
const STAKE_MAX: f64 = 0.95;
const STAKE_RATIO: f64 = 0.6;

/// Elo with the anytime-valid interval at `confidence`; `None` without a sample. Needs no smallest sample: few pairs make it wide.
pub fn anytime_elo(sample: &Sample, confidence: f64) -> Option<Estimate> {
    let mean = sample.score()?;
    let (low, high) = anytime_scores(sample, confidence);
    Some(Estimate::from_scores(mean, low, high))
}

/// The same interval for the mean score, within `[0, 1]`.
pub fn anytime_scores(sample: &Sample, confidence: f64) -> (f64, f64) {
    let threshold = threshold(confidence);
    let (counts, mirrored) = (as_counts(sample.counts()), mirrored(sample));
    (
        lowest_mean(sample.scores(), &counts, threshold),
        1.0 - lowest_mean(sample.scores(), &mirrored, threshold),
    )
}

/// The capital that proves a mean wrong, in logarithms.
fn threshold(confidence: f64) -> f64 {
    (2.0 / (1.0 - confidence)).ln()
}

fn as_counts(counts: &[u64]) -> [f64; 5] {
    let mut as_numbers = [0.0; 5];
    for (number, &count) in as_numbers.iter_mut().zip(counts) {
        *number = count as f64;
    }
    as_numbers
}

fn mirrored(sample: &Sample) -> [f64; 5] {
    let mut counts = as_counts(sample.counts());
    counts[..sample.counts().len()].reverse();
    counts
}

fn stakes() -> impl Iterator<Item = f64> {
    std::iter::successors(Some(STAKE_MAX), |stake| Some(stake * STAKE_RATIO)).take(GAMBLERS)
}

/// The smallest mean that is not excluded from below. The capital falls steadily in the mean and is at most 1 at the
/// observed one, so the root lies below that; Newton's method guarded by bisection finds it.
fn lowest_mean(scores: &[f64], counts: &[f64; 5], threshold: f64) -> f64 {
    let total: f64 = counts.iter().sum();
    let observed = scores.iter().zip(counts).map(|(a, n)| a * n).sum::<f64>() / total.max(1.0);
    if observed <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, observed);
    let mut mean = 0.9 * observed;
    for _ in 0..100 {
        let (capital, slope) = log_capital(scores, counts, mean);
        let excess = capital - threshold;
        if excess > 0.0 {
            low = mean;
        } else {
            high = mean;
        }
        let newton = mean - excess / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        let step = (next - mean).abs();
        mean = next;
        if step < 1e-12 {
            break;
        }
    }
    // The end on the safe side of the root.
    mean.min(high)
}

/// Logarithm of the mean capital against "the mean is at most `mean`", and its derivative in `mean`.
fn log_capital(scores: &[f64], counts: &[f64; 5], mean: f64) -> (f64, f64) {
    let (mut logs, mut slopes) = ([0.0; GAMBLERS], [0.0; GAMBLERS]);
    for ((log, slope), stake) in logs.iter_mut().zip(&mut slopes).zip(stakes()) {
        for (a, n) in scores.iter().zip(counts).filter(|(_, n)| **n > 0.0) {
            let factor = 1.0 + stake * (a / mean - 1.0);
            *log += n * factor.ln();
            *slope -= n * stake * a / (mean * mean * factor);
        }
    }
    let largest = logs.iter().copied().fold(f64::MIN, f64::max);
    let (mut sum, mut weighted) = (0.0, 0.0);
    for (log, slope) in logs.iter().zip(&slopes) {
        let share = (log - largest).exp();
        sum += share;
        weighted += share * slope;
    }
    (largest + (sum / GAMBLERS as f64).ln(), weighted / sum)
}

/// The gamblers' capital against one mean, for following a long run pair by pair: a fraction of a microsecond a look.
#[derive(Clone, Debug)]
pub struct AnytimeTest {
    /// `ln` of the factor by which each outcome multiplies each gambler's capital, betting on more and on less.
    rising: [[f64; 5]; GAMBLERS],
    falling: [[f64; 5]; GAMBLERS],
    threshold: f64,
}

impl AnytimeTest {
    /// Tests the mean score `mean`, strictly between 0 and 1, of pairs.
    pub fn pairs(mean: f64, confidence: f64) -> AnytimeTest {
        let factors = |mean: f64, mirrored: bool| {
            let mut table = [[0.0; 5]; GAMBLERS];
            for (row, stake) in table.iter_mut().zip(stakes()) {
                for (category, log) in row.iter_mut().enumerate() {
                    let quarter_points = if mirrored { 4 - category } else { category };
                    *log = (stake * (quarter_points as f64 / 4.0 / mean - 1.0)).ln_1p();
                }
            }
            table
        };
        AnytimeTest {
            rising: factors(mean, false),
            falling: factors(1.0 - mean, true),
            threshold: threshold(confidence),
        }
    }

    /// True if the confidence sequence at these counts does not contain the mean.
    pub fn excludes(&self, pentanomial: &[u64; 5]) -> bool {
        let counts = as_counts(pentanomial);
        self.is_ruined(&self.rising, &counts) || self.is_ruined(&self.falling, &counts)
    }

    fn is_ruined(&self, table: &[[f64; 5]; GAMBLERS], counts: &[f64; 5]) -> bool {
        let mut logs = [0.0; GAMBLERS];
        for (log, factors) in logs.iter_mut().zip(table) {
            *log = factors.iter().zip(counts).map(|(factor, n)| factor * n).sum();
        }
        let largest = logs.iter().copied().fold(f64::MIN, f64::max);
        // A mean is at most the largest: most looks end here, before any exponential.
        largest > self.threshold
            && largest + (logs.iter().map(|log| (log - largest).exp()).sum::<f64>() / GAMBLERS as f64).ln()
                > self.threshold
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo;
    use proptest::prelude::*;

    #[test]
    fn the_price_of_looking_is_less_than_twice_the_width() {
        for pairs in [100, 1000, 10_000, 100_000] {
            let sample = Sample::pairs([pairs, pairs * 2, pairs * 4, pairs * 2, pairs]);
            let (low, high) = anytime_scores(&sample, 0.95);
            let fixed = elo::elo(&sample, 0.95).unwrap();
            let width = elo::elo_of_score(high).unwrap() - elo::elo_of_score(low).unwrap();
            let ratio = width / (fixed.high.unwrap() - fixed.low.unwrap());
            assert!((1.0..2.0).contains(&ratio), "{ratio} at {pairs}");
        }
    }

    /// Half the error is for each end, so a mean is excluded where the gamblers' mean capital against it is 2/0.05.
    #[test]
    fn each_end_is_where_the_capital_reaches_two_over_the_error() {
        let capital = |counts: [i32; 5], mean: f64| {
            let of = |stake: f64| -> f64 {
                let factors = (0..5).map(|quarters| 1.0 + stake * (f64::from(quarters) / 4.0 / mean - 1.0));
                factors.zip(counts).map(|(factor, n)| factor.powi(n)).product()
            };
            (0..14).map(|k| of(0.95 * 0.6f64.powi(k))).sum::<f64>() / 14.0
        };
        for counts in [[0, 0, 0, 0, 50], [3, 8, 20, 12, 7], [40, 80, 100, 10, 2]] {
            let mirrored = [counts[4], counts[3], counts[2], counts[1], counts[0]];
            let sample = Sample::pairs(counts.map(|count| count as u64));
            for (confidence, expected) in [(0.95, 40.0), (0.99, 200.0)] {
                let (low, high) = anytime_scores(&sample, confidence);
                let near = |capital: f64| (capital / expected - 1.0f64).abs() < 1e-6;
                assert!(near(capital(counts, low)), "{counts:?} {confidence}: {low}");
                assert!(
                    high == 1.0 || near(capital(mirrored, 1.0 - high)),
                    "{counts:?}: {high}"
                );
            }
        }
    }

    #[test]
    fn without_data_everything_is_possible() {
        assert_eq!(anytime_elo(&Sample::pairs([0; 5]), 0.95), None);
        assert_eq!(anytime_scores(&Sample::pairs([0; 5]), 0.95), (0.0, 1.0));
    }

    #[test]
    fn a_match_won_outright_has_a_lower_bound_only() {
        let estimate = anytime_elo(&Sample::pairs([0, 0, 0, 0, 50]), 0.95).unwrap();
        assert_eq!((estimate.value, estimate.high), (None, None));
        assert!(estimate.low.unwrap() > 200.0);
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_observed_mean_and_mirrors(
            counts in prop::array::uniform5(prop_oneof![Just(0u64), 0u64..50, 0u64..1_000_000_000]),
        ) {
            let mirrored = { let mut m = counts; m.reverse(); m };
            let (low, high) = anytime_scores(&Sample::pairs(counts), 0.95);
            let (other_low, other_high) = anytime_scores(&Sample::pairs(mirrored), 0.95);
            prop_assert!((low + other_high - 1.0).abs() < 1e-9 && (high + other_low - 1.0).abs() < 1e-9);
            let mean = Sample::pairs(counts).score().unwrap_or(0.5);
            prop_assert!(0.0 <= low && low <= mean + 1e-12 && mean <= high + 1e-12 && high <= 1.0);
        }

        #[test]
        fn the_test_of_one_mean_agrees_with_the_interval(
            counts in prop::array::uniform5(0u64..300),
            mean in 0.02f64..0.98,
        ) {
            let (low, high) = anytime_scores(&Sample::pairs(counts), 0.95);
            prop_assume!((mean - low).abs() > 1e-9 && (mean - high).abs() > 1e-9);
            let outside = mean < low || mean > high;
            prop_assert_eq!(AnytimeTest::pairs(mean, 0.95).excludes(&counts), outside);
        }
    }
}
