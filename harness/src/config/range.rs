//! Numbers within their range.
//!
//! In: a number and its range. Out: the number, or an error that names both. Must not: choose another number.

use super::ConfigError;

/// `value`, or the default of its type if there is none.
pub(super) fn in_range<N>(
    name: &str,
    value: Option<N>,
    range: std::ops::RangeInclusive<N>,
    expected: &'static str,
) -> Result<N, ConfigError>
where
    N: PartialOrd + std::fmt::Display + Default,
{
    let value = value.unwrap_or_default();
    if range.contains(&value) {
        return Ok(value);
    }
    Err(ConfigError::OutOfRange {
        name: name.to_owned(),
        value: value.to_string(),
        expected,
    })
}
