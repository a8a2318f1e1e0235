//! The state of one running search, and the few actions that every kind of node shares.
//!
//! In: the searcher's tables and the root. Out: moves made and taken back, nodes counted, stops noticed.
//! Must not: decide which moves to search.

use super::correction::Corrections;
use super::counters::{Count, Technique};
use super::line::Lines;
use super::reductions::Reductions;
use super::score::{EVAL_MAX, EVAL_NONE, lost, perpetual_win};
use super::soppo::CutDistances;
use super::table::{Bound, Entry, Table};
use super::{Observer, PLY_MAX};
use crate::config::SearchConfig;
use crate::eval::{Evaluate, Evaluated};
use crate::game::{Declaration, DeclarationRule, GameMove, Path, Repetition};
use crate::ordering::{Context, CounterMoves, History, Killers, MovePicker};
use crate::time::TimeBounds;

/// Nodes between two looks at the clock and the stop signal.
const POLL_NODES: u64 = 1024;
/// Frames of plies before the root, so that a node can look back without a test.
const FRAMES_BEFORE: usize = 4;

/// The accumulator of a game's evaluation.
pub(super) type Accumulator<P> = <<P as Evaluated>::Evaluator as Evaluate<P>>::Accumulator;

/// An alpha-beta window: scores that matter lie strictly between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// The window of one value that asks "more than `alpha`?".
    #[inline]
    pub(super) fn zero(alpha: i32) -> Self {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The same window from the opponent's view.
    #[inline]
    pub(super) fn flipped(self) -> Self {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    #[inline]
    pub(super) fn is_zero(self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// What a node remembers for the nodes below it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// Static evaluation, corrected by what searches found, [`EVAL_NONE`] in check.
    pub(super) eval: i32,
    /// The move made here ([`Position::piece_to`]), `PIECE_TO` for a pass.
    pub(super) piece_to: usize,
    /// Positions before this one on the path with no pass between.
    pub(super) reversible: usize,
}

/// The tables of a searcher, lent to one search.
pub(super) struct Tables<'a, P: Evaluated> {
    pub(super) config: &'a SearchConfig,
    pub(super) reductions: &'a Reductions,
    pub(super) evaluator: &'a P::Evaluator,
    pub(super) table: &'a mut Table,
    pub(super) history: &'a mut History<P>,
    pub(super) killers: &'a mut Killers<P::Move>,
    pub(super) counter_moves: &'a mut CounterMoves<P>,
    pub(super) cut_distances: &'a mut CutDistances,
    pub(super) corrections: &'a mut Corrections,
    pub(super) path: &'a mut Path,
    pub(super) lines: &'a mut Lines<P::Move>,
}

/// What ends a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stops {
    /// Most nodes.
    pub(super) nodes_max: u64,
    /// When a clock runs.
    pub(super) bounds: Option<TimeBounds>,
    /// Finished iterations that are enough once the opponent's time is over.
    pub(super) ponder_depth: Option<u32>,
}

/// One running search.
pub(super) struct Tree<'a, P: Evaluated, C> {
    pub(super) tables: Tables<'a, P>,
    pub(super) observer: &'a mut dyn Observer<P::Move>,
    pub(super) count: &'a mut C,
    pub(super) position: P,
    frames: [Frame; PLY_MAX + FRAMES_BEFORE],
    pub(super) nodes: u64,
    pub(super) stops: Stops,
    /// Node count at which to look at the limits again.
    checkpoint: u64,
    pub(super) stopped: bool,
    pub(super) seldepth: usize,
    pub(super) root_depth: i32,
    /// Inside the search after a pass?
    pub(super) is_passing: bool,
    /// No pass before this ply: a pass is being verified.
    pub(super) pass_ply_min: usize,
}

impl<'a, P: Evaluated, C: Count> Tree<'a, P, C> {
    pub(super) fn new(
        tables: Tables<'a, P>,
        position: P,
        stops: Stops,
        observer: &'a mut dyn Observer<P::Move>,
        count: &'a mut C,
    ) -> Self {
        let before = Frame {
            eval: EVAL_NONE,
            piece_to: P::PIECE_TO,
            reversible: 0,
        };
        let mut frames = [before; PLY_MAX + FRAMES_BEFORE];
        frames[FRAMES_BEFORE].reversible = tables.path.len().saturating_sub(1);
        Tree {
            tables,
            observer,
            count,
            position,
            frames,
            nodes: 0,
            stops,
            checkpoint: 0,
            stopped: false,
            seldepth: 0,
            root_depth: 0,
            is_passing: false,
            pass_ply_min: 0,
        }
    }

