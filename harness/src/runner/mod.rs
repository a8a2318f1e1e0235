//! A match from the first pair to the last: workers play, the count goes on in schedule order, the ledger keeps all.
//!
//! In: a [`Run`], a ledger, a [`Standing`] to count with. Out: events, a full ledger, the standing at the end.
//! Must not: format anything, or let the order in which pairs finish decide anything.

mod dispenser;
mod error;
mod local;
mod order;
mod simulate;

pub use dispenser::Window;
pub use error::PlayError;
pub use local::LocalExecutor;

use std::sync::mpsc::Receiver;

use tanren_engine::game::Position;

use crate::event::Event;
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError};
use crate::openings::Opening;
use crate::play::{PlayPairs, Table};
use crate::record::{PairFault, PairOutcome};
use crate::schedule::Schedule;
use crate::standing::Standing;
use dispenser::Dispenser;
use local::{Played, Stop};
use order::InOrder;

/// How many pairs a worker may be ahead of the count, for each worker.
const WINDOW_PER_WORKER: u64 = 16;

/// What is played, at tables of type `T`.
pub struct Run<'a, P: Position, T = Table<P>> {
    /// All openings.
    pub openings: &'a [Opening<P>],
    /// Orders the openings and seeds the games.
    pub seed: u64,
    /// Most pairs.
    pub pairs_max: u64,
    /// Makes a table for one worker.
    pub make_table: &'a (dyn Fn() -> T + Sync),
    /// Raised by a signal; the run raises it itself when it is decided.
    pub interrupt: &'a Interrupt,
}

/// Takes up `run` where `ledger` ends and plays until `standing` is decided, the run is interrupted, or a fault after which
/// it is to stop, which is returned.
///
/// # Errors
/// The ledger cannot be read or written, or no more games can be played; what was stored before stays stored.
pub fn play<P: Position, T: PlayPairs<P>>(
    run: &Run<'_, P, T>,
    executor: &LocalExecutor,
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
    executor: &LocalExecutor,
    ledger: &mut Ledger,
    standing: &mut Standing,
    listener: &mut dyn FnMut(&Event<'_>),
) -> Result<Option<PairFault>, PlayError> {
    let order = count_stored(ledger, standing)?;
    listener(&Event::Started { standing });
    let window = Window::of_pairs(WINDOW_PER_WORKER * executor.concurrency() as u64);
    let mut told = Told { standing, listener };
    let ended = go_on(run, schedule, window, executor, ledger, order, &mut told);
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
    executor: &LocalExecutor,
    ledger: &mut Ledger,
    counter: &mut dyn Count,
) -> Result<Option<PairFault>, PlayError> {
    let order = count_stored(ledger, counter)?;
    go_on(run, schedule, window, executor, ledger, order, counter)
}

/// Plays what comes after what has been counted.
fn go_on<P: Position, T: PlayPairs<P>>(
    run: &Run<'_, P, T>,
    schedule: Schedule,
    window: Window,
    executor: &LocalExecutor,
    ledger: &mut Ledger,
    order: InOrder,
    counter: &mut dyn Count,
) -> Result<Option<PairFault>, PlayError> {
    let mut stop = None;
    if !counter.is_decided() {
        let finished = ledger.finished()?;
        let dispenser = Dispenser::new(schedule, finished, counter.pairs(), window, run.interrupt.clone());
        let collect = |results: Receiver<Played>| {
            let mut collector = Collector {
                ledger: &mut *ledger,
                counter: &mut *counter,
                order,
                dispenser: &dispenser,
                interrupt: run.interrupt,
            };
            let result = collector.collect(&results);
            // Whatever ended the collection, workers must not wait for it any more.
            run.interrupt.end();
            result
        };
        stop = executor.run(&dispenser, run.openings, run.make_table, run.interrupt, collect)?;
    }
    ledger.mark_counted(counter.pairs())?;
    match stop {
        None => Ok(None),
        Some(Stop::Fault(fault)) => Ok(Some(fault)),
        Some(Stop::Hindered(hindrance)) => Err(hindrance.into()),
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
            let mut batch = Vec::new();
            for played in std::iter::once(first).chain(results.try_iter()) {
                match played {
                    Ok(record) => batch.push(record),
                    Err(stop) => stopped = stopped.or(Some(stop)),
                }
            }
            self.ledger.insert(&batch)?;
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
