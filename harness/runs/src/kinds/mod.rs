//! All kinds of run, and what is asked of a run without knowing its kind.

pub mod ablate;
#[cfg(test)]
mod fixtures;
pub mod inspection;
pub mod match_;
pub mod nodes;
pub mod odds;
pub mod openings_check;
pub mod queue;
pub(crate) mod registry;
pub mod tournament;
pub mod tune;

use crate::kinds::registry::find;
use crate::ledger::LedgerError;
use crate::session::error::{ExperimentError, Result};
use crate::session::kind::{Experiment, StoredGames};
use crate::session::observer::RunObserver;
use crate::session::outcome::{Outcome, RunEnding};
use crate::session::stored::{Run, StoredSeats};

impl Run {
    /// What it comes to; `observer` hears of the steps of a tuning, from which its files are made.
    pub fn outcome(&self, observer: &mut dyn RunObserver) -> Result<Outcome> {
        let (findings, is_over) = match self.experiment()? {
            Some(experiment) => experiment.recount(self, observer)?,
            None => (queue::run::recount(self)?, true),
        };
        let ending = match (findings.invalid(), is_over) {
            (Some(invalid), _) => RunEnding::Invalid(invalid),
            (None, true) => RunEnding::Complete,
            (None, false) => RunEnding::Paused,
        };
        Ok(Outcome {
            folder: self.folder.clone(),
            ending,
            findings,
        })
    }

    pub(crate) fn games(&self) -> Result<Option<StoredGames>> {
        Ok(self.experiment()?.and_then(|experiment| experiment.games()))
    }

    pub fn seats(&self) -> Result<StoredSeats> {
        let seats = match self.experiment()? {
            Some(experiment) => experiment.seats(&self.folder),
            None => Err("a queue; its jobs have folders of their own".to_owned()),
        };
        seats.map_err(|what| ExperimentError::Input(format!("'{}' is {what}", self.folder.display())))
    }

    /// What was played; nothing of a queue, whose jobs are runs of their own.
    pub(crate) fn experiment(&self) -> Result<Option<Experiment>> {
        let kind = &self.manifest.kind;
        if kind == queue::STORED {
            return Ok(None);
        }
        let kind = find(kind).ok_or_else(|| LedgerError::Damaged {
            path: self.folder.clone(),
            message: format!("it holds a run of the unknown kind '{kind}'"),
        })?;
        let source = self.source()?;
        let experiment = (kind.keys.parse)(&source, &[]);
        experiment.map(Some).map_err(|error| error.placed(&source))
    }
}

#[cfg(test)]
mod tests;
