//! The moves of a node: which are tried, how deep, and what is learnt from them.

use super::late_move_reductions::{self, NodeReductions, PLY};
use super::soppo::Judging;
use super::{
    Accumulator, Attempt, Count, DECISIVE, Descent, Distribution, MoveSubset, MovesOutcome, Node, NodeKind,
    Technique, Tree, TriedMoves, Window,
};
use super::{check_extension, futility, history_pruning, late_move_pruning, see_pruning};
use crate::config::Generation;
use crate::eval::{Evaluate, Evaluated};
use crate::game::{EarlyTests, GameMove, Region};
use crate::ordering::{CaptureHistory, LosingCaptures, MovePicker};

/// What the moves of a node are judged by, the same for all of them.
#[derive(Debug, Clone, Copy)]
struct Grounds<'a, I> {
    checks: I,
    early: EarlyTests,
    /// Is a move tested by [`early`](Self::early) alone?
    is_tested: bool,
    /// Once some move holds, quiet moves are dropped when so many moves were seen.
    quiets_max: i32,
    /// And those below this history; see [`history_pruning::floor`].
    history_floor: i32,
    /// What futility adds its margin to.
    futility: i32,
    /// How many moves are searched in full before late ones are reduced.
    in_full: i32,
    reductions: NodeReductions<'a>,
    /// What quiet moves are reduced more when the hash move is a capture, in 1/1024 plies.
    quiet_reduction: i32,
}

/// What a node knows when a move comes up.
#[derive(Clone, Copy)]
struct Known {
    /// Has some move been searched that is not mated?
    holds: bool,
    /// How many moves came up before.
    seen: i32,
}

impl<'a, P: Evaluated, C: Count> Tree<'a, P, C> {
    /// Step 10: tries the moves until one cuts.
    pub(super) fn moves(&mut self, node: &Node<P>, accumulator: &Accumulator<P>) -> MovesOutcome<P::Move> {
        let mut picker = MovePicker::new(
            &self.position,
            node.hash_move,
            self.killers(node.ply),
            self.losing(),
            self.config.early_tests(),
        );
        self.prepare(node, &mut picker);
        let mut outcome = MovesOutcome::none();
        let mut tried = TriedMoves::default();
        let mut window = node.window;
        let judging = self.judging(node, accumulator);
        let grounds = self.grounds(node, accumulator, &picker);
        while let Some((attempt, region)) =
            self.next_attempt(node, &grounds, judging, &mut picker, &mut outcome, window.alpha)
        {
            let mv = attempt.mv;
            // Step 10c: reduce, extend, make, search, take back.
            outcome.searched += 1;
            let score = self.try_move(node, accumulator, window, grounds.in_full, &attempt);
            if self.stopped {
                return outcome;
            }
            // Step 10d: compare.
            if picker.is_killer(mv) {
                self.count.count(Technique::Killers, score >= window.beta);
            }
            if C::IS_COUNTING && picker.is_counter_move(mv) {
                self.count.count(Technique::CounterMoves, score >= window.beta);
            }
            outcome.second = outcome.second.max(score.min(outcome.best));
            if score > outcome.best {
                (outcome.best, outcome.top) = (score, mv);
                if score > window.alpha {
                    window.alpha = score;
                    outcome.best_move = mv;
                    if node.kind == NodeKind::Pv {
                        self.lines.extend(node.ply, mv);
                    }
                    if score >= window.beta {
                        self.count_cut(outcome.searched);
                        self.learn_distance(judging, region, &attempt);
                        self.learn(node, &attempt, &tried);
                        break;
                    }
                }
            }
            self.note_tried(&attempt, &mut tried);
        }
        let has_cut = outcome.best >= node.window.beta;
        self.count.count(Technique::Expanded, has_cut);
        self.count_evasions(node.in_check, &picker, outcome.searched);
        self.count_generated(judging, &picker);
        outcome
    }

