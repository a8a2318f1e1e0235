//! Estimates after a number of games that was fixed beforehand: counts in, Elo, normalized Elo and LOS with intervals
//! out. After a *sequential* stop these intervals cover less than they say: [`super::Estimates`] picks the one to quote.
//!
//! A bound that the data do not give is `None`. Where the variance cannot be estimated from the counts the interval is the
//! exact one of [`super::small`]. Sources: fishtest `stat_util`; M. Van den Bergh, *Normalized Elo practical*.

use super::level::Level;
use super::normal;
use super::sample::Sample;
use super::small::{exact_scores, exact_tail};
use std::f64::consts::LN_10;

/// Elo a unit of normalized score difference: `C = 800 / ln 10`.
pub const NELO_SCALE: f64 = 800.0 / LN_10;

/// The smallest number of pairs from which an interval by normal approximation is used.
///
/// The normal quantile is used with an estimated variance, so the 95 % interval of few pairs covers less than it says:
/// over nine mixes of draws, opening bias and strength 87 to 89 % at 8 pairs, at least 92 % at 16, at least 93.5 % at 32.
pub const MIN_PAIRS: u64 = 16;

/// How many pairs must differ from the most frequent score for the same. Where all rare pairs went one way, a 95 % interval
/// covers 84.7 % of the time with one of them, 92.1 % with eight, 93.1 % with sixteen (Poisson counts, whatever their mean).
const MIN_DIFFERING: u64 = 8;

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

    /// The value and both ends, where they are known, through `map`.
    #[must_use]
    pub fn map(self, map: impl Fn(f64) -> f64) -> Estimate {
        let [value, low, high] = [self.value, self.low, self.high].map(|end| end.map(&map));
        Estimate { value, low, high }
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

/// How fast [`score_of_elo`] rises.
pub(crate) fn score_of_elo_slope(elo: f64) -> f64 {
    let score = score_of_elo(elo);
    LN_10 / 400.0 * score * (1.0 - score)
}

/// The inverse of [`score_of_elo`]; `None` unless `score` lies strictly between 0 and 1.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 / LN_10 * (score.ln() - (-score).ln_1p()))
}

/// True if the variance cannot be estimated from the sample: it is small, or nearly all of it had the same score.
pub fn is_degenerate(sample: &Sample) -> bool {
    let games_per_pair = 3 - sample.games_per_sample();
    let most = sample.counts().iter().max().copied().unwrap_or(0);
    sample.count() < MIN_PAIRS * games_per_pair || sample.count() - most < MIN_DIFFERING * games_per_pair
}

/// Elo with its interval: `mu ± z √(var/N)` mapped to Elo, not symmetrised; the exact one if the sample [`is_degenerate`].
///
/// Without a sample nothing is known; a match won outright has a lower bound only.
pub fn elo(sample: &Sample, level: Level) -> Estimate {
    let Some(score) = sample.score() else {
        return Estimate::UNKNOWN;
    };
    if is_degenerate(sample) {
        let (low, high) = exact_scores(sample, level);
        return Estimate::from_scores(score, low, high);
    }
    let (mean, error) = (sample.mean(), standard_error(sample));
    let end = |probability| mean + normal::quantile(probability) * error;
    Estimate::from_scores(mean, end(level.low), end(1.0 - level.high))
}

/// An estimate of Elo on the normalized scale, `C (score - 1/2) / sigma_game` of its value and of both ends: so it holds 0, or a hypothesis
/// on either scale, where the interval in Elo does. Unknown if every sample had the same score.
pub fn nelo(sample: &Sample, elo: Estimate) -> Estimate {
    if sample.count() == 0 || sample.constant_score().is_some() {
        return Estimate::UNKNOWN;
    }
    let scale = NELO_SCALE / sample.sigma_game();
    elo.map(|elo| scale * (score_of_elo(elo) - 0.5))
}

/// The two-sided probability that equal players are as far apart as this or farther, at a length that was fixed beforehand; `None`: no
/// sample. It is below `1 - confidence` where [`elo`]'s two-sided interval does not hold 0.
pub fn p_even(sample: &Sample) -> Option<f64> {
    sample.score().map(|_| 2.0 * tail(sample))
}

/// Likelihood of superiority `Φ((mu - 1/2) / √(var/N))`; `None`: no sample. Of a sample that [`is_degenerate`] it is one minus a bound on
/// the probability that an equal player could give such a result.
pub fn los(sample: &Sample) -> Option<f64> {
    let score = sample.score()?;
    let tail = tail(sample);
    Some(if score > 0.5 { 1.0 - tail } else { tail })
}

