//! What a book gives: positions, and what is wrong with places in it.

use super::super::error::OpeningError;

/// A place in a book that is no opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::openings) struct Wrong {
    /// From 1.
    pub(super) line: u32,
    pub(super) text: String,
    pub(super) message: String,
}

impl Wrong {
    pub(super) fn new(line: u32, text: &str, message: impl ToString) -> Wrong {
        const TEXT_MAX: usize = 400;
        Wrong {
            line,
            text: text.chars().take(TEXT_MAX).collect(),
            message: message.to_string(),
        }
    }

    /// The same, of the file that it is in.
    pub(in crate::openings) fn error(self, origin: &str) -> OpeningError {
        OpeningError::BadLine {
            origin: origin.to_owned(),
            line: self.line,
            text: self.text,
            message: self.message,
        }
    }
}

/// What takes the entries of a book: where each stands, and its position.
pub(super) type Found<'a, P> = dyn FnMut(u32, Result<P, Wrong>) + 'a;

/// Moves of a game that are openings.
pub(super) fn is_beyond(plies: Option<u32>, played: u32) -> bool {
    plies.is_some_and(|plies| played >= plies)
}
