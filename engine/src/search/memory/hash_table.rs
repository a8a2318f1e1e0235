//! The hash table: what is known of positions met before.
//!
//! 16-byte slots in 64-byte clusters, so that a probe touches one cache line. Each slot carries the number of the game
//! that wrote it, and slots of other games count as empty: a new game costs nothing and finds a logically fresh table.
//!
//! The threads of a search share one table without a lock. A slot is two words, the second of which is stored XORed with the first:
//! halves that two threads wrote do not fit together, and count as another position (R. Hyatt, T. Mann (2002)).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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

/// What a slot says of its position, in one word. From the lowest bits: move, score (16 bits each), 16 that are 0, depth with
/// [`ONLY_REPLY`] if the move is the only one (8), bound (2), generation ([`GENERATION_BITS`]).
#[derive(Debug, Clone, Copy)]
struct Value(u64);

impl Value {
    #[inline]
    fn new(entry: HashEntry, mv: u16, only_reply: u8, generation: u8) -> Value {
        let score = u64::from(entry.score.cast_unsigned());
        let depth = u64::from(entry.depth | only_reply);
        let generation_bound = u64::from(generation << 2 | entry.bound as u8);
        Value(u64::from(mv) | score << 16 | depth << 48 | generation_bound << 56)
    }

    #[inline]
    fn mv(self) -> u16 {
        self.0 as u16
    }

    #[inline]
    fn depth(self) -> u8 {
        (self.0 >> 48) as u8 & !ONLY_REPLY
    }

    #[inline]
    fn only_reply(self) -> u8 {
        (self.0 >> 48) as u8 & ONLY_REPLY
    }

    #[inline]
    fn age(self, generation: u8) -> u8 {
        generation.wrapping_sub((self.0 >> 58) as u8) & GENERATION_MASK
    }

    #[inline]
    fn entry(self) -> HashEntry {
        HashEntry {
            mv: self.mv(),
            score: (self.0 >> 16) as i16,
            depth: self.depth(),
            is_only_reply: self.only_reply() != 0,
            bound: match (self.0 >> 56) & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        }
    }
}

#[derive(Debug, Default)]
#[repr(C)]
struct Slot {
    /// The bits of the [`Value`].
    value: AtomicU64,
    /// The upper 48 bits of the key and the number of the game, XORed with `value`.
    tag: AtomicU64,
}

impl Slot {
    /// The tag and the value.
    #[inline]
    fn load(&self) -> (u64, Value) {
        let bits = self.value.load(Relaxed);
        (self.tag.load(Relaxed) ^ bits, Value(bits))
    }

    #[inline]
    fn store(&self, tag: u64, Value(bits): Value) {
        self.value.store(bits, Relaxed);
        self.tag.store(tag ^ bits, Relaxed);
    }
}

#[derive(Debug, Default)]
#[repr(C, align(64))]
struct Cluster([Slot; CLUSTER_SLOTS]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// The hash table of one thread, whose memory others may share.
#[derive(Debug, Clone)]
pub(crate) struct HashTable {
    clusters: Arc<Vec<Cluster>>,
    /// Number of the present game, never 0: an untouched slot belongs to no game.
    game: u16,
    generation: u8,
}

impl HashTable {
    /// A table of `mib` MiB, at least one.
    pub(crate) fn new(mib: usize) -> Self {
        let clusters = mib.max(1) * (1 << 20) / size_of::<Cluster>();
        HashTable {
            clusters: Arc::new(filled(clusters, Cluster::default)),
            game: 1,
            generation: 0,
        }
    }

    /// Only one call in 65535 touches the memory.
    pub(crate) fn new_game(&mut self) {
        self.generation = 0;
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            for slot in self.clusters.iter().flat_map(|cluster| &cluster.0) {
                slot.value.store(0, Relaxed);
                slot.tag.store(0, Relaxed);
            }
            self.game = 1;
        }
    }

    pub(crate) fn new_search(&mut self) {
        self.generation = (self.generation + 1) & GENERATION_MASK;
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<HashEntry> {
        let tag = self.tag(key);
        let slots = self.clusters[self.index(key)].0.iter();
        let (_, value) = slots.map(Slot::load).find(|&(found, _)| found == tag)?;
        Some(value.entry())
    }

    /// Remembers `entry`, in place of what is worth least: an older entry of the same position (its move survives if
    /// `entry` has none), a slot of another game, or a shallow and old entry.
    #[inline]
    pub(crate) fn store(&self, key: u64, entry: HashEntry) {
        let (tag, game, generation) = (self.tag(key), u64::from(self.game), self.generation);
        let cluster = &self.clusters[self.index(key)].0;
        let (mut mv, mut only_reply) = (entry.mv, u8::from(entry.is_only_reply) * ONLY_REPLY);
        let mut victim = &cluster[0];
        let mut victim_worth = i32::MAX;
        for slot in cluster {
            let (found, value) = slot.load();
            if found == tag {
                if entry.bound != Bound::Exact
                    && value.age(generation) == 0
                    && i32::from(entry.depth) + 3 < i32::from(value.depth())
                {
                    return;
                }
                if mv == 0 {
                    mv = value.mv();
                    only_reply |= value.only_reply();
                }
                victim = slot;
                break;
            }
            let worth = if found & GAME_MASK == game {
                i32::from(value.depth()) - AGE_WEIGHT * i32::from(value.age(generation))
            } else {
                i32::MIN
            };
            if worth < victim_worth {
                (victim, victim_worth) = (slot, worth);
            }
        }
        victim.store(tag, Value::new(entry, mv, only_reply, generation));
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
            .filter(|slot| slot.load().0 & GAME_MASK == game)
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
