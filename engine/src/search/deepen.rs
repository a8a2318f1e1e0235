//! Iterative deepening: the root, its windows, and when to stop.

use arrayvec::ArrayVec;

use super::aspiration::Aspiration;
use super::early_stop;
use super::late_move_reductions::PLY;
use super::pace::{Easy, Pace};
use super::{
    Accumulator, Bound, Count, Descent, EVAL_NONE, HashEntry, INFINITE, Iteration, MATE, MATE_IN_MAX,
    NodeKind, PLY_MAX, Technique, Tree, Window, to_table,
};
use crate::eval::{Evaluate, Evaluated};
use crate::game::{GameMove, MOVES_MAX, MoveList};
use crate::ordering::Place;

/// Root moves whose loss may be asked for, and one that is too many.
const UNSURE_MAX: usize = 65;

#[derive(Debug, Clone)]
pub(super) struct Best<M> {
    pub(super) score: i32,
    pub(super) line: ArrayVec<M, PLY_MAX>,
    /// Greatest value of the other root moves, if the last window left none of them out.
    second: Option<i32>,
    /// Other root moves that are not known to be mated.
    unsure: ArrayVec<M, UNSURE_MAX>,
    pub(super) depth: u32,
    /// Nodes spent on the best move since it became best in this iteration, that search included.
    nodes: u64,
    /// Their share of the nodes of the iteration, in percent.
    effort: u64,
}

impl<M> Best<M> {
    fn is_mate_within(&self, plies: u32) -> bool {
        self.score.abs() >= MATE_IN_MAX && MATE - self.score.abs() <= plies as i32
    }
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// Searches deeper and deeper until `depth_max`, a limit, or the certainty that more would not matter.
    /// `moves` must not be empty; the first is played if there is no time for anything. Of the best `lines` moves each iteration
    /// tells the line.
    pub(super) fn deepen(
        &mut self,
        moves: &mut MoveList<P::Move>,
        depth_max: u32,
        lines: usize,
    ) -> Best<P::Move> {
        let accumulator = self.evaluator.refresh(&self.position);
        let in_check = self.position.in_check();
        let eval = if in_check {
            EVAL_NONE
        } else {
            let eval = self.evaluate(&accumulator);
            self.corrected(eval, self.context(0))
        };
        self.frame_mut(0).eval = eval;
        self.order_root(moves);
        let known = |&mv| Best {
            score: if in_check { 0 } else { eval },
            line: [mv].into_iter().collect(),
            second: None,
            unsure: ArrayVec::new(),
            depth: 0,
            nodes: 0,
            effort: 100,
        };
        let mut bests: Vec<Best<P::Move>> = moves.iter().take(lines.max(1)).map(known).collect();
        let mut told = Vec::new();
        let mut pace = Pace::new(self.easy(moves, &accumulator));
        self.begin_iterations();
        for depth in 1..=depth_max.min(PLY_MAX as u32 - 1) {
            self.root_depth = depth as i32;
            self.seldepth = 0;
            let finished = self.iterate_lines(&mut bests, moves, &accumulator);
            for best in &mut bests[..finished] {
                best.depth = depth;
            }
            if self.stopped {
                if lines > 1 {
                    self.tell_cut_short(&mut bests, finished, told);
                }
                break;
            }
            self.count_best(bests[0].line.first().copied(), &accumulator);
            self.tell(&bests);
            if lines > 1 {
                told.clone_from(&bests);
            }
            let best = &bests[0];
            pace.note(depth, best.line.first().copied(), best.score, best.effort);
            self.between_ms = self.between_ms(pace.percent(self.config));
            if self.is_enough(&bests, moves.len(), &pace) || self.is_forced_root(&bests, &accumulator) {
                break;
            }
        }
        let mut best = bests.swap_remove(0);
        self.add_answer(&mut best.line);
        best
    }

    /// One iteration: each line is the best that the lines before it leave. Returns how many were finished.
    fn iterate_lines(
        &mut self,
        bests: &mut [Best<P::Move>],
        moves: &mut [P::Move],
        accumulator: &Accumulator<P>,
    ) -> usize {
        let is_whole = self.is_root_whole;
        let mut finished = 0;
        for (rank, best) in bests.iter_mut().enumerate() {
            self.is_root_whole = is_whole && rank == 0;
            self.iterate(best, &mut moves[rank..], accumulator);
            if self.stopped {
                break;
            }
            finished += 1;
            self.trust_move();
        }
        self.is_root_whole = is_whole;
        if bests.len() > 1 && !self.stopped {
            // A later line may have turned out better; equal ones stay as they are.
            bests.sort_by_key(|best| -best.score);
            for (mv, best) in moves.iter_mut().zip(bests) {
                *mv = best.line[0];
            }
        }
        finished
    }

