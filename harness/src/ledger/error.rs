//! What can be wrong with a ledger.
//!
//! In: failures of files and of SQLite. Out: [`LedgerError`]. Must not: repair anything.

use std::path::{Path, PathBuf};

use super::RunKind;
use super::schema::LEDGER_FILE;
use crate::config::Difference;

/// A ledger that cannot be used, or could not be written.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The folder cannot be made or written.
    #[error("cannot write in '{}': {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is no ledger.
    #[error("'{}' holds no {LEDGER_FILE}: it is not the folder of a run", .0.display())]
    Missing(PathBuf),
    /// Another process is playing this run.
    #[error("'{}' is in use by another process; wait for it, or give another --out", .0.display())]
    InUse(PathBuf),
    /// Other things are in the folder, but no ledger.
    #[error("'{}' exists and is not the folder of a run; give another --out", .0.display())]
    Foreign(PathBuf),
    /// The folder belongs to another specification.
    #[error(
        "'{}' holds {}; give another --out, or the same options again:\n{}",
        path.display(),
        match kind {
            RunKind::Nodes => "another study",
            _ => "a run of another specification",
        },
        differences.iter().map(|difference| format!("  {difference}")).collect::<Vec<_>>().join("\n")
    )]
    OtherSpec {
        /// The folder.
        path: PathBuf,
        /// What was to be played or searched.
        kind: RunKind,
        /// What differs.
        differences: Vec<Difference>,
    },
    /// Written by a version that this one does not understand.
    #[error(
        "'{}' has ledger version {found}, but this program reads version {known}; read it with the version of tanren \
         that made it, or play the run again from the run.toml beside it in another --out",
        path.display()
    )]
    Version {
        /// The ledger.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The version known here.
        known: i64,
    },
    /// Not what this program writes.
    #[error(
        "'{}' is damaged: {message}; it is left as it is (sqlite3's command .recover may read the rest of it); to play \
         anew, give another --out",
        path.display()
    )]
    Damaged {
        /// The ledger.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// There is no room left for more.
    #[error(
        "no room left for '{}': what was stored stays stored; make room and give the same command again",
        .0.display()
    )]
    Full(PathBuf),
    /// Another program holds the ledger.
    #[error("'{}' is locked by another program, such as a database browser; close it and give the same command again", .0.display())]
    Busy(PathBuf),
    /// The ledger may not be written, or not be opened at all.
    #[error("cannot open or write '{}': {source}; check the rights of the file and of its folder", path.display())]
    Unwritable {
        /// The ledger.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// SQLite reports a failure.
    #[error("ledger '{}': {source}", path.display())]
    Sqlite {
        /// The ledger.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
}

impl LedgerError {
    /// Could the user have known before the run?
    pub fn is_input(&self) -> bool {
        !matches!(
            self,
            LedgerError::Sqlite { .. } | LedgerError::Full(_) | LedgerError::Busy(_)
        )
    }

    pub(super) fn from_sqlite(path: &Path, source: rusqlite::Error) -> LedgerError {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase,
            PermissionDenied, ReadOnly,
        };
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(DatabaseCorrupt | NotADatabase) => LedgerError::Damaged {
                path,
                message: source.to_string(),
            },
            Some(DiskFull) => LedgerError::Full(path),
            Some(DatabaseBusy | DatabaseLocked) => LedgerError::Busy(path),
            Some(CannotOpen | PermissionDenied | ReadOnly) => LedgerError::Unwritable { path, source },
            _ => LedgerError::Sqlite { path, source },
        }
    }
}
