//! Who plays the pairs of a run.
//!
//! In: the workers of this machine. Out: an executor for pairs, threads for all else. Must not: play.

use rayon::ThreadPool;

use crate::runner::{Executor, LocalExecutor};

/// The workers of a command.
pub(super) struct Workers {
    local: LocalExecutor,
}

impl Workers {
    /// Those of this machine alone.
    pub(super) fn here(local: LocalExecutor) -> Workers {
        Workers { local }
    }

    /// Who plays pairs.
    pub(super) fn executor(&self) -> &dyn Executor {
        &self.local
    }

    /// The threads of this machine, for work that is not pairs.
    pub(super) fn pool(&self) -> &ThreadPool {
        self.local.pool()
    }
}
