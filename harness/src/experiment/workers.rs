//! Who plays the pairs of a run.
//!
//! In: the workers of this machine, or a fleet. Out: an executor for pairs, threads for all else. Must not: play.

use rayon::ThreadPool;

#[cfg(feature = "cluster")]
use crate::fleet::FleetExecutor;
use crate::runner::{Executor, LocalExecutor};

/// The workers of a command.
pub(super) enum Workers {
    /// Those of this machine alone.
    Here(LocalExecutor),
    /// Those of a fleet for pairs, those of this machine for all else.
    #[cfg(feature = "cluster")]
    Fleet {
        /// Other machines.
        fleet: Box<FleetExecutor>,
        /// This one.
        here: LocalExecutor,
    },
}

impl Workers {
    /// Who plays pairs.
    pub(super) fn executor(&self) -> &dyn Executor {
        match self {
            Workers::Here(here) => here,
            #[cfg(feature = "cluster")]
            Workers::Fleet { fleet, .. } => &**fleet,
        }
    }

    /// The threads of this machine, for work that is not pairs.
    pub(super) fn pool(&self) -> &ThreadPool {
        match self {
            Workers::Here(here) => here.pool(),
            #[cfg(feature = "cluster")]
            Workers::Fleet { here, .. } => here.pool(),
        }
    }
}
