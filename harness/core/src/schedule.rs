//! Which pairs are played, in which order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};

use tanren_engine::game::Side;

use crate::config::{Growth, MoveLimit, OpeningOrder};
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

    /// Which game of a pair is played where one is played alone: A has Sente or White in every other one, beginning with the first.
    pub fn alone(pair: u64, to_move: Side) -> usize {
        let begins_a = pair.is_multiple_of(2) == (to_move == Side::First);
        usize::from(!begins_a)
    }
}

/// All pairs of a run in order, round by round: each pairing of players gets one opening, the same for all of them, before
/// any gets its next. A match has one pairing, of the players 0 and 1. Every opening is used once before any is used
/// again; each pass through the openings has an order of its own.
#[derive(Debug, Clone)]
pub struct Schedule {
    seed: u64,
    opening_order: OpeningOrder,
    /// Openings that are left out at the beginning of the order.
    skipped: u64,
    order: Vec<u32>,
    /// The pass through the openings that has this order.
    pass: Option<u64>,
    pairings: Vec<[u16; 2]>,
    /// What is still to come of it.
    grown: Vec<Growth>,
    /// The pairings that are played, by their next round.
    rounds: BinaryHeap<Reverse<(u64, usize)>>,
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
            skipped: 0,
            order: (0..openings as u32).collect(),
            pass: None,
            rounds: (0..pairings.len()).map(|pairing| Reverse((0, pairing))).collect(),
            pairings,
            grown: Vec::new(),
            next: 0,
            pairs,
        }
    }

    /// The same where players were added on the way, the first of them first: who comes late plays the rounds that the others have behind
    /// them, with the openings of those, and no pair before that changes.
    #[must_use]
    pub fn grown(mut self, grown: &[Growth]) -> Self {
        self.grown = grown.iter().rev().copied().collect();
        self.rounds.clear();
        let all = u16::MAX;
        let players = grown.first().map_or(all, |growth| growth.players);
        self.admit([0, players]);
        self
    }

    /// Lets the pairings take part whose later player is one of these.
    fn admit(&mut self, [first, end]: [u16; 2]) {
        let is_new = |pairing: &usize| {
            let [a, b] = self.pairings[*pairing];
            (first..end).contains(&a.max(b))
        };
        let new = (0..self.pairings.len()).filter(is_new);
        let new: Vec<_> = new.map(|pairing| Reverse((0, pairing))).collect();
        self.rounds.extend(new);
    }

    /// From the opening that is `first` in that order, counted from 1.
    #[must_use]
    pub fn in_order(self, opening_order: OpeningOrder, first: u64) -> Self {
        Schedule {
            opening_order,
            skipped: first.saturating_sub(1),
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
        while let Some(growth) = self.grown.pop_if(|growth| growth.pair <= pair) {
            let end = self.grown.last().map_or(u16::MAX, |next| next.players);
            self.admit([growth.players, end]);
        }
        let Reverse((round, pairing)) = self.rounds.pop()?;
        self.rounds.push(Reverse((round + 1, pairing)));
        let openings = self.order.len() as u64;
        let used = self.skipped + round;
        let (pass, place) = (used / openings, (used % openings) as usize);
        if self.pass != Some(pass) && self.opening_order == OpeningOrder::Random {
            self.order.sort_unstable();
            Random::new(self.seed, &[STREAM_OPENINGS, pass]).shuffle(&mut self.order);
            self.pass = Some(pass);
        }
        Some(PairPlan {
            pair,
            players: self.pairings[pairing],
            opening: self.order[place] as usize,
            seeds: seeds_of(self.seed, pair),
        })
    }
}

/// How many rounds each pairing of an adaptive tournament plays. Who counts its pairs lowers them, and who hands pairs out reads them.
#[derive(Debug)]
pub struct Rounds {
    /// Of all pairings, if none ended early.
    pub pairs: u64,
    each: Vec<AtomicU64>,
    most: AtomicU64,
}

impl Rounds {
    pub fn new(pairings: usize, rounds: u64) -> Rounds {
        Rounds {
            pairs: rounds * pairings as u64,
            each: (0..pairings).map(|_| AtomicU64::new(rounds)).collect(),
            most: AtomicU64::new(rounds),
        }
    }

    /// The round of a pair and which pairing plays it, both from 0. Nobody is added to an adaptive tournament.
    pub fn place_of(&self, pair: u64) -> (u64, usize) {
        let pairings = self.each.len() as u64;
        (pair / pairings, (pair % pairings) as usize)
    }

    pub fn end(&self, pairing: usize, rounds: u64) {
        self.each[pairing].fetch_min(rounds, Ordering::Relaxed);
        let most = self.each.iter().map(|each| each.load(Ordering::Relaxed)).max();
        self.most.store(most.unwrap_or(0), Ordering::Relaxed);
    }

    /// Is this pair not to be played any more?
    pub fn leave_out(&self, pair: u64) -> bool {
        let (round, pairing) = self.place_of(pair);
        round >= self.each[pairing].load(Ordering::Relaxed)
    }

    /// The same of a pair after which others are played.
    pub fn skip(&self, pair: u64) -> bool {
        let (round, _) = self.place_of(pair);
        round < self.most.load(Ordering::Relaxed) && self.leave_out(pair)
    }
}

pub fn seeds_of(seed: u64, pair: u64) -> [u32; 2] {
    [0, 1].map(|game| (Random::new(seed, &[STREAM_GAMES, pair, game]).next_u64() >> 32) as u32)
}