    /// Steps 10a and 10b: the next move worth searching, and where it acts if that is judged.
    // Out of line: most moves come no further.
    #[inline(never)]
    fn next_attempt(
        &mut self,
        node: &Node<P>,
        grounds: &Grounds<'_, P::CheckInfo>,
        judging: Judging,
        picker: &mut MovePicker<P>,
        outcome: &mut MovesOutcome<P::Move>,
        alpha: i32,
    ) -> Option<(Attempt<P::Move>, Option<Region>)> {
        // Only a search makes a move hold.
        let holds = outcome.best > -DECISIVE;
        while let Some(mv) = picker.next(&self.position, &self.memory.history, node.context) {
            if self.is_left_out(judging, outcome, mv) {
                continue;
            }
            if outcome.only_checks && self.is_hopeless(grounds, picker, outcome.seen, mv) {
                if self.is_legal(grounds, mv) {
                    outcome.seen += 1;
                    self.count.count(Technique::Futility, true);
                }
                continue;
            }
            // Step 10a: late moves, moves with a bad history and illegal ones are dropped.
            let known = Known {
                holds,
                seen: outcome.seen,
            };
            let Some(mut attempt) = self.attempt(node, grounds, known, picker, mv) else {
                continue;
            };
            outcome.seen += 1;
            // Step 10b: so are hopeless and losing moves, once some move holds.
            if holds && self.is_pruned(node, grounds, picker, outcome, alpha, &attempt) {
                continue;
            }
            attempt.gives_check = self.position.gives_check_by(mv, &grounds.checks);
            let region = self.judged(judging, &attempt);
            if holds && region.is_some_and(|region| self.is_soppo(region)) {
                continue;
            }
            return Some((attempt, region));
        }
        None
    }

