//! The two streams: data on stdout, everything else on stderr.
//!
//! In: finished text. Out: bytes on a stream, without controls that a terminal would obey. Must not: fail a run because nobody
//! reads.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use console::Term;

use crate::foreign;

/// What runs, where that is not clear: the job of a queue.
static LABEL: Mutex<Option<String>> = Mutex::new(None);

/// Columns of a text that no window bounds.
const TEXT_WIDTH: usize = 80;
/// A narrower window would leave no room for words.
const TEXT_WIDTH_MIN: usize = 40;

/// Columns of text on stdout: those of its window, or 80.
pub(super) fn text_width() -> usize {
    let window = Term::stdout().size_checked();
    window.map_or(TEXT_WIDTH, |(_, columns)| {
        usize::from(columns).max(TEXT_WIDTH_MIN)
    })
}

/// Prints data on stdout.
///
/// # Errors
/// Stdout cannot be written; a closed pipe is no error, since the reader has enough.
pub fn print_data(text: &str) -> io::Result<()> {
    let text = foreign::lines(text);
    let mut stdout = io::stdout().lock();
    let result = stdout
        .write_all(text.as_bytes())
        .and_then(|()| {
            if text.ends_with('\n') {
                Ok(())
            } else {
                stdout.write_all(b"\n")
            }
        })
        .and_then(|()| stdout.flush());
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Says something on stderr; there is nobody left to tell if that fails.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}{}", label(), foreign::lines(text));
}

/// Puts `name` before everything that is said from now on, or nothing.
pub fn set_label(name: Option<&str>) {
    *LABEL.lock().unwrap_or_else(PoisonError::into_inner) = name.map(str::to_owned);
}

/// `name: `, or nothing.
pub(super) fn label() -> String {
    let label = LABEL.lock().unwrap_or_else(PoisonError::into_inner);
    label.as_ref().map_or(String::new(), |name| format!("{name}: "))
}
