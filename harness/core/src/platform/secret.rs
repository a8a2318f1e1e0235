//! Files that only their owner may read, and who owns a file.
//!
//! In: a path, a text. Out: a new file; numbers of users. Must not: replace a file.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// Writes `text` into a new file at `path`, which nobody but its owner may read where the system has such a thing.
///
/// # Errors
/// There is one already, or it cannot be written.
pub fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)?.write_all(text.as_bytes())
}

/// The numbers of the user and the group that own the file at `path`, where there are such.
pub fn owner_of(path: &Path) -> Option<(u32, u32)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let metadata = path.metadata().ok()?;
        Some((metadata.uid(), metadata.gid()))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}
