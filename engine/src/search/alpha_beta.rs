//! The alpha-beta node (principal variation search): control flow only, in numbered steps.

use super::{
    Accumulator, Bound, Count, DECISIVE, DEPTH_MAX, EVAL_NONE, HashEntry, MoveSubset, MovesOutcome, Node,
    NodeKind, SearchedValue, Technique, Tree, Window, from_table, lost, to_table,
};
use super::{hash_cut, mate_distance, probcut, razoring, reverse_futility, singular};
use crate::eval::{Evaluate, Evaluated};
use crate::game::GameMove;

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    #[inline]
    pub(super) fn node(
        &mut self,
        accumulator: &Accumulator<P>,
        window: Window,
        depth: i32,
        ply: usize,
        kind: NodeKind,
    ) -> i32 {
        // Step 1: at the horizon only captures are searched.
        if depth <= 0 {
            return self.quiescence(accumulator, window, ply);
        }
        self.deep_node(accumulator, window, depth, ply, kind)
    }

    /// The steps of a node above the horizon.
    fn deep_node(
        &mut self,
        accumulator: &Accumulator<P>,
        window: Window,
        depth: i32,
        ply: usize,
        kind: NodeKind,
    ) -> i32 {
        self.seldepth = self.seldepth.max(ply);
        if kind == NodeKind::Pv {
            self.lines.clear(ply);
        }
        // Step 2: the path may end here.
        if let Some(score) = self.ending(accumulator, ply) {
            return self.bounded(score, window);
        }
        // Step 3: no line from here can beat a nearer mate.
        let narrowed = mate_distance::narrowed(self.config, window, ply);
        self.count.count(Technique::MateDistance, narrowed.is_none());
        let Some(narrowed) = narrowed else {
            return self.bounded(window.alpha.max(lost(ply)), window);
        };
        // Step 4: static evaluation, while the entry of the hash table is on its way from memory.
        let in_check = self.position.in_check();
        let raw_eval = self.raw_eval(accumulator, in_check);
        // Step 5: the hash table may know enough.
        let entry = self.probe();
        self.count.count(Technique::HashHit, entry.is_some());
        let known = entry.map(|entry| (entry, from_table(entry.score, ply)));
        if kind != NodeKind::Pv
            && let Some(score) = self.settled(known, depth, narrowed)
        {
            return self.bounded(score, window);
        }
        // Step 5b: a mate in one ply ends the search. A position in the hash table has been looked at before, but in a PV
        // node the mate found then has not ended the search in step 5.
        if self.config.mate_in_one
            && (entry.is_none() || kind == NodeKind::Pv)
            && let Some(score) = self.mate_in_one(ply, kind == NodeKind::Pv)
        {
            return self.bounded(score, window);
        }
        self.frame_mut(ply).eval = self.corrected(raw_eval, self.context(ply));
        self.learn_rise(ply);
        let mut node = self.before_search(known, raw_eval, narrowed, depth, ply, kind);
        // Steps 6 to 8: a zero-window node may be settled without trying its moves.
        if kind != NodeKind::Pv
            && !in_check
            && let Some(score) = self.before_moves(&mut node, accumulator)
        {
            return self.bounded(score, window);
        }
        // Step 9: internal deepening and reduction.
        self.internal_deepening(&mut node, accumulator);
        self.internal_reduction(&mut node);
        if node.depth <= 0 {
            return self.quiescence(accumulator, window, ply);
        }
        // Step 9a: is there one way out of check only?
        if in_check && (self.config.one_reply_extension || self.config.one_reply_hash) {
            self.one_reply(&mut node);
        }
        if self.config.forced_reply && node.choice == MoveSubset::All {
            self.forced_reply(&mut node);
        }
        // Step 9b: is the hash move the only good one?
        if let Some(trial) = singular::trial(self.config, &node, self.root_depth)
            && let Some(score) = self.singular(&mut node, accumulator, trial)
        {
            return self.bounded(score, window);
        }
        // Step 10: the moves.
        let outcome = self.all_moves(&mut node, accumulator);
        if self.stopped {
            return 0;
        }
        // Step 11: no legal move.
        if outcome.searched == 0 {
            let score = self.without_moves(&node, &outcome, in_check);
            return self.bounded(score, window);
        }
        // Step 12: remember.
        let best = self.bounded(outcome.best, narrowed);
        self.remember(&node, best, &outcome);
        if best <= narrowed.alpha {
            self.learn_unanswered(node.depth, ply);
        }
        // Step 12b: learn from what the search makes of the static evaluation.
        if self.config.correction {
            self.learn_correction(&node, outcome.best_move, best);
        }
        self.bounded(best, window)
    }

    #[inline]
    fn all_moves(&mut self, node: &mut Node<P>, accumulator: &Accumulator<P>) -> MovesOutcome<P::Move> {
        let outcome = self.moves(node, accumulator);
        if self.config.forced_reply && node.choice == MoveSubset::Only && outcome.best <= -DECISIVE {
            // The one way out leads nowhere: another may hold out longer.
            node.choice = MoveSubset::All;
            return self.moves(node, accumulator);
        }
        outcome
    }

    /// Step 11: the value of a node in which no move was searched.
    #[cold]
    fn without_moves(&mut self, node: &Node<P>, outcome: &MovesOutcome<P::Move>, in_check: bool) -> i32 {
        if outcome.leaves_out {
            node.eval
        } else if in_check || P::STALEMATE_LOSES {
            lost(node.ply)
        } else {
            self.draw(node.ply)
        }
    }

    #[inline]
    fn remember(&mut self, node: &Node<P>, best: i32, outcome: &MovesOutcome<P::Move>) {
        let is_forced = self.config.forced_reply && self.is_forced(node, outcome);
        let is_only_reply = node.choice == MoveSubset::Only || is_forced;
        // The only move is worth remembering even if it did not raise alpha.
        let mv = match node.choice {
            MoveSubset::Only => node.hash_move,
            _ if is_forced => outcome.top,
            _ => outcome.best_move,
        };
        self.store(HashEntry {
            mv: mv.bits(),
            score: to_table(best, node.ply),
            depth: node.depth.min(DEPTH_MAX) as u8,
            bound: Bound::of(best, node.window),
            is_only_reply,
        });
    }

    /// Step 12b: updates the correction history.
    fn learn_correction(&mut self, node: &Node<P>, best_move: P::Move, score: i32) {
        let eval = self.frame(node.ply, 0).eval;
        let found = SearchedValue {
            best_move,
            score,
            bound: Bound::of(score, node.window),
        };
        self.memory
            .corrections
            .learn_node(self.config, &self.position, node, eval, found, self.count);
    }

    /// What is known of a node after step 5.
    #[inline]
    fn before_search(
        &self,
        known: Option<(HashEntry, i32)>,
        raw_eval: i32,
        window: Window,
        depth: i32,
        ply: usize,
        kind: NodeKind,
    ) -> Node<P> {
        let in_check = raw_eval == EVAL_NONE;
        Node {
            window,
            depth,
            ply,
            kind,
            in_check,
            eval: match known {
                Some((entry, score)) if !in_check => {
                    hash_cut::refined(&entry, score, self.frame(ply, 0).eval)
                }
                _ => self.frame(ply, 0).eval,
            },
            raw_eval,
            is_improving: self.is_improving(ply),
            hash_move: HashEntry::best(known.map(|(entry, _)| entry)),
            attacked: if in_check {
                None
            } else {
                self.attacked_by_opponent()
            },
            known,
            choice: MoveSubset::All,
            hash_extension: 0,
            context: self.context(ply),
        }
    }

    /// What the opponent attacks, if the evaluation, just made, has found that out.
    #[inline]
    fn attacked_by_opponent(&self) -> Option<P::Squares> {
        let [_, attacked] = P::Evaluator::attacks_of_both(&self.memory.evaluation)?;
        debug_assert_eq!(attacked, self.position.attacked_squares());
        Some(attacked)
    }

    /// The static evaluation before it is corrected; [`EVAL_NONE`] in check.
    #[inline]
    pub(super) fn raw_eval(&mut self, accumulator: &Accumulator<P>, in_check: bool) -> i32 {
        if in_check {
            return EVAL_NONE;
        }
        self.evaluate(accumulator)
    }

    /// Is the side to move better off than at its last turn (or the one before, if it was in check then)?
    #[inline]
    fn is_improving(&self, ply: usize) -> bool {
        let eval = self.frame(ply, 0).eval;
        let before = match self.frame(ply, 2).eval {
            EVAL_NONE => self.frame(ply, 4).eval,
            before => before,
        };
        eval != EVAL_NONE && eval > before
    }

    /// Steps 6 to 8: what the evaluation, a pass or a capture can settle, in a zero-window node that is not in check.
    fn before_moves(&mut self, node: &mut Node<P>, accumulator: &Accumulator<P>) -> Option<i32> {
        let config = self.config;
        let Window { alpha, beta } = node.window;
        // Step 6: reverse futility.
        if beta > -DECISIVE && node.eval < DECISIVE {
            let score = reverse_futility::score(config, node.depth, node.eval, beta, node.is_improving);
            self.count.count(Technique::ReverseFutility, score.is_some());
            if score.is_some() {
                return score;
            }
        }
        // Step 7: razoring.
        if alpha < DECISIVE && razoring::applies(config, node.depth, node.eval, alpha) {
            let score = self.quiescence(accumulator, node.window, node.ply);
            if self.stopped {
                return Some(0);
            }
            self.count.count(Technique::Razoring, score <= alpha);
            if score <= alpha {
                return Some(score);
            }
        }
        // Step 8: null move.
        if let Some(score) = self.pass(node, accumulator) {
            return Some(score);
        }
        // Step 8c: a good capture that stays far above beta.
        let raised = probcut::raised_beta(config, node.depth, beta, node.is_improving)?;
        self.probcut(node, accumulator, raised)
    }
}
