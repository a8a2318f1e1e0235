//! Numbers as fastchess and cutechess-cli print them.

/// What they print where there is no number.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or("nan".to_owned(), |value| format!("{value:.2}"))
}

/// A player that won or lost everything is infinitely far away.
pub(super) fn elo_text(value: Option<f64>, score: f64) -> String {
    match value {
        None if score == 1.0 => "inf".to_owned(),
        None if score == 0.0 => "-inf".to_owned(),
        value => number(value),
    }
}

pub(super) fn plus_minus(value: Option<f64>, error: Option<f64>, score: f64) -> String {
    format!("{} +/- {}", elo_text(value, score), number(error))
}

pub(super) fn ratio(a: u64, b: u64) -> String {
    match (a, b) {
        (0, 0) => "nan".to_owned(),
        (_, 0) => "inf".to_owned(),
        (a, b) => format!("{:.2}", a as f64 / b as f64),
    }
}

/// What is printed as zero has no sign.
pub(super) fn without_sign_of_zero(value: f64) -> f64 {
    if value.abs() < 0.000_5 { 0.0 } else { value }
}

/// How far the ratio went towards the bound on its side.
pub(super) fn share(llr: f64, lower: f64, upper: f64) -> f64 {
    100.0 * if llr < 0.0 { -llr / lower } else { llr / upper }
}
