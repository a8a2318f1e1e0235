//! The runs that wait for their turn, as a file.
//!
//! In: runs in order. Out: the same after the server was started again. Must not: hold anything that the folders do not.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Beside the runs; a name that is not looked into for runs.
const FOLDER: &str = ".tanren";
const FILE: &str = "queue.json";

/// A run that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Waiting {
    /// As the list calls it.
    pub(super) name: String,
    /// Where its results go.
    pub(super) folder: PathBuf,
    /// What says what is played.
    pub(super) file: PathBuf,
}

/// Where the server keeps what it needs for it.
pub(super) fn folder(root: &Path) -> PathBuf {
    root.join(FOLDER)
}

/// What waited when the server ended; nothing if that cannot be read.
pub(super) fn stored(root: &Path) -> VecDeque<Waiting> {
    let text = fs::read_to_string(folder(root).join(FILE)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Writes what waits.
pub(super) fn store<'w>(root: &Path, waiting: impl Iterator<Item = &'w Waiting>) -> io::Result<()> {
    let waiting: Vec<&Waiting> = waiting.collect();
    let path = folder(root).join(FILE);
    let new = path.with_extension("new");
    fs::create_dir_all(folder(root))?;
    fs::write(&new, serde_json::to_string_pretty(&waiting)?)?;
    fs::rename(new, path)
}
