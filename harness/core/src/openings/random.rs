//! Openings without end: random moves from the start position, balanced by a short search.
//!
//! Walk `n` depends on the seed and `n` alone; a walk that ends where an earlier one did is left out. An opening has the choice of a few
//! walks of its own and takes the first that is balanced, or the one that is nearest to it. So a resumed run walks to where it was, which
//! takes microseconds an opening, and searches only for the openings that it plays.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};

use tanren_engine::config::Config;
use tanren_engine::game::{Game, Path, Position};
use tanren_engine::search::{Searchable, Searcher, Silent};
use tanren_engine::time::Limits;

use super::generate::sound_move;
use super::{Book, Entry, Opening, OpeningSuite, Start};
use crate::platform::lock;
use crate::random::Random;

/// With fewer plies there are too few different positions.
pub const PLIES: RangeInclusive<u32> = 6..=100;
/// How many a run has, and how many it has at most if it plays more pairs: 24 bytes are kept for each.
const OPENINGS: [u64; 2] = [1_000_000, 10_000_000];
const WALKS_PER_OPENING: usize = 4;
/// A walk after so many old ones in a row is taken although it is old.
const OLD_IN_A_ROW_MAX: u32 = 10_000;
const NODES: u64 = 500;
const BALANCED_CP: i32 = 100;
const HASH_MIB: usize = 1;
/// Positions that are kept, since each is asked for a few times while its pair is played.
const KEPT_MAX: usize = 4_096;
const STREAM: u64 = 0x0be;

/// `plies` random moves; the seed decides which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomOpenings {
    pub plies: u32,
    pub seed: u64,
}

pub(super) struct Walks<P> {
    openings: RandomOpenings,
    state: Mutex<State<P>>,
    /// The score of the side to move, in centipawns.
    judge: Box<dyn Fn(&P) -> i32 + Send + Sync>,
}

struct State<P> {
    walks: u64,
    ends: HashSet<u64>,
    /// The numbers of the walks that ended somewhere new.
    new: Vec<u64>,
    kept: HashMap<u32, Entry<P>>,
}

impl RandomOpenings {
    /// How many there are for a match of at most so many pairs.
    pub fn count(pairs: Option<u64>) -> u64 {
        pairs.unwrap_or_default().clamp(OPENINGS[0], OPENINGS[1])
    }

    /// The first `count` of them.
    pub fn suite<P: Searchable>(self, count: u64) -> OpeningSuite<P> {
        let walks = Arc::new(Walks {
            openings: self,
            state: Mutex::new(State {
                walks: 0,
                ends: HashSet::new(),
                new: Vec::new(),
                kept: HashMap::new(),
            }),
            judge: judge(),
        });
        let openings = (1..=count as u32).map(|line| Opening {
            line,
            start: Start::Random(Arc::clone(&walks)),
        });
        OpeningSuite {
            openings: openings.collect(),
            duplicates: Vec::new(),
            sha256: Book::of_lines(&format!("{self}, version 1"), "").sha256(),
        }
    }
}

impl fmt::Display for RandomOpenings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "random:{}:{}", self.plies, self.seed)
    }
}

impl<P: Position> Walks<P> {
    pub(super) fn entry(&self, line: u32) -> Entry<P> {
        let own = (line as usize - 1) * WALKS_PER_OPENING;
        let numbers = {
            let mut state = lock(&self.state);
            if let Some(entry) = state.kept.get(&line) {
                return entry.clone();
            }
            while state.new.len() < own + WALKS_PER_OPENING {
                self.walk_on(&mut state);
            }
            state.new[own..own + WALKS_PER_OPENING].to_vec()
        };
        let entry = self.most_balanced(&numbers);
        let mut state = lock(&self.state);
        if state.kept.len() == KEPT_MAX {
            state.kept.clear();
        }
        state.kept.insert(line, entry.clone());
        entry
    }

    fn walk_on(&self, state: &mut State<P>) {
        for attempt in 0.. {
            let number = state.walks;
            state.walks += 1;
            if let Some((position, _)) = self.walk(number)
                && (state.ends.insert(position.repetition_key()) || attempt >= OLD_IN_A_ROW_MAX)
            {
                state.new.push(number);
                return;
            }
        }
    }

    /// Where it ends and its moves; `None` if the game is over, or the side to move is in check.
    fn walk(&self, number: u64) -> Option<(P, Vec<P::Move>)> {
        let mut random = Random::new(self.openings.seed, &[STREAM, number]);
        let mut position = P::start();
        let mut moves = Vec::new();
        for _ in 0..self.openings.plies {
            let mv = sound_move(&position, &mut random)?;
            position.make(mv);
            moves.push(mv);
        }
        (!position.in_check() && position.count_legal_all() > 0).then_some((position, moves))
    }

    fn most_balanced(&self, numbers: &[u64]) -> Entry<P> {
        let mut best: Option<(i32, Entry<P>)> = None;
        for (position, moves) in numbers.iter().filter_map(|&number| self.walk(number)) {
            let score = (self.judge)(&position).abs();
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, Entry::after(&P::start(), &moves, position)));
            }
            if score <= BALANCED_CP {
                break;
            }
        }
        best.map_or_else(|| Entry::new(P::start()), |(_, entry)| entry)
    }
}

impl<P> fmt::Debug for Walks<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.openings.fmt(f)
    }
}

/// A short search of the preset `foundation`, which plays alike in every version.
fn judge<P: Searchable>() -> Box<dyn Fn(&P) -> i32 + Send + Sync> {
    let engine = foundation(P::GAME);
    let idle: Mutex<Vec<Searcher<P>>> = Mutex::default();
    Box::new(move |position| {
        let idle = || lock(&idle);
        let searcher = idle().pop();
        let mut searcher = searcher.unwrap_or_else(|| Searcher::new(&engine, HASH_MIB));
        searcher.new_game();
        let limits = Limits::nodes(NODES);
        let report = searcher.search(position, &Path::new(position), &limits, &mut Silent);
        idle().push(searcher);
        report.score
    })
}

fn foundation(game: Game) -> Config {
    Config::preset(game, "foundation").unwrap_or_else(|error| unreachable!("a preset: {error}"))
}

#[cfg(test)]
mod tests {
    use tanren_engine::{chess, shogi};

    use super::*;

    fn texts<P: Searchable>(seed: u64, lines: impl Iterator<Item = usize>) -> Vec<String> {
        let suite = RandomOpenings { plies: 8, seed }.suite::<P>(1_000);
        lines
            .map(|line| suite.openings[line].position().to_string())
            .collect()
    }

    fn openings_are_the_same_in_any_order_and_none_is_there_twice<P: Searchable>() {
        let mut forward = texts::<P>(7, 0..200);
        let mut backward = texts::<P>(7, (0..200).rev());
        backward.reverse();
        assert!(forward == backward);
        assert_ne!(forward[..50], texts::<P>(8, 0..50));
        forward.sort();
        forward.dedup();
        assert_eq!(forward.len(), 200);
        let judge = judge::<P>();
        let suite = RandomOpenings { plies: 8, seed: 7 }.suite::<P>(200);
        let positions = suite.openings.iter().map(Opening::position);
        let balanced = positions.filter(|position| judge(position).abs() <= BALANCED_CP);
        let balanced = balanced.count();
        assert!(balanced >= 190, "{balanced} of 200");
    }

    #[test]
    fn openings_of_both_games_are_the_same_in_any_order_and_none_is_there_twice() {
        openings_are_the_same_in_any_order_and_none_is_there_twice::<shogi::Board>();
        openings_are_the_same_in_any_order_and_none_is_there_twice::<chess::Board>();
    }
}