    #[inline]
    fn grounds(
        &self,
        node: &Node<P>,
        accumulator: &Accumulator<P>,
        picker: &MovePicker<P>,
    ) -> Grounds<'a, P::CheckInfo> {
        let (config, reductions) = (self.config, self.reductions);
        Grounds {
            checks: self.position.check_info(),
            early: config.early_tests(),
            is_tested: config.early_tests().is_all(),
            quiets_max: late_move_pruning::moves_max(config, node.depth, node.is_improving)
                .filter(|_| !node.in_check)
                .unwrap_or(i32::MAX),
            history_floor: if config.history_pruning && !node.in_check {
                history_pruning::floor(config, node.depth)
            } else {
                i32::MIN
            },
            futility: if config.futility_material {
                self.evaluator.material(&self.position, accumulator)
            } else {
                node.eval
            },
            in_full: if config.lmr && node.depth >= config.lmr_depth_min {
                late_move_reductions::moves_in_full(config, || self.position.count_legal_all())
            } else {
                i32::MAX
            },
            reductions: reductions.of_node(config, node.depth, node.kind, node.is_improving),
            quiet_reduction: if config.lmr_hash_capture != 0 && picker.has_tactical_hash_move(&self.position)
            {
                config.lmr_hash_capture
            } else {
                0
            },
        }
    }

    #[inline]
    fn count_cut(&mut self, number: i32) {
        self.count.count(Technique::FirstMoveCut, number == 1);
        self.count.place(Distribution::CutMove, number as usize - 1);
    }

    #[inline]
    fn prepare(&self, node: &Node<P>, picker: &mut MovePicker<P>) {
        let config = self.config;
        if config.generation == Generation::Whole {
            picker.generate_all(&self.position);
        }
        if config.counter_moves {
            picker.set_counter_move(self.memory.counter_moves.answer(node.context[0]));
        }
        if self.memory.history.is_apart
            && let Some(attacked) = node.attacked
        {
            picker.set_attacked(attacked);
        }
        match node.choice {
            MoveSubset::All => {}
            MoveSubset::Others => picker.skip_hash_move(),
            MoveSubset::Only => picker.stop_after_hash_move(),
        }
    }

    #[inline]
    fn losing(&self) -> LosingCaptures {
        if self.config.see_ordering {
            LosingCaptures::Last
        } else {
            LosingCaptures::InOrder
        }
    }

    #[inline]
    fn killers(&self, ply: usize) -> [P::Move; 2] {
        if self.config.killers {
            self.memory.killers.at(ply)
        } else {
            [P::Move::from_bits(0); 2]
        }
    }

    /// Step 10a: what is known of a move; `None` if it is dropped or illegal.
    #[inline(always)]
    fn attempt(
        &mut self,
        node: &Node<P>,
        grounds: &Grounds<'_, P::CheckInfo>,
        known: Known,
        picker: &mut MovePicker<P>,
        mv: P::Move,
    ) -> Option<Attempt<P::Move>> {
        let Known { holds, seen } = known;
        let config = self.config;
        let is_generated_quiet = picker.is_at_quiets();
        let is_quiet = is_generated_quiet || !self.position.is_tactical(mv);
        let is_killer = !is_generated_quiet && picker.is_killer(mv);
        if holds {
            let enough = seen >= grounds.quiets_max;
            if grounds.quiets_max < i32::MAX {
                self.count.count(Technique::Lmp, enough);
            }
            if enough {
                picker.skip_quiets();
                if is_quiet {
                    return None;
                }
            }
        }
        // Those that are left were no better when the moves were ordered.
        if holds && is_generated_quiet && picker.score() < grounds.history_floor {
            if C::IS_COUNTING {
                let dropped = 1 + picker.quiets_left();
                self.count.add(Technique::HistoryPruning, dropped, dropped);
            }
            picker.skip_quiets();
            return None;
        }
        let histories = &self.memory.history;
        let quiet = is_quiet.then(|| picker.place(&self.position, histories, mv));
        let (history, late_history) = if let Some(place) = quiet {
            let history = histories.score(node.context, place);
            (history, history)
        } else if config.capture_history {
            self.capture_history(mv)
        } else {
            (0, 0)
        };
        if is_quiet && holds {
            let bad = history < grounds.history_floor;
            if config.history_pruning && !node.in_check {
                self.count.count(Technique::HistoryPruning, bad);
            }
            if bad {
                return None;
            }
        }
        if !self.is_legal(grounds, mv) {
            return None;
        }
        let number = seen + 1;
        Some(Attempt {
            mv,
            quiet,
            history,
            is_losing: picker.is_losing(),
            gives_check: false,
            number,
            reduction: if config.lmr {
                let more = if is_quiet { grounds.quiet_reduction } else { 0 };
                grounds.reductions.of(config, number, late_history, is_killer) + more
            } else {
                0
            },
        })
    }

    /// The history of a capture, and what it counts for in late move reductions.
    #[inline]
    fn capture_history(&self, mv: P::Move) -> (i32, i32) {
        let place = CaptureHistory::place(&self.position, mv);
        let history = self.memory.history.captures.score(place);
        (history, late_move_reductions::of_capture(self.config, history))
    }

    /// Is a generated quiet move, after a hopeless one, hopeless too because it gives no check? Moves that end the quiet ones
    /// are left to [`attempt`](Tree::attempt).
    #[inline(always)]
    fn is_hopeless(
        &self,
        grounds: &Grounds<'_, P::CheckInfo>,
        picker: &MovePicker<P>,
        seen: i32,
        mv: P::Move,
    ) -> bool {
        picker.is_at_quiets()
            && seen < grounds.quiets_max
            && picker.score() >= grounds.history_floor
            && !self.position.gives_check_by(mv, &grounds.checks)
    }

    #[inline(always)]
    fn is_legal(&mut self, grounds: &Grounds<'_, P::CheckInfo>, mv: P::Move) -> bool {
        if grounds.is_tested {
            return true;
        }
        let is_legal = self.position.is_legal_by(mv, grounds.early, &grounds.checks);
        self.count.count(Technique::Legality, is_legal);
        is_legal
    }

    /// Step 10b: does the move promise too little, or lose too much, to be searched?
    #[inline]
    fn is_pruned(
        &mut self,
        node: &Node<P>,
        grounds: &Grounds<'_, P::CheckInfo>,
        picker: &MovePicker<P>,
        outcome: &mut MovesOutcome<P::Move>,
        alpha: i32,
        attempt: &Attempt<P::Move>,
    ) -> bool {
        let config = self.config;
        // The depth that the move would be left with.
        let reduced = (node.depth - attempt.reduction.max(0) / PLY).max(0);
        let (eval, history) = (grounds.futility, attempt.history);
        let ceiling = if node.in_check {
            None
        } else if attempt.quiet.is_some() {
            futility::quiet_ceiling(config, reduced, eval, node.is_improving)
        } else {
            futility::capture_ceiling(config, reduced, eval, history, || self.position.gain(attempt.mv))
        };
        if let Some(ceiling) = ceiling
            && (ceiling <= alpha || C::IS_COUNTING)
            && !self.position.gives_check_by(attempt.mv, &grounds.checks)
        {
            self.count.count(Technique::Futility, ceiling <= alpha);
            if ceiling <= alpha {
                outcome.best = outcome.best.max(ceiling);
                outcome.only_checks |= config.futility_rest && picker.is_at_quiets();
                return true;
            }
        }
        let quiet_depth = attempt.quiet.is_some().then_some(reduced);
        let Some(threshold) = see_pruning::exchange_floor(config, node.depth, quiet_depth) else {
            return false;
        };
        let threshold = if attempt.quiet.is_some() || !config.capture_history {
            threshold
        } else {
            threshold - see_pruning::capture_allowance(config, attempt.history)
        };
        let histories = &self.memory.history;
        let is_safe = attempt.quiet.is_some_and(|place| histories.is_safe(place));
        debug_assert!(!is_safe || self.position.see_ge(attempt.mv, threshold));
        let loses = !is_safe && !self.position.see_ge(attempt.mv, threshold);
        self.count.count(Technique::SeePruning, loses);
        loses
    }

    /// Step 10c: makes the move and searches below it.
    #[inline]
    fn try_move(
        &mut self,
        node: &Node<P>,
        accumulator: &Accumulator<P>,
        window: Window,
        in_full: i32,
        attempt: &Attempt<P::Move>,
    ) -> i32 {
        let config = self.config;
        let is_late = attempt.number > in_full && (attempt.quiet.is_some() || attempt.is_losing);
        let reduction = if is_late {
            attempt.reduction - i32::from(attempt.gives_check) * config.lmr_check
        } else {
            0
        };
        let extends = attempt.gives_check
            && check_extension::extends_checks(config, node.depth, node.ply, self.root_depth)
            && (config.check_extension_losing || self.position.see_ge(attempt.mv, 0));
        self.count.count(Technique::CheckExtension, extends);
        let extension = if node.hash_extension != 0 && attempt.mv == node.hash_move {
            node.hash_extension
        } else {
            i32::from(extends)
        };
        let descent = Descent {
            window,
            kind: node.kind,
            ply: node.ply + 1,
            depth: node.depth - 1 + extension,
            reduction,
            is_first: attempt.number == 1,
        };
        let gives_check = Some(attempt.gives_check);
        self.visit_known(
            attempt.mv,
            gives_check,
            attempt.quiet,
            node.ply,
            accumulator,
            |tree, accumulator| tree.descend(accumulator, descent),
        )
    }

    pub(super) fn descend(&mut self, accumulator: &Accumulator<P>, descent: Descent) -> i32 {
        let Descent {
            window,
            kind,
            ply,
            mut depth,
            ..
        } = descent;
        let opposite = kind.opposite();
        if kind == NodeKind::Pv {
            self.lines.clear(ply);
        }
        if descent.is_first {
            let kind = if kind == NodeKind::Pv {
                NodeKind::Pv
            } else {
                opposite
            };
            return -self.node(accumulator, window.flipped(), depth, ply, kind);
        }
        let zero = Window::zero(window.alpha).flipped();
        let plies = (descent.reduction / PLY).clamp(0, (depth - 1).max(0));
        let mut reduced = None;
        if plies > 0 {
            let score = -self.node(accumulator, zero, depth - plies, ply, NodeKind::Cut);
            self.count.count(Technique::Lmr, score <= window.alpha);
            if score <= window.alpha || self.stopped {
                return score;
            }
            let change = late_move_reductions::research_change(self.config, score - window.alpha);
            self.count.count(Technique::LmrResearch, change != 0);
            reduced = Some((score, depth - plies));
            depth += change;
        }
        let score = match reduced {
            // A search no deeper than the reduced one would find nothing new.
            Some((score, reduced_depth)) if depth <= reduced_depth => score,
            _ => -self.node(accumulator, zero, depth, ply, opposite),
        };
        if reduced.is_some() && !self.stopped {
            self.learn_research(depth, score > window.alpha, ply);
        }
        if kind == NodeKind::Pv && score > window.alpha && score < window.beta && !self.stopped {
            return -self.node(accumulator, window.flipped(), depth, ply, NodeKind::Pv);
        }
        score
    }
}
