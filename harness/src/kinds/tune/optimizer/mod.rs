//! Tuning by simultaneous perturbation: from a space of parameters and the results of games to better values.

pub mod bench;
mod gains;
pub mod landscape;
mod lines;
mod method;
mod plan;
mod quadratic;
mod run;
mod sensitivity;
mod space;
mod trial;
mod tunables;
mod tuner;

pub use gains::Gains;
pub use method::MethodName;
pub use plan::Plan;
pub use quadratic::{SURFACE_PARAMETERS_MAX, Surface};
pub use run::{TuneRun, recount, tune};
pub use sensitivity::Sensitivity;
pub use space::{Parameter, Space, SpaceError, ValueKind};
pub use trial::Trial;
pub use tunables::expand;
pub use tuner::{Step, Tuner};
