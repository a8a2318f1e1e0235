//! Everything that answers are made from.

use tokio::sync::Notify;

use super::control::Conductor;
use super::counted::Desk;
use super::follow::Follow;
use super::shelf::Shelf;
use crate::report::Language;

/// What answers are made from.
pub(super) struct Library {
    /// Who acts on wishes, where there may be any.
    pub(super) conductor: Option<Conductor>,
    pub(super) shelf: Shelf,
    pub(super) desk: Desk,
    pub(super) follow: Follow,
    /// Somebody looked at the list: what it lacks is to be counted.
    pub(super) wanted: Notify,
    pub(super) language: Language,
}
