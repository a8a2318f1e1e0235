//! What is known of a node.

use super::entry::Entry;
use super::window::Window;
use crate::ordering::Context;

/// What a node expects of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Pv,
    Cut,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    All,
    /// All but the move of the hash table.
    Others,
    Only,
}

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
