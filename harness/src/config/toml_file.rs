//! The text of a file that a user wrote, and what is wrong with it.
//!
//! In: a path. Out: its text, or an error that names it.

use std::path::Path;

use super::ConfigError;

pub(super) fn read_text(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

pub(super) fn bad_file(path: &Path, error: &toml::de::Error) -> ConfigError {
    ConfigError::BadFile {
        path: path.to_owned(),
        message: error.to_string().trim_end().to_owned(),
    }
}
