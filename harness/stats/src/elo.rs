//! Estimates after a number of games that was fixed beforehand: counts in, Elo, normalized Elo and LOS with intervals
//! out. After a *sequential* stop these intervals cover less than they say; use [`super::stopped`] there.
//!
//! Two things are never shown: an estimate from fewer than [`MIN_PAIRS`] pairs (`None`), and a bound that the data do
//! not give (`None` in that bound). Sources: fishtest `stat_util`; M. Van den Bergh, *Normalized Elo practical*.

use super::normal;
use super::sample::Sample;
use std::f64::consts::LN_10;

/// Elo a unit of normalized score difference: `C = 800 / ln 10`.
pub const NELO_SCALE: f64 = 800.0 / LN_10;

/// The smallest number of pairs from which an estimate by normal approximation is shown.
///
/// The normal quantile is used with an estimated variance, so the 95 % interval of few pairs covers less than it says:
/// over nine mixes of draws, opening bias and strength 87 to 89 % at 8 pairs, at least 92 % at 16, at least 93.5 % at 32. Sixteen
/// is where it becomes better than misleading; [`super::small`] has an interval that holds below.
pub const MIN_PAIRS: u64 = 16;

/// The same threshold for single games, which carry about half of a pair's information.
pub const MIN_GAMES: u64 = 2 * MIN_PAIRS;

/// A value with its interval. `None` in `value` or a bound: the data put no finite limit on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value that the data make most likely.
    pub value: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
}

impl Estimate {
    /// Nothing is known, neither a value nor a limit on it.
    pub const UNKNOWN: Estimate = Estimate {
        value: None,
        low: None,
        high: None,
    };

    /// An interval of scores mapped to Elo; scores outside `(0, 1)` become open ends.
    pub fn from_scores(value: f64, low: f64, high: f64) -> Estimate {
        Estimate {
            value: elo_of_score(value),
            low: elo_of_score(low),
            high: elo_of_score(high),
        }
    }

    /// A value with a symmetric interval.
    pub(crate) fn around(value: f64, half_width: f64) -> Estimate {
        Estimate {
            value: Some(value),
            low: Some(value - half_width),
            high: Some(value + half_width),
        }
    }

    /// True if `truth` lies in the interval; an open end contains everything on its side.
    pub fn contains(&self, truth: f64) -> bool {
        self.low.is_none_or(|low| low <= truth) && self.high.is_none_or(|high| truth <= high)
    }
}

/// Expected score of a player `elo` stronger: `1 / (1 + 10^(-elo/400))`.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo * LN_10 / 400.0).exp())
}

/// The inverse of [`score_of_elo`]; `None` unless `score` lies strictly between 0 and 1.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 / LN_10 * (score.ln() - (-score).ln_1p()))
}

/// True if the sample is large enough for an estimate by normal approximation.
pub fn is_enough(sample: &Sample) -> bool {
    let least = if sample.games_per_sample() == 2 {
        MIN_PAIRS
    } else {
        MIN_GAMES
    };
    sample.count() >= least
}

/// Elo with its interval at `confidence` (for example 0.95): `mu ± z √(var/N)` mapped to Elo, not symmetrised.
///
/// `None`: too few samples. If every sample had the same score the variance is unknown and the bounds are the exact
/// ones; a match won outright so has a lower bound only.
pub fn elo(sample: &Sample, confidence: f64) -> Option<Estimate> {
    if !is_enough(sample) {
        return None;
    }
    if let Some(score) = sample.constant_score() {
        let (low, high) = constant_score_bounds(score, sample.count(), confidence);
        return Some(Estimate::from_scores(score, low, high));
    }
    let (mean, half_width) = (sample.mean(), half_width(sample, confidence));
    Some(Estimate::from_scores(mean, mean - half_width, mean + half_width))
}

