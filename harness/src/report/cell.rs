//! One value of a sheet, and how files write it.
//!
//! In: values that may be absent. Out: their text in CSV, their value in JSON. Must not: print NaN or infinity.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::{Number, Value};

use crate::foreign;

/// What stands in one place of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell<'a> {
    /// Nothing: an empty field, `null`.
    Empty,
    Text(Cow<'a, str>),
    Count(u64),
    Signed(i64),
    /// All its digits.
    Exact(f64),
    /// Rounded to so many decimals, without trailing zeros.
    Rounded(f64, usize),
    /// Always with so many decimals.
    Fixed(f64, usize),
}

impl<'a> Cell<'a> {
    /// A number rounded to so many decimals, if there is one.
    pub(super) fn rounded(value: impl Into<Option<f64>>, decimals: usize) -> Cell<'a> {
        let value: Option<f64> = value.into();
        value.map_or(Cell::Empty, |value| Cell::Rounded(value, decimals))
    }

    /// A number with always so many decimals, if there is one.
    pub(super) fn fixed(value: impl Into<Option<f64>>, decimals: usize) -> Cell<'a> {
        let value: Option<f64> = value.into();
        value.map_or(Cell::Empty, |value| Cell::Fixed(value, decimals))
    }

    /// A number to four significant digits, however small, if there is one.
    pub(super) fn significant(value: Option<f64>) -> Cell<'a> {
        let digits = value.and_then(|value| format!("{value:.3e}").parse().ok());
        digits.map_or(Cell::Empty, Cell::Exact)
    }

    /// The field of a CSV file; `space` is where a number is written to.
    pub(super) fn field<'b>(&'b self, space: &'b mut String) -> &'b str {
        space.clear();
        // Writing to a string cannot fail.
        let _ = match *self {
            Cell::Empty => Ok(()),
            Cell::Text(ref text) => match foreign::line(text) {
                Cow::Borrowed(text) => return text,
                Cow::Owned(text) => {
                    space.push_str(&text);
                    Ok(())
                }
            },
            Cell::Count(value) => {
                space.push_str(itoa::Buffer::new().format(value));
                Ok(())
            }
            Cell::Signed(value) => {
                space.push_str(itoa::Buffer::new().format(value));
                Ok(())
            }
            Cell::Exact(value) => Number::from_f64(value).map_or(Ok(()), |number| write!(space, "{number}")),
            Cell::Rounded(value, decimals) => {
                let number = rounded(value, decimals, space).and_then(Number::from_f64);
                space.clear();
                number.map_or(Ok(()), |number| write!(space, "{number}"))
            }
            Cell::Fixed(value, _) if !value.is_finite() => Ok(()),
            Cell::Fixed(value, decimals) => write!(space, "{:.decimals$}", unsigned_zero(value, decimals)),
        };
        space
    }

    /// The field of a CSV file that a spreadsheet may open: a text that it would run gets an apostrophe in front.
    pub(super) fn harmless_field<'b>(&'b self, space: &'b mut String) -> Cow<'b, str> {
        let is_text = matches!(self, Cell::Text(_));
        let field = self.field(space);
        if is_text { harmless(field) } else { field.into() }
    }

    /// The value in a JSON object.
    pub(super) fn value(&self) -> Value {
        match *self {
            Cell::Empty => Value::Null,
            Cell::Text(ref text) => Value::from(&**text),
            Cell::Count(value) => Value::from(value),
            Cell::Signed(value) => Value::from(value),
            Cell::Exact(value) => Value::from(value),
            Cell::Rounded(value, decimals) | Cell::Fixed(value, decimals) => {
                rounded(value, decimals, &mut String::new()).map_or(Value::Null, Value::from)
            }
        }
    }
}

/// `text` with an apostrophe in front if a spreadsheet would take it for a formula
/// (<https://owasp.org/www-community/attacks/CSV_Injection>); a number is none.
pub(super) fn harmless(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    if is_formula {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

/// The number that the text with so many decimals says.
fn rounded(value: f64, decimals: usize, space: &mut String) -> Option<f64> {
    let _ = write!(space, "{:.decimals$}", unsigned_zero(value, decimals));
    space.parse().ok().filter(|value: &f64| value.is_finite())
}

/// What rounds to `-0.000` is `0.000`.
fn unsigned_zero(value: f64, decimals: usize) -> f64 {
    let is_small = value < 0.0 && -value < 10f64.powi(-i32::try_from(decimals).unwrap_or(0));
    if value == 0.0 || is_small && is_zero(value, decimals) {
        0.0
    } else {
        value
    }
}

fn is_zero(value: f64, decimals: usize) -> bool {
    let text = format!("{value:.decimals$}");
    text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'))
}

impl From<u64> for Cell<'_> {
    fn from(value: u64) -> Self {
        Cell::Count(value)
    }
}

impl From<u32> for Cell<'_> {
    fn from(value: u32) -> Self {
        Cell::Count(value.into())
    }
}

