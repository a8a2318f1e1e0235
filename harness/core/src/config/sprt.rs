//! The sequential test as text.

use crate::stats::{EloModel, Sprt, SprtError};

/// What is wrong with a test or its text; it names the key and its value.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum SprtTextError {
    #[error("sprt: {0}")]
    Text(String),
    #[error(transparent)]
    Test(#[from] SprtError),
}

/// Tests by name: `elo0` and `elo1` in normalized Elo, with an alpha and a beta of 0.05. The first three are fishtest's, whose form for a
/// new test offers them; the others are those of the engines of OpenBench's main server (Ethereal, Stormphrax).
pub const SPRT_PRESETS: [(&str, f64, f64); 5] = [
    ("stc", 0.0, 2.0),
    ("ltc", 0.5, 2.5),
    ("nonreg", -1.75, 0.25),
    ("openbench", 0.0, 3.0),
    ("openbench-nonreg", -5.0, 0.0),
];

/// Reads a test: the name of a preset, keys, or a preset and the keys that differ. Keys that are left out have the values of
/// [`Sprt::default`].
///
/// # Errors
/// A text that is none, or a test that there is not.
pub fn parse_sprt(text: &str) -> Result<Sprt, SprtTextError> {
    let default = Sprt::default();
    let mut model = default.model();
    let mut numbers = [
        ("elo0", default.elo0()),
        ("elo1", default.elo1()),
        ("alpha", default.alpha()),
        ("beta", default.beta()),
    ];
    let mut seen: Vec<&str> = Vec::new();
    let mut has_preset = false;
    // As fishtest and OpenBench write it: [0, 5].
    let text = text
        .trim()
        .trim_start_matches(['[', '('])
        .trim_end_matches([']', ')']);
    for (index, part) in text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .enumerate()
    {
        let preset = SPRT_PRESETS.iter().find(|(name, ..)| *name == part);
        if let (0, Some(&(_, elo0, elo1))) = (index, preset) {
            (numbers[0].1, numbers[1].1) = (elo0, elo1);
            has_preset = true;
            continue;
        }
        let of_form = || {
            let presets = SPRT_PRESETS.map(|(name, ..)| name).join(", ");
            SprtTextError::Text(format!(
                "cannot read `{part}`: write 0,5, a key such as elo1=5, or the name of a test ({presets})"
            ))
        };
        let is_bound = index < 2 && part.parse::<f64>().is_ok_and(f64::is_finite);
        let (key, value) = match part.split_once('=') {
            Some((key, value)) => (key.trim(), value.trim()),
            None if is_bound => (numbers[index].0, part),
            None => return Err(of_form()),
        };
        if seen.contains(&key) {
            let message = format!("key `{key}` is given again with value `{value}`; give it once");
            return Err(SprtTextError::Text(message));
        }
        seen.push(key);
        if key == "model" {
            model = parse_elo_model(value)?;
            continue;
        }
        let unknown = || {
            let known = "elo0, elo1, alpha, beta, model";
            SprtTextError::Text(format!(
                "unknown key `{key}` (value `{value}`); known are {known}"
            ))
        };
        let number = numbers
            .iter_mut()
            .find(|(name, _)| *name == key)
            .ok_or_else(unknown)?;
        let read = value.parse().ok().filter(|number: &f64| number.is_finite());
        let is_none = || SprtTextError::Text(format!("{key}=`{value}` is not a finite number"));
        number.1 = read.ok_or_else(is_none)?;
    }
    if !has_preset && seen.contains(&"elo0") && !seen.contains(&"elo1") {
        let message = format!("`{text}` gives elo0 alone; give both hypotheses, for example 0,5");
        return Err(SprtTextError::Text(message));
    }
    let [elo0, elo1, alpha, beta] = numbers.map(|(_, number)| number);
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

fn parse_elo_model(text: &str) -> Result<EloModel, SprtTextError> {
    let unknown = || {
        SprtTextError::Text(format!(
            "model=`{text}` is unknown; choose normalized or logistic"
        ))
    };
    let mut models = [EloModel::Logistic, EloModel::Normalized].into_iter();
    models
        .find(|&model| elo_model_name(model) == text)
        .ok_or_else(unknown)
}
