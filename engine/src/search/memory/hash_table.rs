//! The hash table: what is known of positions met before.
//!
//! 16-byte slots in 64-byte clusters, so that a probe touches one cache line. Each slot carries the number of the game
//! that wrote it, and slots of other games count as empty: a new game costs nothing and finds a logically fresh table.

use crate::large_pages::filled;
use crate::search::data::{Bound, HashEntry};

/// Slots that share a cache line.
const CLUSTER_SLOTS: usize = 4;
/// How many depths an entry loses in worth with each search since it was written.
const AGE_WEIGHT: i32 = 4;
/// Clusters that tell how full the table is.
const SAMPLE_CLUSTERS: usize = 250;
const GENERATION_BITS: u32 = 6;
const GENERATION_MASK: u8 = (1 << GENERATION_BITS) - 1;
const GAME_MASK: u64 = 0xffff;

/// Set in a slot's depth if its move is the only legal one.
const ONLY_REPLY: u8 = 1 << 7;

#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct Slot {
    /// The upper 48 bits of the key and the number of the game.
    tag: u64,
    mv: u16,
    score: i16,
    eval: i16,
    /// Depth, with [`ONLY_REPLY`] if the move is the only one.
    depth: u8,
    /// The generation in the upper bits, the bound in the lower two.
    generation_bound: u8,
}

#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Cluster([Slot; CLUSTER_SLOTS]);

const EMPTY: Cluster = Cluster(
    [Slot {
        tag: 0,
        mv: 0,
        score: 0,
        eval: 0,
        depth: 0,
        generation_bound: 0,
    }; CLUSTER_SLOTS],
);
const _: () = assert!(size_of::<Cluster>() == 64);

/// A hash table for one searcher.
#[derive(Debug)]
pub(crate) struct HashTable {
    clusters: Vec<Cluster>,
    /// Number of the present game, never 0: an untouched slot belongs to no game.
    game: u16,
    generation: u8,
}

impl HashTable {
    /// A table of `mib` MiB, at least one.
    // Compiled alone, the loop that empties the slots takes half the instructions.
    #[inline(never)]
    pub(crate) fn new(mib: usize) -> Self {
        HashTable {
            clusters: filled(EMPTY, mib.max(1) * (1 << 20) / size_of::<Cluster>()),
            game: 1,
            generation: 0,
        }
    }

