//! How results become steps: one trait, several methods.
//!
//! In: the name of a method, a space, a plan. Out: the method at its beginning. Must not: play or draw a random number.

mod adaptive;
mod averaged;
mod bayes;
pub(super) mod name;
mod rule;
mod spsa;
mod surface;

use super::plan::Plan;
use super::space::Space;
use adaptive::Adaptive;
use averaged::Averaged;
use bayes::Bayes;
use spsa::Spsa;
use surface::SurfaceMethod;

pub use name::MethodName;
pub use rule::Method;

/// The method that `plan` names, at its beginning.
pub(super) fn begin(space: &Space, plan: &Plan) -> Box<dyn Method> {
    match plan.method {
        MethodName::Classic => Box::new(Spsa::new(space, plan)),
        MethodName::Averaged => Box::new(Averaged::new(Spsa::new(space, plan), plan)),
        MethodName::Adaptive => Box::new(Averaged::new(Adaptive::each(space, plan), plan)),
        MethodName::Bayes => Box::new(Bayes::new(space, plan)),
        MethodName::Surface => Box::new(SurfaceMethod::new(space, plan)),
        MethodName::Scaled => Box::new(Averaged::new(Adaptive::scaled(space, plan), plan)),
    }
}
