//! What a kind of run is: an implementation of [`Kind`] in a folder of its own, and a line in the registry.

use std::any::Any;
use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use crate::config::{Conditions, Source};
use crate::event::Warning;
use crate::ledger::RunKind;
use crate::session::Needs;
use crate::session::error::{ExperimentError, Result};
use crate::session::found::Found;
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::options::RunOptions;
use crate::session::outcome::Outcome;
use crate::session::stored::{Run, StoredSeats};

pub trait Kind: Sized + 'static {
    const NAME: &'static str;
    const STORED: Option<RunKind>;
    type Spec: Debug + Clone + PartialEq + Send + Sync + 'static;
    type Found: Found;

    fn parse(source: &Source) -> Result<Self::Spec>;

    fn needs(spec: &Self::Spec) -> Needs<'_>;

    fn check_openings(_: &Self::Spec, _openings: usize) -> Result<()> {
        Ok(())
    }

    /// Refuses what no run should begin with, though runs on record may have it.
    fn check_new(spec: &Self::Spec) -> Result<()> {
        Self::needs(spec).check_players()
    }

    fn run(spec: &Self::Spec, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome>;

    fn recount(spec: &Self::Spec, run: &Run, observer: &mut dyn RunObserver) -> Result<(Self::Found, bool)>;

    fn games(_: &Self::Spec) -> Option<StoredGames> {
        None
    }

    fn seats(spec: &Self::Spec, folder: &Path) -> Result<StoredSeats, String>;
}

#[derive(Debug, Clone)]
pub struct StoredGames {
    pub conditions: Conditions,
    pub seed: u64,
    pub pairings: Vec<[u16; 2]>,
}

pub trait AnyKind: Sync {
    fn name(&self) -> &'static str;
    fn stored(&self) -> Option<RunKind>;
    fn parse(&self, source: &Source) -> Result<Experiment>;
    fn recount(&self, run: &Run, observer: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)>;
    fn games(&self, run: &Run) -> Result<Option<StoredGames>>;
    fn seats(&self, run: &Run) -> Result<Result<StoredSeats, String>>;
}

pub struct Entry<K>(PhantomData<fn() -> K>);

impl<K: Kind> Entry<K> {
    pub const NEW: Entry<K> = Entry(PhantomData);

    fn spec(run: &Run) -> Result<K::Spec> {
        let source = run.source()?;
        K::parse(&source).map_err(|error| error.placed(&source))
    }
}

impl<K: Kind> AnyKind for Entry<K> {
    fn name(&self) -> &'static str {
        K::NAME
    }

    fn stored(&self) -> Option<RunKind> {
        K::STORED
    }

    fn parse(&self, source: &Source) -> Result<Experiment> {
        Ok(Experiment::of::<K>(K::parse(source)?))
    }

    fn recount(&self, run: &Run, observer: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)> {
        let (found, is_over) = K::recount(&Self::spec(run)?, run, observer)?;
        Ok((Box::new(found), is_over))
    }

    fn games(&self, run: &Run) -> Result<Option<StoredGames>> {
        Ok(K::games(&Self::spec(run)?))
    }

    fn seats(&self, run: &Run) -> Result<Result<StoredSeats, String>> {
        Ok(K::seats(&Self::spec(run)?, &run.folder))
    }
}

#[derive(Clone)]
pub struct Experiment(Arc<dyn AnyRun>);

impl Experiment {
    pub(crate) fn of<K: Kind>(spec: K::Spec) -> Experiment {
        Experiment(Arc::new(Planned::<K>(spec)))
    }

    pub(crate) fn spec<K: Kind>(&self) -> Option<&K::Spec> {
        let planned = self.0.as_any().downcast_ref::<Planned<K>>();
        planned.map(|planned| &planned.0)
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
    type Target = dyn AnyRun;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Debug for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

pub trait AnyRun: Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn is_stored(&self) -> bool;
    fn needs(&self) -> Needs<'_>;
    fn check_openings(&self, openings: usize) -> Result<()>;
    /// Refuses what no run should begin with, though runs on record may have it: settings of players that do nothing in the game, engines
    /// of another game, and two players under one name.
    fn check_new(&self) -> Result<()>;
    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome>;
}

struct Planned<K: Kind>(K::Spec);

impl<K: Kind> Debug for Planned<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<K: Kind> AnyRun for Planned<K> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn is_stored(&self) -> bool {
        K::STORED.is_some()
    }

    fn needs(&self) -> Needs<'_> {
        K::needs(&self.0)
    }

    fn check_openings(&self, openings: usize) -> Result<()> {
        K::check_openings(&self.0, openings)
    }

    fn check_new(&self) -> Result<()> {
        K::check_new(&self.0)
    }

    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome> {
        K::run(&self.0, options, observer)
    }
}