    /// Only one call in 65535 touches the memory.
    pub(crate) fn new_game(&mut self) {
        self.generation = 0;
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            self.clusters.fill(EMPTY);
            self.game = 1;
        }
    }

    pub(crate) fn new_search(&mut self) {
        self.generation = (self.generation + 1) & GENERATION_MASK;
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<HashEntry> {
        let tag = self.tag(key);
        let slot = self.clusters[self.index(key)]
            .0
            .iter()
            .find(|slot| slot.tag == tag)?;
        Some(HashEntry {
            mv: slot.mv,
            score: slot.score,
            eval: slot.eval,
            depth: slot.depth & !ONLY_REPLY,
            is_only_reply: slot.depth & ONLY_REPLY != 0,
            bound: match slot.generation_bound & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        })
    }

    /// Remembers `entry`, in place of what is worth least: an older entry of the same position (its move survives if
    /// `entry` has none), a slot of another game, or a shallow and old entry.
    #[inline]
    pub(crate) fn store(&mut self, key: u64, entry: HashEntry) {
        let (tag, game, generation) = (self.tag(key), u64::from(self.game), self.generation);
        let index = self.index(key);
        let cluster = &mut self.clusters[index].0;
        let mut mv = entry.mv;
        let mut depth = entry.depth | (u8::from(entry.is_only_reply) * ONLY_REPLY);
        let mut victim = 0;
        let mut victim_worth = i32::MAX;
        for (at, slot) in cluster.iter().enumerate() {
            if slot.tag == tag {
                let age = generation.wrapping_sub(slot.generation_bound >> 2) & GENERATION_MASK;
                if entry.bound != Bound::Exact
                    && age == 0
                    && i32::from(entry.depth) + 3 < i32::from(slot.depth & !ONLY_REPLY)
                {
                    return;
                }
                if mv == 0 {
                    mv = slot.mv;
                    depth |= slot.depth & ONLY_REPLY;
                }
                victim = at;
                break;
            }
            let worth = if slot.tag & GAME_MASK == game {
                let age = generation.wrapping_sub(slot.generation_bound >> 2) & GENERATION_MASK;
                i32::from(slot.depth & !ONLY_REPLY) - AGE_WEIGHT * i32::from(age)
            } else {
                i32::MIN
            };
            if worth < victim_worth {
                (victim, victim_worth) = (at, worth);
            }
        }
        cluster[victim] = Slot {
            tag,
            mv,
            score: entry.score,
            eval: entry.eval,
            depth,
            generation_bound: generation << 2 | entry.bound as u8,
        };
    }

    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = &raw const self.clusters[self.index(key)];
            // SAFETY: a prefetch is a hint that reads nothing, and the pointer is to a live element.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Share of slots that the present game filled, in permille, by a sample.
    pub(crate) fn permille(&self) -> u32 {
        let sample = &self.clusters[..SAMPLE_CLUSTERS.min(self.clusters.len())];
        let game = u64::from(self.game);
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.0)
            .filter(|slot| slot.tag & GAME_MASK == game)
            .count();
        (used * 1000 / (sample.len() * CLUSTER_SLOTS)) as u32
    }

    fn tag(&self, key: u64) -> u64 {
        key & !GAME_MASK | u64::from(self.game)
    }

    /// The cluster of `key`: chosen first of all by the 16 bits that the tag leaves out.
    fn index(&self, key: u64) -> usize {
        ((u128::from(key.rotate_right(16)) * self.clusters.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mv: u16, depth: u8) -> HashEntry {
        HashEntry::sample(mv, -7, depth, Bound::Lower)
    }

    fn key(number: u64) -> u64 {
        number << 20
    }

    #[test]
    fn an_entry_comes_back_as_it_was_stored_until_a_new_game() {
        let mut table = HashTable::new(1);
        table.store(key(5), entry(3, 9));
        assert_eq!(table.probe(key(5)), Some(entry(3, 9)));
        assert_eq!(table.probe(key(6)), None);
        table.new_game();
        assert_eq!(table.probe(key(5)), None);
        assert_eq!(table.permille(), 0);
    }

    #[test]
    fn the_shallowest_entry_gives_way_and_old_ones_before_it() {
        let mut table = HashTable::new(1);
        for (number, depth) in [(1, 9), (2, 4), (3, 6), (4, 8)] {
            table.store(key(number), entry(1, depth));
        }
        table.store(key(5), entry(1, 1));
        assert_eq!(table.probe(key(2)), None);
        table.new_search();
        table.store(key(6), entry(1, 3));
        assert_eq!(table.probe(key(5)), None);
        table.store(key(7), entry(1, 1));
        assert!(
            table.probe(key(6)).is_some(),
            "an entry of this search outlives deeper old ones"
        );
        assert_eq!(table.probe(key(3)), None);
    }

    #[test]
    fn a_move_and_that_it_is_the_only_one_survive_a_later_entry_without_one() {
        let mut table = HashTable::new(1);
        let only = HashEntry {
            is_only_reply: true,
            ..entry(77, 127)
        };
        table.store(key(1), only);
        assert_eq!(table.probe(key(1)), Some(only));
        table.new_search();
        table.store(key(1), entry(0, 4));
        let found = table.probe(key(1)).unwrap();
        assert_eq!((found.mv, found.depth, found.is_only_reply), (77, 4, true));
        table.store(key(1), entry(78, 5));
        assert!(!table.probe(key(1)).unwrap().is_only_reply);
    }

    #[test]
    fn game_numbers_wrap_without_reviving_old_entries() {
        let mut table = HashTable::new(1);
        table.store(key(1), entry(1, 3));
        for _ in 0..0xffff {
            table.new_game();
        }
        assert_eq!(table.game, 1);
        assert_eq!(table.probe(key(1)), None);
    }
}
