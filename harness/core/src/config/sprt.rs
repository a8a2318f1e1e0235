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
