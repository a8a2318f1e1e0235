//! Why games are not played to their end.
//!
//! In: what the ledger, or a worker, met with. Out: [`PlayError`].

use crate::ledger::LedgerError;
use crate::player::EnvironmentError;

/// What ends the play before it is decided, other than a fault or a wish.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The ledger cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// No more games can be played, through no fault of a player.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// Machines are not believed any more, and what they played was taken out: it is to be played again.
    #[error("{what}; {again}")]
    Distrust {
        /// Who they are and what they did.
        what: String,
        /// How many pairs were taken out, and what becomes of them.
        again: String,
    },
    /// Those who play cannot be reached.
    #[error(transparent)]
    Executor(Box<dyn std::error::Error + Send + Sync>),
}

impl PlayError {
    /// What is told apart from what leaves nothing to be said: what was played before it is worth its files.
    ///
    /// # Errors
    /// The ledger cannot be read or written.
    pub fn apart<T>(played: Result<T, PlayError>) -> Result<Result<T, PlayError>, LedgerError> {
        match played {
            Err(PlayError::Ledger(error)) => Err(error),
            ended => Ok(ended),
        }
    }
}
