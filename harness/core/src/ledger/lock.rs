//! One writer a folder.

use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::LedgerError;
use crate::platform::{open_regular, read_regular};

/// Who only looks whether a folder is in use holds its lock for less than this.
const LOOK_TIME: Duration = Duration::from_millis(20);
const LOOKS: u32 = 5;
const SIGNATURE_BYTES_MAX: u64 = 32;

/// Held while a run writes its folder.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Nobody holds it any more; a name that is left behind by a crash is not believed.
        drop(self.file.set_len(0));
    }
}

impl FolderLock {
    /// Beside a ledger, not the ledger itself: closing a second handle of an SQLite file would drop SQLite's own locks.
    pub const LEDGER: &str = "ledger.lock";

    /// Makes the folder if need be and locks it.
    pub fn acquire(folder: &Path) -> Result<FolderLock, LedgerError> {
        let unwritable = |source| LedgerError::Folder {
            path: folder.to_owned(),
            source,
        };
        std::fs::create_dir_all(folder).map_err(unwritable)?;
        let mut options = File::options();
        // A pipe of this name would wait for its other end if it were opened to write alone.
        let file = options.create(true).truncate(false).read(true).write(true);
        let mut file = file.open(folder.join(FolderLock::LEDGER)).map_err(unwritable)?;
        for look in 0.. {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if look < LOOKS => thread::sleep(LOOK_TIME),
                Err(TryLockError::WouldBlock) => return Err(LedgerError::InUse(folder.to_owned())),
                Err(TryLockError::Error(error)) => return Err(unwritable(error)),
            }
        }
        // For whoever wants to ask this process to stop; a file system that is full does not keep a run from its folder.
        let signature = format!("{}\n", std::process::id());
        drop(
            file.set_len(0)
                .and_then(|()| file.write_all(signature.as_bytes())),
        );
        Ok(FolderLock { file })
    }

    /// The number of the process that holds the lock of `folder`, as it said itself; not one that merely looks at it.
    pub(super) fn holder(folder: &Path) -> Option<u32> {
        if !FolderLock::is_held(folder) {
            return None;
        }
        let said = read_regular(&folder.join(FolderLock::LEDGER), SIGNATURE_BYTES_MAX).ok()?;
        std::str::from_utf8(&said).ok()?.trim().parse().ok()
    }

    /// Does a process hold the lock of `folder`? It is not made, nor taken from anybody.
    pub(super) fn is_held(folder: &Path) -> bool {
        let file = open_regular(&folder.join(FolderLock::LEDGER));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}
