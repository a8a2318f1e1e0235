//! What can be wrong with a ledger.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::codec::FORMAT;
use super::schema::LEDGER_FILE;
use super::upgrade;
use crate::platform::{self, MissingResource};

/// The ledger, its log, the index of the log, and their folder.
const FILES_OF_A_LEDGER: usize = 4;

/// A ledger that cannot be used, or could not be written.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error("cannot write in '{}': {source}", path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("'{}' holds no {LEDGER_FILE}: it is not the folder of a run", .0.display())]
    Missing(PathBuf),
    #[error("'{}' is in use by another process; wait for it, or give another --out", .0.display())]
    InUse(PathBuf),
    #[error("'{}' exists and is not the folder of a run; give another --out", .0.display())]
    Foreign(PathBuf),
    /// The ledger is empty, and other files show that it was not always so.
    #[error(
        "'{}' is empty although the folder holds other files of a run, so nothing can be resumed; use another \
         --out (tanren run with its run.toml, if any, repeats the run), or move the folder away",
        .0.display()
    )]
    Emptied(PathBuf),
    #[error("'{}' is empty: no run is in it", .0.display())]
    Empty(PathBuf),
    #[error(
        "'{}' holds a run of another specification; give another --out, or the same options again:\n{}",
        path.display(),
        differences.iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
    )]
    OtherSpec { path: PathBuf, differences: Vec<String> },
    #[error(
        "pair {pair} is in '{}' and in '{}', and is not the same there: these are not shards of one run",
        path.display(), other.display()
    )]
    Overlap {
        path: PathBuf,
        other: PathBuf,
        pair: i64,
    },
    #[error("'{}' holds a run of kind '{found}', and this is one of kind '{wanted}'; give another --out", path.display())]
    OtherKind {
        path: PathBuf,
        found: String,
        wanted: String,
    },
    #[error(
        "'{}' is a ledger of format {found}, and tanren {} reads format {FORMAT} alone; {}",
        path.display(),
        env!("CARGO_PKG_VERSION"),
        remedy_of_format(path, *found, writer.as_deref()),
    )]
    Format {
        path: PathBuf,
        found: i64,
        /// The version of the program that wrote it.
        writer: Option<String>,
    },
    #[error(
        "'{}' is damaged: {message}; give the run's command again to keep the pairs with valid checksums and \
         replay the rest, or use another --out to start over ('tanren verify' shows what is intact)",
        path.display()
    )]
    Damaged { path: PathBuf, message: String },
    /// As [`Damaged`](LedgerError::Damaged), and nothing shows what of it is right.
    #[error(
        "'{}' is damaged: {message}; nothing in it can be proved to be of this run, so it is left as it is (sqlite3's command \
         .recover may read the rest of it); to play anew, give another --out",
        path.display()
    )]
    Lost { path: PathBuf, message: String },
    #[error(
        "'{}' was deleted, moved or replaced during the run, so the run stopped and nothing more is saved; put \
         the file back (with its -wal, if any) and give the same command again, or start over with another --out",
        .0.display()
    )]
    Gone(PathBuf),
    #[error(
        "'{}' cannot be read as it is: its last results are in the -wal file next to it, and SQLite reads \
         them only where it may write; copy the whole folder to a place that can be written",
        .0.display()
    )]
    Unfinished(PathBuf),
    #[error(
        "no disk space left for '{}': stored results are kept; free some space and give the same command again",
        .0.display()
    )]
    Full(PathBuf),
    #[error(
        "gave up reading '{}', which takes too long for its size: it is damaged, or was crafted to hang its reader",
        .0.display()
    )]
    Endless(PathBuf),
    #[error("reading '{}' was stopped", .0.display())]
    Interrupted(PathBuf),
    #[error("'{}' is locked by another program, such as a database browser; close it and give the same command again", .0.display())]
    Busy(PathBuf),
    #[error(
        "cannot open '{}': out of {}; {}, and give the same command again",
        path.display(), lack.name(), lack.remedy(&platform::survey())
    )]
    MissingResource { path: PathBuf, lack: MissingResource },
    #[error("cannot open or write '{}': {source}; check the rights of the file and of its folder", path.display())]
    Unwritable { path: PathBuf, source: rusqlite::Error },
    #[error("ledger '{}': {source}", path.display())]
    Sqlite { path: PathBuf, source: rusqlite::Error },
}

