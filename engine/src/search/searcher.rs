//! The searcher: made once, used for many games.

use std::sync::Arc;

use super::{
    Count, Counters, Focus, HashTable, MATE_IN_MAX, Memory, Observer, PvTable, Reductions, Report,
    StopConditions, Tree, Uncounted,
};
use super::{early_stop, soppo, threads};
use crate::config::{Config, SearchConfig};
use crate::eval::{Evaluate, Evaluated, Tables};
use crate::game::{MoveList, Path};
use crate::time::{self, Limits};

/// A search with its hash table and histories, made once and used for many games.
///
/// Under node or depth limits alone and on one thread, the same moves, limits and configuration since [`new_game`](Searcher::new_game)
/// always give the same report, whatever was searched before it.
pub struct Searcher<P: Evaluated> {
    pub(super) config: SearchConfig,
    pub(super) evaluator: P::Evaluator,
    pub(super) reductions: Reductions,
    pub(super) memory: Memory<P>,
    pub(super) path: Path,
    pub(super) lines: PvTable<P::Move>,
    /// Those of the other threads, which share the hash table.
    helpers: Vec<Searcher<P>>,
}

impl<P: Evaluated> Searcher<P> {
    /// Allocates a hash table of `hash_mib` MiB, at least one.
    pub fn new(config: &Config, hash_mib: usize) -> Self {
        Searcher::on(config, HashTable::new(hash_mib))
    }

    fn on(config: &Config, hash_table: HashTable) -> Self {
        Searcher {
            config: config.search.clone(),
            evaluator: P::Evaluator::new(config),
            reductions: Reductions::new(&config.search),
            memory: Memory::new(&config.search, hash_table),
            path: Path::default(),
            lines: PvTable::new(),
            helpers: Vec::new(),
        }
    }

    /// Searches on so many threads from now on. `config` is what the searcher has.
    pub fn set_threads(&mut self, config: &Config, threads: usize) {
        let hash_table = &self.memory.hash_table;
        self.helpers.resize_with(threads.saturating_sub(1), || {
            Searcher::on(config, hash_table.clone())
        });
    }

    /// Lets the search read these tables of endings until the configuration changes.
    pub fn use_tables(&mut self, tables: Option<&Arc<Tables>>) {
        self.evaluator.use_tables(tables);
        for helper in &mut self.helpers {
            helper.use_tables(tables);
        }
    }

    /// Changes the configuration and forgets everything learnt.
    pub fn set_config(&mut self, config: &Config) {
        if self.config == config.search {
            self.memory.new_game();
        } else {
            self.memory.reconfigure(&config.search);
        }
        self.config = config.search.clone();
        self.evaluator = P::Evaluator::new(config);
        self.reductions = Reductions::new(&config.search);
        for helper in &mut self.helpers {
            helper.set_config(config);
        }
    }

    /// Forgets everything learnt, in constant time.
    pub fn new_game(&mut self) {
        self.memory.new_game();
        for helper in &mut self.helpers {
            helper.new_game();
        }
    }

    fn answer(
        &mut self,
        position: &P,
        path: &Path,
        limits: &Limits,
        focus: &Focus<P::Move>,
        observer: &mut dyn Observer<P::Move>,
        count: &mut impl Count,
    ) -> Report<P::Move> {
        self.path.copy_from(path);
        let mut moves = self.root_moves(position, focus);
        if moves.is_empty() {
            return Report::without_move(position);
        }
        self.memory.new_search(&self.config);
        if focus.is_whole() {
            soppo::prune_root(
                &self.config,
                &self.evaluator,
                &self.memory.cut_distances,
                position,
                &mut moves,
            );
        } else {
            focus.narrow(&mut moves);
        }
        let bounds = limits
            .time
            .map(|limit| time::bounds(limit, limits.moves_to_go, limits.overhead_ms, &self.config));
        let stops = StopConditions {
            nodes_max: limits.nodes_max.unwrap_or(u64::MAX),
            mate_plies_max: limits.mate_plies_max,
            bounds,
            ponder_depth: early_stop::ponder_depth(&self.config, limits, self.memory.last_iterations),
        };
        let mut tree = Tree::new(self, position.clone(), stops, observer, count);
        tree.is_root_whole = focus.moves.is_empty();
        let best = tree.deepen(&mut moves, limits.depth_max.unwrap_or(u32::MAX), focus.lines);
        let report = Report {
            best: best.line.first().copied(),
            ponder: best.line.get(1).copied(),
            score: best.score,
            depth: best.depth,
            seldepth: tree.seldepth as u32,
            nodes: tree.nodes,
            pv: best.line.to_vec(),
        };
        // Only what the clock ended says how deep time allows to search: no only move, no mate, and nothing that had another limit.
        let is_early =
            moves.len() == 1 || best.score.abs() >= MATE_IN_MAX || tree.observer.is_stop_requested();
        if limits.is_clock_alone() && focus.is_whole() && !is_early {
            self.memory.last_iterations = Some(best.depth);
        }
        report
    }