    /// The frame `back` plies above `ply`.
    #[inline]
    pub(super) fn frame(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + FRAMES_BEFORE - back]
    }

    /// The frame of `ply`.
    #[inline]
    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + FRAMES_BEFORE]
    }

    /// The moves that led to `ply`, for the histories.
    #[inline]
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
        if self.nodes >= self.checkpoint && self.must_stop() {
            return 0;
        }
        self.nodes += 1;
        let accumulator = self.tables.evaluator.update(&self.position, mv, accumulator);
        let reversible = self.frame(ply, 0).reversible + 1;
        self.frame_mut(ply).piece_to = self.position.piece_to(mv);
        self.frame_mut(ply + 1).reversible = reversible;
        let undo = self.position.make(mv);
        self.tables.table.prefetch(self.position.key());
        self.tables.path.push(&self.position);
        let score = search(self, &accumulator);
        self.tables.path.pop();
        self.position.unmake(mv, undo);
        score
    }

    /// Passes, lets `search` look at the position, and takes the pass back.
    pub(super) fn visit_pass(&mut self, ply: usize, search: impl FnOnce(&mut Self) -> i32) -> i32 {
        self.frame_mut(ply).piece_to = P::PIECE_TO;
        self.frame_mut(ply + 1).reversible = 0;
        let nested = std::mem::replace(&mut self.is_passing, true);
        let undo = self.position.make_null();
        self.tables.table.prefetch(self.position.key());
        self.tables.path.push(&self.position);
        let score = search(self);
        self.tables.path.pop();
        self.position.unmake_null(undo);
        self.is_passing = nested;
        score
    }

    /// Looks at the limits; sets the next checkpoint.
    #[cold]
    fn must_stop(&mut self) -> bool {
        self.stopped = self.stopped
            || self.nodes >= self.stops.nodes_max
            || self.observer.is_stop_requested()
            || self
                .stops
                .bounds
                .is_some_and(|bounds| self.observer.elapsed_ms() >= bounds.hard_ms)
            || self.has_pondered_enough((self.root_depth - 1).max(0) as u32);
        // Once stopped, the checkpoint stays behind, so that no node is visited any more.
        if !self.stopped {
            self.checkpoint = (self.nodes + POLL_NODES).min(self.stops.nodes_max);
        }
        self.stopped
    }

    /// After a ponder hit: are `iterations` enough to answer at once?
    pub(super) fn has_pondered_enough(&mut self, iterations: u32) -> bool {
        self.stops
            .ponder_depth
            .is_some_and(|enough| iterations >= enough && !self.observer.is_pondering())
    }

    /// The score of a position where the path ends: repetition, declaration, or no room to go deeper.
    #[inline]
    pub(super) fn ending(&mut self, accumulator: &Accumulator<P>, ply: usize) -> Option<i32> {
        let config = self.tables.config;
        let plies_max = self
            .frame(ply, 0)
            .reversible
            .min(config.repetition_plies_max as usize);
        if let Some(repetition) = self.tables.path.nearest_repetition::<P>(plies_max) {
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
        if ply >= PLY_MAX - 1 {
            return Some(self.evaluate(accumulator));
        }
        if config.declaration == DeclarationRule::Off {
            return None;
        }
        match self.position.declaration(config.declaration) {
            Declaration::Invalid => None,
            Declaration::Draw => Some(self.draw(ply)),
            Declaration::Win => Some(-lost(ply + 1)),
        }
    }

    /// The score of a draw at `ply`.
    #[inline]
    pub(super) fn draw(&self, ply: usize) -> i32 {
        let contempt = self.tables.config.repetition_contempt;
        if ply.is_multiple_of(2) {
            -contempt
        } else {
            contempt
        }
    }

    /// The static evaluation.
    #[inline]
    pub(super) fn evaluate(&self, accumulator: &Accumulator<P>) -> i32 {
        self.tables
            .evaluator
            .evaluate(&self.position, accumulator)
            .clamp(-EVAL_MAX, EVAL_MAX)
    }

    /// `score` as a node with `window` returns it: clamped under fail-hard.
    #[inline]
    pub(super) fn bounded(&self, score: i32, window: Window) -> i32 {
        if self.tables.config.fail_soft {
            score
        } else {
            score.clamp(window.alpha, window.beta)
        }
    }

    /// What the hash table knows of the position.
    #[inline]
    pub(super) fn probe(&self) -> Option<Entry> {
        if !self.tables.config.hash {
            return None;
        }
        self.tables.table.probe(self.position.key())
    }

    /// The score of a known position, if it settles a search of `depth` with `window`.
    #[inline]
    pub(super) fn settled(&mut self, known: Option<(Entry, i32)>, depth: i32, window: Window) -> Option<i32> {
        let (entry, score) = known?;
        let settles = entry.settles(score, depth, window);
        self.count.count(Technique::Hash, settles);
        settles.then_some(score)
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

    /// Tells the hash table about the position.
    #[inline]
    pub(super) fn store(&mut self, entry: Entry) {
        if self.tables.config.hash {
            self.tables.table.store(self.position.key(), entry);
        }
    }
}

impl Bound {
    /// What `score`, found by a search with `window`, says.
    #[inline]
    pub(super) fn of(score: i32, window: Window) -> Self {
        if score >= window.beta {
            Bound::Lower
        } else if score > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

impl Entry {
    /// The move remembered, bits 0 for none.
    #[inline]
    pub(super) fn best<M: GameMove>(entry: Option<Entry>) -> M {
        M::from_bits(entry.map_or(0, |entry| entry.mv))
    }

    /// Does the entry's score, seen as `score` from here, settle a search of `depth` with `window`?
    #[inline]
    fn settles(&self, score: i32, depth: i32, window: Window) -> bool {
        i32::from(self.depth) >= depth
            && match self.bound {
                Bound::None => false,
                Bound::Exact => true,
                Bound::Lower => score >= window.beta,
                Bound::Upper => score <= window.alpha,
            }
    }

    /// `eval` made better by `score` where the bound says it errs.
    #[inline]
    pub(super) fn refine(&self, score: i32, eval: i32) -> i32 {
        let better = match self.bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
        if better && score.abs() <= EVAL_MAX {
            score
        } else {
            eval
        }
    }
}
