//! Whatever ends a command early, and its exit code.
//!
//! In: the errors of the stages. Out: one text and one number. Must not: lose a cause.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use crate::config::ConfigError;
use crate::experiment::nodes::NodesError;
use crate::interrupt::Signal;
use crate::ledger::{About, LedgerError};
use crate::openings::{GenerateError, OpeningError};
use crate::queue::QueueError;
use crate::record::PairFault;
use crate::report::ReportError;
use crate::study::tsume::TsumeError;
use crate::tune::SpaceError;

const FAILURE: u8 = 1;
const BAD_INPUT: u8 = 2;
const STOPPED_BY_FAULT: u8 = 3;

/// Why a command did not end well.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    Tsume(#[from] TsumeError),
    #[error(transparent)]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// Another program that cannot play.
    #[error("player '{label}': {message}")]
    Engine { label: String, message: String },
    /// A fault after which the user wants the run to stop.
    #[error(
        "player '{label}' was at fault ({}) in game {} of pair {}, and on_fault says stop; all finished pairs are saved, and \
         the same command goes on with this one", fault.reason.name(), fault.game + 1, fault.pair + 1
    )]
    Fault { label: String, fault: PairFault },
    /// What was examined is not as it should be.
    #[error("{failed} of {of} checks failed")]
    Failed { failed: usize, of: usize },
    /// A value of an option.
    #[error("{0}")]
    Input(String),
    /// Jobs of a queue; the others ran.
    #[error("{failed} of {jobs} jobs failed; the same command tries them again")]
    JobsFailed { failed: usize, jobs: usize },
    /// A folder or file that the user named cannot be written.
    #[error("cannot write '{}': {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    /// The system refuses something.
    #[error("cannot {action}: {source}")]
    System {
        action: &'static str,
        source: Box<dyn Error + Send + Sync>,
    },
    /// A game played again that went another way; all is said.
    #[error("the games are not the same")]
    Different,
    /// A signal; everything is saved and said.
    #[error("stopped by a signal")]
    Stopped(Signal),
}

impl CliError {
    /// From the failure of a system call.
    pub(super) fn system<E: Into<Box<dyn Error + Send + Sync>>>(
        action: &'static str,
    ) -> impl FnOnce(E) -> CliError {
        move |source| CliError::System {
            action,
            source: source.into(),
        }
    }

    /// From a fault in the run that `about` describes.
    pub(super) fn fault(about: &About, fault: PairFault) -> CliError {
        let [label, _] = about.labels_of([fault.player; 2]);
        CliError::Fault { label, fault }
    }

    /// What to say; nothing if it has been said.
    pub(super) fn text(&self) -> Option<String> {
        (!matches!(self, CliError::Stopped(_) | CliError::Different)).then(|| self.to_string())
    }

    pub(super) fn exit_code(&self) -> u8 {
        match self {
            CliError::Config(_)
            | CliError::Opening(_)
            | CliError::Queue(_)
            | CliError::Tsume(_)
            | CliError::Space(_)
            | CliError::Engine { .. }
            | CliError::Input(_)
            | CliError::Unwritable { .. } => BAD_INPUT,
            CliError::Ledger(error) | CliError::Report(ReportError::Ledger(error)) if error.is_input() => {
                BAD_INPUT
            }
            CliError::Generate(GenerateError::TooRare { .. }) => BAD_INPUT,
            CliError::Fault { .. } => STOPPED_BY_FAULT,
            CliError::Stopped(signal) => signal.exit_code(),
            _ => FAILURE,
        }
    }
}

impl From<NodesError> for CliError {
    fn from(error: NodesError) -> CliError {
        match error {
            NodesError::Config(error) => error.into(),
            NodesError::Opening(error) => error.into(),
            NodesError::Ledger(error) => error.into(),
            NodesError::Program { label, message } => CliError::Engine { label, message },
            NodesError::Unwritable { path, source } => CliError::Unwritable { path, source },
            NodesError::Stopped(signal) => CliError::Stopped(signal),
        }
    }
}
