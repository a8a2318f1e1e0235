//! The search: one position in, one move and its reasons out.
//!
//! In: a [`Position`], the [`Path`] that led to it, [`Limits`], a [`Config`]. Out: a [`Report`].
//! Must not: name a game, read a clock or print; it asks its [`Observer`].

mod correction;
mod counters;
mod deepen;
mod extensions;
mod forced;
mod futility;
mod learning;
mod line;
mod mate;
mod moves;
mod node;
mod null_move;
mod one_reply;
mod pace;
mod probcut;
mod quiescence;
mod reductions;
mod risk;
mod score;
mod singular;
mod soppo;
mod table;
mod tree;

pub use counters::{BUCKETS, Count, Counters, Distribution, Technique, Uncounted};

use crate::config::{Config, SearchConfig};
use crate::eval::{Evaluate, Evaluated};
use crate::game::{MoveList, Path, Position};
use crate::ordering::{CounterMoves, History, Killers};
use crate::time::{self, Limits};
use correction::Corrections;
use line::Lines;
use reductions::Reductions;
use soppo::CutDistances;
use table::Table;
use tree::{Stops, Tables, Tree};

/// Value of "mated now"; mate in `n` plies is `MATE - n`.
pub const MATE: i32 = 30_000;
/// Scores at or beyond this are mates.
pub const MATE_IN_MAX: i32 = MATE - 512;
/// Greater than every score.
pub const INFINITE: i32 = 32_000;
/// Plies that a search may go down.
pub const PLY_MAX: usize = 128;

/// One finished iteration of iterative deepening, or the end of the search.
#[derive(Debug, Clone, Copy)]
pub struct Iteration<'a, M> {
    /// Depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Score from the side to move's view; beyond [`MATE_IN_MAX`] a mate.
    pub score: i32,
    /// Nodes so far.
    pub nodes: u64,
    /// Share of the hash table in use by this game, in permille.
    pub hash_permille: u32,
    /// Principal variation.
    pub pv: &'a [M],
}

