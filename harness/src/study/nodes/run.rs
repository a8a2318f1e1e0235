//! From a study to its searches, by whoever searches.
//!
//! In: a [`NodesStudy`], an executor, a ledger. Out: searches, stored as they finish. Must not: let who searched, or the order of
//! completion, show in anything but times.

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::Receiver;

use tanren_engine::search::Searchable;

use super::searches::{Searches, plans};
use super::study::NodesStudy;
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError, Origins};
use crate::record::{Finished, Host, Search};
use crate::runner::{Dispenser, Executor, PlayError, Played, PlayedElsewhere, Stop, Window};
use crate::schedule::PairPlan;

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
        let done: HashSet<u64> = searches.iter().map(|search| search.number(positions)).collect();
        progress(done.len());
        let of = self.players.len() * positions;
        if searches.len() < of {
            let interrupt = interrupt.for_run();
            let counted = done.len() as u64;
            let id = ledger.run_id();
            let doubted = match executor.auditor(&id) {
                Some(auditor) => self.doubted(&searches, ledger, &*auditor),
                None => Vec::new(),
            };
            let dispenser = Dispenser::new(
                plans(self.players.len(), positions),
                of as u64,
                done,
                counted,
                Window::WHOLE,
                interrupt.clone(),
            );
            let work = Searches {
                study: self,
                dispenser: &dispenser,
                id,
                distrusted: ledger.distrusted()?,
                doubted,
                interrupt: &interrupt,
            };
            let mut collected = Ok(None);
            executor.run(&work, &mut |results| {
                let mut collector = Collector {
                    ledger: &mut *ledger,
                    searches: &mut searches,
                    positions,
                    dispenser: &dispenser,
                    interrupt: &interrupt,
                    progress: &mut progress,
                };
                collected = collector.collect(&results);
                // Whatever ended the collection, nobody must wait for it any more.
                interrupt.end();
            });
            if let Some(stop) = collected? {
                return Err(error_of(stop, ledger)?);
            }
        }
        searches.sort_by_key(Search::job);
        Ok(searches)
    }
}

impl<P: Searchable> NodesStudy<'_, P> {
    /// The stored searches that other machines made and that `auditor` chooses.
    fn doubted(
        &self,
        searches: &[Search],
        ledger: &Ledger,
        auditor: &dyn Fn(u64) -> bool,
    ) -> Vec<PlayedElsewhere> {
        let positions = self.positions.len();
        let mut origins = ledger.search_origins();
        let plans = plans(self.players.len(), positions).map(|plan| (plan.pair, plan));
        let plans: HashMap<u64, PairPlan> = plans.collect();
        let doubted = searches.iter().filter_map(|search| {
            let number = search.number(positions);
            let origin = auditor(number).then(|| origins.remove(&number)).flatten()?;
            Some(PlayedElsewhere {
                plan: *plans.get(&number)?,
                record: Finished::Search(search.clone().finished(positions)),
                origin,
            })
        });
        doubted.collect()
    }
}

fn error_of(stop: Stop, ledger: &mut Ledger) -> Result<PlayError, LedgerError> {
    Ok(match stop {
        Stop::Environment(environment_error) => environment_error.into(),
        Stop::Executor(error) => PlayError::Executor(error),
        Stop::Distrust(hosts) => distrust(&hosts, ledger)?,
        Stop::Fault(fault) => unreachable!("a fault stops no search: {fault:?}"),
    })
}

/// Takes out what these machines searched.
fn distrust(hosts: &[(Host, String)], ledger: &mut Ledger) -> Result<PlayError, LedgerError> {
    let (mut what, mut searches) = (Vec::new(), 0);
    for (host, why) in hosts {
        searches += ledger.distrust(host, why, false)?;
        what.push(format!("'{}' is not believed any more: {why}", host.name));
    }
    let what = what.join("; ");
    let again = format!("{searches} searches are made again");
    Ok(PlayError::Distrust { what, again })
}

struct Collector<'a> {
    ledger: &'a mut Ledger,
    searches: &'a mut Vec<Search>,
    positions: usize,
    dispenser: &'a Dispenser,
    interrupt: &'a Interrupt,
    progress: &'a mut dyn FnMut(usize),
}

impl Collector<'_> {
    /// Stores searches as they come until there are no more. Returns what ended the study before its end, if something did.
    fn collect(&mut self, results: &Receiver<Played>) -> Result<Option<Stop>, LedgerError> {
        let mut stopped = None;
        while let Ok(first) = results.recv() {
            // One transaction for all that came in the meantime.
            let before = self.searches.len();
            let (mut origins, mut stored) = (Origins::new(), Vec::new());
            for played in std::iter::once(first).chain(results.try_iter()) {
                match played {
                    Ok(delivery) => {
                        let number = delivery.record.number();
                        origins.extend(delivery.origin.map(|origin| (number, origin)));
                        stored.extend(delivery.stored);
                        // Nothing else comes of a search.
                        if let Finished::Search(search) = delivery.record {
                            self.searches.push(search.among(self.positions));
                        }
                    }
                    Err(stop) => stopped = stopped.or(Some(stop)),
                }
            }
            self.ledger.insert_searched(&self.searches[before..], &origins)?;
            stored.into_iter().for_each(|stored| stored());
            for done in before + 1..=self.searches.len() {
                (self.progress)(done);
            }
            self.dispenser.set_counted(self.searches.len() as u64);
            if stopped.is_some() {
                self.interrupt.end();
            }
        }
        Ok(stopped)
    }
}
