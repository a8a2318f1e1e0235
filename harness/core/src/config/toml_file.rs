//! The text of a file that a user wrote.
//!
//! In: a path. Out: its text, or an error that names it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{ConfigError, Document};

/// No specification is longer; what is may have no end.
const BYTES_MAX: u64 = 1 << 24;

fn read_text(path: &Path) -> Result<String, ConfigError> {
    let read = || {
        let mut text = String::new();
        let bytes = File::open(path)?.take(BYTES_MAX + 1).read_to_string(&mut text)?;
        if bytes as u64 > BYTES_MAX {
            let message = format!("it is longer than {BYTES_MAX} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(text)
    };
    read().map_err(|source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

impl Document {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// Unreadable, or no TOML.
    pub fn open(path: &Path) -> Result<Document, ConfigError> {
        let text = read_text(path)?;
        Ok(Document::parse(&text, &path.display().to_string())?)
    }
}
