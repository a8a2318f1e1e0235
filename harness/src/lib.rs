//! The harness half of Tanren.

pub mod stats;
pub mod stop;
