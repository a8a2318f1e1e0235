//! How results become steps: one trait, two methods.

mod curve;
mod newton;
mod spsa;

use super::{Plan, Space, Trial};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum MethodName {
    Spsa,
    Newton,
}

impl MethodName {
    pub const ALL: [MethodName; 2] = [MethodName::Spsa, MethodName::Newton];
    /// The one that loses little where there is nothing to gain, and takes nothing for granted of what a width is worth.
    pub const DEFAULT: MethodName = MethodName::Newton;

    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn asks_for_signal(self) -> bool {
        self == MethodName::Newton
    }

    /// `classic` is an older name of `spsa`.
    pub fn from_name(name: &str) -> Option<MethodName> {
        let name = if name == "classic" { "spsa" } else { name };
        name.parse().ok()
    }
}

/// A trial that is to be played about the state.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// Half the distance of the two sides.
    pub widths: Vec<f64>,
    /// Plus has the whole distance, minus is the state.
    pub is_one_sided: bool,
}

/// A method between two results. Iterations are numbered from 0.
pub trait Method: Send {
    fn state(&self) -> &[f64];
    fn design(&self, iteration: u64) -> Design;
    fn update(&mut self, trial: &Trial, balance: f64);
    fn estimate(&self) -> Vec<f64> {
        self.state().to_vec()
    }
    fn kept(&self) -> Option<f64> {
        None
    }
    /// What the state is expected to have gained, in Elo.
    fn gain(&self) -> Option<f64> {
        None
    }
}

pub(crate) fn begin(space: &Space, plan: &Plan) -> Box<dyn Method> {
    match plan.method {
        MethodName::Spsa => Box::new(spsa::Spsa::new(space, plan)),
        MethodName::Newton => Box::new(newton::Newton::new(space, plan)),
    }
}
