//! Circles of files that are still to be cut. One that is no more, or is another, has to go from its list.

/// In the engine.
pub(crate) const ENGINE: &[&[&str]] = &[];

/// In the harness.
pub(crate) const HARNESS: &[&[&str]] = &[];
