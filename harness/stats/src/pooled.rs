//! One difference measured several times: pooled, and tested for agreement; and how far two differences differ.
//!
//! Inverse-variance weights and Q: W. G. Cochran, *Biometrics* 10 (1954) 101. With `w_i = 1 / error_i²` the pooled value is `Σ w_i x_i / Σ w_i`,
//! its error `1 / √Σ w_i`, and `Q = Σ w_i (x_i - pooled)²`, which is χ² with one degree of freedom less than there are values if all measure the
//! same. Q is independent of the pooled value, so looking at the latter again and again does not change it.
//!
//! Scores are pooled and mapped to Elo like every other interval. A difference of differences has no score, and is one of Elo.

use super::elo::{Estimate, elo, elo_of_score, is_degenerate, p_even, score_of_elo_slope, standard_error};
use super::level::{CONFIDENCE, Level};
use super::normal;
use super::sample::Sample;
use super::small::exact_scores;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// A value and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// What was measured.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// Do several values measure the same?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// Cochran's Q.
    pub q: f64,
    /// The probability that values which measure the same are as far apart.
    pub p: f64,
}

/// What samples of the same difference say together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pooled {
    /// Elo of the pooled score.
    pub elo: Estimate,
    /// The two-sided probability that equal players are as far apart; `None`: no sample.
    pub p: Option<f64>,
    /// Of at least two samples.
    pub agreement: Option<Agreement>,
}

/// How far apart two differences are, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interaction {
    /// The first difference less the second.
    pub elo: Estimate,
    /// The two-sided probability that equal differences are as far apart.
    pub p: f64,
}

impl Measured {
    /// The mean score. Of a sample that [`is_degenerate`] the error is as wide as the exact interval, and beyond its level wide enough for the
    /// probability.
    pub fn score(sample: &Sample) -> Option<Measured> {
        let value = sample.score()?;
        if !is_degenerate(sample) {
            return Some(Measured {
                value: sample.mean(),
                error: standard_error(sample),
            });
        }
        let (low, high) = exact_scores(sample, Level::two_sided(CONFIDENCE));
        let z_usual = normal::two_sided_z(CONFIDENCE);
        let of_interval = (value - low).max(high - value) / z_usual;
        // A probability near 1 bounds no error: the smaller its z, the wider the error by it.
        let z = -normal::quantile(0.5 * p_even(sample)?.min(1.0));
        let of_p = (value - 0.5).abs() / z.max(z_usual);
        let error = of_interval.max(of_p);
        Some(Measured { value, error })
    }

    /// Elo, by the slope of the score; `None` of a score of 0 or 1.
    fn elo(sample: &Sample) -> Option<Measured> {
        let score = Measured::score(sample)?;
        let value = elo_of_score(score.value)?;
        Some(Measured {
            value,
            error: score.error / score_of_elo_slope(value),
        })
    }

    /// Inverse-variance weighted, and how well they agree; `None` of nothing.
    pub fn pooled(values: &[Measured]) -> Option<(Measured, Agreement)> {
        let weight = |one: &Measured| one.error.powi(-2);
        let all: f64 = values.iter().map(weight).sum();
        if !(all.is_finite() && all > 0.0) {
            return None;
        }
        let value = values.iter().map(|one| weight(one) * one.value).sum::<f64>() / all;
        let q: f64 = values
            .iter()
            .map(|one| weight(one) * (one.value - value).powi(2))
            .sum();
        let distribution = ChiSquared::new(values.len().saturating_sub(1) as f64).ok();
        let p = distribution.map_or(1.0, |distribution| distribution.sf(q));
        let error = all.sqrt().recip();
        Some((Measured { value, error }, Agreement { q, p }))
    }

    /// The two-sided probability of a value as far from `middle`.
    fn p(&self, middle: f64) -> f64 {
        2.0 * normal::cdf(-(self.value - middle).abs() / self.error)
    }
}

/// What `samples` say together. Of a single one all is as [`elo`] and [`p_even`] say.
pub fn pooled(samples: &[Sample], level: Level) -> Pooled {
    let known: Vec<&Sample> = samples.iter().filter(|sample| sample.count() > 0).collect();
    let scores: Vec<Measured> = known
        .iter()
        .filter_map(|sample| Measured::score(sample))
        .collect();
    match (&known[..], Measured::pooled(&scores)) {
        ([_, _, ..], Some((score, agreement))) => {
            let end = |probability| score.value + normal::quantile(probability) * score.error;
            Pooled {
                elo: Estimate::from_scores(score.value, end(level.low), end(1.0 - level.high)),
                p: Some(score.p(0.5)),
                agreement: Some(agreement),
            }
        }
        ([one, ..], _) => Pooled {
            elo: elo(one, level),
            p: p_even(one),
            agreement: None,
        },
        ([], _) => Pooled {
            elo: Estimate::UNKNOWN,
            p: None,
            agreement: None,
        },
    }
}

