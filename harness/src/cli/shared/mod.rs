//! What several commands have in common: arguments, and how an outcome is printed.

mod arguments;
#[cfg(feature = "cluster")]
mod cluster;
mod declared;
mod error;
mod finish;
mod job;
mod keys;
mod language;
mod notify;
mod pgn;

pub(super) use arguments::{GameArg, PlayArgs};
#[cfg(feature = "cluster")]
pub(super) use cluster::{ClusterArgs, FleetArgs};
pub(super) use declared::{Declared, Part};
pub(super) use error::CliError;
pub(super) use finish::Printing;
pub(super) use job::{Added, JobPlaces, planned};
pub(super) use keys::{ConditionArgs, OfA, OfAll, OfB, OfOne, SeatArgs, Usage};
pub(super) use language::LanguageArg;
pub(super) use notify::NotifyArgs;
pub(super) use pgn::PgnArgs;
