//! Who plays the pairs of a run.
//!
//! In: [`Work`]. Out: finished pairs through a channel, as they finish. Must not: count, store, or play a pair that work did not
//! hand out.

use std::collections::BTreeMap;
use std::sync::mpsc::Receiver;

use super::delivery::Played;
use crate::interrupt::Interrupt;
use crate::play::{LiveGame, Unplayed};
use crate::record::{Finished, Origin, PairFault};
use crate::schedule::PairPlan;

/// Whoever plays pairs: threads of this machine, or other machines.
pub trait Executor: Send + Sync {
    /// How many pairs are played at the same time.
    fn concurrency(&self) -> usize;

    /// Plays what `work` hands out until it has no more, while `collect` receives the results on the calling thread.
    fn run(&self, work: &dyn Work, collect: &mut dyn FnMut(Receiver<Played>));

    /// How many pairs were given up, and played again, because a process was stopped or a machine slept while time counted.
    fn suspended_pairs(&self) -> u64;

    /// How many pairs were played a second time by another machine, and came out the same.
    fn audited_pairs(&self) -> u64 {
        0
    }

    /// Chooses the pairs of `run` that are played a second time when another machine has played them. `None`: no pairs are.
    fn auditor(&self, _run: &str) -> Option<Auditor> {
        None
    }
}

/// Is the pair of this number played a second time?
pub type Auditor = Box<dyn Fn(u64) -> bool>;

/// A pair that another machine played, or a search that it made.
#[derive(Debug, Clone)]
pub struct PlayedElsewhere {
    /// As it was handed out.
    pub plan: PairPlan,
    /// As it was played.
    pub record: Finished,
    /// By whom.
    pub origin: Origin,
}

/// Plays pairs at a table of its own, or makes searches.
pub type Worker<'a> = Box<dyn FnMut(&PairPlan, &mut Vec<PairFault>) -> Result<Finished, Unplayed> + 'a>;

/// The pairs of a run, for those who play them. A search is handed out as a pair is: by its number.
pub trait Work: Sync {
    /// The next pair to play, and the faults in it that were excused already; waits while that is too far ahead of the count.
    /// `None`: there is nothing left to do.
    fn next(&self) -> Option<(PairPlan, Vec<PairFault>)>;

    /// As [`next`](Work::next), without waiting.
    fn poll(&self) -> Next;

    /// Takes back a pair that was not played; the next one who asks gets it.
    fn give_back(&self, plan: PairPlan, excused: Vec<PairFault>);

    /// Sets how many pairs are played at the same time from now on, where that moves.
    fn set_concurrency(&self, concurrency: usize);

    /// Who plays pairs here.
    fn worker(&self) -> Worker<'_>;

    /// What a player elsewhere needs to know of a pair. `None`: nobody else can play it, or not any more.
    fn task(&self, plan: &PairPlan) -> Option<Task>;

    /// Can this, which comes from elsewhere, have come of the plan and the rules?
    ///
    /// # Errors
    /// What contradicts them.
    fn check(&self, plan: &PairPlan, record: &Finished) -> Result<(), String>;

    /// Takes the games that a player elsewhere plays at the moment, for who would like to see them.
    fn show(&self, _machine: &str, _games: Vec<LiveGame>) {}

    /// The digests of players that are programs, by the names of engines.
    fn engines(&self) -> BTreeMap<String, String>;

    /// Does the time that passes decide what is played?
    fn is_timed(&self) -> bool;

    /// The machines that are not believed in this run any more.
    fn distrusted(&self) -> &[String];

    /// Pairs that the executor's auditor chooses and that were stored before this command began: whether they were played a second
    /// time, nobody remembers.
    fn doubted(&self) -> &[PlayedElsewhere];

    /// Tells this run from every other one; 16 hexadecimal digits.
    fn run_id(&self) -> &str;

    /// Raised when no more is to be played.
    fn interrupt(&self) -> &Interrupt;
}

/// What there is to play at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// This pair, in which these faults were excused already.
    Pair(PairPlan, Vec<PairFault>),
    /// Nothing before more has been counted.
    Later,
    /// Nothing any more.
    Never,
}

/// A pair with all that decides how it is played, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Number, players, seeds.
    pub plan: PairPlan,
    /// The players and the conditions of the game, as the keys of a match.
    pub table: String,
    /// The opening position, in the game's notation.
    pub opening: String,
    /// Its line in its file, from 1.
    pub opening_line: u32,
}
