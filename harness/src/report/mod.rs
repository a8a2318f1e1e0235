//! Everything that is formatted: progress lines, files, the final text, pages.

mod again;
mod badge;
mod command;
mod console;
mod findings;
#[cfg(feature = "cluster")]
mod fleet;
mod found;
mod methods;
mod output;
mod page;
mod params;
mod paste;
mod perft;
mod progress;
mod records;
mod recount;
mod replay;
mod simulation;
mod simulation_file;
mod sprt;
mod suite;
mod verify;

#[cfg(test)]
mod tests;

pub use again::{PageStyle, report_again};
pub use badge::badge;
pub use command::quote;
pub use console::{Console, Manner, unit_name};
pub use findings::{findings, findings_json};
#[cfg(feature = "cluster")]
pub use fleet::{describe_fleet, fleet_json};
pub use found::{describe, describe_all, describe_with_files, json, write_files};
pub use methods::{MethodsConsole, describe_methods, methods_json};
pub use output::{note, print_data};
#[cfg(feature = "web")]
pub use page::{
    Fragment, Gist, RunRow, Served, boards_json, games_json, index_json, index_page, live_page, metrics,
    notice_page,
};
pub use page::{GAMES_MAX, Language, write_comparison, write_last_page};
pub use params::{describe_settings, settings_json};
pub use paste::{markdown_block, text_block};
pub use perft::{describe_perft, perft_json};
pub use progress::SearchProgress;
#[cfg(feature = "fuzzing")]
pub use records::fuzzing::write as fuzz_records;
pub use records::{LivePgn, RecordFormat};
pub use recount::{describe_recount, recount_json};
pub use replay::{describe_replay, replay_json};
pub use simulation::{describe_simulations, simulations_json};
pub use simulation_file::{SimulationConsole, read_simulations};
pub use sprt::{describe_forecasts, describe_test, forecasts_json, test_json};
pub use suite::{describe_statistics, statistics_json, write_generated, write_starts};
pub use verify::{describe_verifications, verifications_json};