impl From<usize> for Cell<'_> {
    fn from(value: usize) -> Self {
        Cell::Count(value as u64)
    }
}

impl From<i64> for Cell<'_> {
    fn from(value: i64) -> Self {
        Cell::Signed(value)
    }
}

impl From<i32> for Cell<'_> {
    fn from(value: i32) -> Self {
        Cell::Signed(value.into())
    }
}

impl From<f64> for Cell<'_> {
    fn from(value: f64) -> Self {
        Cell::Exact(value)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Cell::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Cell<'a> {
    fn from(text: &'a String) -> Self {
        Cell::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Cell<'_> {
    fn from(text: String) -> Self {
        Cell::Text(Cow::Owned(text))
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Empty, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(cell: &Cell<'_>) -> String {
        cell.field(&mut String::new()).to_owned()
    }

    #[test]
    fn what_is_absent_or_not_finite_is_never_a_number() {
        let absent: Option<u64> = None;
        for cell in [
            Cell::from(absent),
            Cell::rounded(None, 3),
            Cell::rounded(f64::NAN, 3),
            Cell::fixed(f64::INFINITY, 3),
            Cell::from(f64::NEG_INFINITY),
        ] {
            assert_eq!((field(&cell), cell.value()), (String::new(), Value::Null));
        }
    }

    #[test]
    fn a_text_that_a_spreadsheet_would_run_is_text_in_a_csv_and_itself_elsewhere() {
        let csv = |cell: Cell<'_>| cell.harmless_field(&mut String::new()).into_owned();
        for text in ["=cmd|' /C calc'!A0", "+1+cmd", "-x", "@SUM(A1)", "-1-1"] {
            assert_eq!(csv(text.into()), format!("'{text}"));
            assert_eq!(field(&text.into()), text);
            assert_eq!(Cell::from(text).value(), text);
        }
        for text in ["", "1-0", "-3.5", "+7", "base,null_move=off", "a=b"] {
            assert_eq!(csv(text.into()), text);
        }
        assert_eq!(csv((-3i64).into()), "-3");
        assert_eq!(csv(Cell::rounded(-0.5, 2)), "-0.5");
    }

    #[test]
    fn a_text_of_others_is_one_line_without_controls() {
        assert_eq!(field(&"a\u{1b}[31m\nb".into()), r"a\u001b[31m\u000ab");
        assert_eq!(Cell::from("a\u{1b}\nb").value(), "a\u{1b}\nb");
    }

    #[test]
    fn rounded_numbers_lose_their_zeros_and_fixed_ones_keep_them() {
        assert_eq!(field(&Cell::rounded(1.5, 3)), "1.5");
        assert_eq!(field(&Cell::rounded(20.0, 1)), "20.0");
        assert_eq!(field(&Cell::rounded(0.333_333_3, 6)), "0.333333");
        assert_eq!(field(&Cell::fixed(1.5, 3)), "1.500");
        assert_eq!(Cell::fixed(1.5, 3).value(), 1.5);
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(field(&Cell::fixed(-0.000_4, 3)), "0.000");
        assert_eq!(field(&Cell::fixed(-0.000_6, 3)), "-0.001");
        assert_eq!(field(&Cell::rounded(-0.000_4, 3)), "0.0");
        assert_eq!(field(&Cell::fixed(-0.25, 2)), "-0.25");
    }

    #[test]
    fn a_number_in_a_field_is_the_same_in_json() {
        for cell in [
            Cell::from(7u64),
            Cell::from(-3i64),
            Cell::from(0.1 + 0.2),
            Cell::rounded(-12.345_6, 3),
        ] {
            assert_eq!(field(&cell), cell.value().to_string());
        }
        assert_eq!(Cell::from("a,b").value(), Value::from("a,b"));
    }
}
