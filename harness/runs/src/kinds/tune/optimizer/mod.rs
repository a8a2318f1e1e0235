//! Tuning by simultaneous perturbation: from a space of parameters and the results of games to better values.

pub mod landscape;
mod method;
mod space;
mod tuner;

pub use method::{Design, MethodName};
pub(crate) use space::matches;
pub(in crate::kinds::tune) use space::rounded_width;
pub use space::{Parameter, Space, ValueKind, expand};
pub use tuner::{Plan, Trial, Tuner, TuningStep};
