//! The exact interval for tiny samples: counts in, an Elo interval that covers at any sample size out. Wider than the
//! approximations of [`mod@super::elo`]; to be shown where those are not.
//!
//! The mean score is a sum of tail probabilities, `mu = Σ_k (a_k - a_(k-1)) P(score >= a_k)`, and the number of samples in
//! each tail is binomial, so each tail has a Clopper–Pearson interval (1934). With `K` tails, each taken at error
//! `(1 - confidence)/K`, all hold together (Bonferroni) and so does their sum, whatever the distribution and however few the
//! samples. Holds for a number of samples fixed beforehand; after looking use [`super::anytime`].

use super::elo::Estimate;
use super::sample::Sample;
use super::search::bisect;
use statrs::function::beta::beta_reg;

/// Elo with its exact interval at `confidence`; `None` without a sample. An end on which the data put no limit is `None`.
pub fn exact_elo(sample: &Sample, confidence: f64) -> Option<Estimate> {
    let mean = sample.score()?;
    let (low, high) = exact_scores(sample, confidence);
    Some(Estimate::from_scores(mean, low, high))
}

/// The same interval for the mean score, within `[0, 1]`.
pub fn exact_scores(sample: &Sample, confidence: f64) -> (f64, f64) {
    let (scores, counts, trials) = (sample.scores(), sample.counts(), sample.count());
    let error = 0.5 * (1.0 - confidence) / (scores.len() - 1) as f64;
    (1..scores.len()).fold((0.0, 0.0), |(low, high), k| {
        let step = scores[k] - scores[k - 1];
        let (tail_low, tail_high) = clopper_pearson(counts[k..].iter().sum(), trials, error);
        (low + step * tail_low, high + step * tail_high)
    })
}

/// Clopper–Pearson bounds of a probability, each missed with probability `error` at most.
fn clopper_pearson(successes: u64, trials: u64, error: f64) -> (f64, f64) {
    let (x, n) = (successes as f64, trials as f64);
    // By halving, to the last digit that the regularised beta function distinguishes.
    let quantile = |a: f64, b: f64, probability: f64| {
        let [low, high] = bisect([0.0, 1.0], 60, |p| beta_reg(a, b, p) < probability);
        0.5 * (low + high)
    };
    let low = if successes == 0 {
        0.0
    } else {
        quantile(x, n - x + 1.0, error)
    };
    let high = if successes == trials {
        1.0
    } else {
        quantile(x + 1.0, n - x, 1.0 - error)
    };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::moments;
    use crate::testing::{assert_near, counts, every_result, mirrored};
    use proptest::prelude::*;

    #[test]
    fn eight_successes_of_ten_have_the_published_clopper_pearson_bounds() {
        let (low, high) = clopper_pearson(8, 10, 0.025);
        assert_near(low, 0.443_904_5, 1e-6);
        assert_near(high, 0.974_789_3, 1e-6);
    }

    #[test]
    fn one_won_pair_proves_almost_nothing() {
        let estimate = exact_elo(&Sample::pairs([0, 0, 0, 0, 1]), 0.95).unwrap();
        assert_eq!((estimate.value, estimate.high), (None, None));
        assert!(estimate.low.unwrap() < -800.0, "{estimate:?}");
        assert_eq!(exact_elo(&Sample::pairs([0; 5]), 0.95), None);
    }

    #[test]
    fn the_interval_covers_as_promised_over_all_results_of_a_few_pairs() {
        for probabilities in [
            [0.05, 0.1, 0.5, 0.2, 0.15],
            [0.9, 0.0, 0.0, 0.0, 0.1],
            [0.0, 0.0, 0.95, 0.05, 0.0],
            [0.2; 5],
        ] {
            let (mean, _) = moments(Sample::pairs([0; 5]).scores(), &probabilities);
            for n in [1, 4, 9] {
                let covers = |(counts, weight)| {
                    let (low, high) = exact_scores(&Sample::pairs(counts), 0.95);
                    if low <= mean && mean <= high { weight } else { 0.0 }
                };
                let covered: f64 = every_result(n, probabilities).map(covers).sum();
                assert!(covered >= 0.95, "{covered} of {n} pairs under {probabilities:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_interval_is_ordered_and_mirrors(counts in counts(2000)) {
            prop_assume!(counts != [0; 5]);
            let [(low, high), (other_low, other_high)] =
                [counts, mirrored(counts)].map(|counts| exact_scores(&Sample::pairs(counts), 0.95));
            prop_assert!(0.0 <= low && low <= high && high <= 1.0 + 1e-12);
            prop_assert!((low + other_high - 1.0).abs() < 1e-9 && (high + other_low - 1.0).abs() < 1e-9);
        }
    }
}
