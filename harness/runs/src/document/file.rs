//! One file of a folder of results, written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::ledger::LedgerError;

#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("cannot write '{}': {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    /// Somebody else's file, which is not replaced.
    #[error("{0}")]
    NotOurs(String),
    /// The ledger that it is made from cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl FileError {
    pub(crate) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> FileError {
        let path = path.to_owned();
        move |source| FileError::Write { path, source }
    }
}

/// Writes a file beside `path` and puts it in its place when it is complete. A link is followed, and the permissions of a file that is
/// replaced are kept.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), FileError> {
    let place = place_of(path).map_err(FileError::unwritable(path))?;
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = place.with_file_name(format!(".{name}.tanren-{}", std::process::id()));
    let result = File::create(&unfinished).and_then(|file| {
        if let Ok(old) = fs::metadata(&place) {
            file.set_permissions(old.permissions())?;
        }
        let mut output = BufWriter::new(file);
        write(&mut output)?;
        output.into_inner().map_err(io::IntoInnerError::into_error)?;
        fs::rename(&unfinished, &place)
    });
    result.map_err(|source| {
        // Best effort: the error that matters is the first one.
        let _ = fs::remove_file(&unfinished);
        match source.downcast::<LedgerError>() {
            Ok(ledger) => FileError::Ledger(ledger),
            Err(source) => FileError::unwritable(path)(source),
        }
    })
}

pub fn write_text(path: &Path, text: &str) -> Result<(), FileError> {
    write_atomically(path, |output| output.write_all(text.as_bytes()))
}

/// Where a file at `path` really goes: behind links.
pub(crate) fn place_of(path: &Path) -> io::Result<PathBuf> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(path.to_owned());
    }
    let place = fs::canonicalize(path)?;
    match fs::metadata(&place)?.is_file() {
        true => Ok(place),
        false => Err(io::Error::other("there is something that is no file")),
    }
}

/// Can a file be made at `path`? Minutes of work should not end in a missing folder.
pub(crate) fn check_writable(path: &Path) -> io::Result<()> {
    let place = place_of(path)?;
    let folder = match place.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let probe = folder.join(format!(".tanren-{}", std::process::id()));
    File::create_new(&probe)?;
    fs::remove_file(probe)
}

#[cfg(test)]
mod tests {
    use crate::document::file::*;

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

    #[cfg(unix)]
    #[test]
    fn links_are_followed_permissions_kept_and_what_is_no_file_left_alone() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("real"), "old").unwrap();
        fs::set_permissions(at("real"), fs::Permissions::from_mode(0o600)).unwrap();
        symlink("real", at("link")).unwrap();
        symlink("nowhere", at("astray")).unwrap();
        write_text(&at("link"), "new").unwrap();
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(at("real")).unwrap(), "new");
        let mode = fs::metadata(at("real")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(write_text(&at("astray"), "new").is_err());
        let error = write_text(folder.path(), "new").unwrap_err().to_string();
        assert!(error.contains("no file"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}