    fn tell(&mut self, bests: &[Best<P::Move>]) {
        for (rank, best) in (1..).zip(bests) {
            self.observer.iteration(&Iteration {
                depth: best.depth,
                rank,
                seldepth: self.seldepth as u32,
                score: best.score,
                nodes: self.nodes,
                hash_permille: if self.config.hash {
                    self.memory.hash_table.permille()
                } else {
                    0
                },
                pv: &best.line,
                counters: self.count.counters(),
            });
        }
    }

    /// An iteration that was cut short has the lines that it `finished`; the rest are those of the iteration before.
    fn tell_cut_short(
        &mut self,
        bests: &mut Vec<Best<P::Move>>,
        finished: usize,
        mut told: Vec<Best<P::Move>>,
    ) {
        let is_new = finished > 0 || told.first().is_some_and(|best| best.line[0] != bests[0].line[0]);
        bests.truncate(finished.max(1));
        bests.sort_by_key(|best| -best.score);
        let room = told.len().saturating_sub(bests.len());
        told.retain(|old| bests.iter().all(|best| best.line[0] != old.line[0]));
        bests.extend(told.into_iter().take(room));
        if is_new {
            self.tell(bests);
        }
    }

    /// A line cut short after its first move gets the answer that the hash table knows.
    fn add_answer(&mut self, line: &mut ArrayVec<P::Move, PLY_MAX>) {
        let [mv] = line[..] else { return };
        let undo = self.position.make(mv);
        let answer: P::Move = HashEntry::best(self.probe());
        let is_playable =
            answer.bits() != 0 && self.position.is_pseudo_legal(answer) && self.position.is_legal(answer);
        self.position.unmake(mv, undo);
        if is_playable {
            line.push(answer);
        }
    }

    /// Puts the root's moves in a first order: the hash table's, captures by gain, quiet moves by history.
    fn order_root(&self, moves: &mut MoveList<P::Move>) {
        let hash_move: P::Move = HashEntry::best(self.probe());
        let context = self.context(0);
        let attacked = self.memory.history.attacked(&self.position);
        let rank = |mv| {
            let place = Place::of(&self.position, mv, &attacked);
            let class = if mv == hash_move {
                0
            } else if self.position.is_tactical(mv) && self.position.see_ge(mv, 0) {
                1
            } else {
                2
            };
            (
                class,
                -self.position.gain(mv),
                -self.memory.history.score(context, place),
            )
        };
        // Stable, so that equal moves stay in the order they were generated.
        moves.sort_by_cached_key(|&mv| rank(mv));
    }

    fn iterate(&mut self, best: &mut Best<P::Move>, moves: &mut [P::Move], accumulator: &Accumulator<P>) {
        let before = self.nodes;
        best.nodes = 0;
        let mut aspiration = Aspiration::new(self.config, self.root_depth as u32, best.score);
        loop {
            let score = self.root(best, moves, accumulator, aspiration.window);
            if self.stopped {
                return;
            }
            let is_out = aspiration.widen(score);
            self.count.count(Technique::Aspiration, is_out);
            if !is_out {
                best.effort = 100 * best.nodes / (self.nodes - before).max(1);
                return;
            }
        }
    }

    /// Searches every root move within `window`. A move that raises alpha becomes the best and comes to the front.
    fn root(
        &mut self,
        best: &mut Best<P::Move>,
        moves: &mut [P::Move],
        accumulator: &Accumulator<P>,
        mut window: Window,
    ) -> i32 {
        let mut value = -INFINITE;
        let mut second = -INFINITE;
        let mut best_move = P::Move::from_bits(0);
        let full = window;
        best.second = None;
        best.unsure.clear();
        let attacked = self.memory.history.attacked(&self.position);
        for index in 0..moves.len() {
            let mv = moves[index];
            self.observer
                .root_move(self.root_depth.unsigned_abs(), mv, index as u32 + 1);
            let place = Place::of(&self.position, mv, &attacked);
            let descent = self.root_descent(mv, place, index, window);
            let quiet = (!self.position.is_tactical(mv)).then_some(place);
            let before = self.nodes;
            let score = self.visit_known(mv, None, quiet, 0, accumulator, |tree, accumulator| {
                tree.descend(accumulator, descent)
            });
            if self.stopped {
                return value;
            }
            let spent = self.nodes - before;
            if best.line.first() == Some(&mv) {
                best.nodes += spent;
            } else if score > window.alpha {
                best.nodes = spent;
            }
            note_unsure(&mut best.unsure, mv, score);
            second = second.max(score.min(value));
            value = value.max(score);
            if score > window.alpha {
                window.alpha = score;
                best_move = mv;
                self.lines.extend(0, mv);
                best.score = score;
                best.line = self.lines.root().iter().copied().collect();
                moves[..=index].rotate_right(1);
                if score >= window.beta {
                    break;
                }
            }
            // Not while the score of the best move is only a bound.
            if value > full.alpha && index + 1 < moves.len() && self.is_late_between_moves() {
                self.stopped = true;
                return value;
            }
        }
        best.second = (value < full.beta).then_some(second);
        let value = self.bounded(value, full);
        if !self.is_root_whole {
            return value;
        }
        self.store(HashEntry {
            mv: best_move.bits(),
            score: to_table(value, 0),
            depth: self.root_depth as u8,
            bound: Bound::of(value, full),
            is_only_reply: false,
        });
        value
    }

