//! Everything that is formatted: progress lines, files, the final text.
//!
//! In: events, standings, ledgers, studies. Out: bytes for stderr, stdout and files. Must not: count, decide or play.

mod axis;
mod files;
mod games;
mod nodes;
mod nodes_plot;
mod number;
mod output;
mod progress;
mod searches;
mod steps;
mod summary;
mod test;
mod text;

pub use files::{ReportError, rebuild, write_atomically};
pub use nodes::NodesReport;
pub use output::{note, print_data};
pub use progress::Progress;
pub use searches::SearchProgress;
pub use summary::Summary;
pub use test::{describe_forecast, describe_test, test_json};
pub use text::{compare, describe};
