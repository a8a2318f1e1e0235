//! One file of a folder of results, written whole or not at all.
//!
//! In: what writes it. Out: the file in its place. A reader never sees half a file, and a crash leaves the old one.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::ledger::LedgerError;

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file system refuses.
    #[error("cannot write '{}': {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The ledger that it is made from cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// Writes a file beside `path` and puts it in its place when it is complete.
///
/// # Errors
/// Names the file.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), FileError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let unfinished = path.with_file_name(name);
    let result = File::create(&unfinished).and_then(|file| {
        let mut output = BufWriter::new(file);
        write(&mut output)?;
        output.into_inner().map_err(io::IntoInnerError::into_error)?;
        fs::rename(&unfinished, path)
    });
    result.map_err(|source| {
        // Best effort: the error that matters is the first one.
        let _ = fs::remove_file(&unfinished);
        match source.downcast::<LedgerError>() {
            Ok(ledger) => FileError::Ledger(ledger),
            Err(source) => FileError::Write {
                path: path.to_owned(),
                source,
            },
        }
    })
}

/// As [`write_atomically`], for text that is there already.
///
/// # Errors
/// Names the file.
pub fn write_text(path: &Path, text: &str) -> Result<(), FileError> {
    write_atomically(path, |output| output.write_all(text.as_bytes()))
}

/// Can a file be made at `path`? Minutes of work should not end in a missing folder.
pub(super) fn check_writable(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let probe = folder.join(format!(".tanren-{}", std::process::id()));
    File::create_new(&probe)?;
    fs::remove_file(probe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        fs::write(&path, "old").unwrap();
        let error = write_atomically(&path, |output| {
            output.write_all(b"half")?;
            Err(io::Error::other("disk full"))
        });
        assert!(error.unwrap_err().to_string().contains("disk full"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
