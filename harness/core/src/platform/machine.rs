//! What this machine has for a run.
//!
//! In: nothing. Out: a [`Machine`], plain data. Must not: judge whether it is enough.

/// A limit of the system and how much of it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// In use now.
    pub used: u64,
    /// The limit that is in force.
    pub soft: u64,
    /// What this process may raise it to.
    pub hard: u64,
}

/// What there is; `None` is what the system does not tell, or does not bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Machine {
    /// Cores that this process may use.
    pub cores: usize,
    /// Memory that can be had without swapping.
    pub memory_free_mib: Option<u64>,
    /// Open files and pipes of this process.
    pub descriptors: Option<Bound>,
    /// Processes and threads of this user.
    pub processes: Option<Bound>,
}
