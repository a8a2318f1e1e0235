//! The search: one position in, one move and its reasons out.
//!
//! In: a [`Position`], the [`Path`] that led to it, [`Limits`], a [`Config`]. Out: a [`Report`].
//! Must not: name a game, read a clock or print; it asks its [`Observer`].

use std::marker::PhantomData;

use crate::config::Config;
use crate::eval::Evaluated;
use crate::game::{MoveList, Path};
use crate::time::Limits;

/// Value of "mated now"; mate in `n` plies is `MATE - n`.
pub const MATE: i32 = 30_000;
/// Scores at or beyond this are mates.
pub const MATE_IN_MAX: i32 = MATE - 512;
/// Greater than every score.
pub const INFINITE: i32 = 32_000;
/// Plies that a search may go down.
pub const PLY_MAX: usize = 128;

/// One finished iteration of iterative deepening, or the end of the search.
#[derive(Debug, Clone, Copy)]
pub struct Iteration<'a, M> {
    /// Depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Score from the side to move's view; beyond [`MATE_IN_MAX`] a mate.
    pub score: i32,
    /// Nodes so far.
    pub nodes: u64,
    /// Share of the hash table in use by this game, in permille.
    pub hash_permille: u32,
    /// Principal variation.
    pub pv: &'a [M],
}

/// The outside world of a search: clock, stop signal and listener.
pub trait Observer<M> {
    /// Milliseconds since the search was asked for; called seldom, and never under node or depth limits alone.
    fn elapsed_ms(&mut self) -> u64;
    /// Should the search end now? Polled every few thousand nodes.
    fn is_stop_requested(&mut self) -> bool;
    /// Called after each iteration.
    fn iteration(&mut self, iteration: &Iteration<'_, M>);
}

/// An observer that never stops and does not listen, for searches limited by nodes or depth.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl<M> Observer<M> for Silent {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }
    fn is_stop_requested(&mut self) -> bool {
        false
    }
    fn iteration(&mut self, _: &Iteration<'_, M>) {}
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report<M> {
    /// The move to play; `None` if there is no legal move.
    pub best: Option<M>,
    /// The expected answer.
    pub ponder: Option<M>,
    /// Score from the side to move's view.
    pub score: i32,
    /// Last finished iteration.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// Principal variation, starting with `best`.
    pub pv: Vec<M>,
}

/// A search with its hash table and histories, made once and used for many games.
pub struct Searcher<P: Evaluated> {
    position: PhantomData<P>,
}

impl<P: Evaluated> Searcher<P> {
    /// Allocates a hash table of `hash_mib` MiB.
    pub fn new(_config: &Config, _hash_mib: usize) -> Self {
        Searcher {
            position: PhantomData,
        }
    }

    /// Changes the configuration; a new game follows.
    pub fn set_config(&mut self, _config: &Config) {}

    /// Forgets everything learnt, in constant time.
    pub fn new_game(&mut self) {}

    /// Searches `position`, which `path` leads to (and ends with).
    pub fn search(
        &mut self,
        position: &P,
        _path: &Path,
        _limits: &Limits,
        _observer: &mut impl Observer<P::Move>,
    ) -> Report<P::Move> {
        let mut list = MoveList::new();
        position.legal(&mut list);
        let best = list.first().copied();
        Report {
            best,
            ponder: None,
            score: 0,
            depth: 1,
            seldepth: 1,
            nodes: 1,
            pv: best.into_iter().collect(),
        }
    }
}
