//! Numbers that look random and can always be derived again.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// A stream of random numbers.
///
/// There are two kinds, since results that are on record came from both: streams of few numbers, one for every game, flip or
/// opening, and long streams for what is simulated or resampled. What is drawn from either is drawn in the same way.
#[derive(Debug, Clone)]
pub struct Random {
    source: RandomSource,
}

#[derive(Debug, Clone)]
enum RandomSource {
    /// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): a counter stepped by a
    /// constant and mixed.
    Counter(u64),
    /// PCG XSL RR 128/64 (O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for
    /// random number generation", 2014).
    Sequence(Pcg64),
}

impl Random {
    /// The stream that belongs to `seed` and `counters`, in their order.
    pub fn new(seed: u64, counters: &[u64]) -> Random {
        let state = counters
            .iter()
            .fold(mix(seed ^ 0x5851_f42d_4c95_7f2d), |state, &counter| {
                mix(state ^ mix(counter.wrapping_add(0x2545_f491_4f6c_dd1d)))
            });
        Random {
            source: RandomSource::Counter(state),
        }
    }

    /// The long stream of number `stream` that belongs to `seed`.
    pub fn long(seed: u64, stream: u64) -> Random {
        Random {
            source: RandomSource::Sequence(Pcg64::new(u128::from(seed), u128::from(stream))),
        }
    }

    /// The next number of the stream.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        match &mut self.source {
            RandomSource::Counter(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                mix(*state)
            }
            RandomSource::Sequence(generator) => generator.next_u64(),
        }
    }

    /// A number below `bound`, which must not be 0 (multiply and shift; the bias is below `bound / 2^64`).
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A number in `[0, 1)`, of 53 random bits.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A standard normal number (Box and Muller).
    #[cfg(test)]
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Puts `items` in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let chosen = self.below(last as u64 + 1) as usize;
            items.swap(last, chosen);
        }
    }
}

fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_stream_depends_on_the_seed_and_on_every_counter_in_order() {
        let first = |(seed, counters): (u64, &[u64])| Random::new(seed, counters).next_u64();
        let all: [(u64, &[u64]); 6] = [
            (1, &[2, 3]),
            (2, &[2, 3]),
            (1, &[3, 2]),
            (1, &[2]),
            (1, &[]),
            (1, &[0]),
        ];
        let distinct: std::collections::HashSet<u64> = all.map(first).into_iter().collect();
        assert_eq!(distinct.len(), all.len());
    }

    /// Results on record were drawn from these numbers.
    #[test]
    fn both_kinds_of_streams_give_the_numbers_they_always_gave() {
        let next = |mut random: Random| [random.next_u64(), random.next_u64()];
        let short = [10_800_737_214_758_277_882, 17_906_648_057_106_839_729];
        let long = [15_480_837_910_931_078_712, 6_808_287_797_791_945_199];
        assert_eq!(next(Random::new(1, &[2, 3])), short);
        assert_eq!(next(Random::long(1, 2)), long);
    }

    #[test]
    fn uniform_numbers_fill_the_unit_interval() {
        for mut random in [Random::new(3, &[]), Random::long(3, 1)] {
            let numbers: Vec<f64> = (0..10_000).map(|_| random.uniform()).collect();
            assert!(numbers.iter().all(|x| (0.0..1.0).contains(x)));
            let mean = numbers.iter().sum::<f64>() / 10_000.0;
            // The standard error is 0.0029.
            assert!((mean - 0.5).abs() < 0.015, "{mean}");
        }
    }

    /// How often each comes up, expected 10,000 times each with a standard deviation below 100: six of them is no chance result.
    fn assert_even<T: std::hash::Hash + Eq>(kinds: usize, mut draw: impl FnMut() -> T) {
        let mut counts = HashMap::new();
        (0..10_000 * kinds).for_each(|_| *counts.entry(draw()).or_insert(0) += 1);
        let is_even = |count: &i32| (9_400..=10_600).contains(count);
        assert!(
            counts.len() == kinds && counts.values().all(is_even),
            "{:?}",
            counts.values()
        );
    }

    #[test]
    fn numbers_below_a_bound_and_orders_of_items_are_spread_evenly() {
        let mut random = Random::new(7, &[]);
        assert_even(10, || random.below(10));
        assert_even(6, || {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            items
        });
    }
}
