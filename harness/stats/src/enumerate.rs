//! Every result a few pairs can have, for tests that need exact probabilities instead of simulated ones.

use std::collections::BTreeMap;

/// All counts of `pairs` pairs with their probability under the given pentanomial distribution.
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
