//! From a study to its searches, on all threads.
//!
//! In: a [`NodesStudy`], a ledger. Out: searches, stored as they finish. Must not: let the number of threads or the order of
//! completion show in anything but times.

use std::collections::HashSet;
use std::sync::mpsc::channel;

use rayon::ThreadPool;

use super::study::NodesStudy;
use super::worker::{Jobs, work};
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError};
use crate::record::Search;
use tanren_engine::search::Searchable;

impl<P: Searchable> NodesStudy<'_, P> {
    /// Searches what `ledger` does not hold yet and stores it there, on the threads of `pool`. `progress` is told how many
    /// searches are done. All searches, by player and position; when `interrupt` asks for an end, those that are finished.
    ///
    /// # Errors
    /// The ledger cannot be read or written.
    pub fn run(
        &self,
        pool: &ThreadPool,
        ledger: &mut Ledger,
        interrupt: &Interrupt,
        mut progress: impl FnMut(usize),
    ) -> Result<Vec<Search>, LedgerError> {
        let mut searches = ledger.searches()?;
        let done: HashSet<(usize, usize)> = searches.iter().map(Search::job).collect();
        // Position by position, so that what an interrupted study has can be compared.
        let jobs = (0..self.positions.len())
            .flat_map(|position| (0..self.players.len()).map(move |player| (player, position)));
        let jobs = Jobs::new(jobs.filter(|job| !done.contains(job)).collect());
        progress(done.len());
        let (sender, receiver) = channel();
        pool.in_place_scope(|scope| {
            let jobs = &jobs;
            scope.spawn_broadcast({
                let sender = sender.clone();
                move |_, _| work(self, jobs, interrupt, &sender)
            });
            drop(sender);
            while let Ok(search) = receiver.recv() {
                // One transaction for all that came in the meantime.
                let first = searches.len();
                searches.push(search);
                searches.extend(receiver.try_iter());
                if let Err(error) = ledger.insert_searches(&searches[first..]) {
                    interrupt.end();
                    return Err(error);
                }
                for done in first + 1..=searches.len() {
                    progress(done);
                }
            }
            Ok(())
        })?;
        searches.sort_by_key(Search::job);
        Ok(searches)
    }
}
