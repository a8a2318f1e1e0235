//! Forced reply: all moves of a node but one lose by force, so that this one is as good as the only one.
//!
//! A score at or below alpha says nothing of a move but that it is no better, unless fail-soft tells that it is mated. While
//! the one move loses too, all are tried, for the longest resistance.

use super::{Count, DECISIVE, MATE_IN_MAX, MoveSubset, MovesOutcome, Node, Technique, Tree};
use crate::eval::Evaluated;
use crate::game::{GameMove, MoveList};

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// Step 9a: does the hash table know that all moves but its own lose by force?
    pub(super) fn forced_reply(&mut self, node: &mut Node<P>) {
        let is_known = node.known.is_some_and(|(entry, _)| entry.is_only_reply)
            && self.position.is_pseudo_legal(node.hash_move)
            && self.position.is_legal(node.hash_move);
        self.count.count(Technique::ForcedReply, is_known);
        if !is_known {
            return;
        }
        node.choice = MoveSubset::Only;
        let extends = self.config.forced_reply_extension && (node.ply as i32) < 2 * self.root_depth;
        node.hash_extension = i32::from(extends);
    }

    /// Step 12: was every move of the node searched, and is every one but the best mated?
    pub(super) fn is_forced(&self, node: &Node<P>, outcome: &MovesOutcome<P::Move>) -> bool {
        if node.choice != MoveSubset::All
            || !self.config.fail_soft
            || outcome.second > -MATE_IN_MAX
            || outcome.best <= -DECISIVE
        {
            return false;
        }
        let mut legal = MoveList::new();
        self.position.legal(&mut legal);
        // A dominated move in the hash table is searched beside those that are generated.
        legal.len() as i32 == outcome.searched
            && (node.hash_move.bits() == 0 || legal.contains(&node.hash_move))
    }
}