/// Normalized Elo `C (mu - 1/2) / sigma_game` with its interval; `None`: too few samples or all of the same score.
///
/// The interval is the delta method's for a standardised mean `t`, `var(t) = (1 - skewness t + (kurtosis - 1) t²/4) / N`,
/// which near equality is the usual `1/N` and stays right for one-sided matches.
pub fn nelo(sample: &Sample, confidence: f64) -> Option<Estimate> {
    if !is_enough(sample) || sample.constant_score().is_some() {
        return None;
    }
    let (mean, sigma) = (sample.mean(), sample.variance().sqrt());
    let standardised = |power| -> f64 {
        let terms = sample.scores().iter().zip(sample.probabilities());
        terms.map(|(a, p)| p * ((a - mean) / sigma).powi(power)).sum()
    };
    let t = (mean - 0.5) / sigma;
    let spread = 1.0 - standardised(3) * t + (standardised(4) - 1.0) * t * t / 4.0;
    let half_width = normal::two_sided_z(confidence) * (spread.max(0.0) / sample.total()).sqrt();
    let scale = NELO_SCALE / (sample.games_per_sample() as f64).sqrt();
    Some(Estimate::around(scale * t, scale * half_width))
}

/// The two-sided probability that equal players are as far apart as this or farther, at a length that was fixed beforehand; `None`: too few
/// samples. It is below `1 - confidence` where [`elo`]'s interval at `confidence` does not hold 0.
pub fn p_even(sample: &Sample) -> Option<f64> {
    if !is_enough(sample) {
        return None;
    }
    let Some(score) = sample.constant_score() else {
        let z = (sample.mean() - 0.5) / standard_error(sample);
        return Some(2.0 * normal::cdf(-z.abs()));
    };
    let farther = score.max(1.0 - score);
    let p = 2.0 * (0.5 / farther).powf(sample.count() as f64);
    Some(p.min(1.0))
}

/// Likelihood of superiority `Φ((mu - 1/2) / √(var/N))`; `None`: too few samples.
///
/// If every sample had the same score `a > 1/2`, it is one minus the largest probability `(1/(2a))^N` that an
/// equal player could give that result.
pub fn los(sample: &Sample) -> Option<f64> {
    if !is_enough(sample) {
        return None;
    }
    let Some(score) = sample.constant_score() else {
        return Some(normal::cdf((sample.mean() - 0.5) / standard_error(sample)));
    };
    let p = (0.5 / score.max(1.0 - score)).powf(sample.count() as f64);
    Some(match score {
        0.5 => 0.5,
        score if score > 0.5 => 1.0 - p,
        _ => p,
    })
}

/// Exact bounds on the mean score when all of `count` samples had the score `a`.
///
/// Under mean `m < a` at most `m/a` of the scores can be `a` (the rest 0), so `m >= a p^(1/N)` with `p = (1 - confidence)/2`,
/// and likewise from above. The bounds 0 and 1 themselves mean: no limit on that side.
fn constant_score_bounds(score: f64, count: u64, confidence: f64) -> (f64, f64) {
    let share = (0.5 * (1.0 - confidence)).powf(1.0 / count.max(1) as f64);
    (score * share, 1.0 - (1.0 - score) * share)
}

fn standard_error(sample: &Sample) -> f64 {
    (sample.variance() / sample.total()).sqrt()
}

