//! Which file a path leads to, whether it changed, and files that only their owner may read.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::system;

/// Which file it is, whatever it is called: device and inode; zeros where a file in use cannot be replaced.
pub type FileId = (u64, u64);

pub fn file_id(path: &Path) -> io::Result<FileId> {
    Ok(system::file_id(&path.metadata()?))
}

/// Changes when a file is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
    file: FileId,
    /// When its entry changed, in seconds and nanoseconds, where the system tells.
    changed: (i64, i64),
}

impl FileStamp {
    pub fn of(path: &Path) -> io::Result<FileStamp> {
        let metadata = path.metadata()?;
        Ok(FileStamp {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            file: system::file_id(&metadata),
            changed: system::changed_at(&metadata),
        })
    }

    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// How long ago its content was last written.
    pub fn age(&self) -> Option<Duration> {
        self.modified?.elapsed().ok()
    }
}

/// Writes a new file that nobody but its owner may read where the system has such a thing.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_was_replaced_is_another_and_one_that_grew_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
        fs::write(&one, "1").unwrap();
        let (id, stamp) = (file_id(&one).unwrap(), FileStamp::of(&one).unwrap());
        assert_eq!(FileStamp::of(&one).unwrap(), stamp);
        fs::write(&one, "11").unwrap();
        assert_eq!(file_id(&one).unwrap(), id);
        assert_ne!(FileStamp::of(&one).unwrap(), stamp);
        let stamp = FileStamp::of(&one).unwrap();
        fs::write(&two, "22").unwrap();
        fs::rename(&two, &one).unwrap();
        assert_eq!(file_id(&one).unwrap() == id, !cfg!(unix));
        assert_ne!(FileStamp::of(&one).unwrap(), stamp);
        assert!(file_id(&two).is_err() && FileStamp::of(&two).is_err());
    }
}
