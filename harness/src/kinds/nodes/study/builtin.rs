//! One search by the built-in engine, iteration by iteration.

use std::time::Instant;

use tanren_engine::game::{GameMove, Path};
use tanren_engine::search::{Counters, Iteration, Observer, Searchable, Searcher};
use tanren_engine::time::Limits;

use crate::interrupt::Interrupt;
use crate::record::{SearchIteration, Tried};

pub(crate) fn iterations<P: Searchable>(
    searcher: &mut Searcher<P>,
    position: &P,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Option<Vec<SearchIteration>> {
    let path = Path::new(position);
    let mut clock = Clock {
        start: Instant::now(),
        interrupt,
        times_us: Vec::new(),
    };
    searcher.new_game();
    searcher.search(position, &path, limits, &mut clock);
    let mut watch = Watch {
        interrupt,
        counted: Counters::default(),
        iterations: Vec::new(),
    };
    searcher.new_game();
    searcher.search_counted(position, &path, limits, &mut watch, &mut Counters::default());
    for (iteration, time_us) in watch.iterations.iter_mut().zip(clock.times_us) {
        iteration.time_us = Some(time_us);
    }
    (!interrupt.is_requested()).then_some(watch.iterations)
}

/// Times every iteration of a search that counts nothing: looking at the regions of moves takes time of its own, which
/// players that drop none do not spend.
struct Clock<'a> {
    start: Instant,
    interrupt: &'a Interrupt,
    times_us: Vec<u64>,
}

impl<M: GameMove> Observer<M> for Clock<'_> {
    fn elapsed_ms(&mut self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    fn is_stop_requested(&mut self) -> bool {
        self.interrupt.is_requested()
    }

    fn iteration(&mut self, _: &Iteration<'_, M>) {
        self.times_us.push(self.start.elapsed().as_micros() as u64);
    }
}

/// Writes down every iteration of the same search, counted.
struct Watch<'a> {
    interrupt: &'a Interrupt,
    /// The counters at the end of the iteration before.
    counted: Counters,
    iterations: Vec<SearchIteration>,
}

impl<M: GameMove> Observer<M> for Watch<'_> {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }

    fn is_stop_requested(&mut self) -> bool {
        self.interrupt.is_requested()
    }

    fn iteration(&mut self, iteration: &Iteration<'_, M>) {
        let counters = iteration.counters.copied().unwrap_or_default();
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
            time_us: None,
            score: Some(iteration.score),
            pv: iteration.pv.iter().map(ToString::to_string).collect(),
            tried,
        });
    }
}
