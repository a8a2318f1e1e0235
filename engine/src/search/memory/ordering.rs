//! The tables of move ordering as parts of the memory.
//!
//! In: the tables of [`ordering`](crate::ordering). Out: what a new game and a new search mean to them.

use super::learnt::{Learnt, Setup};
use crate::config::SearchConfig;
use crate::game::{GameMove, Position};
use crate::ordering::{CounterMoves, History, Killers};
use crate::search::score::PLY_MAX;

impl<P: Position> Learnt for History<P> {
    fn empty(setup: Setup<'_>) -> Self {
        History::new(setup.config)
    }

    fn new_game(&mut self) {
        self.forget();
    }

    fn new_search(&mut self, _: &SearchConfig) {
        self.age();
    }
}

impl<P: Position> Learnt for CounterMoves<P> {
    fn empty(setup: Setup<'_>) -> Self {
        CounterMoves::new(setup.config)
    }

    fn new_game(&mut self) {
        self.clear();
    }
}

/// Killers of one search mean nothing to the next, whose plies count from another root.
impl<M: GameMove> Learnt for Killers<M> {
    fn empty(_: Setup<'_>) -> Self {
        Killers::new(PLY_MAX)
    }

    fn new_game(&mut self) {
        self.clear();
    }

    fn new_search(&mut self, _: &SearchConfig) {
        self.clear();
    }
}