    /// How to search below a root move: late quiet moves are reduced as in a PV node.
    fn root_descent(&self, mv: P::Move, place: Place, index: usize, window: Window) -> Descent {
        let config = self.config;
        let depth = self.root_depth;
        let is_late = config.lmr
            && depth >= config.lmr_depth_min
            && index >= config.lmr_root_moves_min as usize
            && !self.position.is_tactical(mv)
            && !self.position.gives_check(mv);
        let history = &self.memory.history;
        let history = history.score(self.context(0), place);
        Descent {
            window,
            kind: NodeKind::Pv,
            ply: 1,
            depth: depth - 1,
            reduction: if is_late {
                let reductions = self.reductions.of_node(config, depth, NodeKind::Pv, true);
                reductions.of(config, index as i32 + 1, history, false).max(PLY)
            } else {
                0
            },
            is_first: index == 0,
        }
    }

    /// The root move that stands out by a search of a few plies, looked for only where time can be saved by it.
    fn easy(&mut self, moves: &[P::Move], accumulator: &Accumulator<P>) -> Option<Easy<P::Move>> {
        let config = self.config;
        let bounds = self.stops.bounds.filter(|bounds| bounds.is_saved);
        let bounds = bounds.filter(|_| config.easy_move)?;
        // To look for longer than an easy move is thought about would save nothing.
        let deadline_ms = bounds.soft_at(config.easy_move_percent.unsigned_abs().into());
        self.within(deadline_ms, |tree| {
            let full = Window {
                alpha: -INFINITE,
                beta: INFINITE,
            };
            let mut values = ArrayVec::<_, MOVES_MAX>::new();
            for &mv in moves {
                let value = tree.visit(mv, 0, accumulator, |tree, accumulator| {
                    -tree.node(accumulator, full, config.easy_move_depth - 1, 1, NodeKind::Pv)
                });
                if tree.stopped {
                    return None;
                }
                values.push((mv, value));
            }
            Easy::find(config, values)
        })
    }

    /// Do all root moves but the best lose by force, when those are asked of which it is not certain?
    fn is_forced_root(&mut self, bests: &[Best<P::Move>], accumulator: &Accumulator<P>) -> bool {
        let [best] = bests else { return false };
        let played = best.line.first();
        let others = best.unsure.iter().filter(|mv| Some(*mv) != played).count();
        if !early_stop::asks_for_losses(self.config, best.score, best.second, others) {
            return false;
        }
        let at_mate = Window::zero(-MATE_IN_MAX);
        for &mv in best.unsure.iter().filter(|mv| Some(*mv) != played) {
            let depth = self.root_depth;
            let score = self.visit(mv, 0, accumulator, |tree, accumulator| {
                -tree.node(accumulator, at_mate.flipped(), depth, 1, NodeKind::Cut)
            });
            if self.stopped || score > -MATE_IN_MAX {
                return false;
            }
        }
        true
    }

    /// When the next iteration is to end between two root moves, where time is saved by that; `percent` as in
    /// [`soft_at`](crate::time::TimeBounds::soft_at).
    fn between_ms(&self, percent: u64) -> Option<u64> {
        let bounds = self.stops.bounds.filter(|bounds| bounds.is_saved)?;
        let times = u64::from(self.config.partial_iteration_percent.unsigned_abs());
        self.config
            .partial_iteration
            .then(|| bounds.soft_at(percent * times / 100))
    }

    fn is_enough(&mut self, bests: &[Best<P::Move>], moves: usize, pace: &Pace<P::Move>) -> bool {
        let config = self.config;
        let best = &bests[0];
        if config.mate_stop && bests.iter().all(|best| best.is_mate_within(best.depth)) {
            return true;
        }
        if self
            .stops
            .mate_plies_max
            .is_some_and(|plies| best.is_mate_within(plies))
        {
            return true;
        }
        if moves > 1 && bests.len() == 1 && early_stop::is_second_best_lost(config, best.score, best.second) {
            return true;
        }
        if self.has_pondered_enough(best.depth) {
            return true;
        }
        self.stops.bounds.is_some_and(|bounds| {
            (config.one_reply && moves == 1 && self.is_root_whole)
                || self.observer.elapsed_ms() >= bounds.soft_at(pace.percent(config))
        })
    }
}

fn note_unsure<M>(unsure: &mut ArrayVec<M, UNSURE_MAX>, mv: M, score: i32) {
    if score > -MATE_IN_MAX && !unsure.is_full() {
        unsure.push(mv);
    }
}
