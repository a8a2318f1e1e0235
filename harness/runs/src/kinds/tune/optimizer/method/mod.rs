//! How results become steps: one trait, several methods.

mod bayes;
mod spsa;
mod surface;

pub use surface::{SURFACE_PARAMETERS_MAX, Surface};

use super::{Plan, Space, Trial};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MethodName {
    Spsa,
    Bayes,
    Surface,
}

impl MethodName {
    pub const ALL: [MethodName; 3] = [MethodName::Spsa, MethodName::Bayes, MethodName::Surface];
    /// The one that does not lose what was won before.
    pub const DEFAULT: MethodName = MethodName::Bayes;

    pub fn name(self) -> &'static str {
        match self {
            MethodName::Spsa => "spsa",
            MethodName::Bayes => "bayes",
            MethodName::Surface => "surface",
        }
    }

    pub fn takes(self, parameters: usize) -> bool {
        self != MethodName::Surface || parameters <= SURFACE_PARAMETERS_MAX
    }

    pub fn asks_for_signal(self) -> bool {
        self != MethodName::Spsa
    }

    pub fn from_name(name: &str) -> Option<MethodName> {
        MethodName::ALL.into_iter().find(|method| method.name() == name)
    }
}

/// A method between two results. Iterations are numbered from 0.
pub trait Method: Send {
    fn state(&self) -> &[f64];
    /// The values that the trial of `iteration` is played about.
    fn state_for(&self, _iteration: u64) -> Vec<f64> {
        self.state().to_vec()
    }
    /// Half the distance of the two sides in `iteration`.
    fn widths(&self, iteration: u64) -> Vec<f64>;
    fn update(&mut self, trial: &Trial, balance: f64);
    fn estimate(&self) -> Vec<f64> {
        self.state().to_vec()
    }
    fn kept(&self) -> Option<f64> {
        None
    }
    fn surface(&self) -> Option<Surface> {
        None
    }
}

pub(crate) fn begin(space: &Space, plan: &Plan) -> Box<dyn Method> {
    match plan.method {
        MethodName::Spsa => Box::new(spsa::Spsa::new(space, plan)),
        MethodName::Bayes => Box::new(bayes::Bayes::new(space, plan)),
        MethodName::Surface => Box::new(surface::SurfaceMethod::new(space, plan)),
    }
}
