//! How many nodes configurations need for each depth of iterative deepening.
//!
//! In: a [`NodesStudy`]. Out: one [`Search`] for each configuration and position, and a [`NodesSummary`] of them.
//! Must not: let the number of threads or the order of completion show in anything but times.

mod journal;
mod search;
mod summary;
#[cfg(test)]
mod tests;

pub use journal::{JOURNAL_FILE, Journal, JournalError};
pub use search::{Search, SearchIteration, Tried};
pub use summary::{CounterRow, NodesSummary, SummaryRow};

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use rayon::ThreadPool;
use tanren_engine::config::Config;
use tanren_engine::eval::Evaluated;
use tanren_engine::search::{Counters, Searcher};
use tanren_engine::time::Limits;

use crate::config::Identity;
use crate::interrupt::Interrupt;
use crate::player::signature;

/// What is searched, by what, how deep.
#[derive(Debug)]
pub struct NodesStudy<'a, P> {
    /// The configurations; ratios are to the first.
    pub configs: &'a [Config],
    /// The positions.
    pub positions: &'a [P],
    /// Last depth in plies.
    pub depth: u32,
    /// A search is given up after so many nodes.
    pub nodes_max: Option<u64>,
    /// Hash table of each search in MiB.
    pub hash_mib: usize,
}

/// `config` without what would end a search before its depth: an only move, a mate that was found, other
/// moves that all lose.
#[must_use]
pub fn without_early_stops(config: &Config) -> Config {
    let mut config = config.clone();
    config.search.one_reply = false;
    config.search.mate_stop = false;
    config.search.second_best_stop = false;
    config
}

impl<P: Evaluated> NodesStudy<'_, P> {
    /// Everything that decides the searches: `canonical` is the text of each configuration, `positions_sha256` the hash
    /// of the file that the positions are the first of.
    pub fn identity(&self, canonical: &[String], positions_sha256: &str) -> Identity {
        let mut identity = Identity::default();
        identity.push("study", "nodes");
        identity.push("game", P::GAME.name());
        for (number, text) in (1..).zip(canonical) {
            identity.push(&format!("config {number}"), text);
        }
        identity.push("positions", positions_sha256);
        identity.push("positions used", self.positions.len());
        identity.push("depth", self.depth);
        let nodes_max = self.nodes_max.map(|nodes| nodes.to_string());
        identity.push("nodes_max", nodes_max.as_deref().unwrap_or(Identity::NONE));
        identity.push("hash", self.hash_mib);
        // The journal holds counters by their place in this list.
        identity.push("counters", Counters::names().join(","));
        identity.push("engine", signature(self.configs, self.positions.iter()));
        identity
    }

    /// Searches what `journal` does not hold yet and adds it there, on the threads of `pool`. `progress` is told how
    /// many searches are done. Ends early, with all finished searches in the journal, when `interrupt` asks for it.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn run(
        &self,
        pool: &ThreadPool,
        journal: &mut Journal,
        interrupt: &Interrupt,
        mut progress: impl FnMut(usize),
    ) -> Result<(), JournalError> {
        let done: HashSet<(usize, usize)> = journal.searches().iter().map(Search::job).collect();
        // Position by position, so that what an interrupted study has can be compared.
        let jobs = (0..self.positions.len())
            .flat_map(|position| (0..self.configs.len()).map(move |config| (config, position)));
        let jobs: Vec<(usize, usize)> = jobs.filter(|job| !done.contains(job)).collect();
        progress(done.len());
        let next = AtomicUsize::new(0);
        let (sender, receiver) = channel();
        pool.in_place_scope(|scope| {
            let (jobs, next) = (&jobs, &next);
            scope.spawn_broadcast({
                let sender = sender.clone();
                move |_, _| self.work(jobs, next, interrupt, &sender)
            });
            drop(sender);
            for search in receiver {
                if let Err(error) = journal.append(search) {
                    interrupt.end();
                    return Err(error);
                }
                progress(journal.searches().len());
            }
            Ok(())
        })
    }

    /// One worker: takes the next job until there is none.
    fn work(
        &self,
        jobs: &[(usize, usize)],
        next: &AtomicUsize,
        interrupt: &Interrupt,
        sender: &Sender<Search>,
    ) {
        let limits = Limits {
            depth_max: Some(self.depth),
            nodes_max: self.nodes_max,
            ..Limits::default()
        };
        let mut kept: Option<(usize, Searcher<P>)> = None;
        while let Some(&(config, position)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let searcher = match &mut kept {
                Some((configured, searcher)) => {
                    if *configured != config {
                        *configured = config;
                        searcher.set_config(&self.configs[config]);
                    }
                    searcher
                }
                None => {
                    let searcher = Searcher::new(&self.configs[config], self.hash_mib);
                    &mut kept.insert((config, searcher)).1
                }
            };
            let found = search::iterations(searcher, &self.positions[position], &limits, interrupt);
            let Some(iterations) = found else { return };
            let search = Search {
                config,
                position,
                iterations,
            };
            if sender.send(search).is_err() {
                return;
            }
        }
    }
}
