//! The search: one position in, one move and its reasons out.
//!
//! Where things are: `data` holds what the parts hand to each other, `memory` what is learnt, `tree` the state of one search.
//! `deepen` is the root, `alpha_beta` a node in numbered steps, `moves` what a node does with its moves, `quiescence` the
//! horizon: these call each other, and are the only recursion. Every other file is one technique, called by its name.

mod alpha_beta;
mod aspiration;
mod check_extension;
mod counters;
mod data;
mod deepen;
mod delta_pruning;
mod early_stop;
mod focus;
mod forced_reply;
mod futility;
mod hash_cut;
mod history_pruning;
mod internal_deepening;
mod internal_reduction;
mod late_move_pruning;
mod late_move_reductions;
mod learning;
mod mate_distance;
mod mate_in_one;
mod memory;
mod moves;
mod null_move;
mod observer;
mod one_reply;
mod pace;
mod probcut;
mod pv_table;
mod quiescence;
mod razoring;
mod report;
mod reverse_futility;
mod score;
mod searcher;
mod see_pruning;
mod singular;
mod soppo;
mod threads;
mod tree;

use counters::{Count, Uncounted};
use data::{
    Attempt, Bound, DEPTH_MAX, Descent, Frame, Frames, HashEntry, MoveSubset, MovesOutcome, Node, NodeKind,
    TriedMoves, Window,
};
use late_move_reductions::Reductions;
use memory::{CUT_KINDS, CutDistances, HashTable, Memory, SearchedValue};
use pv_table::PvTable;
use score::{DECISIVE, EVAL_MAX, EVAL_NONE, INFINITE, from_table, lost, perpetual_win, to_table};
use tree::{Accumulator, StopConditions, Tree};

pub(crate) use score::known_score;

pub use counters::{BUCKETS, Counters, Distribution, Technique};
pub use focus::Focus;
pub use observer::{Iteration, Observer, Silent};
pub use report::Report;
pub use score::{MATE, MATE_IN_MAX, PLY_MAX};
pub use searcher::{Searchable, Searcher, Task};

#[cfg(test)]
mod tests;
