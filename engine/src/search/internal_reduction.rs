//! Internal iterative reduction: a node without a hash move is searched one ply less deep.

use super::{Count, Node, NodeKind, Technique, Tree};
use crate::eval::Evaluated;
use crate::game::GameMove;

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// Step 9: lowers the depth of a node without a hash move, unless no move is expected to reach beta.
    #[inline]
    pub(super) fn internal_reduction(&mut self, node: &mut Node<P>) {
        let config = self.config;
        if config.iir && node.hash_move.bits() == 0 && node.depth >= config.iir_depth_min {
            let reduces = node.kind != NodeKind::All;
            self.count.count(Technique::Iir, reduces);
            node.depth -= i32::from(reduces);
        }
    }
}
