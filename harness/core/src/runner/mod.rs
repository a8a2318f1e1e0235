//! A match from the first pair to the last: workers play, the count follows in schedule order, the ledger keeps all. The order in
//! which pairs finish decides nothing.

mod executor;
mod local;
mod pairs;
mod queue;
mod simulate;

pub use executor::{
    Auditor, Delivery, Executor, PlayError, Played, PlayedElsewhere, Stop, UnitTask, Work, Worker,
};
pub use local::LocalExecutor;
pub use queue::{Next, PairQueue, QueueWindow};

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

use tanren_engine::game::Position;

use crate::config::{FaultPolicy, Rules};
use crate::crosstable::Crosstable;
use crate::event::Event;
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError, LiveFile};
use crate::match_state::MatchState;
use crate::openings::Opening;
use crate::play::{GameListener, GameTable, LiveGames, PlayPairs};
use crate::record::{Finished, PairFault, PairOutcome};
use crate::schedule::{PairPlan, Rounds, Schedule};
use crate::shard::Shard;
use pairs::Pairs;

/// What is played, at tables of type `T`.
pub struct PairRun<'a, P: Position, T = GameTable<P>> {
    pub openings: &'a [Opening<P>],
    /// Orders the openings and seeds the games.
    pub seed: u64,
    pub pairs_max: u64,
    pub make_table: &'a (dyn Fn() -> T + Sync),
    /// What workers elsewhere need; `None` if only a table made here can play.
    pub elsewhere: Option<Elsewhere<'a>>,
    pub game_listener: Option<Arc<dyn GameListener>>,
    /// Raised by a signal; the run raises it itself when it is decided.
    pub interrupt: &'a Interrupt,
}

/// What is said of a run to workers that are not here, and asked of what they answer.
pub struct Elsewhere<'a> {
    /// The table of a pair as keys of a match; `None` if it cannot be played any more.
    pub table: &'a (dyn Fn(&PairPlan) -> Option<String> + Sync),
    pub rules: Rules,
    /// What follows from the faults of each player, by its number.
    pub policies: Vec<FaultPolicy>,
    /// Does the time that passes decide what is played?
    pub is_timed: bool,
    /// The digests of its players that are programs, by the names of engines.
    pub engines: BTreeMap<String, String>,
}