/// By how much the first of each pair of differences is greater than the second, pooled over the pairs; `None` if no pair has both.
pub fn interaction(pairs: &[[Sample; 2]], level: Level) -> Option<Interaction> {
    let difference = |[one, other]: &[Sample; 2]| {
        let (one, other) = (Measured::elo(one)?, Measured::elo(other)?);
        Some(Measured {
            value: one.value - other.value,
            error: one.error.hypot(other.error),
        })
    };
    let differences: Vec<Measured> = pairs.iter().filter_map(difference).collect();
    let (all, _) = Measured::pooled(&differences)?;
    let half_width = normal::two_sided_z(level.confidence()) * all.error;
    Some(Interaction {
        elo: Estimate::around(all.value, half_width),
        p: all.p(0.0),
    })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_1_SQRT_2;

    use super::*;
    use crate::pair_model::PairModel;
    use crate::random::Random;
    use crate::sprt::EloModel;
    use crate::tally::Tally;
    use crate::testing::{assert_near, counts, mirrored};
    use proptest::prelude::*;

    const LEVEL: Level = Level::two_sided(0.95);

    fn measured(values: &[[f64; 2]]) -> Vec<Measured> {
        let one = |&[value, error]: &[f64; 2]| Measured { value, error };
        values.iter().map(one).collect()
    }

    /// By hand: 1 ± 1 and 3 ± 1 are 2 ± 0.7071, Q = 2; 0 ± 1, 0 ± 1 and 6 ± 2 have the weights 1, 1 and 1/4, so 2/3 ± 2/3 and Q = 8.
    #[test]
    fn the_pooled_value_and_cochrans_q_are_those_of_the_textbook() {
        for (values, value, error, q, p) in [
            (&[[1.0, 1.0], [3.0, 1.0]][..], 2.0, FRAC_1_SQRT_2, 2.0, 0.157_299),
            (
                &[[0.0, 1.0], [0.0, 1.0], [6.0, 2.0]],
                0.666_667,
                0.666_667,
                8.0,
                0.018_316,
            ),
            (&[[5.0, 2.0]], 5.0, 2.0, 0.0, 1.0),
        ] {
            let (pooled, agreement) = Measured::pooled(&measured(values)).unwrap();
            for (ours, expected) in [
                (pooled.value, value),
                (pooled.error, error),
                (agreement.q, q),
                (agreement.p, p),
            ] {
                assert_near(ours, expected, 1e-6);
            }
        }
        assert_eq!(Measured::pooled(&[]), None);
    }

    #[test]
    fn what_helps_at_one_limit_and_hurts_at_another_is_even_together_and_does_not_agree() {
        let helps = Sample::pairs([20, 40, 120, 70, 50]);
        let hurts = Sample::pairs(mirrored([20, 40, 120, 70, 50]));
        let both = pooled(&[helps, hurts], LEVEL);
        assert_near(both.elo.value.unwrap(), 0.0, 1e-9);
        assert_near(both.p.unwrap(), 1.0, 1e-9);
        assert!(both.agreement.unwrap().p < 1e-4, "{both:?}");
        let same = pooled(&[helps, helps], LEVEL);
        assert!(same.p.unwrap() < pooled(&[helps], LEVEL).p.unwrap());
        assert_near(same.agreement.unwrap().p, 1.0, 1e-9);
    }

    #[test]
    fn won_outright_is_pooled_no_better_than_its_exact_probability() {
        let won = Sample::pairs([0, 0, 0, 0, 20]);
        let alone = Measured::score(&won).unwrap();
        assert!(alone.p(0.5) >= 0.999 * p_even(&won).unwrap());
        let even = Sample::pairs([10, 10, 20, 10, 10]);
        let both = pooled(&[won, even], LEVEL);
        assert!(both.elo.value.unwrap().is_finite() && both.agreement.unwrap().p < 0.05);
        assert_eq!(pooled(&[won, Sample::pairs([0; 5])], LEVEL).elo, elo(&won, LEVEL));
        assert_eq!(interaction(&[[won, even]], LEVEL), None);
    }

    #[test]
    fn a_precise_sample_that_is_nearly_even_keeps_its_weight() {
        let errors = [0, 1, 2, 3].map(|won| {
            let sample = Sample::pairs([0, 0, 1000 - won, won, 0]);
            Measured::elo(&sample).unwrap().error
        });
        assert_near(errors[2], 0.720, 1e-3);
        assert!(errors.is_sorted() && errors[3] < 3.0 * errors[0], "{errors:?}");
    }

    /// Of three matches of 100 pairs, equal or 30 Elo apart, with draws and openings that differ by limit.
    #[test]
    fn errors_are_as_rare_as_the_levels_say() {
        let runs = 4_000;
        let mut random = Random::long(7, 0);
        for elo_true in [0.0, 30.0] {
            let models = [(0.02, 100.0), (0.3, 0.0), (0.6, 50.0)]
                .map(|(draws, bias)| PairModel::new(elo_true, EloModel::Logistic, draws, bias).unwrap());
            let mut errors = [0; 3];
            for _ in 0..runs {
                let mut played = || {
                    models.map(|model| {
                        let mut tally = Tally::default();
                        (0..100).for_each(|_| tally.add(model.draw(&mut random)));
                        Sample::pairs(tally.pentanomial)
                    })
                };
                let (one, other) = (played(), played());
                let found = pooled(&one, LEVEL);
                let apart = [0, 1, 2].map(|limit| [one[limit], other[limit]]);
                let apart = interaction(&apart, LEVEL).unwrap();
                for (error, is_wrong) in errors.iter_mut().zip([
                    !found.elo.contains(elo_true),
                    found.agreement.unwrap().p <= 0.05,
                    apart.p <= 0.05,
                ]) {
                    *error += u32::from(is_wrong);
                }
            }
            for errors in errors {
                let share = f64::from(errors) / f64::from(runs);
                assert!((0.04..0.065).contains(&share), "{share} at {elo_true} Elo");
            }
        }
    }

    proptest! {
        #[test]
        fn a_degenerate_sample_has_the_error_of_its_interval_and_proves_no_more_than_its_probability(
            most in 0..4_000_u64, of in 0..5_usize, others in counts(2),
        ) {
            let mut all = others;
            all[of] += most;
            let sample = Sample::pairs(all);
            prop_assume!(all != [0; 5] && is_degenerate(&sample));
            let (found, p) = (Measured::score(&sample).unwrap(), p_even(&sample).unwrap());
            let (low, high) = exact_scores(&sample, LEVEL);
            let of_interval = (found.value - low).max(high - found.value) / normal::two_sided_z(CONFIDENCE);
            prop_assert!(found.error >= of_interval && found.p(0.5) >= p.min(1.0 - CONFIDENCE) * (1.0 - 1e-6));
            prop_assert!(p < 1.0 - CONFIDENCE || found.error <= of_interval * (1.0 + 1e-6));
        }

        #[test]
        fn the_pooled_value_lies_between_the_others_in_any_order_and_from_either_side(
            all in prop::collection::vec(counts(2_000), 1..5),
        ) {
            let samples: Vec<Sample> = all.iter().copied().map(Sample::pairs).collect();
            let found = pooled(&samples, LEVEL);
            let reversed: Vec<Sample> = samples.iter().rev().copied().collect();
            let from_b: Vec<Sample> = all.iter().copied().map(mirrored).map(Sample::pairs).collect();
            let (again, from_b) = (pooled(&reversed, LEVEL), pooled(&from_b, LEVEL));
            let near = |one: Option<f64>, other: Option<f64>| match (one, other) {
                (Some(one), Some(other)) => (one - other).abs() <= 1e-6 * (1.0 + one.abs()),
                (one, other) => one == other,
            };
            prop_assert!(near(found.elo.value, again.elo.value) && near(found.p, again.p));
            prop_assert!(near(found.elo.value, from_b.elo.value.map(|elo| -elo)) && near(found.p, from_b.p));
            prop_assert!(near(found.agreement.map(|it| it.q), from_b.agreement.map(|it| it.q)));
            let scores: Vec<f64> = samples.iter().filter_map(Measured::score).map(|it| it.value).collect();
            if let Some(value) = found.elo.value {
                let value = crate::elo::score_of_elo(value);
                let is_above = scores.iter().any(|&score| score <= value + 1e-9);
                prop_assert!(is_above && scores.iter().any(|&score| score >= value - 1e-9));
            }
            prop_assert!(found.p.is_none_or(|p| (0.0..=1.0).contains(&p)));
            if let Some(agreement) = found.agreement {
                prop_assert!(agreement.q >= 0.0 && (0.0..=1.0).contains(&agreement.p));
            }
        }

        #[test]
        fn cochrans_q_of_two_is_the_square_of_their_difference_in_errors(
            one in (-100.0..100.0, 0.1..50.0), other in (-100.0..100.0, 0.1..50.0),
        ) {
            let [one, other]: [(f64, f64); 2] = [one, other];
            let (pooled, agreement) = Measured::pooled(&measured(&[[one.0, one.1], [other.0, other.1]])).unwrap();
            let z = (one.0 - other.0) / one.1.hypot(other.1);
            prop_assert!((agreement.q - z * z).abs() <= 1e-9 * (1.0 + z * z));
            prop_assert!(pooled.error < one.1.min(other.1));
        }
    }
}
