//! One search by the built-in engine, iteration by iteration.
//!
//! In: a searcher and a position. Out: what each finished iteration found and cost, and what its techniques did.
//! Must not: compare anything.

use std::cell::RefCell;
use std::time::Instant;

use tanren_engine::eval::Evaluated;
use tanren_engine::game::{GameMove, Path};
use tanren_engine::search::{Count, Counters, Distribution, Iteration, Observer, Searcher, Technique};
use tanren_engine::time::Limits;

use crate::interrupt::Interrupt;
use crate::record::{SearchIteration, Tried};

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
            time_us: Some(self.start.elapsed().as_micros() as u64),
            score: Some(iteration.score),
            pv: iteration.pv.iter().map(ToString::to_string).collect(),
            tried,
        });
    }
}
