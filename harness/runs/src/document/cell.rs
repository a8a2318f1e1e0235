//! One value of a table, and how files write it: never NaN or infinity.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::{Number, Value};

use crate::document::number::{finite, unsigned_zero};
use crate::sanitize;

#[derive(Debug, Clone, PartialEq, derive_more::From)]
pub(crate) enum Cell<'a> {
    /// An empty field, `null`.
    Empty,
    #[from(&'a str, &'a String, String)]
    Text(Cow<'a, str>),
    #[from(u32, u64)]
    Count(u64),
    #[from(i32, i64)]
    Signed(i64),
    #[from(f64)]
    Exact(f64),
    /// Rounded to so many decimals, without trailing zeros.
    Rounded(f64, usize),
    Fixed(f64, usize),
}

impl<'a> Cell<'a> {
    pub(crate) fn rounded(value: impl Into<Option<f64>>, decimals: usize) -> Cell<'a> {
        finite(value.into()).map_or(Cell::Empty, |value| Cell::Rounded(value, decimals))
    }

    pub(crate) fn fixed(value: impl Into<Option<f64>>, decimals: usize) -> Cell<'a> {
        finite(value.into()).map_or(Cell::Empty, |value| Cell::Fixed(value, decimals))
    }

    /// A number to four significant digits, however small.
    pub(crate) fn significant(value: Option<f64>) -> Cell<'a> {
        let digits = value.and_then(|value| format!("{value:.3e}").parse().ok());
        digits.map_or(Cell::Empty, Cell::Exact)
    }

    pub(crate) fn into_owned(self) -> Cell<'static> {
        match self {
            Cell::Text(text) => Cell::Text(text.into_owned().into()),
            Cell::Empty => Cell::Empty,
            Cell::Count(value) => Cell::Count(value),
            Cell::Signed(value) => Cell::Signed(value),
            Cell::Exact(value) => Cell::Exact(value),
            Cell::Rounded(value, decimals) => Cell::Rounded(value, decimals),
            Cell::Fixed(value, decimals) => Cell::Fixed(value, decimals),
        }
    }

    /// For a reader; `space` is where a number is written to: a file of a million rows asks for no memory but this.
    pub(crate) fn field<'b>(&'b self, space: &'b mut String) -> &'b str {
        space.clear();
        match *self {
            Cell::Empty => {}
            Cell::Text(ref text) => match sanitize::line(text) {
                Cow::Borrowed(text) => return text,
                Cow::Owned(text) => *space = text,
            },
            Cell::Count(value) => space.push_str(itoa::Buffer::new().format(value)),
            Cell::Signed(value) => space.push_str(itoa::Buffer::new().format(value)),
            Cell::Exact(value) => write_number(value, space),
            Cell::Rounded(value, decimals) => {
                let value = rounded(value, decimals, space);
                space.clear();
                write_number(value, space);
            }
            Cell::Fixed(value, decimals) => write_fixed(value, decimals, space),
        }
        space
    }

    /// For a table of a page: no more than two decimals, a true minus.
    pub(crate) fn short(&self) -> String {
        let mut space = String::new();
        match *self {
            Cell::Rounded(value, decimals) | Cell::Fixed(value, decimals) => {
                write_fixed(value, decimals.min(2), &mut space);
                space.replace('-', "−")
            }
            _ => self.field(&mut space).to_owned(),
        }
    }

    /// For a CSV file, which a spreadsheet may open: a text that it would run gets an apostrophe in front.
    pub(crate) fn harmless_field<'b>(&'b self, space: &'b mut String) -> Cow<'b, str> {
        let is_text = matches!(self, Cell::Text(_));
        let field = self.field(space);
        if is_text { harmless(field) } else { field.into() }
    }

    pub(crate) fn value(&self) -> Value {
        match *self {
            Cell::Empty => Value::Null,
            Cell::Text(ref text) => Value::from(&**text),
            Cell::Count(value) => Value::from(value),
            Cell::Signed(value) => Value::from(value),
            Cell::Exact(value) => Value::from(value),
            Cell::Rounded(value, decimals) | Cell::Fixed(value, decimals) => {
                rounded(value, decimals, &mut String::new()).into()
            }
        }
    }
}

/// `text` with an apostrophe in front if a spreadsheet would take it for a formula
/// (<https://owasp.org/www-community/attacks/CSV_Injection>); a number is none.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    if is_formula {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

fn write_number(value: f64, space: &mut String) {
    if let Some(number) = Number::from_f64(value) {
        // Writing to a string cannot fail.
        let _ = write!(space, "{number}");
    }
}

fn write_fixed(value: f64, decimals: usize, space: &mut String) {
    let start = space.len();
    let _ = write!(space, "{value:.decimals$}");
    unsigned_zero(space, start);
}

/// The number that the text with so many decimals says.
fn rounded(value: f64, decimals: usize, space: &mut String) -> f64 {
    write_fixed(value, decimals, space);
    space.parse().unwrap_or(f64::NAN)
}

impl From<usize> for Cell<'_> {
    fn from(value: usize) -> Self {
        Cell::Count(value as u64)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Empty, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use crate::document::cell::*;

    fn field(cell: &Cell<'_>) -> String {
        cell.field(&mut String::new()).to_owned()
    }

    /// Numbers that are not finite are absent; rounded ones lose their zeros, fixed ones keep them, and zero has no sign.
    #[test]
    fn numbers_as_files_have_them() {
        for (cell, expected) in [
            (Cell::from(None::<u64>), ""),
            (Cell::rounded(f64::NAN, 3), ""),
            (Cell::fixed(f64::INFINITY, 3), ""),
            (Cell::from(f64::NEG_INFINITY), ""),
            (Cell::from(-3_i64), "-3"),
            (Cell::rounded(1.5, 3), "1.5"),
            (Cell::rounded(20.0, 1), "20.0"),
            (Cell::rounded(0.333_333_3, 6), "0.333333"),
            (Cell::rounded(-0.000_4, 3), "0.0"),
            (Cell::fixed(1.5, 3), "1.500"),
            (Cell::fixed(-0.000_4, 3), "0.000"),
            (Cell::fixed(-0.000_6, 3), "-0.001"),
        ] {
            assert_eq!(field(&cell), expected);
            assert_eq!(cell.harmless_field(&mut String::new()), expected);
            assert_eq!(cell.value().as_f64(), expected.parse().ok(), "{expected}");
        }
    }

    #[test]
    fn a_text_that_a_spreadsheet_would_run_is_text_in_a_csv_and_one_line_without_controls() {
        for (text, is_run) in [
            ("=cmd|' /C calc'!A0", true),
            ("+1+cmd", true),
            ("-x", true),
            ("@SUM(A1)", true),
            ("-1-1", true),
            ("", false),
            ("1-0", false),
            ("-3.5", false),
            ("+7", false),
            ("a=b", false),
        ] {
            let csv = Cell::from(text).harmless_field(&mut String::new()).into_owned();
            assert_eq!(
                csv,
                if is_run {
                    format!("'{text}")
                } else {
                    text.to_owned()
                }
            );
            assert_eq!(field(&text.into()), text);
        }
        assert_eq!(field(&"a\u{1b}[31m\nb".into()), r"a\u001b[31m\u000ab");
        assert_eq!(Cell::from("a\u{1b}\nb").value(), "a\u{1b}\nb");
    }
}
