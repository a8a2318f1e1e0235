//! How many nodes players need for each depth of iterative deepening.
//!
//! In: a [`NodesStudy`]. Out: one [`Search`](crate::record::Search) for each player and position, and a [`NodesSummary`] of
//! them.

mod builtin;
mod run;
mod study;
mod summary;
#[cfg(test)]
mod tests;
mod worker;

pub use study::{NodesStudy, without_early_stops};
pub use summary::{CounterRow, NodesSummary, SummaryRow};
