//! Numbers as text, and a dash where there is none: never NaN or infinity.

pub use tanren_core::plural::plural;

use crate::document::language::said;
use crate::stats::Estimate;

pub(crate) const ELO_DECIMALS: usize = 3;
/// Decimals of scores, probabilities and likelihood ratios in files.
pub(crate) const FINE_DECIMALS: usize = 6;

pub(crate) fn signed(value: Option<f64>, decimals: usize) -> String {
    match or_dash(value, decimals) {
        text if text.starts_with('-') => text,
        text => format!("+{text}"),
    }
}

/// `+2.8 to +57.3`
pub(crate) fn ci_text(estimate: &Estimate) -> String {
    let ends = format!("{} to {}", signed(estimate.low, 1), signed(estimate.high, 1));
    said(&ends).into_owned()
}

pub(crate) fn or_dash(value: Option<f64>, decimals: usize) -> String {
    finite(value).map_or("-".to_owned(), |value| {
        let mut text = format!("{value:.decimals$}");
        unsigned_zero(&mut text, 0);
        text
    })
}

pub(crate) fn percent(share: Option<f64>) -> String {
    finite(share).map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// A p-value: `0.012`, `<0.001`.
pub(crate) fn p_text(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "<0.001".to_owned(),
        p => or_dash(p, 3),
    }
}

/// A count in three digits or a little more: `812`, `12.3k`, `4.56M`.
pub(crate) fn compact(value: f64) -> String {
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

pub(crate) fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes:02}:{seconds:02}")
    }
}

/// `2 s`, `14 min`, `1 h 02 min`
pub(crate) fn duration(seconds: f64) -> String {
    let seconds = seconds.clamp(0.0, 1e9).round() as u64;
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// `text` without its middle if it is longer: programs often differ in their last words only.
pub(crate) fn shortened(text: &str, chars_max: usize) -> String {
    let length = text.chars().count();
    if length <= chars_max {
        return text.to_owned();
    }
    let head = (chars_max - 1) / 2;
    let tail = chars_max - 1 - head;
    let begin = text.chars().take(head).chain(['…']);
    begin.chain(text.chars().skip(length - tail)).collect()
}

pub(crate) fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// The number from `start` on loses its sign if it is zero: `-0.000` is `0.000`.
pub(crate) fn unsigned_zero(text: &mut String, start: usize) {
    let is_zero = |digits: &str| digits.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if text[start..].strip_prefix('-').is_some_and(is_zero) {
        text.remove(start);
    }
}

#[cfg(test)]
mod tests {
    use crate::document::number::*;

    #[test]
    fn numbers_for_a_reader() {
        assert_eq!(
            plural(1, "batch") + &plural(2, "batch") + &plural(0, "pair"),
            "1 batch2 batches0 pairs"
        );
        assert_eq!([None, Some(f64::NAN)].map(|value| signed(value, 1)), ["-", "-"]);
        assert_eq!(
            [-1e-9, -0.25].map(|value| signed(Some(value), 2)),
            ["+0.00", "-0.25"]
        );
        assert_eq!(or_dash(Some(-0.000_01), 3), "0.000");
        let cut = ["uci:./engine,option.Skill=3", "engine"].map(|text| shortened(text, 12));
        assert_eq!(cut, ["uci:.…kill=3", "engine"]);
        assert_eq!(
            [None, Some(1e-9), Some(0.0456)].map(p_text),
            ["-", "<0.001", "0.046"]
        );
        let counts = [0.0, 812.4, 999.6, 1_234.0, 45_678.0, 999_600.0, 2.5e9].map(compact);
        assert_eq!(counts, ["0", "812", "1.00k", "1.23k", "45.7k", "1.00M", "2.50G"]);
        assert_eq!(
            [2.4, 840.0, 7_380.0].map(duration),
            ["2 s", "14 min", "2 h 03 min"]
        );
        assert_eq!([59, 3_723].map(clock), ["00:59", "1:02:03"]);
    }
}
