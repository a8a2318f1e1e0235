//! What the tests of fleets share.

mod compared;
mod fleet;
mod impostor;
mod machine;
mod office;
mod proxy;

pub(crate) use compared::*;
pub(crate) use fleet::*;
pub(crate) use impostor::*;
pub(crate) use machine::*;
pub(crate) use office::*;
pub(crate) use proxy::*;
