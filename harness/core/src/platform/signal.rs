//! What signals mean here.
//!
//! In: nothing. Out: plain data.

/// A wish of the system, or of the user by it, that the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndSignal {
    /// Ctrl-C.
    Interrupt,
    /// A polite kill.
    Terminate,
}

/// What to do about a signal after hearing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// It has been seen to.
    Done,
    /// The process is to end as if nobody had listened.
    End,
}
