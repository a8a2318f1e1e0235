//! What a book gives: positions, and what is wrong with places in it.

use super::super::error::OpeningError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::openings) struct Wrong {
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

pub(super) fn is_beyond(plies: Option<u32>, played: u32) -> bool {
    plies.is_some_and(|plies| played >= plies)
}