fn remedy_of_format(path: &Path, found: i64, writer: Option<&str>) -> String {
    let folder = path.parent().unwrap_or(path).display();
    match writer {
        _ if upgrade::is_older(found) => format!("'tanren upgrade {folder}' writes it anew in that format"),
        Some(writer) if found > i64::from(FORMAT) => format!("take tanren {writer} or later, which wrote it"),
        _ => "it is of no released version: play the run again from the run.toml next to it, with another --out".to_owned(),
    }
}

impl LedgerError {
    /// Could the user have known before the run?
    pub fn is_input(&self) -> bool {
        match self {
            LedgerError::Sqlite { .. }
            | LedgerError::Full(_)
            | LedgerError::Busy(_)
            | LedgerError::Gone(_)
            | LedgerError::Interrupted(_)
            | LedgerError::MissingResource { .. } => false,
            LedgerError::Folder { source, .. } => platform::missing_resource(source).is_none(),
            _ => true,
        }
    }

    /// Is what was stored not there any more?
    pub fn is_damage(&self) -> bool {
        matches!(self, LedgerError::Damaged { .. })
    }

    /// The same of a ledger of which nothing can be taken over.
    pub(super) fn beyond_repair(self) -> LedgerError {
        match self {
            LedgerError::Damaged { path, message } => LedgerError::Lost { path, message },
            error => error,
        }
    }

    /// What is damaged, in words; nothing if it is not that.
    pub fn damage(&self) -> &str {
        match self {
            LedgerError::Damaged { message, .. } => message,
            _ => "",
        }
    }

    pub(super) fn from_sqlite(path: &Path, source: rusqlite::Error) -> LedgerError {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase,
            OperationInterrupted, PermissionDenied, ReadOnly, TooBig,
        };
        let path = path.to_owned();
        if is_foreign_value(&source) {
            let message = source.to_string();
            return LedgerError::Damaged { path, message };
        }
        if source.sqlite_error().map(|error| error.extended_code)
            == Some(rusqlite::ffi::SQLITE_READONLY_DBMOVED)
        {
            return LedgerError::Gone(path);
        }
        match source.sqlite_error_code() {
            Some(DatabaseCorrupt | NotADatabase) => LedgerError::Damaged {
                path,
                message: format!("SQLite says '{source}'"),
            },
            Some(OperationInterrupted) => LedgerError::Endless(path),
            Some(TooBig) => LedgerError::Damaged {
                path,
                message: "a value in it is too long".to_owned(),
            },
            Some(DiskFull) => LedgerError::Full(path),
            Some(DatabaseBusy | DatabaseLocked) => LedgerError::Busy(path),
            Some(CannotOpen | PermissionDenied | ReadOnly) => match lack_at(&path) {
                Some(lack) => LedgerError::MissingResource { path, lack },
                None => LedgerError::Unwritable { path, source },
            },
            _ => LedgerError::Sqlite { path, source },
        }
    }
}

/// What there is too little of to open the ledger at `path`. SQLite does not say why it cannot, so as many files are opened
/// once more: never the ledger itself, since closing a second handle of it would drop SQLite's locks.
fn lack_at(path: &Path) -> Option<MissingResource> {
    let folder = path.parent()?;
    let opened: io::Result<Vec<File>> = (0..FILES_OF_A_LEDGER).map(|_| File::open(folder)).collect();
    platform::missing_resource(&opened.err()?)
}

/// Our statements are right and our values fit, so a table, a column or a value is not what was stored.
fn is_foreign_value(error: &rusqlite::Error) -> bool {
    use rusqlite::Error;
    let is_unknown_name = |error: &rusqlite::ffi::Error, message: &str| {
        let is_prohibited = message.starts_with("access to view ");
        error.extended_code == rusqlite::ffi::SQLITE_ERROR
            && (message.starts_with("no such ") || is_prohibited)
    };
    match error {
        Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..)
        | Error::InvalidColumnIndex(_)
        | Error::QueryReturnedNoRows
        | Error::FromSqlConversionFailure(..)
        | Error::Utf8Error(..) => true,
        Error::SqliteFailure(error, Some(message)) => is_unknown_name(error, message),
        Error::SqlInputError { error, msg, .. } => is_unknown_name(error, msg),
        _ => false,
    }
}
