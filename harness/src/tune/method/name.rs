//! The methods by name.

use crate::tune::quadratic::SURFACE_PARAMETERS_MAX;

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
    /// As far from the start as the slopes measured prove.
    Bayes,
    /// A quadratic surface through all results, of up to six numbers.
    Surface,
}

impl MethodName {
    /// All methods; the first is what the others are compared with.
    pub const ALL: [MethodName; 6] = [
        MethodName::Classic,
        MethodName::Averaged,
        MethodName::Adaptive,
        MethodName::Scaled,
        MethodName::Bayes,
        MethodName::Surface,
    ];
    /// The one that does not lose what was won before.
    pub const DEFAULT: MethodName = MethodName::Bayes;

    /// The name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            MethodName::Classic => "classic",
            MethodName::Averaged => "averaged",
            MethodName::Adaptive => "adaptive",
            MethodName::Scaled => "scaled",
            MethodName::Bayes => "bayes",
            MethodName::Surface => "surface",
        }
    }

    /// Can it tune so many numbers?
    pub fn takes(self, parameters: usize) -> bool {
        self != MethodName::Surface || parameters <= SURFACE_PARAMETERS_MAX
    }

    /// Does it ask whether there is anything to gain, and keep the start if not?
    pub fn asks_for_signal(self) -> bool {
        matches!(self, MethodName::Bayes | MethodName::Surface)
    }

    /// The method of this name.
    pub fn from_name(name: &str) -> Option<MethodName> {
        MethodName::ALL.into_iter().find(|method| method.name() == name)
    }
}
