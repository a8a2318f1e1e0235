//! The alpha-beta node (principal variation search): control flow only, in numbered steps.
//!
//! In: a position, a window, a depth. Out: a score. Must not: hold a technique's arithmetic, which lives in its own file.

use super::counters::{Count, Technique};
use super::null_move::{self, Success};
use super::score::{DECISIVE, EVAL_NONE, from_table, lost, to_table};
use super::table::{Bound, DEPTH_MAX, Entry};
use super::tree::{Accumulator, Tree, Window};
use super::{MATE, futility, probcut, singular};
use crate::eval::Evaluated;
use crate::game::GameMove;
use crate::ordering::Context;

/// What a node expects of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// Part of the principal variation: an open window.
    Pv,
    /// Zero window, some move should reach beta.
    Cut,
    /// Zero window, no move should reach beta.
    All,
}

/// Which moves of a node are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// All.
    All,
    /// All but the move of the hash table.
    Others,
    /// The move of the hash table is the only legal one.
    Only,
}

/// What is known of a node before its moves are tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<M> {
    pub(super) window: Window,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) kind: NodeKind,
    pub(super) in_check: bool,
    /// Static evaluation, corrected by what searches found and by the hash table; [`EVAL_NONE`] in check.
    pub(super) eval: i32,
    /// Static evaluation as it is, for the hash table.
    pub(super) raw_eval: i32,
    pub(super) is_improving: bool,
    pub(super) hash_move: M,
    /// What the hash table knew, and its score as seen from this ply.
    pub(super) known: Option<(Entry, i32)>,
    pub(super) choice: Choice,
    /// Plies by which the move of the hash table is extended.
    pub(super) hash_extension: i32,
    pub(super) context: Context,
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// The value of the position `depth` plies deep, from the side to move's view.
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
        self.seldepth = self.seldepth.max(ply);
        if kind == NodeKind::Pv {
            self.tables.lines.clear(ply);
        }
        // Step 2: the path may end here.
        if let Some(score) = self.ending(accumulator, ply) {
            return self.bounded(score, window);
        }
        // Step 3: no line from here can beat a nearer mate.
        let narrowed = self.within_mates(window, ply);
        self.count.count(Technique::MateDistance, narrowed.is_none());
        let Some(narrowed) = narrowed else {
            return self.bounded(window.alpha.max(lost(ply)), window);
        };
        // Step 4: the hash table may know enough.
        let entry = self.probe();
        self.count.count(Technique::HashHit, entry.is_some());
        let known = entry.map(|entry| (entry, from_table(entry.score, ply)));
        if kind != NodeKind::Pv
            && let Some(score) = self.settled(known, depth, narrowed)
        {
            return self.bounded(score, window);
        }
        // Step 4b: a mate in one ply ends the search. A position in the hash table has been looked at before, but in a PV
        // node the mate found then has not ended the search in step 4.
        if self.tables.config.mate_in_one
            && (entry.is_none() || kind == NodeKind::Pv)
            && let Some(score) = self.mate_in_one(ply, kind == NodeKind::Pv)
        {
            return self.bounded(score, window);
        }
        // Step 5: static evaluation.
        let in_check = self.position.in_check();
        let raw_eval = self.static_eval(accumulator, entry, ply, in_check);
        let mut node = self.before_search(known, raw_eval, narrowed, depth, ply, kind);
        // Steps 6 to 8: a zero-window node may be settled without trying its moves.
        if kind != NodeKind::Pv
            && !in_check
            && let Some(score) = self.before_moves(&mut node, accumulator)
        {
            return self.bounded(score, window);
        }
        // Step 9: internal deepening and reduction.
        self.without_hash_move(&mut node, accumulator);
        if node.depth <= 0 {
            return self.quiescence(accumulator, window, ply);
        }
        // Step 9a: is there one way out of check only?
        if in_check && (self.tables.config.one_reply_extension || self.tables.config.one_reply_hash) {
            self.one_reply(&mut node);
        }
        // Step 9b: is the hash move the only good one?
        if let Some(trial) = singular::trial(self.tables.config, &node, self.root_depth)
            && let Some(score) = self.singular(&mut node, accumulator, trial)
        {
            return self.bounded(score, window);
        }
        // Step 10: the moves.
        let outcome = self.moves(&node, accumulator);
        if self.stopped {
            return 0;
        }
        // Step 11: no legal move.
        if outcome.searched == 0 {
            let score = if in_check || P::STALEMATE_LOSES {
                lost(ply)
            } else {
                self.draw(ply)
            };
            return self.bounded(score, window);
        }
        // Step 12: remember.
        let best = self.bounded(outcome.best, narrowed);
        self.remember(&node, best, outcome.best_move);
        // Step 12b: learn from what the search makes of the static evaluation.
        if self.tables.config.correction {
            self.learn_correction(&node, outcome.best_move, best, Bound::of(best, narrowed));
        }
        self.bounded(best, window)
    }

    /// Step 12: tells the hash table what the node came to.
    #[inline]
    fn remember(&mut self, node: &Node<P::Move>, best: i32, best_move: P::Move) {
        let is_only_reply = node.choice == Choice::Only;
        // The only move is worth remembering even if it did not raise alpha.
        let mv = if is_only_reply { node.hash_move } else { best_move };
        self.store(Entry {
            mv: mv.bits(),
            score: to_table(best, node.ply),
            eval: node.raw_eval as i16,
            depth: node.depth.min(DEPTH_MAX) as u8,
            bound: Bound::of(best, node.window),
            is_only_reply,
        });
    }

    /// What is known of a node after step 5.
    #[inline]
    fn before_search(
        &self,
        known: Option<(Entry, i32)>,
        raw_eval: i32,
        window: Window,
        depth: i32,
        ply: usize,
        kind: NodeKind,
    ) -> Node<P::Move> {
        let in_check = raw_eval == EVAL_NONE;
        Node {
            window,
            depth,
            ply,
            kind,
            in_check,
            eval: match known {
                Some((entry, score)) if !in_check => entry.refine(score, self.frame(ply, 0).eval),
                _ => self.frame(ply, 0).eval,
            },
            raw_eval,
            is_improving: self.is_improving(ply),
            hash_move: Entry::best(known.map(|(entry, _)| entry)),
            known,
            choice: Choice::All,
            hash_extension: 0,
            context: self.context(ply),
        }
    }

    /// Mate-distance pruning: `window` cut to the scores that are possible at `ply`; `None` if nothing is left.
    #[inline]
    fn within_mates(&self, window: Window, ply: usize) -> Option<Window> {
        if !self.tables.config.mate_distance {
            return Some(window);
        }
        let alpha = window.alpha.max(lost(ply));
        let beta = window.beta.min(MATE - ply as i32 - 1);
        (alpha < beta).then_some(Window { alpha, beta })
    }

    /// The static evaluation, from the hash table if it has it; remembered, corrected, for the nodes below.
    #[inline]
    fn static_eval(
        &mut self,
        accumulator: &Accumulator<P>,
        entry: Option<Entry>,
        ply: usize,
        in_check: bool,
    ) -> i32 {
        let eval = match entry {
            _ if in_check => EVAL_NONE,
            Some(entry) if i32::from(entry.eval) != EVAL_NONE => i32::from(entry.eval),
            _ => self.evaluate(accumulator),
        };
        self.frame_mut(ply).eval = self.corrected(eval, ply);
        eval
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
    fn before_moves(&mut self, node: &mut Node<P::Move>, accumulator: &Accumulator<P>) -> Option<i32> {
        let config = self.tables.config;
        let Window { alpha, beta } = node.window;
        // Step 6: reverse futility.
        if beta > -DECISIVE && node.eval < DECISIVE {
            let score = futility::reverse(config, node.depth, node.eval, beta, node.is_improving);
            self.count.count(Technique::ReverseFutility, score.is_some());
            if score.is_some() {
                return score;
            }
        }
        // Step 7: razoring.
        if alpha < DECISIVE && futility::razors(config, node.depth, node.eval, alpha) {
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

    /// Step 8: searches a pass; returns a score, or lowers the depth of the node, if it reaches beta.
    fn pass(&mut self, node: &mut Node<P::Move>, accumulator: &Accumulator<P>) -> Option<i32> {
        let beta = node.window.beta;
        let candidate = null_move::Candidate {
            depth: node.depth,
            eval: node.eval,
            beta,
            is_nested: self.is_passing,
            follows_pass: self.frame(node.ply, 0).reversible == 0,
            is_barred: node.ply < self.pass_ply_min,
        };
        let depth = null_move::depth_after(self.tables.config, candidate)?;
        if beta <= -DECISIVE || !self.position.is_pass_safe() {
            return None;
        }
        let ply = node.ply + 1;
        let window = node.window.flipped();
        let score = self.visit_pass(node.ply, |tree| {
            -tree.node(accumulator, window, depth, ply, NodeKind::All)
        });
        if self.stopped {
            return Some(0);
        }
        self.count.count(Technique::NullMove, score >= beta);
        if score < beta || !self.is_verified(node, accumulator, depth) {
            return self.stopped.then_some(0);
        }
        match null_move::on_success(self.tables.config) {
            // A mate found after a pass is not proven.
            Success::Return => Some(if score >= DECISIVE { beta } else { score }),
            Success::Reduce(plies) => {
                node.depth -= plies;
                (node.depth <= 0).then(|| self.quiescence(accumulator, node.window, node.ply))
            }
        }
    }

    /// Step 8b: does a search of the node itself, as deep as the one after the pass, confirm that it reaches beta? It does
    /// not in zugzwang, where every move is worse than none.
    fn is_verified(&mut self, node: &Node<P::Move>, accumulator: &Accumulator<P>, depth: i32) -> bool {
        if !null_move::is_to_be_verified(self.tables.config, node.depth) {
            return true;
        }
        let window = node.window;
        let barred = std::mem::replace(&mut self.pass_ply_min, null_move::pass_ply_min(node.ply, depth));
        let score = self.node(accumulator, window, depth, node.ply, node.kind);
        self.pass_ply_min = barred;
        if self.stopped {
            return false;
        }
        self.count
            .count(Technique::NullMoveVerification, score >= window.beta);
        score >= window.beta
    }

    /// Step 9: a node without a hash move finds one by a shallower search, or is searched one ply shallower itself.
    fn without_hash_move(&mut self, node: &mut Node<P::Move>, accumulator: &Accumulator<P>) {
        let config = self.tables.config;
        if node.hash_move.bits() != 0 {
            return;
        }
        if config.iid && node.kind == NodeKind::Pv && node.depth >= config.iid_depth_min {
            self.node(
                accumulator,
                node.window,
                node.depth - config.iid_shallower,
                node.ply,
                node.kind,
            );
            self.tables.lines.clear(node.ply);
            node.hash_move = Entry::best(self.probe());
            self.count.count(Technique::Iid, node.hash_move.bits() != 0);
        }
        if config.iir && node.hash_move.bits() == 0 && node.depth >= config.iir_depth_min {
            let reduces = node.kind != NodeKind::All;
            self.count.count(Technique::Iir, reduces);
            node.depth -= i32::from(reduces);
        }
    }
}
