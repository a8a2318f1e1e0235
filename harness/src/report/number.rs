//! Numbers as text: fixed decimals, and an empty field or a dash where there is no number.
//!
//! In: values that may be absent. Out: text. Must not: print NaN or infinity.

use serde_json::Value;

/// Decimals of ratings in files.
pub(super) const ELO_DECIMALS: usize = 3;
/// Decimals of scores, probabilities and likelihood ratios in files.
pub(super) const FINE_DECIMALS: usize = 6;

/// For a file: empty if absent.
fn field(value: Option<f64>, decimals: usize) -> String {
    finite(value).map_or(String::new(), |value| {
        unsigned_zero(format!("{value:.decimals$}"))
    })
}

/// For a reader, with its sign: a dash if absent.
pub(super) fn signed(value: Option<f64>, decimals: usize) -> String {
    finite(value).map_or("-".to_owned(), |value| {
        let text = unsigned_zero(format!("{value:+.decimals$}"));
        if text.starts_with(['+', '-']) {
            text
        } else {
            format!("+{text}")
        }
    })
}

/// For a reader: a dash if absent.
pub(super) fn or_dash(value: Option<f64>, decimals: usize) -> String {
    match field(value, decimals) {
        text if text.is_empty() => "-".to_owned(),
        text => text,
    }
}

/// So many of what `noun` names.
pub(super) fn plural(count: u64, noun: &str) -> String {
    let end = match count {
        1 => "",
        _ if noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {noun}{end}")
}

/// A share in percent for a reader: a dash if absent.
pub(super) fn percent(value: Option<f64>) -> String {
    finite(value).map_or("-".to_owned(), |value| format!("{:.1} %", 100.0 * value))
}

/// A JSON number with as many decimals as the CSV has.
pub(super) fn number(value: Option<f64>, decimals: usize) -> Value {
    let text = field(value, decimals);
    text.parse::<f64>().map_or(Value::Null, Value::from)
}

/// A count for a reader, in three digits or a little more: `812`, `12.3k`, `4.56M`.
pub(super) fn compact(value: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    // Whatever would round up to a thousand takes the next unit.
    let unit = units.iter().find(|(size, _)| value >= 0.9995 * size);
    let Some((size, name)) = unit else {
        return format!("{value:.0}");
    };
    let scaled = value / size;
    let decimals = if scaled < 9.995 {
        2
    } else {
        usize::from(scaled < 99.95)
    };
    format!("{scaled:.decimals$}{name}")
}

/// Seconds as `1:02:03` or `02:03`.
pub(super) fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes:02}:{seconds:02}")
    }
}

fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// `-0.000` is `0.000`.
fn unsigned_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        let words =
            [(1, "batch"), (2, "batch"), (1, "pair"), (0, "pair")].map(|(count, noun)| plural(count, noun));
        assert_eq!(words, ["1 batch", "2 batches", "1 pair", "0 pairs"]);
    }

    #[test]
    fn what_is_absent_or_not_finite_is_never_a_number() {
        assert_eq!(field(None, 3), "");
        assert_eq!(field(Some(f64::NAN), 3), "");
        assert_eq!(signed(Some(f64::INFINITY), 1), "-");
    }

    #[test]
    fn zero_has_no_sign_in_files_and_a_plus_for_readers() {
        assert_eq!(field(Some(-0.000_01), 3), "0.000");
        assert_eq!(field(Some(-0.25), 2), "-0.25");
        assert_eq!(signed(Some(-1e-9), 1), "+0.0");
        assert_eq!(signed(Some(-0.25), 2), "-0.25");
    }

    #[test]
    fn counts_keep_three_digits() {
        let texts = [0.0, 812.4, 999.6, 1_234.0, 45_678.0, 999_600.0, 2.5e9].map(compact);
        assert_eq!(texts, ["0", "812", "1.00k", "1.23k", "45.7k", "1.00M", "2.50G"]);
    }

    #[test]
    fn durations_read_like_a_clock() {
        assert_eq!(clock(59), "00:59");
        assert_eq!(clock(3_723), "1:02:03");
    }
}
