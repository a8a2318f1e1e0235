//! The parameters of a sequential test: text or numbers in, a checked [`Sprt`] out. It decides nothing itself.

use super::elo::{NELO_SCALE, score_of_elo};
use super::llr::Bounds;
use super::sample::Sample;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The largest hypothesis that is accepted, in Elo of the chosen model.
///
/// Beyond it the iteration for normalized Elo may have no solution at its uniform start, and no sequential test is of use.
pub const ELO_LIMIT: f64 = 200.0;

/// The scale on which the two hypotheses are stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// Elo of the expected score.
    Logistic,
    /// Elo of the score difference in units of its standard deviation a game.
    #[default]
    Normalized,
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
        })
    }
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
    /// Not of the form `key=value`.
    #[error("sprt: `{0}` is not of the form key=value, for example elo1=5")]
    NotKeyValue(String),
    /// A key that does not exist.
    #[error("sprt: unknown key `{key}` (value `{value}`); known are elo0, elo1, alpha, beta, model")]
    UnknownKey {
        /// The key as written.
        key: String,
        /// Its value as written.
        value: String,
    },
    /// The same key twice.
    #[error("sprt: key `{key}` is given again with value `{value}`; give it once")]
    RepeatedKey {
        /// The key as written.
        key: String,
        /// The later value.
        value: String,
    },
    /// A value that is no number.
    #[error("sprt: {key}=`{value}` is not a finite number")]
    NotANumber {
        /// The key as written.
        key: String,
        /// The value as written.
        value: String,
    },
    /// A model that does not exist.
    #[error("sprt: model=`{value}` is unknown; choose normalized or logistic")]
    UnknownModel {
        /// The value as written.
        value: String,
    },
    /// The hypotheses do not differ in the right direction.
    #[error("sprt: elo1={elo1} must be greater than elo0={elo0}")]
    EmptyRange {
        /// H0.
        elo0: f64,
        /// H1.
        elo1: f64,
    },
    /// A hypothesis beyond [`ELO_LIMIT`].
    #[error("sprt: {key}={value} is outside -{ELO_LIMIT}..{ELO_LIMIT}; a sequential test is of no use there")]
    EloOutOfRange {
        /// `elo0` or `elo1`.
        key: &'static str,
        /// The value.
        value: f64,
    },
    /// An error rate outside `(0, 0.5)`.
    #[error("sprt: {key}={value} must lie strictly between 0 and 0.5")]
    ErrorRate {
        /// `alpha` or `beta`.
        key: &'static str,
        /// The value.
        value: f64,
    },
}

impl Sprt {
    /// A checked test; `alpha` is the probability to accept H1 under H0, `beta` to accept H0 under H1.
    ///
    /// # Errors
    /// Numbers that are not finite or out of range, `elo1 <= elo0`.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Sprt, SprtError> {
        for (key, value) in [("elo0", elo0), ("elo1", elo1)] {
            // Written so that NaN is refused too.
            if !(-ELO_LIMIT..=ELO_LIMIT).contains(&value) {
                return Err(SprtError::EloOutOfRange { key, value });
            }
        }
        if elo1 <= elo0 {
            return Err(SprtError::EmptyRange { elo0, elo1 });
        }
        for (key, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::ErrorRate { key, value });
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

    /// Where the log likelihood ratio stops the test.
    pub fn bounds(&self) -> Bounds {
        Bounds::new(self.alpha, self.beta)
    }

    /// Both hypotheses as mean scores, given the spread of one game (which only the normalized model needs).
    pub fn scores(&self, sigma_game: f64) -> (f64, f64) {
        let score = |elo: f64| match self.model {
            EloModel::Logistic => score_of_elo(elo),
            EloModel::Normalized => 0.5 + elo / NELO_SCALE * sigma_game,
        };
        (score(self.elo0), score(self.elo1))
    }

    /// Both hypotheses as `(mu - 1/2)/sigma` of one sample, for the normalized model.
    pub(crate) fn t_values(&self, sample: &Sample) -> (f64, f64) {
        let scale = (sample.games_per_sample() as f64).sqrt() / NELO_SCALE;
        (scale * self.elo0, scale * self.elo1)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        } = self;
        write!(
            f,
            "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}"
        )
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized`; every key is optional, these are the defaults.
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let Sprt {
            mut elo0,
            mut elo1,
            mut alpha,
            mut beta,
            mut model,
        } = Sprt::default();
        let mut seen: Vec<&str> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| SprtError::NotKeyValue(part.to_owned()))?;
            let (key, value) = (key.trim(), value.trim());
            if seen.contains(&key) {
                return Err(SprtError::RepeatedKey {
                    key: key.to_owned(),
                    value: value.to_owned(),
                });
            }
            seen.push(key);
            match key {
                "elo0" => elo0 = number(key, value)?,
                "elo1" => elo1 = number(key, value)?,
                "alpha" => alpha = number(key, value)?,
                "beta" => beta = number(key, value)?,
                "model" => model = value.parse()?,
                _ => {
                    return Err(SprtError::UnknownKey {
                        key: key.to_owned(),
                        value: value.to_owned(),
                    });
                }
            }
        }
        Sprt::new(elo0, elo1, alpha, beta, model)
    }
}

impl FromStr for EloModel {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<EloModel, SprtError> {
        match text {
            "logistic" => Ok(EloModel::Logistic),
            "normalized" => Ok(EloModel::Normalized),
            _ => Err(SprtError::UnknownModel {
                value: text.to_owned(),
            }),
        }
    }
}

fn number(key: &str, value: &str) -> Result<f64, SprtError> {
    value
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| SprtError::NotANumber {
            key: key.to_owned(),
            value: value.to_owned(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_text_is_the_default_test() {
        assert_eq!("".parse::<Sprt>(), Ok(Sprt::default()));
    }

    #[test]
    fn what_is_displayed_is_read_back() {
        let sprt = Sprt::new(-3.5, 1.0, 0.01, 0.1, EloModel::Logistic).unwrap();
        assert_eq!(sprt.to_string().parse::<Sprt>(), Ok(sprt));
        assert_eq!("elo1 = 3, model = logistic".parse::<Sprt>().unwrap().elo1(), 3.0);
    }

    #[test]
    fn every_mistake_names_its_key_and_value() {
        let cases = [
            ("elo0=5,elo1=5", "elo1=5 must be greater than elo0=5"),
            ("alpha=0.5", "alpha=0.5 must lie strictly between"),
            ("beta=0", "beta=0 must lie strictly between"),
            ("alpha=nan", "alpha=`nan` is not a finite number"),
            ("elo1=inf", "elo1=`inf` is not a finite number"),
            ("elo1=500", "elo1=500 is outside"),
            ("gamma=3", "unknown key `gamma` (value `3`)"),
            ("elo1", "`elo1` is not of the form key=value"),
            ("elo1=2,elo1=3", "`elo1` is given again with value `3`"),
            ("model=bayeselo", "model=`bayeselo` is unknown"),
        ];
        for (text, expected) in cases {
            let message = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
