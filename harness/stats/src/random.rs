//! Numbers that look random and can always be derived again.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// A stream of random numbers.
///
/// There are two kinds, since results that are on record came from both: streams of few numbers, one for every game, flip or
/// opening, and long streams for what is simulated or resampled. What is drawn from either is drawn in the same way.
#[derive(Debug, Clone)]
pub struct Random {
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
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
            source: Source::Counter(state),
        }
    }

    /// The long stream of number `stream` that belongs to `seed`.
    pub fn long(seed: u64, stream: u64) -> Random {
        Random {
            source: Source::Sequence(Pcg64::new(u128::from(seed), u128::from(stream))),
        }
    }

    /// The next number of the stream.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        match &mut self.source {
            Source::Counter(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                mix(*state)
            }
            Source::Sequence(generator) => generator.next_u64(),
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

    #[test]
    fn a_stream_depends_on_the_seed_and_on_every_counter_in_order() {
        let first = |seed, counters: &[u64]| Random::new(seed, counters).next_u64();
        assert_eq!(first(1, &[2, 3]), first(1, &[2, 3]));
        let all = [
            first(1, &[2, 3]),
            first(2, &[2, 3]),
            first(1, &[3, 2]),
            first(1, &[2]),
            first(1, &[]),
            first(1, &[0]),
        ];
        let distinct: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
    }

    /// Results on record were drawn from these numbers.
    #[test]
    fn both_kinds_of_streams_give_the_numbers_they_always_gave() {
        let mut short = Random::new(1, &[2, 3]);
        let mut long = Random::long(1, 2);
        let next = |random: &mut Random| [random.next_u64(), random.next_u64(), random.next_u64()];
        assert_eq!(
            next(&mut short),
            [
                10_800_737_214_758_277_882,
                17_906_648_057_106_839_729,
                13_572_943_110_263_483_270
            ]
        );
        assert_eq!(
            next(&mut long),
            [
                15_480_837_910_931_078_712,
                6_808_287_797_791_945_199,
                14_019_957_353_723_629_190
            ]
        );
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

    #[test]
    fn numbers_below_a_bound_are_spread_evenly() {
        let mut random = Random::new(7, &[]);
        let mut counts = [0_u32; 10];
        for _ in 0..100_000 {
            counts[random.below(10) as usize] += 1;
        }
        // Standard deviation of a count is about 95; six of them is no chance result.
        assert!(
            counts.iter().all(|&count| (9_430..=10_570).contains(&count)),
            "{counts:?}"
        );
    }

    #[test]
    fn every_order_of_three_items_is_as_likely() {
        let (mut random, mut counts) = (Random::new(1, &[]), std::collections::HashMap::new());
        for _ in 0..60_000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        // Standard deviation of a count is about 91; six of them is no chance result.
        assert!(
            counts.len() == 6 && counts.values().all(|count| (9_450..=10_550).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn shuffling_keeps_every_item_once() {
        let mut items: Vec<u32> = (0..1000).collect();
        Random::new(1, &[]).shuffle(&mut items);
        assert_ne!(items, (0..1000).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..1000).collect::<Vec<_>>());
    }
}
