//! Singular extensions: a hash move that no other move comes near is searched deeper.

use super::{Accumulator, Bound, Count, DECISIVE, MoveSubset, Node, NodeKind, Technique, Tree, Window};
use crate::config::SearchConfig;
use crate::eval::Evaluated;
use crate::game::{GameMove, Position};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SingularSearch {
    pub(super) depth: i32,
    /// The hash move is singular if all others stay below this.
    pub(super) beta: i32,
    pub(super) score: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SingularResult {
    Extend(i32),
    /// Return: another move is good enough as well.
    Return(i32),
}

/// The trial that a node deserves. The bound of ply keeps a series of extensions from running away.
#[inline]
pub(super) fn trial<P: Position>(
    config: &SearchConfig,
    node: &Node<P>,
    root_depth: i32,
) -> Option<SingularSearch> {
    if !config.singular
        || node.choice == MoveSubset::Only
        || node.depth < config.singular_depth_min
        || node.ply as i32 >= 2 * root_depth
    {
        return None;
    }
    let (entry, score) = node.known?;
    let is_trusted = node.hash_move.bits() != 0
        && matches!(entry.bound, Bound::Lower | Bound::Exact)
        && i32::from(entry.depth) >= node.depth - config.singular_hash_shallower
        && score.abs() < DECISIVE;
    is_trusted.then(|| SingularSearch {
        depth: (node.depth - 1) / 2,
        beta: (score - config.singular_margin * node.depth).max(1 - DECISIVE),
        score,
    })
}

/// What follows when the best of the other moves is worth `value` in a node of this kind and `window`.
pub(super) fn verdict(
    config: &SearchConfig,
    trial: SingularSearch,
    value: i32,
    kind: NodeKind,
    window: Window,
) -> SingularResult {
    if value < trial.beta {
        let below = trial.beta - value - config.singular_double_margin;
        let doubles = config.singular_double && kind != NodeKind::Pv && below > 0;
        let margin = config.singular_triple_margin;
        let triples = doubles && margin > 0 && below > margin;
        return SingularResult::Extend(1 + i32::from(doubles) + i32::from(triples));
    }
    if config.singular_multicut && kind != NodeKind::Pv && value >= window.beta && value < DECISIVE {
        return SingularResult::Return(value);
    }
    let expects_cut = trial.score >= window.beta || kind == NodeKind::Cut;
    SingularResult::Extend(-config.singular_negative * i32::from(expects_cut))
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// Step 9b: searches all moves but the hash move; sets the extension of the hash move or returns a score.
    ///
    /// The trial goes straight to the moves, so that nothing found without the hash move is taken from the hash table or
    /// put into it.
    pub(super) fn singular(
        &mut self,
        node: &mut Node<P>,
        accumulator: &Accumulator<P>,
        trial: SingularSearch,
    ) -> Option<i32> {
        let config = self.config;
        let others = Node {
            window: Window::zero(trial.beta - 1),
            depth: trial.depth,
            kind: match node.kind {
                NodeKind::All => NodeKind::All,
                NodeKind::Pv | NodeKind::Cut => NodeKind::Cut,
            },
            choice: MoveSubset::Others,
            hash_extension: 0,
            ..*node
        };
        let value = self.moves(&others, accumulator).best;
        if self.stopped {
            return Some(0);
        }
        let verdict = verdict(config, trial, value, node.kind, node.window);
        self.count.count(
            Technique::Singular,
            matches!(verdict, SingularResult::Extend(1..)),
        );
        self.count
            .count(Technique::Multicut, matches!(verdict, SingularResult::Return(_)));
        match verdict {
            SingularResult::Extend(plies) => {
                node.hash_extension = plies;
                None
            }
            SingularResult::Return(score) => Some(score),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duel::{Duel, DuelMove};
    use crate::search::data::HashEntry;

    const TRIAL: SingularSearch = SingularSearch {
        depth: 3,
        beta: 70,
        score: 100,
    };
    const WINDOW: Window = Window { alpha: 79, beta: 80 };

    #[test]
    fn a_trusted_hash_move_is_tried_alone_but_not_beyond_twice_the_depth_of_the_root() {
        let config = SearchConfig::with("singular=on");
        let entry = HashEntry::sample(1, 100, 8, Bound::Lower);
        let at = |ply| Node::<Duel<true>> {
            ply,
            hash_move: DuelMove::from_bits(1),
            known: Some((entry, 100)),
            ..Node::cut(0, 0, 80, 8)
        };
        let expected = SingularSearch {
            depth: 3,
            beta: 100 - 8 * config.singular_margin,
            score: 100,
        };
        assert_eq!(trial(&config, &at(11), 6), Some(expected));
        assert_eq!(trial(&config, &at(12), 6), None);
        assert_eq!(trial(&SearchConfig::with("singular=off"), &at(1), 6), None);
    }

    #[test]
    fn a_move_that_no_other_comes_near_is_extended_by_more_the_further_below_all_others_are() {
        let config = SearchConfig::with("singular.double_margin=40,singular.triple_margin=30");
        let of = |value, kind| verdict(&config, TRIAL, value, kind, WINDOW);
        assert_eq!(of(69, NodeKind::Cut), SingularResult::Extend(1));
        assert_eq!(of(29, NodeKind::Cut), SingularResult::Extend(2));
        assert_eq!(of(29, NodeKind::Pv), SingularResult::Extend(1));
        assert_eq!(of(0, NodeKind::Cut), SingularResult::Extend(2));
        assert_eq!(of(-1, NodeKind::Cut), SingularResult::Extend(3));
    }

    #[test]
    fn a_second_move_above_beta_cuts_and_one_below_makes_the_hash_move_less_interesting() {
        let config = SearchConfig::default();
        let of = |value, kind| verdict(&config, TRIAL, value, kind, WINDOW);
        assert_eq!(of(85, NodeKind::Cut), SingularResult::Return(85));
        assert_eq!(of(75, NodeKind::Cut), SingularResult::Extend(-1));
        let unsure = SingularSearch { score: 75, ..TRIAL };
        assert_eq!(
            verdict(&config, unsure, 72, NodeKind::All, WINDOW),
            SingularResult::Extend(0)
        );
        let single = SearchConfig {
            singular_multicut: false,
            ..config
        };
        assert_eq!(
            verdict(&single, TRIAL, 85, NodeKind::Cut, WINDOW),
            SingularResult::Extend(-1)
        );
    }
}
