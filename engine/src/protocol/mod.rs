//! The engine's voice: USI over lines of text.
//!
//! In: lines of a GUI or a match runner. Out: lines. The only module of the crate that reads, writes or looks at a clock.

mod command;
mod limits;
mod session;
mod usi;

pub use command::{Command, Go};
pub use session::Session;
