//! The world around a search, as the search sees it.

use super::Counters;

/// One finished iteration of iterative deepening, or the end of the search.
#[derive(Debug, Clone, Copy)]
pub struct Iteration<'a, M> {
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// Rank of the line under MultiPV, from 1.
    pub rank: u32,
    /// The deepest ply that was reached, extensions and quiescence search included.
    pub seldepth: u32,
    /// Score from the side to move's view; beyond [`MATE_IN_MAX`](super::MATE_IN_MAX) a mate.
    pub score: i32,
    /// Nodes since the search began.
    pub nodes: u64,
    /// Share of the hash table in use by this game, in permille.
    pub hash_permille: u32,
    /// Principal variation, from the root move.
    pub pv: &'a [M],
    /// What each technique did so far, if the search counts it.
    pub counters: Option<&'a Counters>,
}

/// The outside world of a search: clock, stop signal and listener. By default it never stops and does not listen.
pub trait Observer<M> {
    /// Milliseconds since the search was asked for; called seldom, and never under node or depth limits alone.
    fn elapsed_ms(&mut self) -> u64 {
        0
    }
    /// Should the search end now? Polled every few thousand nodes.
    fn is_stop_requested(&mut self) -> bool {
        false
    }
    /// Is it still the opponent's time? Asked only if [`Limits::ponder`](crate::time::Limits::ponder) is set; once false, it stays so.
    fn is_pondering(&mut self) -> bool {
        false
    }
    /// The search of the `number`th root move begins, counted from 1 in each iteration.
    fn root_move(&mut self, _depth: u32, _mv: M, _number: u32) {}
    /// Called after each iteration, once for each line asked for.
    fn iteration(&mut self, _: &Iteration<'_, M>) {}
}

/// An observer that never stops and does not listen, for searches limited by nodes or depth.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl<M> Observer<M> for Silent {}
