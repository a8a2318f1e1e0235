//! Internal iterative deepening: a node of the principal variation without a hash move finds one by a shallower search.

use super::{Accumulator, Count, HashEntry, Node, NodeKind, Technique, Tree};
use crate::config::SearchConfig;
use crate::eval::Evaluated;
use crate::game::GameMove;

#[inline]
fn depth(config: &SearchConfig, depth: i32) -> i32 {
    if config.iid_depth > 0 {
        config.iid_depth.min(depth - 1)
    } else {
        depth - config.iid_shallower
    }
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// Step 9: searches the node less deep, for its best move.
    #[inline]
    pub(super) fn internal_deepening(&mut self, node: &mut Node<P>, accumulator: &Accumulator<P>) {
        let config = self.config;
        if !config.iid
            || node.hash_move.bits() != 0
            || node.kind != NodeKind::Pv
            || node.depth < config.iid_depth_min
        {
            return;
        }
        let depth = depth(config, node.depth);
        self.node(accumulator, node.window, depth, node.ply, node.kind);
        self.lines.clear(node.ply);
        node.hash_move = HashEntry::best(self.probe());
        self.count.count(Technique::Iid, node.hash_move.bits() != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_depth_holds_whatever_the_depth_of_the_node_and_always_ends() {
        let relative = SearchConfig::default();
        let fixed = SearchConfig {
            iid_depth: 4,
            ..relative.clone()
        };
        assert_eq!([5, 9, 12].map(|node| depth(&relative, node)), [1, 5, 8]);
        assert_eq!([3, 5, 9, 12].map(|node| depth(&fixed, node)), [2, 4, 4, 4]);
    }
}
