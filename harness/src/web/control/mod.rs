//! What a user may do to runs from a page, if the server was told so.
//!
//! In: wishes of somebody who has the token. Out: runs as children of the server, one after the other. Must not: lose a game, or start
//! a program that its owner did not allow.

mod conductor;
mod line;
mod order;
mod playing;
mod wishes;

pub(super) use conductor::Conductor;
pub(super) use wishes::wishes;