/// The outside world of a search: clock, stop signal and listener.
pub trait Observer<M> {
    /// Milliseconds since the search was asked for; called seldom, and never under node or depth limits alone.
    fn elapsed_ms(&mut self) -> u64;
    /// Should the search end now? Polled every few thousand nodes.
    fn is_stop_requested(&mut self) -> bool;
    /// Is it still the opponent's time? Asked only if [`Limits::ponder`] is set; once false, it stays so.
    fn is_pondering(&mut self) -> bool {
        false
    }
    /// Called after each iteration.
    fn iteration(&mut self, iteration: &Iteration<'_, M>);
}

/// An observer that never stops and does not listen, for searches limited by nodes or depth.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl<M> Observer<M> for Silent {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }
    fn is_stop_requested(&mut self) -> bool {
        false
    }
    fn iteration(&mut self, _: &Iteration<'_, M>) {}
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report<M> {
    /// The move to play; `None` if there is no legal move.
    pub best: Option<M>,
    /// The expected answer.
    pub ponder: Option<M>,
    /// Score from the side to move's view.
    pub score: i32,
    /// Last finished iteration.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// Principal variation, starting with `best`.
    pub pv: Vec<M>,
}

/// A search with its hash table and histories, made once and used for many games.
///
/// Under node or depth limits alone, the same moves, limits and configuration since [`new_game`](Searcher::new_game)
/// always give the same report, whatever was searched before it.
pub struct Searcher<P: Evaluated> {
    config: SearchConfig,
    evaluator: P::Evaluator,
    reductions: Reductions,
    table: Table,
    history: History<P>,
    killers: Killers<P::Move>,
    counter_moves: CounterMoves<P>,
    cut_distances: CutDistances,
    corrections: Corrections,
    path: Path,
    lines: Lines<P::Move>,
    /// Iterations of this game's last search by the clock that did not begin on the opponent's time.
    iterations: Option<u32>,
}

impl<P: Evaluated> Searcher<P> {
    /// Allocates a hash table of `hash_mib` MiB, at least one.
    pub fn new(config: &Config, hash_mib: usize) -> Self {
        Searcher {
            config: config.search.clone(),
            evaluator: P::Evaluator::new(config),
            reductions: Reductions::new(&config.search),
            table: Table::new(hash_mib),
            history: History::new(&config.search),
            killers: Killers::new(PLY_MAX),
            counter_moves: CounterMoves::new(&config.search),
            cut_distances: CutDistances::new(),
            corrections: Corrections::new(&config.search),
            path: Path::default(),
            lines: Lines::new(),
            iterations: None,
        }
    }

    /// Changes the configuration and forgets everything learnt.
    pub fn set_config(&mut self, config: &Config) {
        if self.config != config.search {
            self.history = History::new(&config.search);
            self.corrections = Corrections::new(&config.search);
            self.counter_moves = CounterMoves::new(&config.search);
        }
        self.config = config.search.clone();
        self.evaluator = P::Evaluator::new(config);
        self.reductions = Reductions::new(&config.search);
        self.new_game();
    }

    /// Forgets everything learnt, in constant time.
    pub fn new_game(&mut self) {
        self.table.new_game();
        self.history.new_game();
        self.corrections.clear();
        self.counter_moves.clear();
        self.iterations = None;
        self.cut_distances = CutDistances::new();
    }

    /// Searches `position`, which `path` leads to (and ends with).
    pub fn search(
        &mut self,
        position: &P,
        path: &Path,
        limits: &Limits,
        observer: &mut impl Observer<P::Move>,
    ) -> Report<P::Move> {
        self.search_counted(position, path, limits, observer, &mut Uncounted)
    }

    /// As [`search`](Searcher::search), and tells `count` what each technique did; the report is the same.
    pub fn search_counted(
        &mut self,
        position: &P,
        path: &Path,
        limits: &Limits,
        observer: &mut impl Observer<P::Move>,
        count: &mut impl Count,
    ) -> Report<P::Move> {
        self.path.copy_from(path);
        let mut moves = self.root_moves(position);
        if moves.is_empty() {
            return Report::without_move(position);
        }
        self.cut_distances.age(&self.config);
        soppo::prune_root(
            &self.config,
            &self.evaluator,
            &self.cut_distances,
            position,
            &mut moves,
        );
        self.table.new_search();
        self.history.age();
        self.killers.clear();
        let bounds = limits
            .time
            .map(|limit| time::bounds(limit, limits.moves_to_go, limits.overhead_ms, &self.config));
        let tables = Tables {
            config: &self.config,
            reductions: &self.reductions,
            evaluator: &self.evaluator,
            table: &mut self.table,
            history: &mut self.history,
            killers: &mut self.killers,
            counter_moves: &mut self.counter_moves,
            cut_distances: &mut self.cut_distances,
            corrections: &mut self.corrections,
            path: &mut self.path,
            lines: &mut self.lines,
        };
        let stops = Stops {
            nodes_max: limits.nodes_max.unwrap_or(u64::MAX),
            bounds,
            ponder_depth: forced::ponder_depth(&self.config, limits, self.iterations),
        };
        let mut tree = Tree::new(tables, position.clone(), stops, observer, count);
        let best = tree.deepen(&mut moves, limits.depth_max.unwrap_or(u32::MAX));
        if bounds.is_some() && !limits.ponder {
            self.iterations = Some(best.depth);
        }
        Report {
            best: best.line.first().copied(),
            ponder: best.line.get(1).copied(),
            score: best.score,
            depth: best.depth,
            seldepth: tree.seldepth as u32,
            nodes: tree.nodes,
            pv: best.line.to_vec(),
        }
    }

    /// The legal moves, without those that lose at once by completing a perpetual check if there are others.
    fn root_moves(&mut self, position: &P) -> MoveList<P::Move> {
        let mut moves = MoveList::new();
        position.legal(&mut moves);
        if P::PERPETUAL_CHECK_LOSES && self.path.len() > 1 {
            let mut scratch = position.clone();
            let genuine: MoveList<P::Move> = moves
                .iter()
                .copied()
                .filter(|&mv| self.path.is_genuine_legal(&mut scratch, mv))
                .collect();
            if !genuine.is_empty() {
                return genuine;
            }
        }
        moves
    }
}

impl<M> Report<M> {
    /// The report on a position without a legal move.
    fn without_move<P: Position<Move = M>>(position: &P) -> Self {
        let is_lost = position.in_check() || P::STALEMATE_LOSES;
        Report {
            best: None,
            ponder: None,
            score: if is_lost { -MATE } else { 0 },
            depth: 0,
            seldepth: 0,
            nodes: 0,
            pv: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
