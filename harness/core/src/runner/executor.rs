//! Who plays the pairs of a run, or makes its searches: a search is handed out as a pair is, by its number.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::mpsc::Receiver;

use super::queue::PairQueue;
use crate::ledger::LedgerError;
use crate::play::{LiveGame, Unplayed};
use crate::player::EnvironmentError;
use crate::record::{Finished, Host, Origin, PairFault};
use crate::schedule::PairPlan;

/// Whoever plays pairs: threads of this machine, or other machines.
pub trait Executor: Send + Sync {
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
    pub plan: PairPlan,
    pub record: Finished,
    pub origin: Origin,
}

/// Plays pairs at a table of its own, or makes searches.
pub type Worker<'a> = Box<dyn FnMut(&PairPlan, &mut Vec<PairFault>) -> Result<Finished, Unplayed> + 'a>;

/// The pairs of a run, for those who play them.
pub trait Work: Sync {
    fn queue(&self) -> &PairQueue;

    fn worker(&self) -> Worker<'_>;

    /// What a player elsewhere needs to know of a pair. `None`: nobody else can play it, or not any more.
    fn task(&self, plan: &PairPlan) -> Option<UnitTask>;

    /// Can this, which comes from elsewhere, have come of the plan and the rules?
    fn check(&self, plan: &PairPlan, record: &Finished) -> Result<(), String>;

    /// Takes the games that a player elsewhere plays at the moment, for who would like to see them.
    fn show(&self, _machine: &str, _games: Vec<LiveGame>) {}

    /// The digests of players that are programs, by the names of engines.
    fn engines(&self) -> BTreeMap<String, String>;

    /// Does the time that passes decide what is played?
    fn is_timed(&self) -> bool;
}

/// A pair with all that decides how it is played, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitTask {
    pub plan: PairPlan,
    /// The players and the conditions of the game, as the keys of a match.
    pub table: String,
    pub opening: String,
    /// Its line in its file, from 1.
    pub opening_line: u32,
}

/// A finished pair, or why the run is to stop.
pub type Played = Result<Delivery, Stop>;

/// A finished pair or search, and what is to happen once it is stored.
pub struct Delivery {
    pub record: Finished,
    pub origin: Option<Origin>,
    /// Called when it is in the ledger.
    pub stored: Option<Box<dyn FnOnce() + Send>>,
}

impl fmt::Debug for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Delivery").field(&self.record.number()).finish()
    }
}

impl From<Finished> for Delivery {
    fn from(record: Finished) -> Delivery {
        Delivery {
            record,
            origin: None,
            stored: None,
        }
    }
}

/// Why a run is to stop before it is decided.
#[derive(Debug)]
pub enum Stop {
    /// The user wants it to after this fault.
    Fault(PairFault),
    Environment(EnvironmentError),
    Executor(Box<dyn std::error::Error + Send + Sync>),
    /// These machines must not be believed, and why; their pairs are to be played again.
    Distrust(Vec<(Host, String)>),
}

/// What ends the play before it is decided, other than a fault or a wish.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// No more games can be played, through no fault of a player.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// Machines are not believed any more, and what they played was taken out: it is to be played again.
    #[error("{what}; {again}")]
    Distrust {
        what: String,
        /// How many pairs were taken out, and what becomes of them.
        again: String,
    },
    #[error(transparent)]
    Executor(Box<dyn std::error::Error + Send + Sync>),
}

impl PlayError {
    /// What is told apart from what leaves nothing to be said: what was played before it is worth its files.
    pub fn apart<T>(played: Result<T, PlayError>) -> Result<Result<T, PlayError>, LedgerError> {
        match played {
            Err(PlayError::Ledger(error)) => Err(error),
            ended => Ok(ended),
        }
    }
}
