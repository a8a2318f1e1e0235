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
use crate::ledger::Ledger;
use crate::record::Search;
use crate::runner::PlayError;
use tanren_engine::search::Searchable;

impl<P: Searchable> NodesStudy<'_, P> {
    /// Searches what `ledger` does not hold yet and stores it there, on the threads of `pool`. `progress` is told how many
    /// searches are done. All searches, by player and position; when `interrupt` asks for an end, those that are finished.
    ///
    /// # Errors
    /// The ledger cannot be read or written, or a program cannot be asked through no fault of its own.
    pub fn run(
        &self,
        pool: &ThreadPool,
        ledger: &mut Ledger,
        interrupt: &Interrupt,
        mut progress: impl FnMut(usize),
    ) -> Result<Vec<Search>, PlayError> {
        let mut searches = ledger.searches()?;
        let done: HashSet<(usize, usize)> = searches.iter().map(Search::job).collect();
        // Position by position, so that what an interrupted study has can be compared.
        let jobs = (0..self.positions.len())
            .flat_map(|position| (0..self.players.len()).map(move |player| (player, position)));
        let jobs = Jobs::new(jobs.filter(|job| !done.contains(job)).collect());
        progress(done.len());
        let (sender, receiver) = channel();
        let interrupt = &interrupt.for_run();
        pool.in_place_scope(|scope| {
            let jobs = &jobs;
            scope.spawn_broadcast({
                let sender = sender.clone();
                move |_, _| work(self, jobs, interrupt, &sender)
            });
            drop(sender);
            let mut hindrance = None;
            while let Ok(search) = receiver.recv() {
                // One transaction for all that came in the meantime.
                let first = searches.len();
                for search in std::iter::once(search).chain(receiver.try_iter()) {
                    match search {
                        Ok(search) => searches.push(search),
                        Err(error) => hindrance = hindrance.or(Some(error)),
                    }
                }
                if let Err(error) = ledger.insert_searches(&searches[first..]) {
                    interrupt.end();
                    return Err(PlayError::from(error));
                }
                for done in first + 1..=searches.len() {
                    progress(done);
                }
            }
            hindrance.map_or(Ok(()), |hindrance| Err(hindrance.into()))
        })?;
        searches.sort_by_key(Search::job);
        Ok(searches)
    }
}
