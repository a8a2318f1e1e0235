//! Where in a queue file something stands, and what is wrong there.
//!
//! In: byte offsets. Out: lines, columns, errors. Must not: know what stands there.

use std::fmt;

/// A place in a file, both counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column in characters.
    pub column: usize,
}

impl Place {
    /// The place of a byte of `text`.
    pub(super) fn of(text: &str, offset: usize) -> Place {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Place {
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A queue that cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{origin}', {place}: {message}")]
pub struct QueueError {
    /// The file.
    pub origin: String,
    /// Where in it.
    pub place: Place,
    /// What is wrong and what to do.
    pub message: String,
}
