//! Why games are not played to their end.
//!
//! In: what the ledger, or a worker, met with. Out: [`PlayError`].

use crate::ledger::LedgerError;
use crate::player::Hindrance;

/// What ends the play before it is decided, other than a fault or a wish.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The ledger cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// No more games can be played, through no fault of a player.
    #[error(transparent)]
    Hindered(#[from] Hindrance),
}

impl PlayError {
    /// A hindrance apart from what leaves nothing to be said: what was played before it is worth its files.
    ///
    /// # Errors
    /// The ledger cannot be read or written.
    pub fn apart<T>(played: Result<T, PlayError>) -> Result<Result<T, Hindrance>, LedgerError> {
        match played {
            Ok(ended) => Ok(Ok(ended)),
            Err(PlayError::Hindered(hindrance)) => Ok(Err(hindrance)),
            Err(PlayError::Ledger(error)) => Err(error),
        }
    }
}
