//! All kinds of run, and what is asked of a run without knowing its kind.

pub mod ablate;
pub(crate) mod engine_table;
#[cfg(test)]
mod fixtures;
pub(crate) mod host_table;
pub mod inspection;
pub(crate) mod inspection_report;
pub mod kind;
pub mod match_;
pub mod nodes;
pub mod odds;
pub mod openings_check;
pub mod queue;
pub mod tournament;
pub mod tune;

use std::path::Path;

use crate::config::{Mistakes, Source, did_you_mean, nearest, resolve_files};
use crate::kinds::ablate::Ablate;
use crate::kinds::kind::{AnyKind, Entry, Experiment, StoredGames};
use crate::kinds::match_::Match;
use crate::kinds::nodes::Nodes;
use crate::kinds::odds::Odds;
use crate::kinds::openings_check::OpeningsCheck;
use crate::kinds::queue::run::QueueKind;
use crate::kinds::tournament::Tournament;
use crate::kinds::tune::Tune;
use crate::ledger::RunKind;
use crate::session::error::{ExperimentError, Result};
use crate::session::observer::RunObserver;
use crate::session::outcome::{Ending, Outcome};
use crate::session::stored::{Run, StoredSeats};

/// All kinds of run, in the order of messages.
static KINDS: [&dyn AnyKind; 8] = [
    &Entry::<Match>::NEW,
    &Entry::<Tournament>::NEW,
    &Entry::<Nodes>::NEW,
    &Entry::<Ablate>::NEW,
    &Entry::<Odds>::NEW,
    &Entry::<Tune>::NEW,
    &Entry::<OpeningsCheck>::NEW,
    &QueueKind,
];

fn find(command: &str) -> Option<&'static dyn AnyKind> {
    KINDS.into_iter().find(|kind| kind.name() == command)
}

fn of_stored(stored: RunKind) -> &'static dyn AnyKind {
    let found = KINDS.into_iter().find(|kind| kind.stored() == Some(stored));
    found.unwrap_or_else(|| unreachable!("every kind of store is one of a run"))
}

fn commands() -> Vec<&'static str> {
    let stored = KINDS.iter().filter(|kind| {
        let stored = kind.stored();
        stored.is_some() && stored != Some(RunKind::QueueRun)
    });
    stored.map(|kind| kind.name()).collect()
}

impl Experiment {
    pub fn from_toml(text: &str) -> Result<Experiment> {
        Experiment::of_source(&Source::parse(text, "the file of a run")?, Path::new(""))
    }

    /// Reads the file at `path`. Files that it names are looked for from its own folder first.
    pub fn read(path: &Path) -> Result<Experiment> {
        let folder = path.parent().unwrap_or(Path::new(""));
        Experiment::of_source(&Source::open(path)?, folder)
    }

    pub fn of_source(source: &Source, folder: &Path) -> Result<Experiment> {
        let Some(command) = source.table.get("command") else {
            let names = source.table.keys().map(String::as_str);
            let hint = names
                .filter(|name| nearest(name, ["job", "command"]).is_some())
                .map(|name| did_you_mean(name, ["job", "command"]))
                .next();
            let message = format!(
                "it has neither a command, such as command = \"match\", nor a [[job]]{}",
                hint.unwrap_or_default()
            );
            return Err(Mistakes::from(source.mistake("", message)).into());
        };
        let command = command.as_str().unwrap_or_default();
        let known = commands();
        let Some(kind) = find(command).filter(|_| known.contains(&command)) else {
            let hint = did_you_mean(command, known.iter().copied());
            let message = format!("unknown command '{command}'{hint} (one of: {})", known.join(", "));
            return Err(Mistakes::from(source.mistake("command", message)).into());
        };
        let mut resolved = source.clone();
        resolve_files(&mut resolved.table, folder);
        let experiment = kind.parse(&resolved);
        let checked = experiment.and_then(|experiment| experiment.check_new().map(|()| experiment));
        checked.map_err(|error| error.placed(source))
    }
}

impl Run {
    /// What it comes to; `observer` hears of the steps of a tuning, from which its files are made.
    pub fn outcome(&self, observer: &mut dyn RunObserver) -> Result<Outcome> {
        let (findings, is_over) = of_stored(self.kind()).recount(self, observer)?;
        let ending = match (findings.invalid(), is_over) {
            (Some(invalid), _) => Ending::Invalid(invalid),
            (None, true) => Ending::Complete,
            (None, false) => Ending::Paused,
        };
        Ok(Outcome {
            folder: self.folder.clone(),
            ending,
            findings,
        })
    }

    pub(crate) fn games(&self) -> Result<Option<StoredGames>> {
        of_stored(self.kind()).games(self)
    }

    pub fn seats(&self) -> Result<StoredSeats> {
        of_stored(self.kind()).seats(self)?.map_err(|what| {
            let folder = self.folder.display();
            ExperimentError::Input(format!("'{folder}' is {what}"))
        })
    }
}

#[cfg(test)]
mod tests;
