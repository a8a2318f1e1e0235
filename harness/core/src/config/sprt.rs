//! The sequential test as text.

use crate::stats::{EloModel, Sprt, SprtError};

#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum SprtTextError {
    #[error("sprt: `{0}` is not of the form key=value, for example elo1=5")]
    NotKeyValue(String),
    #[error("sprt: unknown key `{key}` (value `{value}`); known are elo0, elo1, alpha, beta, model")]
    UnknownKey { key: String, value: String },
    #[error("sprt: key `{key}` is given again with value `{value}`; give it once")]
    RepeatedKey { key: String, value: String },
    #[error("sprt: {key}=`{value}` is not a finite number")]
    NotANumber { key: String, value: String },
    #[error("sprt: model=`{value}` is unknown; choose normalized or logistic")]
    UnknownModel { value: String },
    /// The text can be read, but there is no such test.
    #[error(transparent)]
    Sprt(#[from] SprtError),
}

/// Reads a test; keys that are left out have the values of [`Sprt::default`].
pub fn parse_sprt(text: &str) -> Result<Sprt, SprtTextError> {
    let default = Sprt::default();
    let (mut elo0, mut elo1) = (default.elo0(), default.elo1());
    let (mut alpha, mut beta) = (default.alpha(), default.beta());
    let mut model = default.model();
    let mut seen: Vec<&str> = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| SprtTextError::NotKeyValue(part.to_owned()))?;
        let (key, value) = (key.trim(), value.trim());
        if seen.contains(&key) {
            return Err(SprtTextError::RepeatedKey {
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
            "model" => model = parse_elo_model(value)?,
            _ => {
                return Err(SprtTextError::UnknownKey {
                    key: key.to_owned(),
                    value: value.to_owned(),
                });
            }
        }
    }
    Ok(Sprt::new(elo0, elo1, alpha, beta, model)?)
}

/// The text of a test, with every key; [`parse_sprt`] reads it back.
pub fn sprt_text(sprt: &Sprt) -> String {
    format!(
        "elo0={},elo1={},alpha={},beta={},model={}",
        sprt.elo0(),
        sprt.elo1(),
        sprt.alpha(),
        sprt.beta(),
        elo_model_name(sprt.model())
    )
}

pub fn elo_model_name(model: EloModel) -> &'static str {
    match model {
        EloModel::Logistic => "logistic",
        EloModel::Normalized => "normalized",
    }
}

pub fn parse_elo_model(text: &str) -> Result<EloModel, SprtTextError> {
    [EloModel::Logistic, EloModel::Normalized]
        .into_iter()
        .find(|&model| elo_model_name(model) == text)
        .ok_or_else(|| SprtTextError::UnknownModel {
            value: text.to_owned(),
        })
}

fn number(key: &str, value: &str) -> Result<f64, SprtTextError> {
    value
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| SprtTextError::NotANumber {
            key: key.to_owned(),
            value: value.to_owned(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_text_is_the_default_test() {
        assert_eq!(parse_sprt(""), Ok(Sprt::default()));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let sprt = Sprt::new(-3.5, 1.0, 0.01, 0.1, EloModel::Logistic).unwrap();
        assert_eq!(parse_sprt(&sprt_text(&sprt)), Ok(sprt));
        assert_eq!(parse_sprt("elo1 = 3, model = logistic").unwrap().elo1(), 3.0);
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
            let message = parse_sprt(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
