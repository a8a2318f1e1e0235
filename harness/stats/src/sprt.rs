//! The parameters of a sequential test: numbers in, a checked [`Sprt`] out. It decides nothing itself.

use super::elo::{NELO_SCALE, score_of_elo};
use super::level::{CONFIDENCE, Level};
use thiserror::Error;

/// The largest hypothesis that is accepted, in Elo of the chosen model.
///
/// Beyond it the iteration for normalized Elo may have no solution at its uniform start, and no sequential test is of use.
pub const ELO_LIMIT: f64 = 200.0;

/// Where the log likelihood ratio stops a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Below it H0 is accepted.
    pub lower: f64,
    /// Above it H1 is accepted.
    pub upper: f64,
}

/// One of the two statements of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    /// The lower strength.
    H0,
    /// The higher strength.
    H1,
}

impl Bounds {
    /// What a log likelihood ratio accepts: the one place where they are compared. A ratio exactly on a bound has not crossed it.
    pub fn accepts(&self, llr: f64) -> Option<Hypothesis> {
        if llr < self.lower {
            Some(Hypothesis::H0)
        } else {
            (llr > self.upper).then_some(Hypothesis::H1)
        }
    }
}

impl Level {
    /// The errors of a test's two verdicts, so that "H1 is accepted" and an interval above H0 are the same statement; without a test those of a
    /// two-sided test at 5 %.
    pub fn of(test: Option<&Sprt>) -> Level {
        test.map_or(Level::two_sided(CONFIDENCE), |sprt| Level {
            low: sprt.alpha(),
            high: sprt.beta(),
        })
    }
}

/// The scale on which the two hypotheses are stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// Elo of the expected score.
    Logistic,
    /// Elo of the score difference in units of its standard deviation a game.
    #[default]
    Normalized,
}

/// A sequential probability ratio test of H0 `elo = elo0` against H1 `elo = elo1`, always valid once built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Normalized,
        }
    }
}

/// What is wrong with the parameters of a sequential test.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SprtError {
    /// H0 and H1 do not differ in the right direction.
    #[error("sprt: elo1={1} must be greater than elo0={0}")]
    EmptyRange(f64, f64),
    /// A hypothesis, by its key, beyond [`ELO_LIMIT`].
    #[error("sprt: {0}={1} is outside -{ELO_LIMIT}..{ELO_LIMIT}; a sequential test is of no use there")]
    EloOutOfRange(&'static str, f64),
    /// An error rate, by its key, outside `(0, 0.5)`.
    #[error("sprt: {0}={1} must lie strictly between 0 and 0.5")]
    ErrorRate(&'static str, f64),
}

impl Sprt {
    /// A checked test; `alpha` is the probability to accept H1 under H0, `beta` to accept H0 under H1.
    /// Errors: Numbers that are not finite or out of range, `elo1 <= elo0`.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Sprt, SprtError> {
        for (key, value) in [("elo0", elo0), ("elo1", elo1)] {
            // Written so that NaN is refused too.
            if !(-ELO_LIMIT..=ELO_LIMIT).contains(&value) {
                return Err(SprtError::EloOutOfRange(key, value));
            }
        }
        if elo1 <= elo0 {
            return Err(SprtError::EmptyRange(elo0, elo1));
        }
        for (key, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::ErrorRate(key, value));
            }
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// H0 in Elo of the model.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// H1 in Elo of the model.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// Probability to accept H1 when H0 is true.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Probability to accept H0 when H1 is true.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The scale of the hypotheses.
    pub fn model(&self) -> EloModel {
        self.model
    }

    /// Wald's bounds `ln(beta/(1-alpha))` and `ln((1-beta)/alpha)`.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            lower: (self.beta / (1.0 - self.alpha)).ln(),
            upper: ((1.0 - self.beta) / self.alpha).ln(),
        }
    }

    /// Both hypotheses as mean scores, given the spread of one game (which only the normalized model needs).
    pub fn scores(&self, sigma_game: f64) -> (f64, f64) {
        let score = |elo: f64| match self.model {
            EloModel::Logistic => score_of_elo(elo),
            EloModel::Normalized => 0.5 + elo / NELO_SCALE * sigma_game,
        };
        (score(self.elo0), score(self.elo1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_test_has_is_refused() {
        let new = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, EloModel::Logistic);
        let out_of_range = |key, value| Err(SprtError::EloOutOfRange(key, value));
        assert_eq!(new(-200.5, 5.0, 0.05, 0.05), out_of_range("elo0", -200.5));
        assert_eq!(new(0.0, 200.5, 0.05, 0.05), out_of_range("elo1", 200.5));
        assert!(new(f64::NAN, 5.0, 0.05, 0.05).is_err());
        assert_eq!(new(5.0, 5.0, 0.05, 0.05), Err(SprtError::EmptyRange(5.0, 5.0)));
        for rate in [0.0, 0.5, f64::NAN] {
            let refused = |result, key| matches!(result, Err(SprtError::ErrorRate(of, _)) if of == key);
            assert!(refused(new(0.0, 5.0, rate, 0.05), "alpha"));
            assert!(refused(new(0.0, 5.0, 0.05, rate), "beta"));
        }
        assert!(new(-200.0, 200.0, 0.01, 0.49).is_ok());
    }

    #[test]
    fn a_ratio_on_a_bound_has_not_crossed_it() {
        let bounds = Bounds {
            lower: -2.0,
            upper: 3.0,
        };
        for (llr, expected) in [
            (-2.1, Some(Hypothesis::H0)),
            (-2.0, None),
            (0.0, None),
            (3.0, None),
            (3.1, Some(Hypothesis::H1)),
        ] {
            assert_eq!(bounds.accepts(llr), expected, "{llr}");
        }
    }
}
