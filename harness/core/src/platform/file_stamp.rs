//! Is a file still the one it was?
//!
//! In: a path. Out: a [`FileStamp`] that another file, or another content, does not have. Must not: read the file.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::system;

/// What changes when a file is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
    /// Which file it is and when its entry changed, where the system tells.
    place: [i64; 4],
}

impl FileStamp {
    /// Of the file at `path`.
    ///
    /// # Errors
    /// There is none, or it may not be looked at.
    pub fn of(path: &Path) -> io::Result<FileStamp> {
        let metadata = path.metadata()?;
        Ok(FileStamp {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            place: place(&metadata),
        })
    }

    /// Is nothing in it?
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// How long ago its content was last written, as the file says.
    pub fn age(&self) -> Option<Duration> {
        self.modified?.elapsed().ok()
    }
}

fn place(metadata: &Metadata) -> [i64; 4] {
    system::place_of(metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_replaced_by_one_of_the_same_size_has_another_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&path, "one").unwrap();
        std::fs::write(&other, "two").unwrap();
        let before = FileStamp::of(&path).unwrap();
        assert_eq!(FileStamp::of(&path).unwrap(), before);
        std::fs::rename(&other, &path).unwrap();
        assert_ne!(FileStamp::of(&path).unwrap(), before);
        std::fs::remove_file(&path).unwrap();
        assert!(FileStamp::of(&path).is_err());
    }
}
