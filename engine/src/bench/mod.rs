//! The engine measured by what it does: nodes for fixed positions, the same on every machine.
//!
//! In: a configuration. Out: nodes. Must not: measure time (its callers do).
//!
//! `engine/signatures.csv` keeps those of all presets and techniques:
//! `cargo run --release -p tanren-engine -- signatures > engine/signatures.csv` writes it, a test compares.

mod configurations;
mod positions;
mod signature;

pub use configurations::configurations;
pub use signature::{DEPTH, brief, signature};
