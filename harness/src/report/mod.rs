//! Everything that is formatted: progress lines, files, the final text.
//!
//! In: events, standings, ledgers, studies. Out: bytes for stderr, stdout and files. Must not: count, decide or play.

mod axis;
mod files;
mod forecast;
mod games;
mod nodes;
mod nodes_plot;
mod number;
mod output;
mod progress;
mod searches;
mod simulation;
mod steps;
mod summary;
mod table;
mod test;
mod text;

pub use files::{ReportError, rebuild, write_atomically};
pub use forecast::{ForecastRow, describe_forecasts};
pub use nodes::NodesReport;
pub use output::{note, print_data};
pub use progress::Progress;
pub use searches::SearchProgress;
pub use simulation::{
    SimulationCsvError, SimulationRow, describe_simulations, finished_simulations, simulations_csv,
};
pub use summary::Summary;
pub use test::{describe_test, test_json};
pub use text::{compare, describe};
