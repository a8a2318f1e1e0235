//! How often an interval may miss the true value.

/// The confidence of every interval that is not shown next to a test.
pub const CONFIDENCE: f64 = 0.95;

/// The probabilities that an interval lies above the truth, and that it lies below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// That the lower end is above the truth.
    pub low: f64,
    /// That the upper end is below it.
    pub high: f64,
}

impl Level {
    /// Both ends err alike, in `1 - confidence` of the cases together.
    pub const fn two_sided(confidence: f64) -> Level {
        let error = 0.5 * (1.0 - confidence);
        Level {
            low: error,
            high: error,
        }
    }

    /// How often an interval of this level holds the truth.
    pub fn confidence(&self) -> f64 {
        1.0 - self.low - self.high
    }
}
