//! What several commands have in common: options, how a job of a queue is read, and how an outcome is printed.

mod arguments;
mod error;
mod finish;
mod marked;
mod notify;
mod plan;

pub(super) use crate::session::game::GameArg;
pub(super) use arguments::{OutputArgs, PgnArgs, PlayArgs, PlayKeys, ShardArgs, Work, WorkKeys};
pub(super) use error::CliError;
pub(super) use finish::{Printing, print, print_document, tell_if_late};
pub(super) use marked::{marked, tried};
pub(super) use plan::{place_of, planned};
