//! One search, iteration by iteration.
//!
//! In: a searcher and a position. Out: what each finished iteration found and cost, and what its techniques did.
//! Must not: compare anything.

use std::cell::RefCell;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tanren_engine::eval::Evaluated;
use tanren_engine::game::{GameMove, Path};
use tanren_engine::search::{Count, Counters, Distribution, Iteration, Observer, Searcher, Technique};
use tanren_engine::time::Limits;

use crate::interrupt::Interrupt;

/// The search of one position by one configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// Index of the configuration, from 0.
    pub config: usize,
    /// Index of the position, from 0.
    pub position: usize,
    /// The finished iterations, from depth 1.
    pub iterations: Vec<SearchIteration>,
}

impl Search {
    /// Configuration and position.
    pub fn job(&self) -> (usize, usize) {
        (self.config, self.position)
    }

    /// The iteration of this depth, if it was finished.
    pub fn at(&self, depth: u32) -> Option<&SearchIteration> {
        self.iterations
            .get(depth.checked_sub(1)? as usize)
            .filter(|iteration| iteration.depth == depth)
    }
}

/// One finished iteration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchIteration {
    /// Depth in plies.
    pub depth: u32,
    /// Nodes since the search began.
    pub nodes: u64,
    /// Microseconds since the search began.
    pub time_us: u64,
    /// Score from the side to move's view, in the engine's centipawns.
    pub score: i32,
    /// Principal variation, the best move first.
    pub pv: Vec<String>,
    /// What each of [`Counters::names`] did in this iteration alone.
    pub tried: Vec<Tried>,
}

impl SearchIteration {
    /// The best move.
    pub fn bestmove(&self) -> &str {
        self.pv.first().map_or("", String::as_str)
    }
}

/// Tries and successes of one counter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// How often it was tried.
    pub tries: u64,
    /// How often it succeeded.
    pub successes: u64,
}

impl std::ops::AddAssign for Tried {
    fn add_assign(&mut self, other: Tried) {
        self.tries += other.tries;
        self.successes += other.successes;
    }
}

/// Searches `position` as the first of a new game; `None` if it was interrupted.
pub(super) fn iterations<P: Evaluated>(
    searcher: &mut Searcher<P>,
    position: &P,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Option<Vec<SearchIteration>> {
    let counters = RefCell::new(Counters::default());
    let mut watch = Watch {
        start: Instant::now(),
        interrupt,
        counters: &counters,
        counted: Counters::default(),
        iterations: Vec::new(),
    };
    searcher.new_game();
    searcher.search_counted(
        position,
        &Path::new(position),
        limits,
        &mut watch,
        &mut Tap(&counters),
    );
    (!interrupt.is_requested()).then_some(watch.iterations)
}

/// Counters that can be read between two iterations.
struct Tap<'a>(&'a RefCell<Counters>);

impl Count for Tap<'_> {
    const IS_COUNTING: bool = true;

    #[inline]
    fn add(&mut self, technique: Technique, tries: u64, successes: u64) {
        self.0.borrow_mut().add(technique, tries, successes);
    }

    #[inline]
    fn place(&mut self, distribution: Distribution, index: usize) {
        self.0.borrow_mut().place(distribution, index);
    }
}

/// Writes down every iteration.
struct Watch<'a> {
    start: Instant,
    interrupt: &'a Interrupt,
    counters: &'a RefCell<Counters>,
    /// The counters at the end of the iteration before.
    counted: Counters,
    iterations: Vec<SearchIteration>,
}

impl<M: GameMove> Observer<M> for Watch<'_> {
    fn elapsed_ms(&mut self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    fn is_stop_requested(&mut self) -> bool {
        self.interrupt.is_requested()
    }

    fn iteration(&mut self, iteration: &Iteration<'_, M>) {
        let counters = *self.counters.borrow();
        let rows = counters.rows().zip(self.counted.rows());
        let tried = rows.map(|((tries, successes), before)| Tried {
            tries: tries - before.0,
            successes: successes - before.1,
        });
        let tried = tried.collect();
        self.counted = counters;
        self.iterations.push(SearchIteration {
            depth: iteration.depth,
            nodes: iteration.nodes,
            time_us: self.start.elapsed().as_micros() as u64,
            score: iteration.score,
            pv: iteration.pv.iter().map(ToString::to_string).collect(),
            tried,
        });
    }
}
