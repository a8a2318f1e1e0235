//! What the parts of the search hand to each other, as plain data.

mod attempt;
mod entry;
mod frame;
mod node;
mod window;

pub(super) use attempt::{Attempt, Descent, Outcome, Tried};
pub(super) use entry::{Bound, DEPTH_MAX, Entry};
pub(super) use frame::{Frame, Frames};
pub(super) use node::{Choice, Node, NodeKind};
pub(super) use window::Window;
