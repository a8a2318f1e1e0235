//! Tuning by simultaneous perturbation: from a space of parameters and the results of games to better values.

pub mod landscape;
mod method;
mod sensitivity;
mod space;
mod tuner;

pub use method::{Design, MethodName};
pub use sensitivity::widened;
pub use space::{Parameter, Space, SpaceError, ValueKind, expand};
pub use tuner::{Plan, Trial, Tuner, TuningStep};
