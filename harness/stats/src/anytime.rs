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
use super::level::Level;
use super::sample::Sample;
use super::search::falling_root;

/// Number of gamblers, their largest stake, and the ratio from each to the next: from 0.1 Elo to one-sided matches, one
/// of them is near the best stake.
const GAMBLERS: usize = 14;
const STAKE_MAX: f64 = 0.95;
const STAKE_RATIO: f64 = 0.6;

/// Elo with the anytime-valid interval; unknown without a sample. Needs no smallest sample: few pairs make it wide.
pub fn anytime_elo(sample: &Sample, level: Level) -> Estimate {
    let (low, high) = anytime_scores(sample, level);
    let of_mean = |mean| Estimate::from_scores(mean, low, high);
    sample.score().map_or(Estimate::UNKNOWN, of_mean)
}

/// The same interval for the mean score, within `[0, 1]`.
pub fn anytime_scores(sample: &Sample, level: Level) -> (f64, f64) {
    let scores = sample.scores();
    let counts = &mut weights(sample)[..scores.len()];
    // The capital that proves a mean wrong, in logarithms, is that of the inverse of the error.
    let low = lowest_mean(scores, counts, -level.low.ln());
    counts.reverse();
    (low, 1.0 - lowest_mean(scores, counts, -level.high.ln()))
}

/// The probability that equal players are *ever* as far apart as this, two-sided: at most `p` of such matches reach `p` at any look.
pub fn anytime_p_even(sample: &Sample) -> f64 {
    let counts = &mut weights(sample)[..sample.scores().len()];
    let (above, _) = log_capital(sample.scores(), counts, 0.5);
    counts.reverse();
    let (below, _) = log_capital(sample.scores(), counts, 0.5);
    (2.0 * (-above.max(below)).exp()).min(1.0)
}

fn weights(sample: &Sample) -> [f64; 5] {
    let mut weights = [0.0; 5];
    for (number, weight) in weights.iter_mut().zip(sample.weights()) {
        *number = weight;
    }
    weights
}

fn stakes() -> impl Iterator<Item = f64> {
    std::iter::successors(Some(STAKE_MAX), |stake| Some(stake * STAKE_RATIO)).take(GAMBLERS)
}

/// The smallest mean that is not excluded from below. The capital falls steadily in the mean and is at most 1 at the
/// observed one, so the root lies below that.
fn lowest_mean(scores: &[f64], counts: &[f64], threshold: f64) -> f64 {
    let total: f64 = counts.iter().sum();
    let observed = scores.iter().zip(counts).map(|(a, n)| a * n).sum::<f64>() / total.max(1.0);
    if observed <= 0.0 {
        return 0.0;
    }
    falling_root([0.0, observed], |mean| {
        let (capital, slope) = log_capital(scores, counts, mean);
        (capital - threshold, slope)
    })
}

/// Logarithm of the mean capital against "the mean is at most `mean`", and its derivative in `mean`.
fn log_capital(scores: &[f64], counts: &[f64], mean: f64) -> (f64, f64) {
    let (mut logs, mut slopes) = ([0.0; GAMBLERS], [0.0; GAMBLERS]);
    for ((log, slope), stake) in logs.iter_mut().zip(&mut slopes).zip(stakes()) {
        for (a, n) in scores.iter().zip(counts).filter(|(_, n)| **n > 0.0) {
            let factor = 1.0 + stake * (a / mean - 1.0);
            *log += n * factor.ln();
            *slope -= n * stake * a / (mean * mean * factor);
        }
    }
    let largest = largest(&logs);
    let shares = logs.map(|log| (log - largest).exp());
    let sum: f64 = shares.iter().sum();
    let weighted: f64 = shares
        .iter()
        .zip(&slopes)
        .map(|(share, slope)| share * slope)
        .sum();
    (largest + (sum / GAMBLERS as f64).ln(), weighted / sum)
}

fn largest(logs: &[f64; GAMBLERS]) -> f64 {
    logs.iter().copied().fold(f64::MIN, f64::max)
}

/// The gamblers' capital against one mean, for following a long run pair by pair: a fraction of a microsecond a look.
#[derive(Clone, Debug)]
pub struct AnytimeTest {
    /// `ln` of the factor by which each outcome multiplies each gambler's capital, betting on more and on less.
    factors: [[[f64; 5]; GAMBLERS]; 2],
    thresholds: [f64; 2],
}

impl AnytimeTest {
    /// Tests the mean score `mean`, strictly between 0 and 1, of pairs.
    pub fn pairs(mean: f64, level: Level) -> AnytimeTest {
        let mut factors = [[[0.0; 5]; GAMBLERS]; 2];
        for (gambler, stake) in stakes().enumerate() {
            let factor = |score: f64, mean: f64| (stake * (score / mean - 1.0)).ln_1p();
            let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
            factors[0][gambler] = scores.map(|score| factor(score, mean));
            factors[1][gambler] = scores.map(|score| factor(1.0 - score, 1.0 - mean));
        }
        AnytimeTest {
            factors,
            thresholds: [level.low, level.high].map(|error| -error.ln()),
        }
    }

