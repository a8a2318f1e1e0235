//! The one truth about a run: which pairs are finished, and what happened in them.
//!
//! In: finished pairs. Out: the same pairs, in schedule order, after any interruption.
//! Must not: count, format or decide anything.
//!
//! One SQLite file a run, in write-ahead mode: a pair is in it with both games or not at all, also after the process
//! was killed. One process at a time may write: it holds a lock on a file beside the ledger.

mod lock;
mod rows;
mod schema;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};

use crate::config::{Difference, Identity};
use crate::record::{GameRecord, PairRecord, PlayerId};
use lock::FolderLock;

/// The ledger's file name in its folder.
pub const LEDGER_FILE: &str = "ledger.sqlite";

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
        "'{}' holds a run of another specification; give another --out, or the same options again:\n{}",
        path.display(),
        differences.iter().map(|difference| format!("  {difference}")).collect::<Vec<_>>().join("\n")
    )]
    OtherSpec {
        /// The folder.
        path: PathBuf,
        /// What differs.
        differences: Vec<Difference>,
    },
    /// Written by a version that this one does not understand.
    #[error("'{}' has ledger version {found}, but this program reads version {known}", path.display())]
    Version {
        /// The ledger.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The version known here.
        known: i64,
    },
    /// Not what this program writes.
    #[error("'{}' is damaged: {message}", path.display())]
    Damaged {
        /// The ledger.
        path: PathBuf,
        /// What is wrong.
        message: String,
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
        !matches!(self, LedgerError::Sqlite { .. })
    }

    fn from_sqlite(path: &Path, source: rusqlite::Error) -> LedgerError {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(DatabaseCorrupt | NotADatabase) => LedgerError::Damaged {
                path,
                message: source.to_string(),
            },
            _ => LedgerError::Sqlite { path, source },
        }
    }
}

/// What a ledger says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The run's identity.
    pub identity: Identity,
    /// The run's specification as a file.
    pub spec_toml: String,
    /// What reports call A and B.
    pub labels: [String; 2],
}

/// An open ledger.
pub struct Ledger {
    connection: Connection,
    path: PathBuf,
    _lock: Option<FolderLock>,
}

impl Ledger {
    /// Opens the ledger in `folder` for playing, or makes folder and ledger. A ledger of another identity is refused,
    /// except that the number of pairs may have grown if there is no stop rule.
    ///
    /// # Errors
    /// See [`LedgerError`]; nothing is left behind that was not there.
    pub fn open_or_create(folder: &Path, about: &About) -> Result<Ledger, LedgerError> {
        let path = folder.join(LEDGER_FILE);
        if !path.exists() && folder_is_occupied(folder)? {
            return Err(LedgerError::Foreign(folder.to_owned()));
        }
        let lock = FolderLock::acquire(folder)?;
        let is_new = !path.exists();
        let mut ledger = Ledger::connect(path, OpenFlags::default(), Some(lock))?;
        if is_new || ledger.version()? == 0 {
            ledger.initialise(about)?;
            return Ok(ledger);
        }
        ledger.check_version()?;
        let stored = ledger.about()?;
        let differences = blocking_differences(&stored.identity, &about.identity);
        if !differences.is_empty() {
            return Err(LedgerError::OtherSpec {
                path: folder.to_owned(),
                differences,
            });
        }
        if stored != *about {
            ledger.write_about(about)?;
        }
        Ok(ledger)
    }

