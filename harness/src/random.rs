//! Numbers that look random and can always be derived again.
//!
//! In: a seed and counters. Out: 64-bit numbers that depend on nothing else, on any machine and with any version of
//! any library. Must not: read a clock or an entropy source.

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): a counter stepped by a
/// constant and mixed, so that the n-th number needs no earlier one.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream that belongs to `seed` and `counters`, in their order.
    pub fn new(seed: u64, counters: &[u64]) -> Self {
        let state = counters
            .iter()
            .fold(mix(seed ^ 0x5851_f42d_4c95_7f2d), |state, &counter| {
                mix(state ^ mix(counter.wrapping_add(0x2545_f491_4f6c_dd1d)))
            });
        Random { state }
    }

    /// The next number of the stream.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// A number below `bound`, which must not be 0 (multiply and shift; the bias is below `bound / 2^64`).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
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
    fn shuffling_keeps_every_item_once() {
        let mut items: Vec<u32> = (0..1000).collect();
        Random::new(1, &[]).shuffle(&mut items);
        assert_ne!(items, (0..1000).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..1000).collect::<Vec<_>>());
    }
}
