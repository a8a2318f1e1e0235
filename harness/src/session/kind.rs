//! What a kind of run is: an implementation of [`Kind`] by its specification in a folder of its own, and a line in the registry.

use std::any::Any;
use std::fmt::Debug;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use crate::config::{Conditions, Source};
use crate::event::Warning;
use crate::session::Needs;
use crate::session::error::{ExperimentError, Result};
use crate::session::found::Found;
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::options::RunOptions;
use crate::session::outcome::Outcome;
use crate::session::stored::{Run, StoredSeats};

pub trait Kind: Any + Debug + Send + Sync {
    fn needs(&self) -> Needs<'_>;

    fn check_openings(&self, _openings: usize) -> Result<()> {
        Ok(())
    }

    /// Refuses what no run should begin with, though runs on record may have it: settings of players that do nothing in the game, engines
    /// of another game, and two players under one name.
    fn check_new(&self) -> Result<()> {
        self.needs().check_players()
    }

    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome>;

    /// What the stored run comes to, and whether it is over; `observer` hears of the steps of a tuning, from which its files are made.
    fn recount(&self, run: &Run, observer: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)>;

    fn games(&self) -> Option<StoredGames> {
        None
    }

    fn seats(&self, folder: &Path) -> Result<StoredSeats, String>;
}

#[derive(Debug)]
/// A kind of run by its name: its command, the key `command` of its file, and what its ledger says.
pub struct KindInfo {
    pub name: &'static str,
    pub holds: Holds,
    /// Reads its file; none of what has none.
    pub parse: Option<fn(&Source) -> Result<Experiment>>,
    /// Does it say which player is the stronger, so that a queue can ask for it?
    pub has_verdict: bool,
}

/// What is stored of a run in its own ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    Pairs,
    Searches,
    /// Nothing: its parts have ledgers of their own, or it is not stored.
    Parts,
}

#[derive(Debug, Clone)]
pub struct StoredGames {
    pub conditions: Conditions,
    pub seed: u64,
    pub pairings: Vec<[u16; 2]>,
}

#[derive(Debug, Clone)]
pub struct Experiment(Arc<dyn Kind>);

impl Experiment {
    pub(crate) fn new(spec: impl Kind) -> Experiment {
        Experiment(Arc::new(spec))
    }

    pub(crate) fn spec<K: Kind>(&self) -> Option<&K> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    pub fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome> {
        self.check_new()?;
        loop {
            match self.0.run(options, observer) {
                // As after a crash: what is stored is counted, and the rest is played.
                Err(ExperimentError::Again(why)) => {
                    observer.on_event(RunEvent::Warning(Warning::Distrust { why: &why }))?;
                }
                ended => return ended,
            }
        }
    }
}

impl Deref for Experiment {
    type Target = dyn Kind;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}
