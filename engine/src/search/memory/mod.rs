//! What a search remembers: from node to node, from search to search, until a new game.
//!
//! In: what searches find. Out: [`Memory`], which is lent to each search. Must not: search.
//!
//! A table is a type that implements [`Learnt`] and one line of the declaration below; nothing else makes, empties or ages it.
//! The tables that order moves live with the [`MovePicker`](crate::ordering::MovePicker) that reads them.

mod correction;
mod cut_distances;
mod evaluation;
mod hash_table;
mod last_search;
mod learnt;
mod ordering;

use self::correction::Corrections;
use self::evaluation::Evaluation;
use self::hash_table::HashTable;
use self::last_search::LastSearch;
use self::learnt::{Learnt, memory};
use crate::ordering::{CounterMoves, History, Killers};

pub(super) use self::correction::Found;
pub(super) use self::cut_distances::{CutDistances, KINDS as CUT_KINDS};
pub(super) use self::learnt::Setup;

memory! {
    /// All that a searcher learns.
    Memory<P> {
        /// Positions met before.
        hash_table: HashTable,
        /// How well moves did before.
        history: History<P>,
        /// Quiet moves that cut at a ply.
        killers: Killers<P::Move>,
        /// Quiet moves that cut after a move.
        counter_moves: CounterMoves<P>,
        /// Where the static evaluation errs.
        corrections: Corrections,
        /// Where quiet moves cut.
        cut_distances: CutDistances,
        /// What evaluations remember.
        evaluation: Evaluation<P>,
        /// How far the last search came.
        last_search: LastSearch,
    }
}
