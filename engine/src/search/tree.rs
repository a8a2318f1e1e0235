//! The state of one running search, and the few actions that every kind of node shares.

use super::{
    Count, EVAL_MAX, EVAL_NONE, Frame, Frames, HashEntry, Memory, Observer, PLY_MAX, PvTable, Reductions,
    Searcher, Technique, Window, lost, perpetual_win,
};
use crate::config::SearchConfig;
use crate::eval::{Evaluate, Evaluated};
use crate::game::{Claim, Known, Path, Repetition};
use crate::ordering::{Context, MovePicker, Place};
use crate::time::TimeBounds;

/// How often a search asks whether to stop.
pub(super) const POLL_NODES: u64 = 1024;
/// Neither a clock nor a stop ends the first iteration before so many nodes: without one there is no move to trust, whatever a busy
/// machine did to the clock. They take some milliseconds, and with default settings far fewer are enough.
const FIRST_NODES: u64 = 8 * POLL_NODES;

pub(super) type Accumulator<P> = <<P as Evaluated>::Evaluator as Evaluate<P>>::Accumulator;

#[derive(Debug, Clone, Copy)]
pub(super) struct StopConditions {
    pub(super) nodes_max: u64,
    /// A mate for either side within so many plies is enough.
    pub(super) mate_plies_max: Option<u32>,
    /// When a clock runs.
    pub(super) bounds: Option<TimeBounds>,
    /// Finished iterations that are enough once the opponent's time is over.
    pub(super) ponder_depth: Option<u32>,
}

pub(super) struct Tree<'a, P: Evaluated, C> {
    pub(super) config: &'a SearchConfig,
    pub(super) reductions: &'a Reductions,
    pub(super) evaluator: &'a P::Evaluator,
    pub(super) memory: &'a mut Memory<P>,
    pub(super) path: &'a mut Path,
    pub(super) lines: &'a mut PvTable<P::Move>,
    pub(super) observer: &'a mut dyn Observer<P::Move>,
    pub(super) count: &'a mut C,
    pub(super) position: P,
    frames: Frames,
    /// The key of the position after the last pass, and its static evaluation.
    passed: (u64, i32),
    pub(super) nodes: u64,
    pub(super) stops: StopConditions,
    /// Node count at which to look at the limits again.
    checkpoint: u64,
    /// When a clock ends what is searched now, and the node count before which none does.
    deadline_ms: Option<u64>,
    /// When an iteration ends between two root moves.
    pub(super) between_ms: Option<u64>,
    unhurried_nodes: u64,
    pub(super) stopped: bool,
    pub(super) seldepth: usize,
    pub(super) root_depth: i32,
    /// Does a search of the root say what it is worth, or is it of some of its moves only?
    pub(super) is_root_whole: bool,
    /// Inside the search after a pass?
    pub(super) is_passing: bool,
    /// No pass before this ply: a pass is being verified.
    pub(super) pass_ply_min: usize,
}

impl<'a, P: Evaluated, C: Count> Tree<'a, P, C> {
    pub(super) fn new(
        searcher: &'a mut Searcher<P>,
        position: P,
        stops: StopConditions,
        observer: &'a mut dyn Observer<P::Move>,
        count: &'a mut C,
    ) -> Self {
        Tree {
            frames: Frames::new(P::PIECE_TO, searcher.path.len().saturating_sub(1)),
            config: &searcher.config,
            reductions: &searcher.reductions,
            evaluator: &searcher.evaluator,
            memory: &mut searcher.memory,
            path: &mut searcher.path,
            lines: &mut searcher.lines,
            observer,
            count,
            position,
            passed: (0, 0),
            nodes: 0,
            stops,
            checkpoint: 0,
            deadline_ms: None,
            between_ms: None,
            unhurried_nodes: 0,
            stopped: false,
            seldepth: 0,
            root_depth: 0,
            is_root_whole: true,
            is_passing: false,
            pass_ply_min: 0,
        }
    }

