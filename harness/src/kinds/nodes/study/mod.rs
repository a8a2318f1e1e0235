//! How many nodes players need for each depth of iterative deepening.

mod builtin;
mod check;
mod conditions;
mod distances;
mod run;
mod searches;
mod summary;
#[cfg(test)]
mod tests;
mod worker;

#[cfg(feature = "fuzzing")]
pub use check::fuzz_check;
pub use conditions::{NodesStudy, SearchConditions, SearchesElsewhere, without_early_stops};
pub use distances::{DistanceRow, distances};
pub use summary::{CounterRow, NodesSummary, SummaryRow};
pub use worker::SearchWorker;