fn half_width(sample: &Sample, confidence: f64) -> f64 {
    normal::two_sided_z(confidence) * standard_error(sample)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair_model::PairModel;
    use crate::sprt::EloModel;
    use crate::testing::{assert_near, counts, every_result, mirrored};
    use proptest::prelude::*;

    #[test]
    fn elo_and_score_are_inverse_and_scores_outside_the_open_unit_interval_have_no_elo() {
        assert_near(elo_of_score(0.75).unwrap(), 190.848_501_887_864_97, 1e-9);
        for elo in (-2000..=2000).step_by(37).map(f64::from) {
            assert_near(elo_of_score(score_of_elo(elo)).unwrap(), elo, 1e-6);
        }
        for score in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
            assert_eq!(elo_of_score(score), None);
        }
    }

    #[test]
    fn too_few_pairs_give_no_estimate_at_all() {
        let few = Sample::pairs([0, 0, 0, 0, MIN_PAIRS - 1]);
        assert_eq!((elo(&few, 0.95), nelo(&few, 0.95)), (None, None));
        assert_eq!((los(&few), p_even(&few)), (None, None));
    }

    #[test]
    fn a_match_of_one_result_only_keeps_an_honest_width() {
        let won = Sample::pairs([0, 0, 0, 0, 20]);
        let estimate = elo(&won, 0.95).unwrap();
        assert_eq!((estimate.value, estimate.high), (None, None));
        // 0.025^(1/20) = 0.8316, which is 277 Elo.
        assert_near(estimate.low.unwrap(), 277.0, 1.0);
        assert!(los(&won).unwrap() < 1.0);
        let drawn = Sample::pairs([0, 0, 20, 0, 0]);
        let estimate = elo(&drawn, 0.95).unwrap();
        assert_eq!((estimate.value, los(&drawn)), (Some(0.0), Some(0.5)));
        assert!(estimate.high.unwrap() > 50.0 && estimate.low.unwrap() < -50.0);
    }

    #[test]
    fn the_probability_of_equal_players_agrees_with_the_interval_at_its_end() {
        for counts in [
            [20, 30, 80, 45, 40],
            [0, 0, 0, 0, 20],
            [9, 0, 31, 2, 8],
            [0, 0, 20, 0, 0],
        ] {
            let sample = Sample::pairs(counts);
            let p = p_even(&sample).unwrap();
            let holds_0 = |confidence| elo(&sample, confidence).unwrap().contains(0.0);
            let agrees = holds_0(1.0 - 0.99 * p) && !holds_0(1.0 - 1.01 * p);
            assert!(p >= 1.0 || agrees, "{counts:?}: {p}");
        }
        assert!(p_even(&Sample::pairs([0, 0, 0, 1, 3000])).unwrap() < 1e-300);
    }

    #[test]
    fn the_interval_covers_at_least_92_percent_from_the_smallest_sample_shown() {
        for (elo_true, draws, bias) in [(0.0, 0.02, 0.0), (100.0, 0.1, 0.0), (0.0, 0.5, 100.0)] {
            let truth = PairModel::new(elo_true, EloModel::Logistic, draws, bias).unwrap();
            let covered: f64 = every_result(MIN_PAIRS, truth.pentanomial())
                .filter(|(counts, _)| elo(&Sample::pairs(*counts), 0.95).unwrap().contains(elo_true))
                .map(|(_, probability)| probability)
                .sum();
            assert!(covered > 0.92, "{covered} at {elo_true} Elo, {draws} draws");
        }
    }

    proptest! {
        #[test]
        fn swapping_the_players_negates_every_estimate(counts in counts(500)) {
            let [a, b] = [counts, mirrored(counts)].map(Sample::pairs);
            for estimate in [elo, nelo] {
                let [a, b] = [&a, &b].map(|sample| estimate(sample, 0.95).unwrap_or(Estimate::UNKNOWN));
                for (u, v) in [(a.value, b.value), (a.low, b.high), (a.high, b.low)] {
                    let [u_known, v_known] = [u, v].map(|end| end.unwrap_or(0.0));
                    prop_assert!(u.is_some() == v.is_some());
                    prop_assert!((u_known + v_known).abs() <= 1e-7 * (1.0 + u_known.abs()));
                }
            }
        }

        #[test]
        fn no_counts_give_nan_or_infinity(counts in counts(10_000_000_000), confidence in 0.5f64..0.9999) {
            for sample in [Sample::pairs(counts), Sample::games(counts[0], counts[1], counts[2])] {
                for estimate in [elo(&sample, confidence), nelo(&sample, confidence)].into_iter().flatten() {
                    let numbers = [estimate.value, estimate.low, estimate.high];
                    prop_assert!(numbers.into_iter().flatten().all(f64::is_finite));
                }
                prop_assert!(los(&sample).is_none_or(|p| (0.0..=1.0).contains(&p)));
            }
        }
    }
}