/// Takes up `run` where `ledger` ends and plays until `match_state` is decided, the run is interrupted, or a fault after which
/// it is to stop, which is returned.
pub fn play<P: Position, T: PlayPairs<P>>(
    run: &PairRun<'_, P, T>,
    executor: &dyn Executor,
    ledger: &mut Ledger,
    match_state: &mut MatchState,
    listener: &mut dyn FnMut(&Event<'_>),
) -> Result<Option<PairFault>, PlayError> {
    let schedule = Schedule::new(run.seed, run.openings.len(), run.pairs_max);
    play_schedule(run, schedule, None, executor, ledger, match_state, listener)
}

/// As [`play`], with a schedule of its own, of [`pairs_max`](PairRun::pairs_max) pairs, and with any count.
pub fn play_schedule<P: Position, T: PlayPairs<P>, C: PairCounter>(
    run: &PairRun<'_, P, T>,
    schedule: Schedule,
    window: Option<QueueWindow>,
    executor: &dyn Executor,
    ledger: &mut Ledger,
    count: &mut C,
    listener: &mut dyn FnMut(&Event<'_, C>),
) -> Result<Option<PairFault>, PlayError> {
    let order = count_stored(ledger, count)?;
    listener(&Event::Started { count });
    let mut observed = Observed { count, listener };
    let ended = play_rest(run, schedule, window, executor, ledger, order, &mut observed);
    listener(&Event::Ended { count });
    ended
}

/// Whatever counts pairs in schedule order.
pub trait PairCounter {
    fn count(&mut self, pair: PairOutcome);
    fn is_decided(&self) -> bool;

    /// Where results decide which pairs are left out.
    fn rounds(&self) -> Option<&Arc<Rounds>> {
        None
    }
}

impl PairCounter for MatchState {
    fn count(&mut self, pair: PairOutcome) {
        MatchState::count(self, pair);
    }

    fn is_decided(&self) -> bool {
        MatchState::is_decided(self)
    }
}

impl PairCounter for Crosstable {
    fn count(&mut self, pair: PairOutcome) {
        Crosstable::count(self, &pair);
    }

    fn is_decided(&self) -> bool {
        self.is_over()
    }

    fn rounds(&self) -> Option<&Arc<Rounds>> {
        self.rounds.as_ref()
    }
}

/// A count whose listener hears of every pair.
struct Observed<'a, 'b, C> {
    count: &'a mut C,
    listener: &'a mut (dyn FnMut(&Event<'_, C>) + 'b),
}

impl<C: PairCounter> PairCounter for Observed<'_, '_, C> {
    fn count(&mut self, pair: PairOutcome) {
        self.count.count(pair.clone());
        (self.listener)(&Event::Counted {
            count: self.count,
            pair: &pair,
        });
    }

    fn is_decided(&self) -> bool {
        self.count.is_decided()
    }

    fn rounds(&self) -> Option<&Arc<Rounds>> {
        self.count.rounds()
    }
}

/// Takes up a run where `ledger` ends, counting with `counter` and no further ahead of the count than `window` allows: a
/// pair in the ledger is counted like one that is played.
pub fn play_counted<P: Position, T: PlayPairs<P>>(
    run: &PairRun<'_, P, T>,
    schedule: Schedule,
    window: QueueWindow,
    executor: &dyn Executor,
    ledger: &mut Ledger,
    counter: &mut dyn PairCounter,
) -> Result<Option<PairFault>, PlayError> {
    let order = count_stored(ledger, counter)?;
    play_rest(run, schedule, Some(window), executor, ledger, order, counter)
}

/// Plays what comes after what has been counted, within `window` or as far ahead as those who play need.
fn play_rest<P: Position, T: PlayPairs<P>>(
    run: &PairRun<'_, P, T>,
    schedule: Schedule,
    window: Option<QueueWindow>,
    executor: &dyn Executor,
    ledger: &mut Ledger,
    mut order: InOrder,
    counter: &mut dyn PairCounter,
) -> Result<Option<PairFault>, PlayError> {
    let mut stop = None;
    // Where nothing is left to play, the file of a process that was killed still goes.
    let live_file = ledger.live_file();
    if !counter.is_decided() {
        let pairs = [run.pairs_max, order.next];
        let mut queue = PairQueue::of(schedule, pairs, window, ledger, executor, run.interrupt)?;
        queue.rounds = counter.rounds().cloned();
        let live_games = Arc::new(LiveGames::heard_by(run.game_listener.clone()));
        let work = Pairs {
            run,
            queue,
            live_games: &live_games,
        };
        let mut take = |batch: Vec<Finished>| {
            for finished in batch {
                // Nothing else comes of a pair.
                if let Finished::Pair(record) = finished {
                    order.push(PairOutcome::from(&record));
                }
            }
            order.count(counter);
            (order.next, counter.is_decided())
        };
        stop = shown(&live_games, live_file, || {
            play_work(&work, executor, ledger, &mut take)
        })?;
    }
    ledger.mark_counted(order.next)?;
    ended_by(stop, ledger, window.is_some(), "pairs are played")
}

/// Has `executor` do what `work` hands out and stores it as it comes. `take` hears of what was stored; it says how much of the run is
/// counted by then, and whether nothing more is to be played. Returns what ended the run before that, if something did.
pub fn play_work(
    work: &dyn Work,
    executor: &dyn Executor,
    ledger: &mut Ledger,
    take: &mut dyn FnMut(Vec<Finished>) -> (u64, bool),
) -> Result<Option<Stop>, LedgerError> {
    let mut stop = Ok(None);
    executor.run(work, &mut |results| {
        stop = collect(&results, work.queue(), ledger, take);
        // Whatever ended the collection, workers must not wait for it any more.
        work.queue().interrupt.end();
    });
    stop
}

fn collect(
    results: &Receiver<Played>,
    queue: &PairQueue,
    ledger: &mut Ledger,
    take: &mut dyn FnMut(Vec<Finished>) -> (u64, bool),
) -> Result<Option<Stop>, LedgerError> {
    let mut stopped = None;
    while let Ok(first) = results.recv() {
        // One transaction for all that came in the meantime.
        let (mut batch, mut stored) = (Vec::new(), Vec::new());
        for played in std::iter::once(first).chain(results.try_iter()) {
            match played {
                Ok(delivery) => {
                    stored.extend(delivery.stored);
                    batch.push((delivery.record, delivery.origin));
                }
                Err(stop) => stopped = stopped.or(Some(stop)),
            }
        }
        ledger.insert(&batch)?;
        stored.into_iter().for_each(|stored| stored());
        let (counted, is_decided) = take(batch.into_iter().map(|(finished, _)| finished).collect());
        queue.set_counted(counted);
        if is_decided || stopped.is_some() {
            queue.interrupt.end();
        }
    }
    Ok(stopped)
}

/// What is to be said of what ended a run before it was decided; `is_adaptive` where results decide what is played later.
pub fn ended_by(
    stop: Option<Stop>,
    ledger: &mut Ledger,
    is_adaptive: bool,
    what_is_done: &str,
) -> Result<Option<PairFault>, PlayError> {
    match stop {
        None => Ok(None),
        Some(Stop::Fault(fault)) => Ok(Some(fault)),
        Some(Stop::Environment(environment_error)) => Err(environment_error.into()),
        Some(Stop::Executor(error)) => Err(PlayError::Executor(error)),
        Some(Stop::Distrust(hosts)) => {
            let (mut what, mut units) = (Vec::new(), 0);
            for (host, why) in hosts {
                // Where results decide what is played later, that is wrong, too.
                units += ledger.distrust(&host, &why, is_adaptive)?;
                what.push(format!(
                    "results from '{}' are rejected from now on: {why}",
                    host.name
                ));
            }
            let what = what.join("; ");
            let again = format!("{units} {what_is_done} again");
            Err(PlayError::Distrust { what, again })
        }
    }
}

/// Counts what `ledger` holds, as far as it goes without a gap and until `counter` is decided. Returns the number of the next pair.
pub fn recount(ledger: &Ledger, counter: &mut dyn PairCounter) -> Result<u64, LedgerError> {
    count_stored(ledger, counter).map(|order| order.next)
}

/// As [`recount`]; returns the pairs that wait behind a gap.
fn count_stored(ledger: &Ledger, counter: &mut dyn PairCounter) -> Result<InOrder, LedgerError> {
    let mut order = InOrder::of(ledger.shard());
    ledger.for_each_outcome(|outcome| {
        order.push(outcome);
        order.count(counter);
    })?;
    Ok(order)
}

/// Holds back a pair until all before it have come or are left out.
#[derive(Debug)]
struct InOrder {
    shard: Shard,
    /// Its place in the share; those before it are counted.
    next: u64,
    waiting: BTreeMap<u64, PairOutcome>,
}

impl InOrder {
    fn of(shard: Shard) -> InOrder {
        InOrder {
            shard,
            next: 0,
            waiting: BTreeMap::new(),
        }
    }

    fn push(&mut self, outcome: PairOutcome) {
        self.waiting.insert(outcome.pair, outcome);
    }

    /// Counts the pairs whose turn has come, until `counter` is decided.
    fn count(&mut self, counter: &mut dyn PairCounter) {
        while !counter.is_decided() {
            let next = self.shard.pair(self.next);
            match self.waiting.remove(&next) {
                Some(outcome) => counter.count(outcome),
                None if counter.rounds().is_some_and(|rounds| rounds.skip(next)) => {}
                None => return,
            }
            self.next += 1;
        }
    }
}

/// Between two looks at the workers.
const LIVE_PAUSE: Duration = Duration::from_secs(1);

/// Does `play`, and writes into `file` what is seen in `live_games` meanwhile.
fn shown<R>(live_games: &LiveGames, file: Option<LiveFile>, play: impl FnOnce() -> R) -> R {
    let Some(file) = file else { return play() };
    let (end, ended) = channel::<()>();
    scope(|scope| {
        let show = move || {
            let mut before = Vec::new();
            while ended.recv_timeout(LIVE_PAUSE) == Err(RecvTimeoutError::Timeout) {
                let games = live_games.games();
                if games != before {
                    file.write(&games);
                    before = games;
                }
                live_games.ask();
            }
        };
        live_games.ask();
        // Where no thread is to be had, the games are played unseen.
        drop(Builder::new().name("live".to_owned()).spawn_scoped(scope, show));
        let played = play();
        drop(end);
        played
    })
}

#[cfg(test)]
mod tests;
