//! Quiescence search: captures only, until the position is quiet; all evasions when in check.

use super::delta_pruning;
use super::hash_cut::refined;
use super::{
    Accumulator, Bound, Count, DECISIVE, HashEntry, INFINITE, Technique, Tree, Window, from_table, lost,
    to_table,
};
use crate::config::Generation;
use crate::eval::Evaluated;
use crate::game::{EarlyTests, GameMove};
use crate::ordering::MovePicker;

struct Horizon<M> {
    window: Window,
    ply: usize,
    in_check: bool,
    eval: i32,
    hash_move: M,
}

struct QuiescenceOutcome<M> {
    best: i32,
    best_move: M,
    searched: i32,
}

impl<M: GameMove> QuiescenceOutcome<M> {
    /// Before any move is tried: the score without one.
    #[inline]
    fn standing(best: i32) -> Self {
        QuiescenceOutcome {
            best,
            best_move: M::from_bits(0),
            searched: 0,
        }
    }
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// The value of the position once captures have been played out.
    pub(super) fn quiescence(&mut self, accumulator: &Accumulator<P>, window: Window, ply: usize) -> i32 {
        self.seldepth = self.seldepth.max(ply);
        if !window.is_zero() {
            self.lines.clear(ply);
        }
        // Step 1: the path may end here.
        if let Some(score) = self.ending(accumulator, ply) {
            return self.bounded(score, window);
        }
        // Step 2: the hash table may know enough; its entry is on its way from memory during the evaluation.
        let in_check = self.position.in_check();
        let raw_eval = self.raw_eval(accumulator, in_check);
        let entry = if self.config.hash_quiescence {
            let entry = self.probe();
            self.count.count(Technique::HashHit, entry.is_some());
            entry
        } else {
            None
        };
        let known = entry.map(|entry| (entry, from_table(entry.score, ply)));
        if window.is_zero()
            && let Some(score) = self.settled(known, 0, window)
        {
            return self.bounded(score, window);
        }
        // Step 2b: a mate in one ply ends the search (see step 5b of the node).
        if self.config.quiescence_mate_in_one
            && (entry.is_none() || !window.is_zero())
            && let Some(score) = self.mate_in_one(ply, !window.is_zero())
        {
            return self.bounded(score, window);
        }
        // Step 3: stand pat.
        let mut eval = self.corrected(raw_eval, self.context(ply));
        if let Some((entry, score)) = known.filter(|_| !in_check) {
            eval = refined(&entry, score, eval);
        }
        let node = Horizon {
            window,
            ply,
            in_check,
            eval,
            hash_move: HashEntry::best(entry),
        };
        let outcome = if !in_check && eval >= window.beta {
            QuiescenceOutcome::standing(eval)
        } else {
            // Step 4: captures or evasions.
            self.captures(&node, accumulator)
        };
        if self.stopped {
            return 0;
        }
        // Step 5: mated.
        if in_check && outcome.searched == 0 {
            return self.bounded(lost(ply), window);
        }
        // Step 6: remember.
        let best = self.bounded(outcome.best, window);
        if self.config.hash_quiescence {
            self.store(HashEntry {
                mv: outcome.best_move.bits(),
                score: to_table(best, ply),
                depth: 0,
                bound: if best >= window.beta {
                    Bound::Lower
                } else {
                    Bound::Upper
                },
                is_only_reply: false,
            });
        }
        best
    }

    /// Step 4: tries captures, or evasions when in check.
    fn captures(
        &mut self,
        node: &Horizon<P::Move>,
        accumulator: &Accumulator<P>,
    ) -> QuiescenceOutcome<P::Move> {
        let config = self.config;
        let mut outcome = QuiescenceOutcome::standing(if node.in_check { -INFINITE } else { node.eval });
        let mut window = node.window;
        window.alpha = window.alpha.max(outcome.best);
        let mut quiet_evasions = 0;
        let context = self.context(node.ply);
        // The limit counts evasions before they are tested: with it no single test is made early, so that it is the same.
        let early = match config.early_tests() {
            early if early.is_all() || !config.quiescence_evasions || !node.in_check => early,
            _ => EarlyTests::default(),
        };
        let mut picker = MovePicker::quiescence(&self.position, node.hash_move, early);
        if config.generation == Generation::Whole {
            picker.generate_all(&self.position);
        }
        let mut info = None;
        while let Some(mv) = picker.next(&self.position, &self.memory.history, context) {
            if outcome.best > -DECISIVE {
                if !node.in_check {
                    let is_futile = self.is_futile_capture(node, &mut outcome, window.alpha, mv);
                    self.count.count(Technique::FutileCapture, is_futile);
                    if is_futile {
                        continue;
                    }
                } else if config.quiescence_evasions && !self.position.is_tactical(mv) {
                    quiet_evasions += 1;
                    let is_late = quiet_evasions > config.quiescence_evasions_max;
                    self.count.count(Technique::QuiescenceEvasions, is_late);
                    if is_late {
                        continue;
                    }
                }
            }
            if !early.is_all() {
                let info = *info.get_or_insert_with(|| self.position.check_info());
                let is_legal = self.position.is_legal_by(mv, early, &info);
                self.count.count(Technique::QuiescenceLegality, is_legal);
                if !is_legal {
                    continue;
                }
            }
            outcome.searched += 1;
            let ply = node.ply + 1;
            let below = window.flipped();
            let score = self.visit(mv, node.ply, accumulator, |tree, accumulator| {
                -tree.quiescence(accumulator, below, ply)
            });
            if self.stopped {
                return outcome;
            }
            if score > outcome.best {
                outcome.best = score;
                if score > window.alpha {
                    window.alpha = score;
                    outcome.best_move = mv;
                    if !node.window.is_zero() {
                        self.lines.extend(node.ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        self.count
            .count(Technique::QuiescenceExpanded, outcome.best >= node.window.beta);
        self.count_evasions(node.in_check, &picker, outcome.searched);
        outcome
    }

    /// Does the capture gain too little, or lose too much in the exchange?
    #[inline]
    fn is_futile_capture(
        &self,
        node: &Horizon<P::Move>,
        outcome: &mut QuiescenceOutcome<P::Move>,
        alpha: i32,
        mv: P::Move,
    ) -> bool {
        let config = self.config;
        if let Some(ceiling) = delta_pruning::ceiling(config, node.eval, self.position.gain(mv))
            && ceiling <= alpha
        {
            outcome.best = outcome.best.max(ceiling);
            return true;
        }
        config.quiescence_see && !self.position.see_ge(mv, -config.quiescence_see_margin)
    }
}