    /// Opens the ledger in `folder` for reading, whether or not a run is going on.
    ///
    /// # Errors
    /// No ledger there, or not one that this program can read.
    pub fn open_existing(folder: &Path) -> Result<Ledger, LedgerError> {
        let path = folder.join(LEDGER_FILE);
        if !path.is_file() {
            return Err(LedgerError::Missing(folder.to_owned()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let ledger = Ledger::connect(path, flags, None)?;
        ledger.check_version()?;
        Ok(ledger)
    }

    /// Would [`open_or_create`](Ledger::open_or_create) take this identity up in `folder`?
    pub fn is_resumable(folder: &Path, identity: &Identity) -> bool {
        Ledger::open_existing(folder)
            .and_then(|ledger| ledger.about())
            .is_ok_and(|stored| blocking_differences(&stored.identity, identity).is_empty())
    }

    /// A ledger in memory.
    #[cfg(test)]
    pub(crate) fn in_memory(about: &About) -> Ledger {
        let mut ledger = Ledger {
            connection: Connection::open_in_memory().unwrap(),
            path: PathBuf::new(),
            _lock: None,
        };
        ledger.initialise(about).unwrap();
        ledger
    }

    /// What the ledger says about itself.
    ///
    /// # Errors
    /// Unreadable.
    pub fn about(&self) -> Result<About, LedgerError> {
        let identity = self.meta(schema::IDENTITY)?;
        let label = |key| self.meta(key);
        Ok(About {
            identity: serde_json::from_str(&identity).map_err(|error| self.damaged(&error))?,
            spec_toml: self.meta(schema::SPEC)?,
            labels: [label(schema::LABEL_A)?, label(schema::LABEL_B)?],
        })
    }

    /// Stores finished pairs in one transaction: all of them or none.
    ///
    /// # Errors
    /// SQLite's, and a pair that is stored already.
    pub fn insert(&mut self, pairs: &[PairRecord]) -> Result<(), LedgerError> {
        let result = rows::insert(&mut self.connection, pairs);
        result.map_err(|source| self.sqlite(source))
    }

    /// Hands every stored pair to `visit`, in schedule order.
    ///
    /// # Errors
    /// Unreadable or damaged rows.
    pub fn for_each_pair(&self, mut visit: impl FnMut(PairRecord)) -> Result<(), LedgerError> {
        let to_error = |source| self.sqlite(source);
        let mut statement = self.connection.prepare(schema::SELECT_GAMES).map_err(to_error)?;
        let mut rows = statement.query([]).map_err(to_error)?;
        while let Some(row) = rows.next().map_err(to_error)? {
            let (pair, opening_line, opening, first) = self.read_game(row)?;
            let second = rows.next().map_err(to_error)?;
            let second = second.ok_or_else(|| self.damaged(&format!("pair {} is half", pair + 1)))?;
            let (pair_again, _, _, second) = self.read_game(second)?;
            if pair_again != pair || first.first != PlayerId::A || second.first != PlayerId::B {
                return Err(self.damaged(&format!("pair {} is not two games", pair + 1)));
            }
            visit(PairRecord {
                pair,
                opening_line,
                opening,
                games: [first, second],
            });
        }
        Ok(())
    }

    /// The pairs that are stored, by number.
    ///
    /// # Errors
    /// Unreadable.
    pub fn finished(&self) -> Result<HashSet<u64>, LedgerError> {
        let to_error = |source| self.sqlite(source);
        let mut statement = self.connection.prepare(schema::SELECT_PAIRS).map_err(to_error)?;
        let numbers = statement
            .query_map([], |row| row.get::<_, i64>(0))
            .map_err(to_error)?;
        numbers
            .map(|number| number.map(|number| number as u64))
            .collect::<Result<_, _>>()
            .map_err(to_error)
    }

    /// Marks the pairs below `counted` as those that the verdict rests on. Pairs beyond, in flight when the run was
    /// decided, stay stored and unmarked.
    ///
    /// # Errors
    /// SQLite's.
    pub fn mark_counted(&mut self, counted: u64) -> Result<(), LedgerError> {
        self.connection
            .execute(schema::MARK_COUNTED, [counted as i64])
            .map(drop)
            .map_err(|source| self.sqlite(source))
    }

    fn connect(path: PathBuf, flags: OpenFlags, lock: Option<FolderLock>) -> Result<Ledger, LedgerError> {
        let connection = Connection::open_with_flags(&path, flags)
            .and_then(|connection| connection.execute_batch(schema::PRAGMAS).map(|()| connection));
        match connection {
            Ok(connection) => Ok(Ledger {
                connection,
                path,
                _lock: lock,
            }),
            Err(source) => Err(LedgerError::from_sqlite(&path, source)),
        }
    }

    /// Tables and description in one transaction: a ledger that was only begun is an empty file to the next process.
    fn initialise(&mut self, about: &About) -> Result<(), LedgerError> {
        let entries = self.entries(about)?;
        let created = self.connection.transaction().and_then(|transaction| {
            transaction.execute_batch(schema::CREATE)?;
            write_meta(&transaction, &entries)?;
            transaction.commit()
        });
        created.map_err(|source| self.sqlite(source))
    }

    fn write_about(&mut self, about: &About) -> Result<(), LedgerError> {
        let entries = self.entries(about)?;
        let written = self.connection.transaction().and_then(|transaction| {
            write_meta(&transaction, &entries)?;
            transaction.commit()
        });
        written.map_err(|source| self.sqlite(source))
    }

    fn entries(&self, about: &About) -> Result<[(&'static str, String); 4], LedgerError> {
        let identity = serde_json::to_string(&about.identity).map_err(|error| self.damaged(&error))?;
        Ok([
            (schema::IDENTITY, identity),
            (schema::SPEC, about.spec_toml.clone()),
            (schema::LABEL_A, about.labels[0].clone()),
            (schema::LABEL_B, about.labels[1].clone()),
        ])
    }

    fn meta(&self, key: &str) -> Result<String, LedgerError> {
        self.connection
            .query_row(schema::SELECT_META, [key], |row| row.get(0))
            .optional()
            .map_err(|source| self.sqlite(source))?
            .ok_or_else(|| self.damaged(&format!("it does not say its {key}")))
    }

    fn version(&self) -> Result<i64, LedgerError> {
        self.connection
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .map_err(|source| self.sqlite(source))
    }

    fn check_version(&self) -> Result<(), LedgerError> {
        let found = self.version()?;
        if found == schema::VERSION {
            return Ok(());
        }
        Err(LedgerError::Version {
            path: self.path.clone(),
            found,
            known: schema::VERSION,
        })
    }

    fn read_game(&self, row: &Row<'_>) -> Result<(u64, u32, String, GameRecord), LedgerError> {
        rows::read(row)
            .map_err(|source| self.sqlite(source))?
            .ok_or_else(|| self.damaged(&"a game has values that no game can have"))
    }

    fn sqlite(&self, source: rusqlite::Error) -> LedgerError {
        LedgerError::from_sqlite(&self.path, source)
    }

    fn damaged(&self, message: &dyn std::fmt::Display) -> LedgerError {
        LedgerError::Damaged {
            path: self.path.clone(),
            message: message.to_string(),
        }
    }
}

/// The differences that forbid to go on: all but a number of pairs that grew where nothing else could stop the run.
fn blocking_differences(stored: &Identity, wanted: &Identity) -> Vec<Difference> {
    let mut differences = stored.differences(wanted);
    if stored.get(Identity::SPRT) == Some(Identity::NONE) {
        differences.retain(|difference| {
            let pairs = |text: &str| text.parse::<u64>().ok();
            difference.name != Identity::PAIRS || pairs(&difference.stored) > pairs(&difference.wanted)
        });
    }
    differences
}

/// Is there anything but the lock of a run that was just starting?
fn folder_is_occupied(folder: &Path) -> Result<bool, LedgerError> {
    let to_error = |source| LedgerError::Folder {
        path: folder.to_owned(),
        source,
    };
    match std::fs::read_dir(folder) {
        Ok(entries) => {
            for entry in entries {
                if entry.map_err(to_error)?.file_name() != lock::LOCK_FILE {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(to_error(error)),
    }
}

fn write_meta(connection: &Connection, entries: &[(&str, String)]) -> rusqlite::Result<()> {
    for (key, value) in entries {
        connection.execute(schema::UPSERT_META, params![key, value])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
