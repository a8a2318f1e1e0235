//! Pairs that are not independent: by how much less they are worth than as many that are.
//!
//! Pairs of one opening favour the same player, so where openings repeat the mean score varies more than the pairs do. The variance of
//! the mean over that of as many independent pairs is the design effect (L. Kish, *Survey Sampling* (1965)); openings are the clusters
//! (K.-Y. Liang and S. Zeger, *Biometrika* 73 (1986) 13).

use std::collections::HashMap;

/// Sums over pairs by opening; integers only, so that any order gives the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clusters {
    of: HashMap<u32, (u64, u64)>,
    pairs: u64,
    /// Half points, and the sum of their squares pair by pair.
    halves: u64,
    squares: u64,
    /// Over the openings: squared half points, half points times pairs, squared pairs.
    halves_squared: u64,
    halves_by_pairs: u64,
    pairs_squared: u64,
}

impl Clusters {
    /// Counts a pair of `opening` in which A scored so many half points, 0 to 4.
    pub fn add(&mut self, opening: u32, halves: u64) {
        let (pairs, sum) = self.of.entry(opening).or_default();
        self.halves_squared += halves * (2 * *sum + halves);
        self.halves_by_pairs += (*sum + halves) * (*pairs + 1) - *sum * *pairs;
        self.pairs_squared += 2 * *pairs + 1;
        (*pairs, *sum) = (*pairs + 1, *sum + halves);
        self.pairs += 1;
        self.halves += halves;
        self.squares += halves * halves;
    }

    /// So many of these pairs are worth one that is independent of all others; 1 as long as no opening repeats, and never less.
    pub fn design_effect(&self) -> f64 {
        let openings = self.of.len() as u64;
        if openings == self.pairs || self.pairs == 0 {
            return 1.0;
        }
        if openings < 2 {
            // One opening however often is one pair.
            return self.pairs as f64;
        }
        let pairs = self.pairs as f64;
        let mean = self.halves as f64 / pairs;
        let between = self.halves_squared as f64 - 2.0 * mean * self.halves_by_pairs as f64
            + mean * mean * self.pairs_squared as f64;
        let within = self.squares as f64 - pairs * mean * mean;
        if within <= 0.0 {
            return pairs / openings as f64;
        }
        let openings = openings as f64;
        let effect = between * openings / (openings - 1.0) / (within * pairs / (pairs - 1.0));
        effect.max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_near;

    fn effect(pairs: &[(u32, u64)]) -> f64 {
        let mut clusters = Clusters::default();
        let add = |&(opening, halves): &(u32, u64)| clusters.add(opening, halves);
        pairs.iter().for_each(add);
        clusters.design_effect()
    }

    #[test]
    fn pairs_of_one_opening_or_with_equal_results_count_openings_and_openings_that_even_out_pairs() {
        assert_eq!(effect(&[]), 1.0);
        assert_eq!(effect(&[(1, 4), (2, 0), (3, 2)]), 1.0);
        assert_eq!(effect(&[(1, 4), (1, 0), (2, 0), (2, 4), (3, 1), (3, 3)]), 1.0);
        assert_eq!(effect(&[(7, 4), (7, 1), (7, 2)]), 3.0);
        assert_eq!(effect(&[(7, 2), (7, 2), (8, 2), (8, 2)]), 2.0);
    }

    /// Every pair twice: sums 2h, so the sum of squares is 4 Σ (h - m)² over the openings against 2 Σ (h - m)² over the pairs; with
    /// N/(N-1) for 3 openings and for 6 pairs, 2 · (3/2) / (6/5).
    #[test]
    fn a_pair_that_is_counted_twice_is_worth_half() {
        assert_near(
            effect(&[(1, 4), (2, 0), (3, 3), (1, 4), (2, 0), (3, 3)]),
            2.5,
            1e-12,
        );
        let many = (0..2000).map(|pair| (pair % 1000, u64::from(pair % 1000) * 7 % 5));
        assert_near(effect(&many.collect::<Vec<_>>()), 2.0, 0.01);
    }

    #[test]
    fn the_sums_are_those_of_the_definition() {
        let pairs = [(1, 4), (2, 1), (1, 3), (3, 0), (2, 2), (1, 4), (3, 1)];
        let mean = 15.0 / 7.0;
        let of = |opening: u32| {
            let own = pairs.iter().filter(|(of, _)| *of == opening);
            own.map(|(_, halves)| *halves as f64 - mean).sum::<f64>().powi(2)
        };
        let between = (of(1) + of(2) + of(3)) * 3.0 / 2.0;
        let squares = pairs.map(|(_, halves)| (halves as f64 - mean).powi(2));
        let within = squares.iter().sum::<f64>() * 7.0 / 6.0;
        assert_near(effect(&pairs), between / within, 1e-12);
    }
}
