use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use crate::config::{ConfigError, Mistakes, Source};
use crate::document::file::FileError;
use crate::interrupt::{Interrupt, Signal};
use crate::ledger::LedgerError;
use crate::openings::{GenerateError, OpeningError};
use crate::platform;
use crate::player::EnvironmentError;
use crate::record::PairFault;
use crate::runner::PlayError;

#[cfg(feature = "cluster")]
use crate::fleet::FleetError;

pub type Result<T, E = ExperimentError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    #[cfg(feature = "cluster")]
    #[error(transparent)]
    Fleet(#[from] FleetError),
    #[error("{0}")]
    Executor(Box<dyn Error + Send + Sync>),
    /// What was stored has changed, so the run must be opened again; why.
    #[error("{0}")]
    Again(String),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Generate(#[from] GenerateError),
    #[error("player '{label}': {message}")]
    Engine { label: String, message: String },
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    #[error("{0}")]
    Input(String),
    #[error("cannot write '{}': {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("cannot {action}: {source}")]
    System {
        action: &'static str,
        source: Box<dyn Error + Send + Sync>,
    },
    /// A signal before there was anything to say.
    #[error("stopped by a signal")]
    Stopped(Signal),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "player '{label}' was at fault ({}) in game {} of pair {}, so the run stopped; all finished pairs are saved", fault.reason.name(), fault.game + 1, fault.pair + 1
)]
pub struct StoppedByFault {
    pub label: String,
    pub fault: PairFault,
}

impl StoppedByFault {
    pub(crate) fn of(labels: &[String], fault: PairFault) -> StoppedByFault {
        let label = labels.get(usize::from(fault.player)).cloned();
        StoppedByFault {
            label: label.unwrap_or_else(|| format!("player {}", fault.player)),
            fault,
        }
    }
}

impl From<Mistakes> for ExperimentError {
    fn from(mistakes: Mistakes) -> ExperimentError {
        ConfigError::from(mistakes).into()
    }
}

impl From<PlayError> for ExperimentError {
    fn from(error: PlayError) -> ExperimentError {
        match error {
            PlayError::Ledger(error) => error.into(),
            PlayError::Environment(environment_error) => environment_error.into(),
            PlayError::Executor(error) => ExperimentError::Executor(error),
            error @ PlayError::Distrust { .. } => ExperimentError::Again(error.to_string()),
        }
    }
}

impl ExperimentError {
    pub fn system<E: Into<Box<dyn Error + Send + Sync>>>(
        action: &'static str,
    ) -> impl FnOnce(E) -> ExperimentError {
        move |source| ExperimentError::System {
            action,
            source: source.into(),
        }
    }

    pub(crate) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> ExperimentError {
        let path = path.to_owned();
        move |source| ExperimentError::Unwritable { path, source }
    }

    pub(crate) fn stopped(interrupt: &Interrupt) -> ExperimentError {
        let unasked = || ExperimentError::Input("interrupted".to_owned());
        interrupt.signal().map_or_else(unasked, ExperimentError::Stopped)
    }

    pub fn is_program_change(&self) -> bool {
        matches!(self, ExperimentError::Environment(EnvironmentError::Program(_)))
    }

    /// `made`, unless something was refused: then all that was, before and by `made`.
    pub(crate) fn with_all<T>(mut wrong: Mistakes, made: Result<T>) -> Result<T> {
        if wrong.is_empty() {
            return made;
        }
        if let Err(ExperimentError::Config(ConfigError::Mistakes(more))) = made {
            // What follows from a key that could not be read is no mistake of its own.
            wrong.extend(more.into_iter().filter(|mistake| !mistake.key.is_empty()));
        }
        Err(ConfigError::from(wrong).into())
    }

    pub(crate) fn placed(self, source: &Source) -> ExperimentError {
        match self {
            ExperimentError::Config(error) => error.placed(source).into(),
            other => ConfigError::from(source.mistake("", other.to_string())).into(),
        }
    }

    /// Is it something that the user must change, known before the first game?
    pub fn is_input(&self) -> bool {
        match self {
            ExperimentError::Ledger(error) | ExperimentError::File(FileError::Ledger(error)) => {
                error.is_input()
            }
            #[cfg(feature = "cluster")]
            ExperimentError::Fleet(error) => error.is_input(),
            ExperimentError::Config(_)
            | ExperimentError::Opening(_)
            | ExperimentError::Generate(GenerateError::TooRare { .. })
            | ExperimentError::Engine { .. }
            | ExperimentError::File(FileError::NotOurs(_))
            | ExperimentError::Input(_) => true,
            ExperimentError::Unwritable { source, .. } => platform::missing_resource(source).is_none(),
            ExperimentError::File(FileError::Write { .. })
            | ExperimentError::Generate(GenerateError::Interrupted)
            | ExperimentError::System { .. }
            | ExperimentError::Environment(_)
            | ExperimentError::Executor(_)
            | ExperimentError::Again(_)
            | ExperimentError::Stopped(_) => false,
        }
    }
}
