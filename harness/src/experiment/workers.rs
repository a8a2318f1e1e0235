//! Who plays the pairs of a run.
//!
//! In: the workers of this machine, or a fleet. Out: an executor for pairs and searches. Must not: play.

#[cfg(feature = "cluster")]
use crate::fleet::FleetExecutor;
use crate::runner::{Executor, LocalExecutor};

/// The workers of a command.
pub(super) enum Workers {
    /// Those of this machine alone.
    Here(LocalExecutor),
    /// Those of a fleet.
    #[cfg(feature = "cluster")]
    Fleet(Box<FleetExecutor>),
}

impl Workers {
    /// Who plays and searches.
    pub(super) fn executor(&self) -> &dyn Executor {
        match self {
            Workers::Here(here) => here,
            #[cfg(feature = "cluster")]
            Workers::Fleet(fleet) => &**fleet,
        }
    }
}
