//! Lazy SMP: helper threads search the same root, each with histories of its own, and share nothing but the hash table.
//!
//! Helpers have no clock: they search until the main thread is done. Of a limit of nodes each thread gets an equal part.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::tree::POLL_NODES;
use super::{Iteration, Observer, Report, Searchable, Searcher, Task};
use crate::time::Limits;

/// What the threads of one search see of each other.
struct Shared {
    stop: AtomicBool,
    /// Of each helper, up to the last time it asked whether to stop.
    nodes: Vec<AtomicU64>,
}

impl Shared {
    fn helper_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}

/// Ends the helpers when the main thread is done, or panics.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The observer of the main thread: counts the nodes of all.
struct Lead<'a, M> {
    observer: &'a mut dyn Observer<M>,
    shared: &'a Shared,
}

impl<M> Observer<M> for Lead<'_, M> {
    fn elapsed_ms(&mut self) -> u64 {
        self.observer.elapsed_ms()
    }

    fn is_stop_requested(&mut self) -> bool {
        self.observer.is_stop_requested()
    }

    fn is_pondering(&mut self) -> bool {
        self.observer.is_pondering()
    }

    fn root_move(&mut self, depth: u32, mv: M, number: u32) {
        self.observer.root_move(depth, mv, number);
    }

    fn iteration(&mut self, iteration: &Iteration<'_, M>) {
        let nodes = iteration.nodes + self.shared.helper_nodes();
        self.observer.iteration(&Iteration { nodes, ..*iteration });
    }
}

/// The observer of a helper.
struct Follow<'a> {
    shared: &'a Shared,
    nodes: &'a AtomicU64,
    polls: u64,
}

impl<M> Observer<M> for Follow<'_> {
    fn is_stop_requested(&mut self) -> bool {
        self.nodes.store(self.polls * POLL_NODES, Relaxed);
        self.polls += 1;
        self.shared.stop.load(Relaxed)
    }
}

/// The limits of the calling thread and of each of `helpers`: a limit of nodes is that of all together.
fn shared_out(limits: &Limits, helpers: u64) -> (Limits, Limits) {
    let share = limits.nodes_max.map(|nodes| nodes / (helpers + 1));
    let rest = limits.nodes_max.map(|nodes| nodes - share.unwrap_or(0) * helpers);
    let own = Limits {
        nodes_max: rest,
        ..*limits
    };
    let of_helper = Limits {
        nodes_max: share,
        ..Limits::default()
    };
    (own, of_helper)
}

/// Runs `task` on the calling thread and one more for each of `helpers`.
pub(super) fn run<P: Searchable>(task: Task<'_, P>, helpers: &mut [Searcher<P>]) -> Report<P::Move> {
    let Task {
        searcher,
        position,
        path,
        limits,
        focus,
        observer,
        counters,
    } = task;
    let (main_limits, helper_limits) = shared_out(limits, helpers.len() as u64);
    let shared = Shared {
        stop: AtomicBool::new(false),
        nodes: helpers.iter().map(|_| AtomicU64::new(0)).collect(),
    };
    let (mut report, others) = thread::scope(|scope| {
        let stop = StopOnDrop(&shared.stop);
        let mut running = Vec::new();
        for (helper, nodes) in helpers.iter_mut().zip(&shared.nodes) {
            helper.memory.hash_table = searcher.memory.hash_table.clone();
            let (shared, limits) = (&shared, &helper_limits);
            let search = move || {
                P::search(Task {
                    searcher: helper,
                    position,
                    path,
                    limits,
                    focus,
                    observer: &mut Follow {
                        shared,
                        nodes,
                        polls: 0,
                    },
                    counters: None,
                })
            };
            // A thread that the system refuses is one helper fewer.
            running.extend(thread::Builder::new().spawn_scoped(scope, search));
        }
        let report = P::search(Task {
            searcher,
            position,
            path,
            limits: &main_limits,
            focus,
            observer: &mut Lead {
                observer,
                shared: &shared,
            },
            counters,
        });
        drop(stop);
        let others: Vec<_> = running
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect();
        (report, others)
    });
    let nodes = report.nodes + others.iter().map(|other| other.nodes).sum::<u64>();
    if focus.lines <= 1 && limits.depth_max.is_none() {
        report = others.into_iter().fold(report, better);
    }
    Report { nodes, ..report }
}

/// A helper's move counts where it searched deeper and found more.
fn better<M>(best: Report<M>, other: Report<M>) -> Report<M> {
    if other.depth > best.depth && other.score > best.score {
        other
    } else {
        best
    }
}
