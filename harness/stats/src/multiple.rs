//! Many questions at once: p-values of a family made valid for all of them together.
//!
//! Sources: S. Holm, *Scand. J. Statist.* 6 (1979) 65; Y. Benjamini and Y. Hochberg, *J. R. Stat. Soc. B* 57 (1995) 289. Both are what
//! R's `p.adjust` gives.

/// Holm's: whoever rejects all that are at most `alpha` errs in any of them with probability `alpha` at most, however the questions
/// depend on each other. Each is at least as great as it was.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut corrected = vec![1.0; values.len()];
    let mut least = 0.0_f64;
    for (rank, index) in ascending(values).into_iter().enumerate() {
        least = least.max(values[index] * (values.len() - rank) as f64).min(1.0);
        corrected[index] = least;
    }
    corrected
}

/// Benjamini and Hochberg's: of all that are at most `q`, a share of `q` is wrong on average at most, if the questions are independent
/// or push each other in one direction. Each is at least as great as it was and at most as great as Holm's.
pub fn benjamini_hochberg(values: &[f64]) -> Vec<f64> {
    let mut corrected = vec![1.0; values.len()];
    let mut most = 1.0_f64;
    for (rank, index) in ascending(values).into_iter().enumerate().rev() {
        most = most.min(values[index] * values.len() as f64 / (rank + 1) as f64);
        corrected[index] = most;
    }
    corrected
}

/// A p-value beside those of its family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corrected {
    /// The p-value for itself.
    pub p: f64,
    /// The p-value corrected for the whole family ([`holm`]).
    pub p_holm: f64,
    /// The least false-discovery rate at which it is rejected ([`benjamini_hochberg`]).
    pub q: f64,
}

/// The p-values of a family beside each other; questions without one are no part of it.
pub fn corrected(values: &[Option<f64>]) -> Vec<Option<Corrected>> {
    let known: Vec<f64> = values.iter().flatten().copied().collect();
    let mut rows = holm(&known).into_iter().zip(benjamini_hochberg(&known));
    let mut beside = |p: f64| rows.next().map(|(p_holm, q)| Corrected { p, p_holm, q });
    values.iter().map(|value| value.and_then(&mut beside)).collect()
}

/// The indices of `values`, the least first.
fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn are_near(ours: &[f64], expected: &[f64]) -> bool {
        let pairs = ours.iter().zip(expected);
        ours.len() == expected.len() && pairs.into_iter().all(|(one, other)| (one - other).abs() < 1e-12)
    }

    /// Values, by Holm, and by Benjamini and Hochberg, as `p.adjust` of R has it.
    #[test]
    fn values_are_corrected_as_r_does_it_and_their_order_is_kept() {
        let cases: [[&[f64]; 3]; 5] = [
            // 5 · 0.01, 4 · 0.02, 3 · 0.03, then 2 · 0.04 and 0.05, which may not fall; 5/1 · 0.01, 5/2 · 0.02, ...
            [
                &[0.01, 0.02, 0.03, 0.04, 0.05],
                &[0.05, 0.08, 0.09, 0.09, 0.09],
                &[0.05; 5],
            ],
            [&[0.04, 0.01, 0.03], &[0.06, 0.03, 0.06], &[0.04, 0.03, 0.04]],
            [&[0.02, 0.02, 0.9], &[0.06, 0.06, 0.9], &[0.03, 0.03, 0.9]],
            [&[0.03], &[0.03], &[0.03]],
            [&[], &[], &[]],
        ];
        for [values, p_holm, q] in cases {
            assert!(are_near(&holm(values), p_holm), "{values:?}");
            assert!(are_near(&benjamini_hochberg(values), q), "{values:?}");
        }
    }

    /// The fifteen of Benjamini and Hochberg (1995, 4.1), who reject four at 0.05; Bonferroni and Holm reject three.
    #[test]
    fn the_example_of_benjamini_and_hochberg_rejects_four_where_holm_rejects_three() {
        let values = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
            0.6528, 0.7590, 1.0,
        ];
        let (p, q) = (holm(&values), benjamini_hochberg(&values));
        let rejected = |corrected: &[f64]| corrected.iter().filter(|&&p| p <= 0.05).count();
        assert_eq!((rejected(&p), rejected(&q)), (3, 4));
        assert!(
            are_near(&q[..5], &[0.0015, 0.003, 0.0095, 0.035_625, 0.0603]),
            "{q:?}"
        );
        assert!(
            are_near(&p[..5], &[0.0015, 0.0056, 0.0247, 0.114, 0.2211]),
            "{p:?}"
        );
    }

    #[test]
    fn questions_without_a_probability_are_no_part_of_the_family() {
        let family = corrected(&[Some(0.02), None, Some(0.01)]);
        let found = family[0].unwrap();
        assert!(are_near(&[found.p, found.p_holm, found.q], &[0.02, 0.02, 0.02]));
        assert!(family[1].is_none() && are_near(&[family[2].unwrap().p_holm], &[0.02]));
    }

    proptest! {
        #[test]
        fn a_correction_lies_between_the_value_and_holms_and_keeps_the_order(
            values in prop::collection::vec(0.0f64..=1.0, 1..40),
        ) {
            let (p, q) = (holm(&values), benjamini_hochberg(&values));
            for index in 0..values.len() {
                prop_assert!(values[index] <= q[index] + 1e-15 && q[index] <= p[index] + 1e-15 && p[index] <= 1.0);
                for other in 0..values.len() {
                    prop_assert!(values[index] > values[other] || (p[index] <= p[other] && q[index] <= q[other]));
                }
            }
        }
    }
}
