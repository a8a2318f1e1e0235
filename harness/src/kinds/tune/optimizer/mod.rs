//! Tuning by simultaneous perturbation: from a space of parameters and the results of games to better values.

pub mod landscape;
mod method;
mod quadratic;
mod run;
mod sensitivity;
mod space;
mod tunables;
mod tuner;

pub use method::MethodName;
pub use quadratic::{SURFACE_PARAMETERS_MAX, Surface};
pub use run::{TuneRun, recount, tune};
pub use sensitivity::Sensitivity;
pub use space::{Parameter, Space, SpaceError, ValueKind};
pub use tunables::expand;
pub use tuner::{Plan, Step, Trial, Tuner};
