//! Which pairs are played, in which order.

use crate::config::OpeningOrder;
use crate::random::Random;
use crate::record::PlayerId;

const STREAM_OPENINGS: u64 = 1;
const STREAM_GAMES: u64 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairPlan {
    pub pair: u64,
    /// Which of the run's players sit at A's and at B's place.
    pub players: [u16; 2],
    pub opening: usize,
    /// One seed a game; it varies the node limits of that game.
    pub seeds: [u32; 2],
}

impl PairPlan {
    /// Who moves first in game 0 and in game 1 of a pair.
    pub const FIRST: [PlayerId; 2] = [PlayerId::A, PlayerId::B];
}

/// All pairs of a run in order, round by round: each pairing of players gets one opening, the same for all of them, before
/// any gets its next. A match has one pairing, of the players 0 and 1. Every opening is used once before any is used
/// again; each pass through the openings has an order of its own.
#[derive(Debug, Clone)]
pub struct Schedule {
    seed: u64,
    opening_order: OpeningOrder,
    order: Vec<u32>,
    pairings: Vec<[u16; 2]>,
    next: u64,
    pairs: u64,
}

impl Schedule {
    pub fn new(seed: u64, openings: usize, pairs: u64) -> Self {
        Schedule::of_pairings(seed, openings, vec![[0, 1]], pairs)
    }

    /// The schedule of `pairs` pairs, all pairings together, over `openings` openings (at least one of both).
    pub fn of_pairings(seed: u64, openings: usize, pairings: Vec<[u16; 2]>, pairs: u64) -> Self {
        assert!(openings > 0, "a schedule needs an opening");
        assert!(!pairings.is_empty(), "a schedule needs a pairing");
        Schedule {
            seed,
            opening_order: OpeningOrder::default(),
            order: (0..openings as u32).collect(),
            pairings,
            next: 0,
            pairs,
        }
    }

    #[must_use]
    pub fn in_order(self, opening_order: OpeningOrder) -> Self {
        Schedule {
            opening_order,
            ..self
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
        let (openings, pairings) = (self.order.len() as u64, self.pairings.len() as u64);
        let (round, pairing) = (pair / pairings, (pair % pairings) as usize);
        let (pass, place) = (round / openings, (round % openings) as usize);
        if place == 0 && pairing == 0 && self.opening_order == OpeningOrder::Random {
            self.order.sort_unstable();
            Random::new(self.seed, &[STREAM_OPENINGS, pass]).shuffle(&mut self.order);
        }
        Some(PairPlan {
            pair,
            players: self.pairings[pairing],
            opening: self.order[place] as usize,
            seeds: seeds_of(self.seed, pair),
        })
    }
}

pub fn seeds_of(seed: u64, pair: u64) -> [u32; 2] {
    [0, 1].map(|game| (Random::new(seed, &[STREAM_GAMES, pair, game]).next_u64() >> 32) as u32)
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
    fn the_sequential_order_is_that_of_the_file_and_no_order_uses_an_opening_oftener_than_another() {
        let openings = |order| Schedule::new(3, 7, 40).in_order(order).map(|plan| plan.opening);
        let in_file = (0..7).cycle().take(40);
        assert!(openings(OpeningOrder::Sequential).eq(in_file));
        let mut used = [0_u32; 7];
        for opening in openings(OpeningOrder::Random) {
            used[opening] += 1;
            let (least, most) = (used.iter().min().unwrap(), used.iter().max().unwrap());
            assert!(most - least <= 1, "{used:?}");
        }
    }

    #[test]
    fn more_pairs_only_append_to_the_schedule() {
        let short: Vec<_> = Schedule::new(5, 7, 10).collect();
        let long: Vec<_> = Schedule::new(5, 7, 30).take(10).collect();
        assert_eq!(short, long);
    }

    #[test]
    fn every_pairing_gets_its_next_opening_before_any_gets_the_one_after() {
        let pairings = vec![[0, 1], [0, 2], [1, 2]];
        let plans: Vec<_> = Schedule::of_pairings(5, 7, pairings.clone(), 30).collect();
        let alone: Vec<_> = Schedule::new(5, 7, 10).collect();
        for (round, plan) in plans.chunks(3).zip(&alone) {
            assert!(round.iter().map(|plan| plan.players).eq(pairings.iter().copied()));
            assert!(round.iter().all(|other| other.opening == plan.opening));
        }
        let seeds: HashSet<_> = plans.iter().flat_map(|plan| plan.seeds).collect();
        assert_eq!(seeds.len(), 60, "each game has a seed of its own");
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
