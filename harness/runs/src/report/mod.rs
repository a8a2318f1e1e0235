//! Everything that is formatted: progress lines, files, the final text, pages.

mod again;
mod badge;
mod console;
mod fastchess;
#[cfg(feature = "cluster")]
mod fleet;
mod found;
mod output;
mod page;
mod paste;
mod progress;
mod records;

#[cfg(test)]
mod tests;

pub use crate::document::number::plural;
pub use crate::document::text::{command_line, quote};
pub use again::report_again;
pub use badge::badge;
pub use console::{Console, Manner, unit_name};
pub use fastchess::{FastchessLines, FastchessStyle};
#[cfg(feature = "cluster")]
pub use fleet::fleet_document;
pub use found::{describe, describe_again, describe_all, describe_with_files, json, write_files};
pub use output::{note, print_data};
#[cfg(feature = "web")]
pub use page::{
    FirstGame, Fragment, Gist, List, ListFilter, RunChoices, RunRow, Served, boards_json, games_json,
    index_json, index_page, live_page, metrics, notice_page,
};
pub use page::{GAMES_MAX, write_comparison, write_last_page};
pub use paste::{markdown_block, test_block, text_block};
pub use progress::SearchProgress;
#[cfg(feature = "fuzzing")]
pub use records::fuzzing::write as fuzz_records;
pub use records::{LivePgn, OldPgn, RecordFormat};