/// The limit of a player's moves in one game: nodes are varied by up to `percent` either way, in the same proportion for both players;
/// at least 1.
pub fn limit_of_game(limit: MoveLimit, percent: u32, game_seed: u32) -> MoveLimit {
    let MoveLimit::Nodes(nodes) = limit else {
        return limit;
    };
    let span = (u128::from(nodes) * u128::from(percent) / 100) as u64;
    if span == 0 {
        return limit;
    }
    let offset = Random::new(u64::from(game_seed), &[0]).below(2 * span + 1);
    MoveLimit::Nodes((nodes - span + offset).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shard::Shard;
    use std::collections::HashSet;

    fn openings(schedule: Schedule) -> Vec<usize> {
        schedule.map(|plan| plan.opening).collect()
    }

    #[test]
    fn no_opening_is_used_oftener_than_another_and_each_pass_has_its_order() {
        let random = openings(Schedule::new(5, 40, 115));
        let passes: HashSet<&[usize]> = random.chunks(40).collect();
        assert_eq!((random.len(), passes.len()), (115, 3));
        for pass in passes {
            assert_eq!(pass.iter().collect::<HashSet<_>>().len(), pass.len());
        }
        assert_ne!(
            random,
            openings(Schedule::new(6, 40, 115)),
            "the seed changes the order"
        );
        let sequential = openings(Schedule::new(3, 7, 40).in_order(OpeningOrder::Sequential, 1));
        assert!((0..7).cycle().take(40).eq(sequential));
        let late = |order, first| openings(Schedule::new(3, 7, 20).in_order(order, first));
        for order in [OpeningOrder::Random, OpeningOrder::Sequential] {
            assert_eq!(
                late(order, 6),
                openings(Schedule::new(3, 7, 25).in_order(order, 1))[5..]
            );
        }
        let short: Vec<_> = Schedule::new(5, 7, 10).collect();
        let long: Vec<_> = Schedule::new(5, 7, 30).take(10).collect();
        assert_eq!(short, long, "more pairs are appended");
    }

    #[test]
    fn every_pairing_gets_its_next_opening_before_any_gets_the_one_after() {
        let pairings = vec![[0, 1], [0, 2], [1, 2]];
        let plans: Vec<_> = Schedule::of_pairings(5, 7, pairings.clone(), 30).collect();
        for (round, opening) in plans.chunks(3).zip(openings(Schedule::new(5, 7, 10))) {
            assert!(round.iter().map(|plan| plan.players).eq(pairings.iter().copied()));
            assert!(round.iter().all(|plan| plan.opening == opening));
        }
        let seeds = plans
            .into_iter()
            .chain(Schedule::new(6, 7, 10))
            .flat_map(|plan| plan.seeds);
        assert_eq!(
            seeds.collect::<HashSet<_>>().len(),
            80,
            "each game has a seed of its own"
        );
    }

    #[test]
    fn who_comes_late_plays_the_rounds_of_the_others_and_no_pair_before_that_changes() {
        let all = |players: u16| -> Vec<[u16; 2]> {
            let pairs = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b]));
            pairs.collect()
        };
        let plain = |players: u16, rounds: u64| {
            let pairings = all(players);
            let pairs = rounds * pairings.len() as u64;
            Schedule::of_pairings(5, 7, pairings, pairs)
        };
        for growths in [
            vec![[2, 4]],
            vec![[3, 7]],
            vec![[2, 0]],
            vec![[2, 3], [3, 5]],
            vec![[2, 5], [3, 25]],
        ] {
            let growths: Vec<Growth> = growths
                .into_iter()
                .map(|[players, pair]| Growth {
                    players: players as u16,
                    pair,
                })
                .collect();
            let grown: Vec<_> = plain(4, 9).grown(&growths).collect();
            let kept = growths[0].pair as usize;
            let before: Vec<_> = plain(growths[0].players, 9).take(kept).collect();
            assert_eq!(grown[..kept], before, "{growths:?}");
            let mut met: Vec<_> = grown.iter().map(|plan| (plan.players, plan.opening)).collect();
            let mut expected: Vec<_> = plain(4, 9).map(|plan| (plan.players, plan.opening)).collect();
            met.sort_unstable();
            expected.sort_unstable();
            assert_eq!(met, expected, "every pairing has every round once: {growths:?}");
            assert!(grown.iter().map(|plan| plan.pair).eq(0..54));
        }
    }

    #[test]
    fn shards_divide_the_pairs_and_keep_their_order() {
        for (pairs, of) in [(10, 3), (9, 3), (2, 5), (7, 1)] {
            let first: Shard = format!("1/{of}").parse().unwrap();
            let mut all = Vec::new();
            for shard in first.all() {
                let places = shard.share(pairs);
                let own: Vec<u64> = (0..places).map(|place| shard.pair(place)).collect();
                assert!(
                    own.iter()
                        .copied()
                        .eq((0..pairs).filter(|pair| shard.holds(*pair)))
                );
                assert!(own.iter().all(|pair| *pair < shard.below(places)));
                assert!(own.iter().map(|pair| shard.place(*pair)).eq(0..places));
                all.extend(own);
            }
            all.sort_unstable();
            assert!(all.into_iter().eq(0..pairs));
        }
        for text in ["0/3", "4/3", "1", "1/0", "a/3", "1/10001", "-1/3", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
    }

    #[test]
    fn jitter_stays_within_its_percentage_and_differs_between_games() {
        let nodes = |nodes, percent, seed| match limit_of_game(MoveLimit::Nodes(nodes), percent, seed) {
            MoveLimit::Nodes(nodes) => nodes,
            other => panic!("{other:?}"),
        };
        let all: Vec<u64> = (0..1000).map(|seed| nodes(1000, 20, seed)).collect();
        assert!(all.iter().all(|nodes| (800..=1200).contains(nodes)));
        assert!(all.windows(2).filter(|two| two[0] != two[1]).count() > 950);
        assert_eq!((nodes(1000, 0, 3), nodes(1, 90, 3)), (1000, 1));
    }
}
