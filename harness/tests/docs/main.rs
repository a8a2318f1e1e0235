//! The documents: links lead somewhere, commands and options exist, tables are those of the program.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

mod commands;
mod generated;
mod links;
mod markdown;
mod prose;
mod studies;
