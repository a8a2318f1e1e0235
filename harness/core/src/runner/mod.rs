//! A match from the first pair to the last: workers play, the count goes on in schedule order, the ledger keeps all.
//!
//! In: a [`Run`], a ledger, a [`Standing`] to count with. Out: events, a full ledger, the standing at the end.
//! Must not: format anything, or let the order in which pairs finish decide anything.

mod delivery;
mod dispenser;
mod error;
mod executor;
mod local;
mod order;
mod pairs;
mod run;
mod showing;
mod simulate;

pub use delivery::{Delivery, Played, Stop};
pub use dispenser::{Dispenser, Window};
pub use error::PlayError;
pub use executor::{Auditor, Executor, Next, PlayedElsewhere, Task, Work, Worker};
pub use local::LocalExecutor;
pub use run::{Elsewhere, Run};

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use tanren_engine::game::Position;

use crate::event::Event;
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError, Origins};
use crate::play::{LiveGames, PlayPairs};
use crate::record::{Finished, PairFault, PairOutcome};
use crate::schedule::Schedule;
use crate::standing::Standing;
use order::InOrder;
use pairs::Pairs;
use showing::shown;

/// Takes up `run` where `ledger` ends and plays until `standing` is decided, the run is interrupted, or a fault after which
/// it is to stop, which is returned.
///
/// # Errors
/// The ledger cannot be read or written, or no more games can be played; what was stored before stays stored.
pub fn play<P: Position, T: PlayPairs<P>>(
    run: &Run<'_, P, T>,
    executor: &dyn Executor,
    ledger: &mut Ledger,
    standing: &mut Standing,
    listener: &mut dyn FnMut(&Event<'_>),
) -> Result<Option<PairFault>, PlayError> {
    let schedule = Schedule::new(run.seed, run.openings.len(), run.pairs_max);
    play_schedule(run, schedule, executor, ledger, standing, listener)
}

/// As [`play`], with a schedule of its own, of [`pairs_max`](Run::pairs_max) pairs.
///
/// # Errors
/// As for [`play`].
pub fn play_schedule<P: Position, T: PlayPairs<P>>(
    run: &Run<'_, P, T>,
    schedule: Schedule,
    executor: &dyn Executor,
    ledger: &mut Ledger,
    standing: &mut Standing,
    listener: &mut dyn FnMut(&Event<'_>),
) -> Result<Option<PairFault>, PlayError> {
    let order = count_stored(ledger, standing)?;
    listener(&Event::Started { standing });
    let mut told = Told { standing, listener };
    let ended = go_on(run, schedule, None, executor, ledger, order, &mut told);
    listener(&Event::Ended { standing });
    ended
}

/// Whatever counts pairs in schedule order.
pub trait Count {
    /// Takes in the next pair.
    fn count(&mut self, pair: PairOutcome);
    /// Pairs counted so far.
    fn pairs(&self) -> u64;
    /// Is there nothing more to play?
    fn is_decided(&self) -> bool;
}

impl Count for Standing {
    fn count(&mut self, pair: PairOutcome) {
        Standing::count(self, pair);
    }

    fn pairs(&self) -> u64 {
        self.tally().pairs()
    }

    fn is_decided(&self) -> bool {
        Standing::is_decided(self)
    }
}

/// A standing whose listener hears of every pair.
struct Told<'a, 'b> {
    standing: &'a mut Standing,
    listener: &'a mut (dyn FnMut(&Event<'_>) + 'b),
}

impl Count for Told<'_, '_> {
    fn count(&mut self, pair: PairOutcome) {
        self.standing.count(pair);
        (self.listener)(&Event::Counted {
            standing: self.standing,
        });
    }

    fn pairs(&self) -> u64 {
        self.standing.tally().pairs()
    }

    fn is_decided(&self) -> bool {
        self.standing.is_decided()
    }
}

/// Takes up a run where `ledger` ends, counting with `counter` and no further ahead of the count than `window` allows: a
/// pair in the ledger is counted like one that is played.
///
/// # Errors
/// As for [`play`].
pub fn play_counted<P: Position, T: PlayPairs<P>>(
    run: &Run<'_, P, T>,
    schedule: Schedule,
    window: Window,
    executor: &dyn Executor,
    ledger: &mut Ledger,
    counter: &mut dyn Count,
) -> Result<Option<PairFault>, PlayError> {
    let order = count_stored(ledger, counter)?;
    go_on(run, schedule, Some(window), executor, ledger, order, counter)
}

/// Plays what comes after what has been counted, within `window` or as far ahead as those who play need.
fn go_on<P: Position, T: PlayPairs<P>>(
    run: &Run<'_, P, T>,
    schedule: Schedule,
    window: Option<Window>,
    executor: &dyn Executor,
    ledger: &mut Ledger,
    order: InOrder,
    counter: &mut dyn Count,
) -> Result<Option<PairFault>, PlayError> {
    let mut stop = None;
    if !counter.is_decided() {
        let finished = ledger.finished()?;
        let first_window = window.unwrap_or_else(|| Window::of_workers(executor.concurrency()));
        let counted = counter.pairs();
        let id = ledger.run_id();
        let doubted = match executor.auditor(&id) {
            Some(auditor) => doubted(ledger, schedule.clone(), &*auditor)?,
            None => Vec::new(),
        };
        let dispenser = Dispenser::new(
            schedule,
            run.pairs_max,
            finished,
            counted,
            first_window,
            run.interrupt.clone(),
        );
        let live_games = Arc::<LiveGames>::default();
        let work = Pairs {
            run,
            dispenser: &dispenser,
            live_games: Arc::clone(&live_games),
            id,
            distrusted: ledger.distrusted()?,
            doubted,
            has_elastic_window: window.is_none(),
        };
        let live_file = ledger.live_file();
        let mut order = Some(order);
        let mut collected = Ok(None);
        let mut collect = |results| {
            let mut collector = Collector {
                ledger: &mut *ledger,
                counter: &mut *counter,
                order: order.take().unwrap_or_default(),
                dispenser: &dispenser,
                interrupt: run.interrupt,
            };
            collected = collector.collect(&results);
            // Whatever ended the collection, workers must not wait for it any more.
            run.interrupt.end();
        };
        shown(&live_games, live_file, || executor.run(&work, &mut collect));
        stop = collected?;
    }
    ledger.mark_counted(counter.pairs())?;
    ended_by(stop, ledger, window.is_some())
}

/// What is to be said of what ended a run before it was decided; `is_adaptive` where results decide what is played later.
fn ended_by(
    stop: Option<Stop>,
    ledger: &mut Ledger,
    is_adaptive: bool,
) -> Result<Option<PairFault>, PlayError> {
    match stop {
        None => Ok(None),
        Some(Stop::Fault(fault)) => Ok(Some(fault)),
        Some(Stop::Environment(environment_error)) => Err(environment_error.into()),
        Some(Stop::Executor(error)) => Err(PlayError::Executor(error)),
        Some(Stop::Distrust(hosts)) => {
            let (mut what, mut pairs) = (Vec::new(), 0);
            for (host, why) in hosts {
                // Where results decide what is played later, that is wrong, too.
                pairs += ledger.distrust(&host, &why, is_adaptive)?;
                what.push(format!("'{}' is not believed any more: {why}", host.name));
            }
            let what = what.join("; ");
            let again = format!("{pairs} pairs are played again");
            Err(PlayError::Distrust { what, again })
        }
    }
}

/// Counts what `ledger` holds, as far as it goes without a gap and until `standing` is decided.
///
/// # Errors
/// The ledger cannot be read.
pub fn recount(ledger: &Ledger, standing: &mut Standing) -> Result<(), LedgerError> {
    count_stored(ledger, standing).map(drop)
}

/// As [`recount`], with any counter.
///
/// # Errors
/// The ledger cannot be read.
pub fn recount_into(ledger: &Ledger, counter: &mut dyn Count) -> Result<(), LedgerError> {
    count_stored(ledger, counter).map(drop)
}

/// As [`recount`]; returns the pairs that wait behind a gap.
fn count_stored(ledger: &Ledger, counter: &mut dyn Count) -> Result<InOrder, LedgerError> {
    let mut order = InOrder::default();
    ledger.for_each_outcome(|outcome| {
        order.push(outcome);
        while !counter.is_decided()
            && let Some(outcome) = order.pop()
        {
            counter.count(outcome);
        }
    })?;
    Ok(order)
}

/// The stored pairs that other machines played and that `auditor` chooses.
fn doubted(
    ledger: &Ledger,
    schedule: Schedule,
    auditor: &dyn Fn(u64) -> bool,
) -> Result<Vec<PlayedElsewhere>, LedgerError> {
    let mut chosen = BTreeSet::new();
    ledger.for_each_origin(|pair, _, _| {
        if auditor(pair) {
            chosen.insert(pair);
        }
    })?;
    let mut found = Vec::new();
    let last = chosen.last().copied();
    for plan in schedule.take_while(|plan| last.is_some_and(|last| plan.pair <= last)) {
        if chosen.contains(&plan.pair)
            && let Some((record, origin)) = ledger.played_elsewhere(plan.pair)?
        {
            let record = Finished::Pair(record);
            found.push(PlayedElsewhere { plan, record, origin });
        }
    }
    Ok(found)
}

struct Collector<'a> {
    ledger: &'a mut Ledger,
    counter: &'a mut dyn Count,
    order: InOrder,
    dispenser: &'a Dispenser,
    interrupt: &'a Interrupt,
}

