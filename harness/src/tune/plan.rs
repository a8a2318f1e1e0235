//! How a space is tuned, and for how long.
//!
//! In: what the user wishes. Out: a [`Plan`].

use super::method::name::MethodName;

/// How a space is tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// How results become steps.
    pub method: MethodName,
    /// Number of iterations.
    pub iterations: u64,
    /// Pairs that each iteration plays.
    pub pairs_per_iteration: u64,
    /// Iterations between a state and the trial that plays it, at least 1.
    pub lag: u64,
    /// Decides every flip.
    pub seed: u64,
}

impl Plan {
    /// Pairs in all.
    pub fn pairs(&self) -> u64 {
        self.iterations * self.pairs_per_iteration
    }
}
