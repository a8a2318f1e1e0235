//! What comes back of a pair that was handed out.
//!
//! In: a finished pair, or a reason to stop. Out: [`Played`]. Must not: judge it.

use std::fmt;

use crate::player::EnvironmentError;
use crate::record::{Finished, Host, Origin, PairFault};

/// A finished pair, or why the run is to stop.
pub type Played = Result<Delivery, Stop>;

/// A finished pair or search, and what is to happen once it is stored.
pub struct Delivery {
    /// What was finished.
    pub record: Finished,
    /// Who played it, if that was another machine.
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
    /// It cannot go on.
    Environment(EnvironmentError),
    /// Those who play cannot be reached.
    Executor(Box<dyn std::error::Error + Send + Sync>),
    /// These machines must not be believed, and why; their pairs are to be played again.
    Distrust(Vec<(Host, String)>),
}