    pub(super) fn frame(&self, ply: usize, back: usize) -> &Frame {
        self.frames.at(ply, back)
    }

    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        self.frames.at_mut(ply)
    }

    /// The moves that led to `ply`, for the histories.
    pub(super) fn context(&self, ply: usize) -> Context {
        [1, 2, 4].map(|back| self.frame(ply, back).piece_to)
    }

    /// Plays the legal move `mv`, lets `search` look at the position, and takes it back. Returns 0 without doing so when
    /// the search has to stop.
    #[inline]
    pub(super) fn visit(
        &mut self,
        mv: P::Move,
        ply: usize,
        accumulator: &Accumulator<P>,
        search: impl FnOnce(&mut Self, &Accumulator<P>) -> i32,
    ) -> i32 {
        self.visit_known(mv, None, None, ply, accumulator, search)
    }

    /// As [`visit`](Tree::visit) a move of which it may be known whether it gives check. Histories learn how it did if it is `quiet`.
    #[inline]
    pub(super) fn visit_known(
        &mut self,
        mv: P::Move,
        gives_check: Option<bool>,
        quiet: Option<Place>,
        ply: usize,
        accumulator: &Accumulator<P>,
        search: impl FnOnce(&mut Self, &Accumulator<P>) -> i32,
    ) -> i32 {
        if self.nodes >= self.checkpoint && self.must_stop() {
            return 0;
        }
        self.nodes += 1;
        // The earlier, the less is waited for it.
        let key_after = self.position.key_after(mv);
        if let Some(key) = key_after {
            self.memory.hash_table.prefetch(key);
        }
        let accumulator = self.evaluator.update(&self.position, mv, accumulator);
        let reversible = self.frame(ply, 0).reversible + 1;
        self.frame_mut(ply).piece_to = self.position.piece_to(mv);
        self.frame_mut(ply).quiet = quiet;
        self.frame_mut(ply + 1).reversible = reversible;
        let undo = self.position.make_known(mv, key_after, gives_check);
        if key_after.is_none() {
            self.memory.hash_table.prefetch(self.position.key());
        }
        self.path.push(&self.position);
        let score = search(self, &accumulator);
        self.path.pop();
        self.position.unmake(mv, undo);
        score
    }

    /// Passes where the static evaluation is `eval`, lets `search` look at the position, and takes the pass back.
    pub(super) fn visit_pass(&mut self, ply: usize, eval: i32, search: impl FnOnce(&mut Self) -> i32) -> i32 {
        self.frame_mut(ply).piece_to = P::PIECE_TO;
        self.frame_mut(ply).quiet = None;
        self.frame_mut(ply + 1).reversible = 0;
        let nested = std::mem::replace(&mut self.is_passing, true);
        let eval = self.evaluator.after_pass(&self.position, eval);
        let undo = self.position.make_null();
        if let Some(eval) = eval {
            self.passed = (self.position.key(), eval);
        }
        self.memory.hash_table.prefetch(self.position.key());
        self.path.push(&self.position);
        let score = search(self);
        self.path.pop();
        self.position.unmake_null(undo);
        self.is_passing = nested;
        score
    }

    /// Looks at the limits; sets the next checkpoint.
    #[cold]
    fn must_stop(&mut self) -> bool {
        self.stopped = self.stopped
            || self.nodes >= self.stops.nodes_max
            || (self.nodes >= self.unhurried_nodes
                && (self.observer.is_stop_requested() || self.is_out_of_time()))
            || self.has_pondered_enough((self.root_depth - 1).max(0) as u32);
        // Once stopped, the checkpoint stays behind, so that no node is visited any more.
        if !self.stopped {
            self.checkpoint = (self.nodes + POLL_NODES).min(self.stops.nodes_max);
        }
        self.stopped
    }

    fn is_out_of_time(&mut self) -> bool {
        self.deadline_ms
            .is_some_and(|deadline_ms| self.observer.elapsed_ms() >= deadline_ms)
    }

    /// Is it time to end an iteration between two root moves?
    pub(super) fn is_late_between_moves(&mut self) -> bool {
        self.between_ms
            .is_some_and(|between_ms| self.observer.elapsed_ms() >= between_ms)
    }

    /// Lets a clock or a stop end what is searched from now on, but not before there is a move to trust.
    pub(super) fn begin_iterations(&mut self) {
        self.deadline_ms = self.stops.bounds.map(|bounds| bounds.hard_ms);
        self.unhurried_nodes = self.nodes + FIRST_NODES;
    }

    pub(super) fn trust_move(&mut self) {
        if self.unhurried_nodes != 0 {
            self.unhurried_nodes = 0;
            self.checkpoint = self.nodes;
        }
    }

    /// What `search` finds by `deadline_ms`; a search that its end cut short found nothing, and does not end those after it.
    pub(super) fn within<T>(
        &mut self,
        deadline_ms: u64,
        search: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.deadline_ms = Some(deadline_ms);
        let found = search(self).filter(|_| !self.stopped);
        // What else stopped it stops the next search, too.
        self.stopped = false;
        found
    }

    /// After a ponder hit: are `iterations` enough to answer at once?
    pub(super) fn has_pondered_enough(&mut self, iterations: u32) -> bool {
        self.stops
            .ponder_depth
            .is_some_and(|enough| iterations >= enough && !self.observer.is_pondering())
    }

    /// The score of a position where the path ends: repetition, declaration, or no room to go deeper.
    #[inline(always)]
    pub(super) fn ending(&mut self, accumulator: &Accumulator<P>, ply: usize) -> Option<i32> {
        let config = self.config;
        // No position comes back after a move that the rules call irreversible.
        let clock = self.position.halfmove_clock().map_or(usize::MAX, usize::from);
        let plies_max = self.frame(ply, 0).reversible;
        let plies_max = plies_max.min(config.repetition_plies_max as usize).min(clock);
        if let Some(repetition) = self.path.nearest_repetition::<P>(plies_max) {
            return Some(match repetition {
                Repetition::Draw => self.draw(ply),
                Repetition::Win => perpetual_win(ply),
                Repetition::Loss => -perpetual_win(ply),
            });
        }
        // A mate on the board comes before any rule of draws.
        if self.position.is_draw_by_rule()
            && !(self.position.in_check() && self.position.count_legal_all() == 0)
        {
            return Some(self.draw(ply));
        }
        if let Some(known) = self.evaluator.known(&self.position)
            && !(self.position.in_check() && self.position.count_legal_all() == 0)
        {
            return Some(match known {
                Known::Drawn => self.draw(ply),
                Known::Won(side) if side == self.position.side_to_move() => perpetual_win(ply),
                Known::Won(_) => -perpetual_win(ply),
            });
        }
        if ply >= PLY_MAX - 1 {
            return Some(self.evaluate(accumulator));
        }
        match self.position.claim(config.declaration.claim()) {
            Claim::Invalid => None,
            // Who stands better need not claim it.
            Claim::Draw => Some(self.draw(ply)).filter(|&draw| self.evaluate(accumulator) <= draw),
            Claim::Win => Some(-lost(ply + 1)),
            Claim::Loss => Some(lost(ply)),
        }
    }

    #[inline]
    pub(super) fn draw(&self, ply: usize) -> i32 {
        let contempt = self.config.repetition_contempt;
        if ply.is_multiple_of(2) {
            -contempt
        } else {
            contempt
        }
    }

    #[inline]
    pub(super) fn evaluate(&mut self, accumulator: &Accumulator<P>) -> i32 {
        let (key, eval) = self.passed;
        if P::Evaluator::KNOWS_PASSES && key == self.position.key() {
            return eval;
        }
        self.evaluator
            .evaluate(&self.position, accumulator, &mut self.memory.evaluation)
            .clamp(-EVAL_MAX, EVAL_MAX)
    }

    /// The static evaluation `eval` of the position at `ply`, corrected; [`EVAL_NONE`] stays what it is.
    #[inline(always)]
    pub(super) fn corrected(&self, eval: i32, context: Context) -> i32 {
        if !self.config.correction || eval == EVAL_NONE {
            return eval;
        }
        let corrections = &self.memory.corrections;
        corrections.corrected(self.config, &self.position, context, eval)
    }

    /// `score` as a node with `window` returns it: clamped under fail-hard.
    #[inline]
    pub(super) fn bounded(&self, score: i32, window: Window) -> i32 {
        if self.config.fail_soft {
            score
        } else {
            score.clamp(window.alpha, window.beta)
        }
    }

    #[inline]
    pub(super) fn probe(&self) -> Option<HashEntry> {
        if !self.config.hash {
            return None;
        }
        self.memory.hash_table.probe(self.position.key())
    }

    /// Counts the evasions that a node in check generated, and those of them that it searched.
    #[inline]
    pub(super) fn count_evasions(&mut self, in_check: bool, picker: &MovePicker<P>, searched: i32) {
        if !C::IS_COUNTING || !in_check {
            return;
        }
        let evasions = picker.generated();
        self.count.count(Technique::EvasionNodes, !evasions.is_empty());
        if evasions.is_empty() {
            return;
        }
        let generated = evasions.len() as u64;
        let is_legal = |mv: &&P::Move| self.position.is_legal(**mv);
        let legal = evasions.iter().filter(is_legal).count() as u64;
        self.count.add(Technique::EvasionsLegal, generated, legal);
        self.count.add(
            Technique::EvasionsSearched,
            generated,
            searched.unsigned_abs().into(),
        );
    }

    #[inline]
    pub(super) fn store(&mut self, entry: HashEntry) {
        if self.config.hash {
            self.memory.hash_table.store(self.position.key(), entry);
        }
    }
}
