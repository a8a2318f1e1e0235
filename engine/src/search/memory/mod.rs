//! What a search remembers: from node to node, from search to search, until a new game. The tables that order moves live with the
//! [`MovePicker`](crate::ordering::MovePicker) that reads them.

mod correction;
mod cut_distances;
mod hash_table;

use self::correction::Corrections;
use super::score::PLY_MAX;
use crate::config::SearchConfig;
use crate::eval::{Evaluate, Evaluated};
use crate::ordering::{CounterMoves, History, Killers};

pub(super) use self::correction::SearchedValue;
pub(super) use self::cut_distances::{CutDistances, KINDS as CUT_KINDS};
pub(super) use self::hash_table::HashTable;

pub(super) struct Memory<P: Evaluated> {
    pub(super) hash_table: HashTable,
    pub(super) history: History<P>,
    pub(super) killers: Killers<P::Move>,
    pub(super) counter_moves: CounterMoves<P>,
    pub(super) corrections: Corrections,
    pub(super) cut_distances: CutDistances,
    /// Valid for every configuration or written anew by each evaluation, so that it may outlive a game.
    pub(super) evaluation: <P::Evaluator as Evaluate<P>>::Memory,
    /// Of this game's last search by the clock that did not begin on the opponent's time.
    pub(super) last_iterations: Option<u32>,
}

impl<P: Evaluated> Memory<P> {
    pub(super) fn new(config: &SearchConfig, hash_table: HashTable) -> Self {
        Memory {
            hash_table,
            history: History::new(config),
            killers: Killers::new(PLY_MAX),
            counter_moves: CounterMoves::new(config),
            corrections: Corrections::new(config),
            cut_distances: CutDistances::new(),
            evaluation: Default::default(),
            last_iterations: None,
        }
    }

    /// Forgets everything, in a time that grows with no large table.
    pub(super) fn new_game(&mut self) {
        self.hash_table.new_game();
        self.history.forget();
        self.killers.clear();
        self.counter_moves.clear();
        self.corrections.clear();
        self.cut_distances = CutDistances::new();
        self.last_iterations = None;
    }

    /// The next search of the game begins.
    pub(super) fn new_search(&mut self, config: &SearchConfig) {
        self.hash_table.new_search();
        self.history.age();
        // Killers of one search mean nothing to the next, whose plies count from another root.
        self.killers.clear();
        self.cut_distances.new_search(config);
    }

    /// Forgets everything for another configuration; the size of the hash table stays.
    pub(super) fn reconfigure(&mut self, config: &SearchConfig) {
        self.new_game();
        self.history = History::new(config);
        self.counter_moves = CounterMoves::new(config);
        self.corrections = Corrections::new(config);
    }
}
