//! One writer a folder.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Who only looks whether a folder is in use holds its lock for less than this.
const LOOK_TIME: Duration = Duration::from_millis(20);
const LOOKS: u32 = 5;

#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("in use by another process")]
    InUse,
    #[error(transparent)]
    Refused(#[from] io::Error),
}

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
    pub fn acquire(folder: &Path) -> Result<FolderLock, LockError> {
        std::fs::create_dir_all(folder)?;
        let mut options = File::options();
        let file = options.create(true).truncate(false).write(true);
        let file = file.open(folder.join(FolderLock::LEDGER))?;
        let mut locked = lock_file(&file);
        for _ in 0..LOOKS {
            if !matches!(locked, Err(LockError::InUse)) {
                break;
            }
            thread::sleep(LOOK_TIME);
            locked = lock_file(&file);
        }
        locked?;
        let mut lock = FolderLock { file };
        // For whoever wants to ask this process to stop; a file system that is full does not keep a run from its folder.
        drop(lock.sign());
        Ok(lock)
    }

    fn sign(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file
            .write_all(format!("{}\n", std::process::id()).as_bytes())
    }

    /// The number of the process that holds the lock of `folder`, as it said itself; not one that merely looks at it.
    pub(super) fn holder(folder: &Path) -> Option<u32> {
        if !FolderLock::is_held(folder) {
            return None;
        }
        let said = std::fs::read_to_string(folder.join(FolderLock::LEDGER)).ok()?;
        said.trim().parse().ok()
    }

    /// Does a process hold the lock of `folder`? It is not made, nor taken from anybody.
    pub(super) fn is_held(folder: &Path) -> bool {
        let file = File::open(folder.join(FolderLock::LEDGER));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

/// Locks `file` itself for this process until it is closed.
pub fn lock_file(file: &File) -> Result<(), LockError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(LockError::InUse),
        Err(TryLockError::Error(error)) => Err(LockError::Refused(error)),
    }
}
