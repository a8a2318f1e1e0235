//! One writer a folder.
//!
//! In: a folder. Out: a lock that ends with the process, however that ends. Must not: leave a folder behind that it
//! made and could not lock.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use super::LedgerError;

/// Beside the ledger, not the ledger itself: closing a second handle of an SQLite file would drop SQLite's own locks.
pub(super) const LOCK_FILE: &str = "ledger.lock";

/// Held while a run writes its folder.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Makes the folder if need be and locks it.
    pub(super) fn acquire(folder: &Path) -> Result<FolderLock, LedgerError> {
        let to_error = |source: io::Error| LedgerError::Folder {
            path: folder.to_owned(),
            source,
        };
        std::fs::create_dir_all(folder).map_err(to_error)?;
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join(LOCK_FILE))
            .map_err(to_error)?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LedgerError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => Err(to_error(error)),
        }
    }
}

/// Is there anything but the lock of a run that was just starting?
pub(super) fn is_occupied(folder: &Path) -> Result<bool, LedgerError> {
    let to_error = |source| LedgerError::Folder {
        path: folder.to_owned(),
        source,
    };
    match std::fs::read_dir(folder) {
        Ok(entries) => {
            for entry in entries {
                if entry.map_err(to_error)?.file_name() != LOCK_FILE {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(to_error(error)),
    }
}
