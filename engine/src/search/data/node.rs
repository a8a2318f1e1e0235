//! What is known of a node.
//!
//! In: nothing. Out: [`Node`], its [`NodeKind`] and the [`Choice`] of its moves.

use super::entry::Entry;
use super::window::Window;
use crate::ordering::Context;

/// What a node expects of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// Part of the principal variation: an open window.
    Pv,
    /// Zero window, some move should reach beta.
    Cut,
    /// Zero window, no move should reach beta.
    All,
}

/// Which moves of a node are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// All.
    All,
    /// All but the move of the hash table.
    Others,
    /// The move of the hash table is the only legal one.
    Only,
}

/// What is known of a node before its moves are tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<M> {
    pub(crate) window: Window,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    pub(crate) kind: NodeKind,
    pub(crate) in_check: bool,
    /// Static evaluation, corrected by what searches found and by the hash table;
    /// [`EVAL_NONE`](crate::search::score::EVAL_NONE) in check.
    pub(crate) eval: i32,
    /// Static evaluation as it is, for the hash table.
    pub(crate) raw_eval: i32,
    pub(crate) is_improving: bool,
    pub(crate) hash_move: M,
    /// What the hash table knew, and its score as seen from this ply.
    pub(crate) known: Option<(Entry, i32)>,
    pub(crate) choice: Choice,
    /// Plies by which the move of the hash table is extended.
    pub(crate) hash_extension: i32,
    pub(crate) context: Context,
}
