//! Null move: if even a pass is good enough, the node is not worth its full depth.
//!
//! A pass is tried in zero-window nodes only, not in check, never twice in a row, and only where the game says that passing is safe
//! (no zugzwang). By default also only in cut nodes whose static evaluation nearly reaches beta: elsewhere passes mostly fail, or mislead.

use super::{Accumulator, Count, DECISIVE, EVAL_NONE, Node, NodeKind, Technique, Tree};
use crate::config::{NullMove, SearchConfig};
use crate::eval::Evaluated;

const TWO_PAWNS: i32 = 200;

#[derive(Debug, Clone, Copy)]
struct Candidate {
    depth: i32,
    kind: NodeKind,
    eval: i32,
    beta: i32,
    is_nested: bool,
    follows_pass: bool,
    /// Inside a verification that allows no pass here?
    is_barred: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Success {
    Return,
    Reduce(i32),
}

/// The depth of the search after a pass; `None` if no pass is to be tried.
#[inline]
fn depth_after(config: &SearchConfig, node: Candidate) -> Option<i32> {
    let forbidden = config.null_move == NullMove::Off
        || node.depth < config.null_move_depth_min
        || node.follows_pass
        || node.is_barred
        || (node.is_nested && !config.null_move_nested)
        || (config.null_move_cut_only && node.kind != NodeKind::Cut)
        || (config.null_move_above_beta && node.eval < node.beta + margin(config, node.depth));
    if forbidden {
        return None;
    }
    let mut shallower = config.null_move_shallower;
    if config.null_move_depth_step > 0 {
        shallower += node.depth / config.null_move_depth_step;
    }
    if config.null_move_eval_step > 0 {
        shallower += ((node.eval - node.beta) / config.null_move_eval_step).clamp(0, 3);
    }
    Some(node.depth - shallower)
}

/// How far above beta the static evaluation must be.
fn margin(config: &SearchConfig, depth: i32) -> i32 {
    config.null_move_margin - config.null_move_margin_step * depth
}

/// Must a pass that succeeded in a node of `depth` be verified by a search of the node itself?
fn is_to_be_verified(config: &SearchConfig, depth: i32) -> bool {
    config.null_move_verification > 0 && depth >= config.null_move_verification
}

/// The first ply at which a verification from `ply`, `depth` plies deep, may pass: three quarters of it go without.
fn pass_ply_min(ply: usize, depth: i32) -> usize {
    ply + (3 * depth.max(0) / 4).max(1) as usize
}

/// What follows when the search after the pass reached beta.
#[inline]
fn on_success(config: &SearchConfig) -> Success {
    match config.null_move {
        NullMove::Reduce => Success::Reduce(config.null_move_reduction),
        NullMove::Off | NullMove::Prune => Success::Return,
    }
}

fn proven(score: i32, beta: i32) -> i32 {
    if score >= DECISIVE { beta } else { score }
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// Step 8: searches a pass; returns a score, or lowers the depth of the node, if it reaches beta.
    pub(super) fn pass(&mut self, node: &mut Node<P>, accumulator: &Accumulator<P>) -> Option<i32> {
        let beta = node.window.beta;
        let candidate = Candidate {
            depth: node.depth,
            kind: node.kind,
            eval: node.eval,
            beta,
            is_nested: self.is_passing,
            follows_pass: self.frame(node.ply, 0).reversible == 0,
            is_barred: node.ply < self.pass_ply_min,
        };
        let depth = depth_after(self.config, candidate)?;
        if beta <= -DECISIVE || !self.position.is_pass_safe() {
            return None;
        }
        let ply = node.ply + 1;
        let window = node.window.flipped();
        let score = self.visit_pass(node.ply, node.raw_eval, |tree| {
            -tree.node(accumulator, window, depth, ply, NodeKind::All)
        });
        if self.stopped {
            return Some(0);
        }
        self.count.count(Technique::NullMove, score >= beta);
        if C::IS_COUNTING {
            self.count_conditions(node, score >= beta);
        }
        if score < beta || !self.is_verified(node, accumulator, depth) {
            return self.stopped.then_some(0);
        }
        match on_success(self.config) {
            Success::Return => Some(proven(score, beta)),
            Success::Reduce(plies) => {
                node.depth -= plies;
                if self.config.null_move_hash
                    && let Some(score) = self.settled(node.known, node.depth, node.window)
                {
                    return Some(score);
                }
                (node.depth <= 0).then(|| self.quiescence(accumulator, node.window, node.ply))
            }
        }
    }

    /// Counts a pass apart where the move before was a blunder, and where the node is far above beta.
    fn count_conditions(&mut self, node: &Node<P>, succeeded: bool) {
        let before = self.frame(node.ply, 1).eval;
        if before != EVAL_NONE && before + node.eval >= TWO_PAWNS {
            self.count.count(Technique::NullMoveAfterBlunder, succeeded);
        }
        if node.eval >= node.window.beta + TWO_PAWNS {
            self.count.count(Technique::NullMoveFarAboveBeta, succeeded);
        }
    }

    /// Step 8b: does a search of the node itself, as deep as the one after the pass, confirm that it reaches beta? It does
    /// not in zugzwang, where every move is worse than none.
    fn is_verified(&mut self, node: &Node<P>, accumulator: &Accumulator<P>, depth: i32) -> bool {
        if !is_to_be_verified(self.config, node.depth) {
            return true;
        }
        let window = node.window;
        let barred = std::mem::replace(&mut self.pass_ply_min, pass_ply_min(node.ply, depth));
        let score = self.node(accumulator, window, depth, node.ply, node.kind);
        self.pass_ply_min = barred;
        if self.stopped {
            return false;
        }
        self.count
            .count(Technique::NullMoveVerification, score >= window.beta);
        score >= window.beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODE: Candidate = Candidate {
        depth: 6,
        kind: NodeKind::All,
        eval: 50,
        beta: 10,
        is_nested: false,
        follows_pass: false,
        is_barred: false,
    };

    #[test]
    fn by_the_article_a_pass_is_searched_four_plies_shallower_and_success_takes_three_off_the_node() {
        let config = SearchConfig::with("sayuri-article");
        assert_eq!(depth_after(&config, NODE), Some(2));
        assert_eq!(on_success(&config), Success::Reduce(3));
    }

    #[test]
    fn a_success_returns_and_deep_nodes_are_searched_shallower() {
        let config = SearchConfig::with("null_move=prune,null_move.shallower=6,null_move.depth_step=3");
        let cut = |depth| Candidate {
            depth,
            kind: NodeKind::Cut,
            ..NODE
        };
        assert_eq!(depth_after(&config, cut(8)), Some(0));
        assert_eq!(depth_after(&config, cut(15)), Some(4));
        assert_eq!(on_success(&config), Success::Return);
    }

    #[test]
    fn no_pass_inside_a_pass_nor_at_low_depth_nor_after_a_pass_nor_when_off() {
        let nested = Candidate {
            is_nested: true,
            ..NODE
        };
        let adjacent = Candidate {
            follows_pass: true,
            ..nested
        };
        let barred = Candidate {
            is_barred: true,
            ..NODE
        };
        let cut = Candidate {
            kind: NodeKind::Cut,
            ..NODE
        };
        for (settings, node, is_tried) in [
            ("null_move.nested=off", nested, false),
            ("null_move.nested=off", Candidate { depth: 3, ..NODE }, false),
            ("null_move.nested=off", barred, false),
            ("null_move=off", NODE, false),
            ("null_move.cut_only=on", NODE, false),
            ("null_move.cut_only=on", cut, true),
            ("null_move.above_beta=on,null_move.margin=40", NODE, true),
            ("null_move.above_beta=on,null_move.margin=41", NODE, false),
            (
                "null_move.above_beta=on,null_move.margin=100,null_move.margin_step=10",
                NODE,
                true,
            ),
            (
                "null_move.above_beta=on,null_move.margin=100,null_move.margin_step=5",
                NODE,
                false,
            ),
            ("null_move.nested=on", nested, true),
            ("null_move.nested=on", adjacent, false),
        ] {
            let config = SearchConfig::with(&format!("sayuri-article,{settings}"));
            assert_eq!(
                depth_after(&config, node).is_some(),
                is_tried,
                "{settings} {node:?}"
            );
        }
    }

    #[test]
    fn a_verification_starts_at_its_depth_and_keeps_three_quarters_free_of_passes() {
        let config = SearchConfig::with("null_move.verification=8");
        assert!(is_to_be_verified(&config, 8) && !is_to_be_verified(&config, 7));
        assert!(!is_to_be_verified(&SearchConfig::default(), 60));
        assert_eq!(pass_ply_min(3, 8), 9);
        assert_eq!(pass_ply_min(3, 0), 4, "the node verified never passes itself");
    }
}
