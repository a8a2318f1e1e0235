//! What a kind of run is: an implementation of [`Kind`] by its specification in a folder of its own, and a line in the registry.

use std::any::Any;
use std::fmt::Debug;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use clap::{Args, Command};
use serde::de::DeserializeOwned;

use crate::config::{Conditions, Growth, Mistakes, Source};
use crate::event::Warning;
pub use crate::ledger::Holds;
use crate::session::Needs;
use crate::session::error::{ExperimentError, Result};
use crate::session::found::Found;
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::options::RunOptions;
use crate::session::outcome::Outcome;
use crate::session::stored::{Run, StoredSeats};

pub trait Kind: Any + Debug + Send + Sync {
    fn needs(&self) -> Needs<'_>;

    fn check_openings(&self, openings: usize) -> Result<()> {
        let conditions = self.needs().conditions;
        Ok(conditions.map_or(Ok(()), |conditions| conditions.pairs_max(openings).map(drop))?)
    }

    /// Refuses what no run should begin with, though runs on record may have it: settings of players that do nothing in the game, engines
    /// of another game, and two players under one name.
    fn check_new(&self) -> Result<()> {
        self.needs().check_players()
    }

    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome>;

    /// What the stored run comes to, and whether it is over; `observer` hears of the steps of a tuning, from which its files are made.
    fn recount(&self, run: &Run, observer: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)>;

    /// Its file in `folder`, of kinds whose folders may be put together.
    fn text(&self, _folder: &Path) -> Option<String> {
        None
    }

    /// Does a test decide it, so that a queue can ask whether it passed?
    fn has_test(&self) -> bool {
        false
    }

    fn games(&self) -> Option<StoredGames> {
        None
    }

    fn seats(&self, folder: &Path) -> Result<StoredSeats, String>;
}

/// How a kind of run is written: options of its command and keys of its file.
pub trait Keys: Args + DeserializeOwned + Default {
    type Spec: Kind;
    /// Keys of its file that are no options of its command.
    const FILE_KEYS: &'static [&'static str] = &[];

    /// What they ask for, in the folder of `out` if one is given; every key that cannot be played is refused.
    fn spec(&self, out: Option<&Path>) -> Result<Self::Spec>;

    /// What the keys of a file ask for; those in `more` are read by somebody else.
    fn read(source: &Source, more: &[&str]) -> Result<Self::Spec> {
        let mut wrong = Mistakes::default();
        let keys: Self = source.read(&[&["command"], Self::FILE_KEYS, more].concat(), &mut wrong);
        ExperimentError::with_all(wrong, keys.spec(None))
    }
}

#[derive(Debug)]
/// A kind of run by its name: its command, the key `command` of its file, and what its ledger says.
pub struct KindInfo {
    pub name: &'static str,
    pub holds: Holds,
    pub workload: Workload,
    /// Can it stop after so many pairs?
    pub pauses: bool,
    pub keys: KeysInfo,
}

/// The keys of a kind, whatever they are.
#[derive(Debug)]
pub struct KeysInfo {
    /// Reads a file; the keys that are named are read by somebody else.
    pub parse: fn(&Source, &[&str]) -> Result<Experiment>,
    /// A command with the keys as options.
    pub options: fn() -> Command,
}

impl KeysInfo {
    pub const fn of<K: Keys>() -> KeysInfo {
        KeysInfo {
            parse: |source, more| Ok(Experiment::new(K::read(source, more)?)),
            options: || K::augment_args(Command::new("")),
        }
    }
}

/// What is worked on, and so what can be said of how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workload {
    Games,
    Searches,
    /// Nothing is stored, and there is no file.
    Nothing,
}

#[derive(Debug, Clone)]
pub struct StoredGames {
    pub conditions: Conditions,
    pub pairings: Vec<[u16; 2]>,
    pub grown: Vec<Growth>,
    /// Does it leave pairs out?
    pub is_adaptive: bool,
}

impl StoredGames {
    pub(crate) fn of_two(conditions: &Conditions) -> StoredGames {
        StoredGames {
            conditions: conditions.clone(),
            pairings: vec![[0, 1]],
            grown: Vec::new(),
            is_adaptive: false,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Experiment(Arc<dyn Kind>);

impl Experiment {
    pub fn new(spec: impl Kind) -> Experiment {
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
