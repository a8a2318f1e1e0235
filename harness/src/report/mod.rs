//! Everything that is formatted: progress lines, files, the final text.
//!
//! In: events, standings, ledgers, studies. Out: bytes for stderr, stdout and files. Must not: count, decide or play.

mod ablation;
mod cell;
mod files;
mod findings;
mod finished;
mod forecast;
mod games;
mod methods;
mod moves;
mod night;
mod nodes;
mod number;
mod odds;
mod output;
mod pace;
mod plot;
mod progress;
mod records;
mod sheet;
mod simulation;
mod steps;
mod summary;
mod table;
mod test;
mod text;
mod tournament;
mod tsume;
mod tuning;
mod tuning_history;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod tests;

pub use ablation::{ablation_json, ablation_line, describe_ablation, write_ablation};
pub use files::{ReportError, rebuild, write_atomically};
pub use findings::findings;
pub use finished::{SimulationCsvError, finished_simulations};
pub use forecast::{ForecastRow, describe_forecasts};
pub use methods::{describe_methods, methods_csv, methods_json};
pub use night::{NightRow, PlanRow, describe_night, describe_plan, night_csv, night_json, plan_json};
pub use nodes::NodesReport;
pub use odds::OddsReport;
pub use output::{note, print_data, set_label};
pub use pace::Pace;
pub use progress::{Progress, SearchProgress};
pub use records::{RecordFormat, RecordHeader, Times, write_records};
pub use simulation::{SimulationRow, describe_simulations, simulations_csv};
pub use summary::Summary;
pub use table::text_table;
pub use test::{describe_test, test_json};
pub use text::{compare, describe};
pub use tournament::TournamentReport;
pub use tsume::TsumeReport;
pub use tuning::{Confirmation, TuningReport};
pub use tuning_history::TuningHistory;
