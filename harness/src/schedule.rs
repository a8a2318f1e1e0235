//! Which pairs are played, in which order.
//!
//! In: seed, number of openings, number of pairs. Out: [`PairPlan`]s in schedule order.
//! Must not: know who plays, or how a pair ends.

use crate::random::Random;
use crate::record::PlayerId;

/// Keeps the streams of the two uses of the match seed apart.
const STREAM_OPENINGS: u64 = 1;
const STREAM_GAMES: u64 = 2;

/// One pair to play: one opening, both colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairPlan {
    /// Place in the schedule, from 0.
    pub pair: u64,
    /// Index into the list of openings.
    pub opening: usize,
    /// One seed a game; it varies the node limits of that game.
    pub seeds: [u32; 2],
}

impl PairPlan {
    /// Who moves first in game 0 and in game 1 of a pair.
    pub const FIRST: [PlayerId; 2] = [PlayerId::A, PlayerId::B];
}

/// All pairs of a match in order. Every opening is used once before any is used again; each round through the openings
/// has an order of its own.
#[derive(Debug, Clone)]
pub struct Schedule {
    seed: u64,
    order: Vec<u32>,
    next: u64,
    pairs: u64,
}

impl Schedule {
    /// The schedule of `pairs` pairs over `openings` openings (at least one).
    pub fn new(seed: u64, openings: usize, pairs: u64) -> Self {
        assert!(openings > 0, "a schedule needs an opening");
        Schedule {
            seed,
            order: (0..openings as u32).collect(),
            next: 0,
            pairs,
        }
    }
}

impl Iterator for Schedule {
    type Item = PairPlan;

    fn next(&mut self) -> Option<PairPlan> {
        if self.next == self.pairs {
            return None;
        }
        let pair = self.next;
        self.next += 1;
        let openings = self.order.len() as u64;
        let (round, place) = (pair / openings, (pair % openings) as usize);
        if place == 0 {
            self.order.sort_unstable();
            Random::new(self.seed, &[STREAM_OPENINGS, round]).shuffle(&mut self.order);
        }
        let seed_of = |game| (Random::new(self.seed, &[STREAM_GAMES, pair, game]).next_u64() >> 32) as u32;
        Some(PairPlan {
            pair,
            opening: self.order[place] as usize,
            seeds: [seed_of(0), seed_of(1)],
        })
    }
}

/// `nodes` varied by up to `percent` either way, the same for the same seed and player; at least 1.
pub fn jittered_nodes(nodes: u64, percent: u32, game_seed: u32, player: PlayerId) -> u64 {
    let span = (u128::from(nodes) * u128::from(percent) / 100) as u64;
    if span == 0 {
        return nodes;
    }
    let offset = Random::new(u64::from(game_seed), &[player.index() as u64]).below(2 * span + 1);
    (nodes - span + offset).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_opening_is_used_once_before_any_repeats() {
        let plans: Vec<_> = Schedule::new(5, 40, 120).collect();
        assert_eq!(plans.len(), 120);
        for round in plans.chunks(40) {
            let used: HashSet<_> = round.iter().map(|plan| plan.opening).collect();
            assert_eq!(used.len(), 40);
        }
        let orders: HashSet<Vec<_>> = plans
            .chunks(40)
            .map(|round| round.iter().map(|plan| plan.opening).collect())
            .collect();
        assert_eq!(orders.len(), 3, "each round has its own order");
    }

    #[test]
    fn more_pairs_only_append_to_the_schedule() {
        let short: Vec<_> = Schedule::new(5, 7, 10).collect();
        let long: Vec<_> = Schedule::new(5, 7, 30).take(10).collect();
        assert_eq!(short, long);
    }

    #[test]
    fn the_seed_changes_the_order_and_the_game_seeds() {
        let one: Vec<_> = Schedule::new(1, 50, 50).collect();
        let two: Vec<_> = Schedule::new(2, 50, 50).collect();
        assert_ne!(
            one.iter().map(|plan| plan.opening).collect::<Vec<_>>(),
            two.iter().map(|plan| plan.opening).collect::<Vec<_>>()
        );
        let seeds: HashSet<_> = one.iter().chain(&two).flat_map(|plan| plan.seeds).collect();
        assert_eq!(seeds.len(), 200);
    }

    #[test]
    fn jitter_stays_within_its_percentage_and_differs_between_players() {
        let mut differing = 0;
        for seed in 0..1000 {
            let a = jittered_nodes(1000, 20, seed, PlayerId::A);
            let b = jittered_nodes(1000, 20, seed, PlayerId::B);
            assert!((800..=1200).contains(&a) && (800..=1200).contains(&b));
            differing += u32::from(a != b);
        }
        assert!(differing > 950);
        assert_eq!(jittered_nodes(1000, 0, 3, PlayerId::A), 1000);
        assert_eq!(jittered_nodes(1, 90, 3, PlayerId::A), 1);
    }
}