impl Collector<'_> {
    /// Stores results as they come and counts them as their turn comes, until there are no more. Returns what ended the
    /// run before it was decided, if something did.
    fn collect(&mut self, results: &Receiver<Played>) -> Result<Option<Stop>, LedgerError> {
        let mut stopped = None;
        while let Ok(first) = results.recv() {
            let (mut batch, mut origins, mut stored) = (Vec::new(), Origins::new(), Vec::new());
            for played in std::iter::once(first).chain(results.try_iter()) {
                match played {
                    Ok(delivery) => {
                        let number = delivery.record.number();
                        origins.extend(delivery.origin.map(|origin| (number, origin)));
                        stored.extend(delivery.stored);
                        // Nothing else comes of a pair.
                        if let Finished::Pair(record) = delivery.record {
                            batch.push(record);
                        }
                    }
                    Err(stop) => stopped = stopped.or(Some(stop)),
                }
            }
            self.ledger.insert_played(&batch, &origins)?;
            stored.into_iter().for_each(|stored| stored());
            for record in &batch {
                self.order.push(PairOutcome::from(record));
            }
            while !self.counter.is_decided()
                && let Some(outcome) = self.order.pop()
            {
                self.counter.count(outcome);
            }
            self.dispenser.set_counted(self.counter.pairs());
            if self.counter.is_decided() || stopped.is_some() {
                self.interrupt.end();
            }
        }
        Ok(stopped)
    }
}

#[cfg(test)]
mod tests;
