//! One writer a folder.
//!
//! In: a folder or a file. Out: a lock that ends with the process, however that ends.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// Why there is no lock.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds it.
    #[error("in use by another process")]
    InUse,
    /// The file system refuses.
    #[error(transparent)]
    Refused(#[from] io::Error),
}

/// Held while a run writes its folder.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Beside a ledger, not the ledger itself: closing a second handle of an SQLite file would drop SQLite's own locks.
    pub const LEDGER: &str = "ledger.lock";
    /// In the folder of a queue.
    pub const QUEUE: &str = "queue.lock";

    /// Makes the folder if need be and locks its file `name`.
    ///
    /// # Errors
    /// Another process holds it, or the file system refuses.
    pub fn acquire(folder: &Path, name: &str) -> Result<FolderLock, LockError> {
        std::fs::create_dir_all(folder)?;
        let mut options = File::options();
        let file = options.create(true).truncate(false).write(true);
        let file = file.open(folder.join(name))?;
        lock_file(&file)?;
        Ok(FolderLock { _file: file })
    }
}

/// Locks `file` itself for this process until it is closed.
///
/// # Errors
/// Another process holds it, or the file system refuses.
pub fn lock_file(file: &File) -> Result<(), LockError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(LockError::InUse),
        Err(TryLockError::Error(error)) => Err(LockError::Refused(error)),
    }
}
