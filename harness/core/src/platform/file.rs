//! Which file a path leads to, whether it changed, and files that only their owner may read.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::system;

/// A file, whatever it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileId {
    /// Device and inode; nothing where a file in use cannot be replaced.
    number: Option<(u64, u64)>,
}

impl FileId {
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

/// Changes when a file is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
    /// Which file it is and when its entry changed, where the system tells.
    place: [i64; 4],
}

impl FileStamp {
    pub fn of(path: &Path) -> io::Result<FileStamp> {
        let metadata = path.metadata()?;
        Ok(FileStamp {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            place: system::place_of(&metadata),
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

/// User and group, where there are such.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_was_replaced_is_another_and_one_that_grew_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
        fs::write(&one, "1").unwrap();
        let (id, stamp) = (FileId::of(&one).unwrap(), FileStamp::of(&one).unwrap());
        assert_eq!(FileStamp::of(&one).unwrap(), stamp);
        fs::write(&one, "11").unwrap();
        assert_eq!(FileId::of(&one).unwrap(), id);
        assert_ne!(FileStamp::of(&one).unwrap(), stamp);
        let stamp = FileStamp::of(&one).unwrap();
        fs::write(&two, "22").unwrap();
        fs::rename(&two, &one).unwrap();
        assert_eq!(FileId::of(&one).unwrap() == id, !cfg!(unix));
        assert_ne!(FileStamp::of(&one).unwrap(), stamp);
        assert!(FileId::of(&two).is_err() && FileStamp::of(&two).is_err());
    }
}