    /// The legal moves, without those that lose at once by completing a perpetual check if there are others. Who asks for moves may ask
    /// for any legal one.
    fn root_moves(&mut self, position: &P, focus: &Focus<P::Move>) -> MoveList<P::Move> {
        let mut moves = MoveList::new();
        if focus.moves.is_empty() {
            position.legal(&mut moves);
        } else {
            position.legal_all(&mut moves);
        }
        if focus.moves.is_empty() && self.path.may_be_perpetual::<P>() {
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

impl<P: Searchable> Searcher<P> {
    /// Searches `position`, which `path` leads to (and ends with).
    pub fn search(
        &mut self,
        position: &P,
        path: &Path,
        limits: &Limits,
        observer: &mut impl Observer<P::Move>,
    ) -> Report<P::Move> {
        self.analyse(position, path, limits, &Focus::default(), observer)
    }

    /// As [`search`](Searcher::search), of some of the root's moves, or for more than the best of them.
    pub fn analyse(
        &mut self,
        position: &P,
        path: &Path,
        limits: &Limits,
        focus: &Focus<P::Move>,
        observer: &mut impl Observer<P::Move>,
    ) -> Report<P::Move> {
        self.run(position, path, limits, focus, observer, None)
    }

    /// As [`search`](Searcher::search), and counts what each technique did; the report is the same.
    pub fn search_counted(
        &mut self,
        position: &P,
        path: &Path,
        limits: &Limits,
        observer: &mut impl Observer<P::Move>,
        counters: &mut Counters,
    ) -> Report<P::Move> {
        self.run(
            position,
            path,
            limits,
            &Focus::default(),
            observer,
            Some(counters),
        )
    }

    fn run(
        &mut self,
        position: &P,
        path: &Path,
        limits: &Limits,
        focus: &Focus<P::Move>,
        observer: &mut dyn Observer<P::Move>,
        counters: Option<&mut Counters>,
    ) -> Report<P::Move> {
        let mut helpers = std::mem::take(&mut self.helpers);
        let task = Task {
            searcher: self,
            position,
            path,
            limits,
            focus,
            observer,
            counters,
        };
        let report = if helpers.is_empty() {
            P::search(task)
        } else {
            threads::run(task, &mut helpers)
        };
        self.helpers = helpers;
        report
    }
}

/// A game that can be searched.
///
/// A generic search is compiled again by every crate that asks for one, and takes longer than all else in it. So each game
/// implements this, always with [`Task::run`], beside the search, and it is compiled once.
pub trait Searchable: Evaluated {
    /// Runs the task: always by [`Task::run`].
    fn search(task: Task<'_, Self>) -> Report<Self::Move>;
}

/// One question to a searcher.
pub struct Task<'a, P: Evaluated> {
    pub(super) searcher: &'a mut Searcher<P>,
    pub(super) position: &'a P,
    pub(super) path: &'a Path,
    pub(super) limits: &'a Limits,
    pub(super) focus: &'a Focus<P::Move>,
    pub(super) observer: &'a mut dyn Observer<P::Move>,
    pub(super) counters: Option<&'a mut Counters>,
}

impl<P: Evaluated> Task<'_, P> {
    /// Runs the search to its end.
    pub fn run(self) -> Report<P::Move> {
        let (position, path, limits, focus) = (self.position, self.path, self.limits, self.focus);
        match self.counters {
            Some(counters) => self
                .searcher
                .answer(position, path, limits, focus, self.observer, counters),
            None => self
                .searcher
                .answer(position, path, limits, focus, self.observer, &mut Uncounted),
        }
    }
}
