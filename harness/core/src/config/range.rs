//! Numbers within their range.
//!
//! In: a number and its range. Out: an error that names both. Must not: choose another number.

use super::ConfigError;

/// Refuses a `value` of the key `name` outside of `range`.
pub(super) fn check_range<N>(
    name: &str,
    value: N,
    range: std::ops::RangeInclusive<N>,
    expected: &'static str,
) -> Result<(), ConfigError>
where
    N: PartialOrd + std::fmt::Display,
{
    if range.contains(&value) {
        return Ok(());
    }
    Err(ConfigError::OutOfRange {
        name: name.to_owned(),
        value: value.to_string(),
        expected,
    })
}
