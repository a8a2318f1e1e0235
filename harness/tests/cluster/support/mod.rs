//! What the tests of fleets share.

mod compared;
mod fleet;
mod machine;

pub(crate) use compared::*;
pub(crate) use fleet::*;
pub(crate) use machine::*;
