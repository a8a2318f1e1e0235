//! All commands as they are declared, for those that need to know the others.
//!
//! In: nothing. Out: [`Declared`], which the front of the command line fills in.

use super::error::CliError;
use crate::experiment::{Experiment, RunOptions};

/// What a command line comes to as a part of something else; nothing if its command can be no part.
pub(in crate::cli) type Part = Option<Result<(Experiment, RunOptions), CliError>>;

/// The declarations of all commands.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) struct Declared {
    /// The program with all its commands.
    pub(in crate::cli) command: fn() -> clap::Command,
    /// Takes the words of a command line, the program's name first.
    pub(in crate::cli) part: fn(&[&str]) -> Result<Part, clap::Error>,
}