    /// True if the confidence sequence at these counts does not contain the mean.
    pub fn excludes(&self, pentanomial: &[u64; 5]) -> bool {
        let counts = pentanomial.map(|count| count as f64);
        self.factors
            .iter()
            .zip(self.thresholds)
            .any(|(factors, threshold)| {
                let mut logs = [0.0; GAMBLERS];
                for (log, factors) in logs.iter_mut().zip(factors) {
                    *log = factors.iter().zip(&counts).map(|(factor, n)| factor * n).sum();
                }
                let largest = largest(&logs);
                let mean = || logs.iter().map(|log| (log - largest).exp()).sum::<f64>() / GAMBLERS as f64;
                // A mean is at most the largest: most looks end here, before any exponential.
                largest > threshold && largest + mean().ln() > threshold
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo;
    use crate::testing::{counts, mirrored};
    use proptest::prelude::*;

    const LEVEL: Level = Level::two_sided(0.95);

    #[test]
    fn the_price_of_looking_is_less_than_twice_the_width() {
        let width = |estimate: Estimate| estimate.high.unwrap() - estimate.low.unwrap();
        for pairs in [100, 1000, 10_000, 100_000] {
            let sample = Sample::pairs([pairs, pairs * 2, pairs * 4, pairs * 2, pairs]);
            let [anytime, fixed] = [anytime_elo, elo::elo].map(|elo| width(elo(&sample, LEVEL)));
            assert!(
                (1.0..2.0).contains(&(anytime / fixed)),
                "{anytime} {fixed} at {pairs}"
            );
        }
    }

    /// Half the error is for each end, so a mean is excluded where the gamblers' mean capital against it is 2/0.05.
    #[test]
    fn each_end_is_where_the_capital_reaches_two_over_the_error() {
        let capital = |counts: [u64; 5], mean: f64| {
            let of = |stake: f64| -> f64 {
                let factors = (0..5).map(|quarters| 1.0 + stake * (f64::from(quarters) / 4.0 / mean - 1.0));
                factors
                    .zip(counts)
                    .map(|(factor, n)| factor.powi(n as i32))
                    .product()
            };
            (0..14).map(|k| of(0.95 * 0.6f64.powi(k))).sum::<f64>() / 14.0
        };
        for counts in [[0, 0, 0, 0, 50], [3, 8, 20, 12, 7], [40, 80, 100, 10, 2]] {
            for (confidence, expected) in [(0.95, 40.0), (0.99, 200.0)] {
                let (low, high) = anytime_scores(&Sample::pairs(counts), Level::two_sided(confidence));
                let near = |capital: f64| (capital / expected - 1.0f64).abs() < 1e-6;
                assert!(near(capital(counts, low)), "{counts:?} {confidence}: {low}");
                let is_met = high == 1.0 || near(capital(mirrored(counts), 1.0 - high));
                assert!(is_met, "{counts:?}: {high}");
            }
        }
    }

    #[test]
    fn pairs_that_are_worth_less_make_the_interval_wider() {
        let counts = [5, 20, 50, 40, 10];
        let worth_half = Sample::pairs(counts.map(|count| 2 * count)).with_design_effect(2.0);
        let (expected, found) = (Sample::pairs(counts), worth_half);
        assert_eq!(anytime_scores(&found, LEVEL), anytime_scores(&expected, LEVEL));
    }

    #[test]
    fn without_data_everything_is_possible_and_a_match_won_outright_has_a_lower_bound_only() {
        let nothing = Sample::pairs([0; 5]);
        assert_eq!(
            (anytime_elo(&nothing, LEVEL), anytime_scores(&nothing, LEVEL)),
            (Estimate::UNKNOWN, (0.0, 1.0))
        );
        let estimate = anytime_elo(&Sample::pairs([0, 0, 0, 0, 50]), LEVEL);
        assert_eq!((estimate.value, estimate.high), (None, None));
        assert!(estimate.low.unwrap() > 200.0);
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_observed_mean_and_mirrors(counts in counts(1_000_000_000)) {
            let [(low, high), (other_low, other_high)] =
                [counts, mirrored(counts)].map(|counts| anytime_scores(&Sample::pairs(counts), LEVEL));
            prop_assert!((low + other_high - 1.0).abs() < 1e-9 && (high + other_low - 1.0).abs() < 1e-9);
            let mean = Sample::pairs(counts).score().unwrap_or(0.5);
            prop_assert!(0.0 <= low && low <= mean + 1e-12 && mean <= high + 1e-12 && high <= 1.0);
        }

        #[test]
        fn the_p_value_of_equal_players_agrees_with_the_interval(counts in counts(300)) {
            let p = anytime_p_even(&Sample::pairs(counts));
            for alpha in [0.05, 0.001] {
                prop_assume!((p / alpha - 1.0).abs() > 1e-9);
                let test = AnytimeTest::pairs(0.5, Level::two_sided(1.0 - alpha));
                prop_assert_eq!(p < alpha, test.excludes(&counts));
            }
        }

        #[test]
        fn the_test_of_one_mean_agrees_with_the_interval(counts in counts(300), mean in 0.02f64..0.98) {
            let (low, high) = anytime_scores(&Sample::pairs(counts), LEVEL);
            prop_assume!((mean - low).abs() > 1e-9 && (mean - high).abs() > 1e-9);
            let outside = mean < low || mean > high;
            prop_assert_eq!(AnytimeTest::pairs(mean, LEVEL).excludes(&counts), outside);
        }
    }
}
