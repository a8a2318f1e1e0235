//! From a study to its searches, by whoever searches. Who searched, and the order of completion, show in times alone.

use tanren_engine::search::Searchable;

use super::conditions::NodesStudy;
use super::searches::{Searches, plans};

use crate::interrupt::Interrupt;
use crate::ledger::Ledger;
use crate::record::{Finished, Search};
use crate::runner::{Executor, PairQueue, PlayError, Window, ended_by, play_work};

impl<P: Searchable> NodesStudy<'_, P> {
    /// Has `executor` search what `ledger` does not hold yet and stores it there. `progress` is told how many
    /// searches are done. All searches, by player and position; when `interrupt` asks for an end, those that are finished.
    ///
    /// # Errors
    /// The ledger cannot be read or written, a program cannot be asked through no fault of its own, or those who search cannot be
    /// reached or believed.
    pub fn run(
        &self,
        executor: &dyn Executor,
        ledger: &mut Ledger,
        interrupt: &Interrupt,
        mut progress: impl FnMut(usize),
    ) -> Result<Vec<Search>, PlayError> {
        let positions = self.positions.len();
        let mut searches = ledger.searches()?;
        progress(searches.len());
        let of = self.players.len() * positions;
        if searches.len() < of {
            let interrupt = interrupt.for_run();
            let plans = plans(self.players.len(), positions);
            let units = [of, searches.len()].map(|searches| searches as u64);
            let work = Searches {
                study: self,
                queue: PairQueue::of(plans, units, Some(Window::WHOLE), ledger, executor, &interrupt)?,
            };
            let mut take = |batch: Vec<Finished>| {
                for finished in batch {
                    // Nothing else comes of a search.
                    if let Finished::Search(search) = finished {
                        searches.push(search.among(positions));
                        progress(searches.len());
                    }
                }
                (searches.len() as u64, false)
            };
            let stop = play_work(&work, executor, ledger, &mut take)?;
            ended_by(stop, ledger, false, "searches are made")?;
        }
        searches.sort_by_key(Search::job);
        Ok(searches)
    }
}
