//! Internal iterative deepening: a node of the principal variation without a hash move finds one by a shallower search.
//!
//! In: a node without a hash move. Out: its hash move, if one is found.

use super::counters::{Count, Technique};
use super::data::{Entry, Node, NodeKind};
use super::tree::{Accumulator, Tree};
use crate::eval::Evaluated;
use crate::game::GameMove;

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// Step 9: searches the node less deep, for its best move.
    #[inline]
    pub(super) fn internal_deepening(&mut self, node: &mut Node<P::Move>, accumulator: &Accumulator<P>) {
        let config = self.config;
        if !config.iid
            || node.hash_move.bits() != 0
            || node.kind != NodeKind::Pv
            || node.depth < config.iid_depth_min
        {
            return;
        }
        let depth = node.depth - config.iid_shallower;
        self.node(accumulator, node.window, depth, node.ply, node.kind);
        self.lines.clear(node.ply);
        node.hash_move = Entry::best(self.probe());
        self.count.count(Technique::Iid, node.hash_move.bits() != 0);
    }
}
