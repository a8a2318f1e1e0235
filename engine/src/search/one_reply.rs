//! One reply: the only legal move out of a check is forced, so it is searched deeper, and known for good once found.

use super::{Count, MoveSubset, Node, Technique, Tree};
use crate::config::SearchConfig;
use crate::eval::Evaluated;
use crate::game::{GameMove, MoveList};

/// By how many plies the only reply is extended. The bound of ply keeps a series of checks from running away.
pub(super) fn extension(config: &SearchConfig, ply: usize, root_depth: i32) -> i32 {
    i32::from(config.one_reply_extension && (ply as i32) < 2 * root_depth)
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// Step 9a: finds out, from the hash table or the generator, whether the node in check has one legal move; if so it is
    /// the hash move from now on, extended and the only one tried.
    pub(super) fn one_reply(&mut self, node: &mut Node<P>) {
        let Some(only) = self.only_reply(node) else { return };
        node.hash_move = only;
        node.choice = MoveSubset::Only;
        node.hash_extension = extension(self.config, node.ply, self.root_depth);
    }

    fn only_reply(&mut self, node: &Node<P>) -> Option<P::Move> {
        if self.config.one_reply_hash {
            let is_known = node.known.is_some_and(|(entry, _)| entry.is_only_reply)
                && self.position.is_pseudo_legal(node.hash_move)
                && self.position.is_legal(node.hash_move);
            self.count.count(Technique::OneReplyHash, is_known);
            if is_known {
                return Some(node.hash_move);
            }
        }
        let mut legal = MoveList::new();
        self.position.legal(&mut legal);
        // Dominated moves are not generated: one of them in the hash table counts as a second move.
        let is_only = legal.len() == 1
            && (node.hash_move.bits() == 0
                || node.hash_move == legal[0]
                || !self.position.is_pseudo_legal(node.hash_move));
        self.count.count(Technique::OneReply, is_only);
        is_only.then(|| legal[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_reply_is_extended_by_a_ply_but_not_without_end() {
        let config = SearchConfig::with("one_reply_extension=on");
        assert_eq!(extension(&config, 11, 6), 1);
        assert_eq!(extension(&config, 12, 6), 0);
        assert_eq!(extension(&SearchConfig::default(), 1, 6), 0);
    }
}
