//! Signatures: how many nodes a configuration needs for the fixed positions.
//!
//! In: a configuration. Out: nodes. Must not: measure time (its callers do).

use super::positions;
use crate::config::Config;
use crate::game::Path;
use crate::search::{Iteration, Observer, Searchable, Searcher, Silent};
use crate::time::Limits;

/// The depth of the signature.
pub const DEPTH: u32 = 13;

const HASH_MIB: usize = 16;

/// The same for [`brief`], where many configurations are searched and few nodes.
const BRIEF_HASH_MIB: usize = 1;
/// A brief search ends after the first iteration that has needed so many nodes,
const BRIEF_NODES: u64 = 10_000;
/// or at this depth.
const BRIEF_DEPTH_MAX: u32 = 24;

/// Total nodes over the fixed positions of the game, each searched as the first of a new game.
pub fn signature<P: Searchable>(config: &Config, depth: u32) -> u64 {
    let mut searcher = Searcher::new(config, HASH_MIB);
    let limits = Limits {
        depth_max: Some(depth),
        ..Limits::default()
    };
    parsed()
        .map(|position: P| {
            searcher.new_game();
            searcher
                .search(&position, &Path::new(&position), &limits, &mut Silent)
                .nodes
        })
        .sum()
}

/// As [`signature`], but each position is searched to the first depth that takes a few thousand nodes, so that players
/// without any pruning are as soon done as others.
pub fn brief<P: Searchable>(config: &Config) -> u64 {
    let mut searcher = Searcher::new(config, BRIEF_HASH_MIB);
    let limits = Limits {
        depth_max: Some(BRIEF_DEPTH_MAX),
        ..Limits::default()
    };
    parsed()
        .map(|position: P| {
            searcher.new_game();
            let mut enough = Enough::default();
            searcher.search(&position, &Path::new(&position), &limits, &mut enough);
            enough.nodes
        })
        .sum()
}

fn parsed<P: Searchable>() -> impl Iterator<Item = P> {
    let texts = positions::of(P::GAME).iter();
    texts.filter_map(|text| P::parse(text).ok())
}

/// Keeps the nodes of the last iteration that was needed.
#[derive(Debug, Default)]
struct Enough {
    nodes: u64,
}

impl<M> Observer<M> for Enough {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }
    fn is_stop_requested(&mut self) -> bool {
        self.nodes >= BRIEF_NODES
    }
    fn iteration(&mut self, iteration: &Iteration<'_, M>) {
        if self.nodes < BRIEF_NODES {
            self.nodes = iteration.nodes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::shogi::Board;

    #[test]
    fn the_foundation_plays_as_the_first_release_did() {
        let foundation = |game| Config::preset(game, "foundation").unwrap();
        assert_eq!(signature::<Board>(&foundation(Game::Shogi), 9), 58_692);
        assert_eq!(
            signature::<crate::chess::Board>(&foundation(Game::Chess), 9),
            44_567
        );
    }
}