/// The probability that an equal player does as well, or as badly if that is the side; a half at most.
fn tail(sample: &Sample) -> f64 {
    let tail = if is_degenerate(sample) {
        exact_tail(sample, 0.5)
    } else {
        normal::cdf(-(sample.mean() - 0.5).abs() / standard_error(sample))
    };
    tail.min(0.5)
}

pub(crate) fn standard_error(sample: &Sample) -> f64 {
    (sample.variance() / sample.total()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair_model::PairModel;
    use crate::sprt::EloModel;
    use crate::testing::{assert_near, counts, every_result, mirrored};
    use proptest::prelude::*;

    const LEVEL: Level = Level::two_sided(0.95);

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
    fn a_match_of_one_result_only_or_of_few_pairs_keeps_an_honest_width() {
        let won = Sample::pairs([0, 0, 0, 0, 20]);
        let estimate = elo(&won, LEVEL);
        assert_eq!((estimate.value, estimate.high), (None, None));
        // 0.025^(1/20) = 0.8316, which is 277 Elo.
        assert_near(estimate.low.unwrap(), 277.4, 0.1);
        assert!(los(&won).unwrap() < 1.0);
        let drawn = Sample::pairs([0, 0, 16, 0, 0]);
        let estimate = elo(&drawn, LEVEL);
        assert_eq!((estimate.value, los(&drawn)), (Some(0.0), Some(0.5)));
        assert_near(estimate.high.unwrap(), 72.6, 0.1);
        let one = Sample::pairs([0, 0, 0, 0, 1]);
        assert_eq!((los(&one), p_even(&one)), (Some(0.5), Some(1.0)));
        assert!(elo(&one, LEVEL).low.unwrap() < -600.0);
        let nothing = Sample::pairs([0; 5]);
        assert_eq!((elo(&nothing, LEVEL), los(&nothing)), (Estimate::UNKNOWN, None));
    }

    #[test]
    fn rare_pairs_that_all_went_one_way_prove_little_on_either_scale() {
        for counts in [[0, 2, 58, 0, 0], [0, 0, 15, 1, 0], [0, 0, 300, 7, 0]] {
            let sample = Sample::pairs(counts);
            let estimate = elo(&sample, LEVEL);
            let normalized = nelo(&sample, estimate);
            assert!(estimate.contains(0.0) == normalized.contains(0.0), "{counts:?}");
            let los = los(&sample).unwrap();
            assert!((0.02..0.98).contains(&los), "{counts:?} {los}");
        }
        let [few, more] = [7, 8].map(|won| elo(&Sample::pairs([0, 0, 300, won, 0]), LEVEL));
        let width = |estimate: Estimate| estimate.high.unwrap() - estimate.low.unwrap();
        assert!(width(few) > width(more) && width(few) < 3.0 * width(more));
    }

    #[test]
    fn the_probability_of_equal_players_agrees_with_the_interval_at_its_end() {
        for counts in [
            [20, 30, 80, 45, 40],
            [0, 0, 0, 0, 20],
            [9, 0, 31, 2, 8],
            [0, 0, 20, 0, 0],
            [0, 2, 58, 0, 0],
            [0, 0, 2, 0, 9],
        ] {
            let sample = Sample::pairs(counts);
            let p = p_even(&sample).unwrap();
            let holds_0 = |confidence| elo(&sample, Level::two_sided(confidence)).contains(0.0);
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
                .filter(|(counts, _)| elo(&Sample::pairs(*counts), LEVEL).contains(elo_true))
                .map(|(_, probability)| probability)
                .sum();
            assert!(covered > 0.92, "{covered} at {elo_true} Elo, {draws} draws");
        }
    }

    proptest! {
        #[test]
        fn swapping_the_players_negates_every_estimate(counts in counts(500)) {
            let [a, b] = [counts, mirrored(counts)].map(Sample::pairs);
            let normalized = |sample: &Sample| nelo(sample, elo(sample, LEVEL));
            for estimate in [&|sample: &Sample| elo(sample, LEVEL), &normalized as &dyn Fn(&Sample) -> Estimate] {
                let [a, b] = [&a, &b].map(estimate);
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
                let estimate = elo(&sample, Level::two_sided(confidence));
                for estimate in [estimate, nelo(&sample, estimate)] {
                    let numbers = [estimate.value, estimate.low, estimate.high];
                    prop_assert!(numbers.into_iter().flatten().all(f64::is_finite));
                }
                prop_assert!(los(&sample).is_none_or(|p| (0.0..=1.0).contains(&p)));
            }
        }
    }
}
