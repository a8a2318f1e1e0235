//! The methods by name.

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
}
