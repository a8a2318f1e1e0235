//! ProbCut: a good capture that a shallower search finds far above beta will be above beta at full depth too.

use super::{
    Accumulator, Bound, Count, DECISIVE, DEPTH_MAX, HashEntry, Node, Technique, Tree, Window, to_table,
};
use crate::config::SearchConfig;
use crate::eval::Evaluated;
use crate::game::{EarlyTests, GameMove};
use crate::ordering::MovePicker;

/// The score that a shallower search has to reach; `None` if the node is not judged.
#[inline]
pub(super) fn raised_beta(config: &SearchConfig, depth: i32, beta: i32, is_improving: bool) -> Option<i32> {
    if !config.probcut || depth < config.probcut_depth_min {
        return None;
    }
    let raised = beta + config.probcut_margin - i32::from(is_improving) * config.probcut_improving;
    (beta > -DECISIVE && raised < DECISIVE).then_some(raised)
}

/// Has a search about as deep already shown that the node does not reach `raised`?
fn is_refuted(config: &SearchConfig, depth: i32, raised: i32, known: Option<(HashEntry, i32)>) -> bool {
    known.is_some_and(|(entry, score)| {
        matches!(entry.bound, Bound::Upper | Bound::Exact)
            && i32::from(entry.depth) > depth - config.probcut_shallower
            && score < raised
    })
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// Step 8c: the score to return if a capture reaches `raised`, first in quiescence search and then in a shallower one.
    pub(super) fn probcut(
        &mut self,
        node: &Node<P>,
        accumulator: &Accumulator<P>,
        raised: i32,
    ) -> Option<i32> {
        let config = self.config;
        if is_refuted(config, node.depth, raised, node.known) {
            return None;
        }
        let depth = node.depth - config.probcut_shallower;
        let kind = node.kind.opposite();
        let below = Window::zero(raised - 1).flipped();
        let ply = node.ply + 1;
        let mut picker = MovePicker::quiescence(&self.position, node.hash_move, EarlyTests::default());
        while let Some(mv) = picker.next(&self.position, &self.memory.history, node.context) {
            if !self.position.see_ge(mv, raised - node.eval) || !self.position.is_legal(mv) {
                continue;
            }
            let score = self.visit(mv, node.ply, accumulator, |tree, accumulator| {
                let score = -tree.quiescence(accumulator, below, ply);
                if score < raised || depth <= 1 || tree.stopped {
                    return score;
                }
                -tree.node(accumulator, below, depth, ply, kind)
            });
            if self.stopped {
                return Some(0);
            }
            self.count.count(Technique::ProbCut, score >= raised);
            if score >= raised {
                self.store(HashEntry {
                    mv: mv.bits(),
                    score: to_table(score, node.ply),
                    depth: (depth + 1).clamp(0, DEPTH_MAX) as u8,
                    bound: Bound::Lower,
                    is_only_reply: false,
                });
                let over = raised - node.window.beta;
                return Some(if score >= DECISIVE { score } else { score - over });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_higher_when_the_evaluation_is_not_improving_and_there_is_none_at_low_depth_or_near_mate() {
        let config = SearchConfig::with("probcut=on");
        assert_eq!(raised_beta(&config, 5, 100, false), Some(300));
        assert_eq!(raised_beta(&config, 5, 100, true), Some(240));
        assert_eq!(raised_beta(&config, 4, 100, true), None);
        assert_eq!(raised_beta(&config, 9, DECISIVE - 10, false), None);
        assert_eq!(raised_beta(&SearchConfig::default(), 9, 100, false), None);
    }

    #[test]
    fn a_deep_enough_score_below_the_bar_settles_the_question() {
        let config = SearchConfig::default();
        let entry = |depth, bound| HashEntry::sample(0, 0, depth, bound);
        assert!(is_refuted(&config, 8, 300, Some((entry(5, Bound::Upper), 250))));
        assert!(!is_refuted(&config, 8, 300, Some((entry(4, Bound::Upper), 250))));
        assert!(!is_refuted(&config, 8, 300, Some((entry(5, Bound::Lower), 250))));
        assert!(!is_refuted(&config, 8, 300, None));
    }
}
