//! How results become steps: one trait, several methods.
//!
//! In: a trial and its result. Out: a new state, widths for the next trial, the values found. Must not: play or draw a
//! random number.

mod adaptive;
mod averaged;
mod spsa;

use super::{Plan, Space, Trial};
use adaptive::Adaptive;
use averaged::Averaged;
use spsa::Spsa;

/// A method between two results. Iterations are numbered from 0.
pub trait Method: Send {
    /// The values that the next trial is played about.
    fn state(&self) -> &[f64];
    /// Half the distance of the two sides in `iteration`.
    fn widths(&self, iteration: u64) -> Vec<f64>;
    /// Takes in a result: games that A won less those that B won.
    fn update(&mut self, trial: &Trial, balance: f64);
    /// The values found so far.
    fn estimate(&self) -> Vec<f64> {
        self.state().to_vec()
    }
}

/// The methods by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MethodName {
    /// Spall's gains and the last state.
    Classic,
    /// Spall's gains and the mean of the later states.
    Averaged,
    /// Steps by the noise and a gain for each parameter by how steadily it moves, and the mean of the later states.
    Adaptive,
    /// Steps by the noise and the mean of the later states.
    Scaled,
}

impl MethodName {
    /// All methods; the first is what the others are compared with.
    pub const ALL: [MethodName; 4] = [
        MethodName::Classic,
        MethodName::Averaged,
        MethodName::Adaptive,
        MethodName::Scaled,
    ];
    /// What the comparison found best.
    pub const DEFAULT: MethodName = MethodName::Scaled;

    /// The name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            MethodName::Classic => "classic",
            MethodName::Averaged => "averaged",
            MethodName::Adaptive => "adaptive",
            MethodName::Scaled => "scaled",
        }
    }

    /// The method of this name.
    pub fn from_name(name: &str) -> Option<MethodName> {
        MethodName::ALL.into_iter().find(|method| method.name() == name)
    }

    /// The method at its beginning.
    pub(super) fn method(self, space: &Space, plan: &Plan) -> Box<dyn Method> {
        match self {
            MethodName::Classic => Box::new(Spsa::new(space, plan)),
            MethodName::Averaged => Box::new(Averaged::new(Spsa::new(space, plan), plan)),
            MethodName::Adaptive => Box::new(Averaged::new(Adaptive::each(space, plan), plan)),
            MethodName::Scaled => Box::new(Averaged::new(Adaptive::scaled(space, plan), plan)),
        }
    }
}
