//! How a space is tuned, and for how long.

use super::MethodName;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    pub method: MethodName,
    pub iterations: u64,
    pub pairs_per_iteration: u64,
    /// Iterations between a state and the trial that plays it, at least 1.
    pub lag: u64,
    pub seed: u64,
}

impl Plan {
    pub fn pairs(&self) -> u64 {
        self.iterations * self.pairs_per_iteration
    }
}
