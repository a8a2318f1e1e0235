//! What this machine has for a run.
//!
//! In: nothing. Out: a [`Machine`], plain data. Must not: judge whether it is enough.

/// A limit of the system and how much of it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bound {
    /// In use now.
    pub(crate) used: u64,
    /// The limit that is in force.
    pub(crate) soft: u64,
    /// What this process may raise it to.
    pub(crate) hard: u64,
}

/// What there is; `None` is what the system does not tell, or does not bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Machine {
    /// Cores that this process may use.
    pub(crate) cores: usize,
    /// Memory that can be had without swapping.
    pub(crate) memory_free_mib: Option<u64>,
    /// Open files and pipes of this process.
    pub(crate) descriptors: Option<Bound>,
    /// Processes and threads of this user.
    pub(crate) processes: Option<Bound>,
}
