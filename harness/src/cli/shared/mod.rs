//! What several commands have in common: arguments, and how an outcome is printed.

mod arguments;
mod error;
mod finish;
mod job;

pub(super) use arguments::{GameArg, PlayArgs, executor};
pub(super) use error::CliError;
pub(super) use finish::{Printing, finish};
pub(super) use job::{Added, planned};
