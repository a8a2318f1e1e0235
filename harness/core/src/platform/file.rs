//! Which file a path leads to.
//!
//! In: a path. Out: a [`FileId`] that another file does not have. Must not: open the file.

use std::io;
use std::path::Path;

/// A file, whatever it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileId {
    /// The device and the file's number on it; nothing where a file in use cannot be replaced.
    number: Option<(u64, u64)>,
}

impl FileId {
    /// Of the file at `path`.
    ///
    /// # Errors
    /// There is none.
    pub fn of(path: &Path) -> io::Result<FileId> {
        let metadata = path.metadata()?;
        #[cfg(unix)]
        let number = {
            use std::os::unix::fs::MetadataExt;
            Some((metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let number = metadata.is_dir().then_some((0, 0));
        Ok(FileId { number })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_was_replaced_is_another_and_one_that_grew_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
        fs::write(&one, "1").unwrap();
        let before = FileId::of(&one).unwrap();
        fs::write(&one, "11").unwrap();
        assert_eq!(FileId::of(&one).unwrap(), before);
        fs::write(&two, "2").unwrap();
        fs::rename(&two, &one).unwrap();
        assert_eq!(FileId::of(&one).unwrap() == before, !cfg!(unix));
        assert!(FileId::of(&two).is_err());
    }
}
