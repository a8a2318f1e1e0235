//! What tests share.

use crate::EloModel;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// All counts of `pairs` pairs with their probability under the given pentanomial distribution, for exact probabilities.
pub(crate) fn every_result(pairs: u64, probabilities: [f64; 5]) -> impl Iterator<Item = ([u64; 5], f64)> {
    let mut results = BTreeMap::from([([0u64; 5], 1.0)]);
    for _ in 0..pairs {
        let mut next = BTreeMap::new();
        for (counts, weight) in results {
            for (category, p) in probabilities.iter().enumerate() {
                let mut counts = counts;
                counts[category] += 1;
                *next.entry(counts).or_insert(0.0) += weight * p;
            }
        }
        results = next;
    }
    results.into_iter()
}

/// Counts of pairs below `limit`, often none or few.
pub(crate) fn counts(limit: u64) -> impl Strategy<Value = [u64; 5]> {
    prop::array::uniform5(prop_oneof![Just(0), 1u64..5, 0..limit])
}

/// The same pairs from the other player's view.
pub(crate) fn mirrored(mut counts: [u64; 5]) -> [u64; 5] {
    counts.reverse();
    counts
}

pub(crate) fn model() -> impl Strategy<Value = EloModel> {
    prop::sample::select(vec![EloModel::Logistic, EloModel::Normalized])
}

#[track_caller]
pub(crate) fn assert_near(ours: f64, expected: f64, tolerance: f64) {
    assert!((ours - expected).abs() <= tolerance, "{ours} not {expected}");
}
