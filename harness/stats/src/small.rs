//! The exact interval, for tiny samples and for those of which nearly all had the same score: counts in, an interval for the mean score out
//! that needs no variance. Wider than the normal approximation of [`mod@super::elo`]; used where that fails.
//!
//! A mean `m` is refuted from below where the likelihood of the counts under every distribution with a mean of at most `m` is smaller by the
//! factor of the error than under the best one: `max_x Σ n_i ln(1 + x (a_i - m)) > ln(1/error)` (the empirical likelihood ratio; A. Owen,
//! *Empirical Likelihood*, 2001, but with the threshold of a tail bound instead of its limit). Of `n` equal scores `a` that is
//! `m < a error^(1/n)`, of binomial counts Chernoff's bound. That it covers at least as often as it says is checked over all results of up to
//! 40 pairs. Holds for a number of samples fixed beforehand; after looking use [`super::anytime`].

use super::level::Level;
use super::sample::Sample;
use super::search::falling_root;

/// The interval for the mean score, within `[0, 1]`: 0 and 1 themselves mean no limit on that side.
pub fn exact_scores(sample: &Sample, level: Level) -> (f64, f64) {
    let (weighed, mirrored) = (weighed(sample, false), weighed(sample, true));
    (
        lowest_mean(&weighed, level.low),
        1.0 - lowest_mean(&mirrored, level.high),
    )
}

/// A bound on the probability that a player with this mean score does as well, or as badly if the sample lies below it; at most 1.
pub(crate) fn exact_tail(sample: &Sample, mean: f64) -> f64 {
    let is_below = sample.score().is_some_and(|score| score < mean);
    let mean = if is_below { 1.0 - mean } else { mean };
    (-log_ratio(&weighed(sample, is_below), mean).0).exp()
}

/// Scores that were seen and how many samples they are worth; from the other player's view if `is_mirrored`.
fn weighed(sample: &Sample, is_mirrored: bool) -> Vec<(f64, f64)> {
    let scores = sample.scores().iter().zip(sample.weights());
    let seen = scores.filter(|(_, weight)| *weight > 0.0);
    seen.map(|(a, weight)| (if is_mirrored { 1.0 - a } else { *a }, weight))
        .collect()
}

fn lowest_mean(weighed: &[(f64, f64)], error: f64) -> f64 {
    let total: f64 = weighed.iter().map(|(_, weight)| weight).sum();
    let observed = weighed.iter().map(|(a, weight)| a * weight).sum::<f64>() / total.max(1e-300);
    if observed <= 0.0 {
        return 0.0;
    }
    falling_root([0.0, observed], |mean| {
        let (ratio, slope) = log_ratio(weighed, mean);
        (ratio + error.ln(), slope)
    })
}

/// By how much the counts are less likely under a mean of at most `mean`, in logarithms, and its derivative in `mean`; 0 if they lie below.
fn log_ratio(weighed: &[(f64, f64)], mean: f64) -> (f64, f64) {
    let slopes = |x: f64| {
        let ratios = weighed
            .iter()
            .map(|(a, weight)| (weight, (a - mean) / (1.0 + x * (a - mean))));
        ratios.fold((0.0, 0.0), |(slope, bend), (weight, ratio)| {
            (slope + weight * ratio, bend - weight * ratio * ratio)
        })
    };
    let most = 1.0 / mean;
    // Without a sample of score 0 nothing but the mean limits the stake.
    if weighed.iter().all(|(a, _)| *a > 0.0) && slopes(most).0 >= 0.0 {
        let terms = weighed
            .iter()
            .map(|(a, weight)| (weight * (a / mean).ln(), -weight / mean));
        return terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
    }
    let x = falling_root([0.0, most], slopes);
    let terms = weighed.iter().map(|(a, weight)| {
        let gain = x * (a - mean);
        (weight * gain.ln_1p(), -x * weight / (1.0 + gain))
    });
    terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::moments;
    use crate::testing::{assert_near, counts, every_result, mirrored};
    use proptest::prelude::*;

    const LEVEL: Level = Level::two_sided(0.95);

    #[test]
    fn equal_scores_and_binomial_counts_have_their_closed_bounds() {
        let won = exact_scores(&Sample::pairs([0, 0, 0, 0, 20]), LEVEL);
        assert_near(won.0, 0.025_f64.powf(1.0 / 20.0), 1e-12);
        assert_eq!(won.1, 1.0);
        let drawn = exact_scores(&Sample::pairs([0, 0, 16, 0, 0]), LEVEL);
        assert_near(drawn.0, 0.5 * 0.025_f64.powf(1.0 / 16.0), 1e-12);
        assert_near(drawn.0 + drawn.1, 1.0, 1e-12);
        // n KL(8/10, m) = ln 40.
        let (low, _) = exact_scores(&Sample::games(2, 0, 8), LEVEL);
        let divergence = 0.8 * (0.8 / low).ln() + 0.2 * (0.2 / (1.0 - low)).ln();
        assert_near(10.0 * divergence, 40_f64.ln(), 1e-9);
        // Two samples of one opening are worth one.
        let twice = exact_scores(&Sample::pairs([0, 0, 0, 0, 40]).with_design_effect(2.0), LEVEL);
        assert_near(twice.0, won.0, 1e-4);
    }

    #[test]
    fn each_end_errs_no_more_often_than_it_says_over_all_results() {
        for probabilities in [
            [0.05, 0.1, 0.5, 0.2, 0.15],
            [0.9, 0.0, 0.0, 0.0, 0.1],
            [0.0, 0.0, 0.0, 0.02, 0.98],
            [0.0, 0.0, 0.9, 0.1, 0.0],
            [0.0, 0.05, 0.9, 0.05, 0.0],
            [0.2; 5],
        ] {
            let (mean, _) = moments(Sample::pairs([0; 5]).scores(), &probabilities);
            let few = probabilities.iter().filter(|p| **p > 0.0).count() < 4;
            for n in [1, 4, 9].into_iter().chain(few.then_some(40)) {
                for level in [Level::two_sided(0.95), Level::two_sided(0.9)] {
                    let missed = |is_missed: &dyn Fn((f64, f64)) -> bool| {
                        let results = every_result(n, probabilities);
                        let missed = results
                            .filter(|(counts, _)| is_missed(exact_scores(&Sample::pairs(*counts), level)));
                        missed.map(|(_, weight)| weight).sum::<f64>()
                    };
                    let errors = [
                        missed(&|(low, _)| low > mean + 1e-12),
                        missed(&|(_, high)| high < mean - 1e-12),
                    ];
                    let is_kept = errors[0] <= level.low && errors[1] <= level.high;
                    assert!(is_kept, "{errors:?} of {n} pairs under {probabilities:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn the_interval_is_ordered_and_mirrors(counts in counts(2000)) {
            prop_assume!(counts != [0; 5]);
            let [(low, high), (other_low, other_high)] =
                [counts, mirrored(counts)].map(|counts| exact_scores(&Sample::pairs(counts), LEVEL));
            prop_assert!(0.0 <= low && low <= high && high <= 1.0 + 1e-12);
            prop_assert!((low + other_high - 1.0).abs() < 1e-9 && (high + other_low - 1.0).abs() < 1e-9);
        }
    }
}
