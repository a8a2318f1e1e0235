//! Between which values a sequential test goes on.

/// Where the log likelihood ratio stops a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Below it H0 is accepted.
    pub lower: f64,
    /// Above it H1 is accepted.
    pub upper: f64,
}

impl Bounds {
    /// Wald's bounds `ln(beta/(1-alpha))` and `ln((1-beta)/alpha)`.
    pub fn new(alpha: f64, beta: f64) -> Bounds {
        Bounds {
            lower: (beta / (1.0 - alpha)).ln(),
            upper: ((1.0 - beta) / alpha).ln(),
        }
    }
}
