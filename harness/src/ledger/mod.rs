//! The one truth about a run: which pairs are finished, and what happened in them.
//!
//! In: finished pairs. Out: the same pairs, in schedule order, after any interruption.
//! Must not: count, format or decide anything.
//!
//! A study holds searches in the place of pairs.
//!
//! One SQLite file a run, in write-ahead mode: a pair is in it with both games or not at all, also after the process
//! was killed. One process at a time may write: it holds a lock on a file beside the ledger.

mod about;
mod error;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod journal;
mod kind;
mod lock;
mod moves;
mod read;
mod remarks;
mod rows;
mod schema;
mod search_rows;
mod searches;
mod turns;
mod variations;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use crate::config::{Difference, Identity};
use crate::record::{PairRecord, Search};
pub use about::About;
pub use error::LedgerError;
pub use kind::RunKind;
pub use lock::{FolderLock, LockError};
pub use read::GameMoves;
pub use schema::LEDGER_FILE;
pub use search_rows::StudyPosition;

/// What a ledger is to hold.
#[derive(Debug, Clone, Copy)]
enum Contents<'a> {
    Pairs,
    /// Pairs, or nothing but its description; the folder may hold other files.
    PairsAmong,
    /// Searches of these positions.
    Searches(&'a [StudyPosition]),
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
        Ledger::open_with(folder, about, Contents::Pairs)
    }

    /// As [`open_or_create`](Ledger::open_or_create), whatever else `folder` holds.
    ///
    /// # Errors
    /// As there.
    pub fn open_or_create_among(folder: &Path, about: &About) -> Result<Ledger, LedgerError> {
        Ledger::open_with(folder, about, Contents::PairsAmong)
    }

    fn open_with(folder: &Path, about: &About, contents: Contents<'_>) -> Result<Ledger, LedgerError> {
        let path = folder.join(LEDGER_FILE);
        let older = match contents {
            Contents::Searches(positions) if !Ledger::is_begun(&path) => {
                journal::read(folder, about, positions.len())?
            }
            _ => None,
        };
        let takes_up = older.is_some() || matches!(contents, Contents::PairsAmong);
        if !path.exists() && !takes_up && folder_is_occupied(folder)? {
            return Err(LedgerError::Foreign(folder.to_owned()));
        }
        let lock = acquire_lock(folder)?;
        let is_new = !path.exists();
        let mut ledger = Ledger::connect(path, OpenFlags::default(), Some(lock))?;
        if is_new || ledger.version()? == 0 {
            ledger.initialise(about, contents, &older.unwrap_or_default())?;
            return Ok(ledger);
        }
        ledger.check_version()?;
        ledger.check_integrity()?;
        let stored = ledger.about()?;
        let differences = blocking_differences(&stored.identity, &about.identity);
        if !differences.is_empty() {
            return Err(LedgerError::OtherSpec {
                path: folder.to_owned(),
                kind: about.kind,
                differences,
            });
        }
        if stored != *about {
            ledger.write_about(about)?;
        }
        if !matches!(contents, Contents::Searches(_)) {
            create_later_tables(&ledger.connection).map_err(|source| ledger.sqlite(source))?;
        }
        Ok(ledger)
    }

    /// Is there a ledger in `folder`?
    pub fn exists(folder: &Path) -> bool {
        folder.join(LEDGER_FILE).is_file()
    }

    /// Keeps `text` under `name`, instead of what was kept there.
    ///
    /// # Errors
    /// SQLite's.
    pub fn keep(&mut self, name: &str, text: &str) -> Result<(), LedgerError> {
        self.connection
            .execute(schema::UPSERT_META, params![kept_key(name), text])
            .map(drop)
            .map_err(|source| self.sqlite(source))
    }

    /// What is kept under `name`.
    ///
    /// # Errors
    /// SQLite's.
    pub fn kept(&self, name: &str) -> Result<Option<String>, LedgerError> {
        self.connection
            .query_row(schema::SELECT_META, [kept_key(name)], |row| row.get(0))
            .optional()
            .map_err(|source| self.sqlite(source))
    }

    /// Has the ledger at `path` its tables? One that cannot be read is not to be begun again.
    fn is_begun(path: &Path) -> bool {
        path.exists() && {
            let ledger = Ledger::connect(path.to_owned(), OpenFlags::default(), None);
            ledger
                .and_then(|ledger| ledger.version())
                .map_or(true, |version| version != 0)
        }
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
        ledger.check_integrity()?;
        Ok(ledger)
    }

    /// Keeps other processes from writing in `folder`, which this ledger was opened in for reading, as long as the
    /// result lives.
    ///
    /// # Errors
    /// A run is going on there, or nothing can be written.
    pub fn lock(&self, folder: &Path) -> Result<FolderLock, LedgerError> {
        acquire_lock(folder)
    }

    /// Would [`open_or_create`](Ledger::open_or_create) take this identity up in `folder`?
    pub fn is_resumable(folder: &Path, identity: &Identity) -> bool {
        Ledger::open_existing(folder)
            .and_then(|ledger| ledger.about())
            .map_or_else(
                |_| journal::is_of(folder, identity),
                |stored| blocking_differences(&stored.identity, identity).is_empty(),
            )
    }

    /// A ledger in memory.
    #[cfg(test)]
    pub(crate) fn in_memory(about: &About) -> Ledger {
        let mut ledger = Ledger {
            connection: Connection::open_in_memory().unwrap(),
            path: PathBuf::new(),
            _lock: None,
        };
        ledger.initialise(about, Contents::Pairs, &[]).unwrap();
        ledger
    }

    /// What the ledger says about itself.
    ///
    /// # Errors
    /// Unreadable.
    pub fn about(&self) -> Result<About, LedgerError> {
        let identity = self.meta(schema::IDENTITY)?;
        let identity = serde_json::from_str(&identity).map_err(|error| self.damaged(&error))?;
        Ok(About {
            kind: self.kind(&identity)?,
            identity,
            spec_toml: self.meta(schema::SPEC)?,
            labels: self.labels()?,
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
    fn initialise(
        &mut self,
        about: &About,
        contents: Contents<'_>,
        older: &[Search],
    ) -> Result<(), LedgerError> {
        let entries = self.entries(about)?;
        let created = self.connection.transaction().and_then(|transaction| {
            transaction.execute_batch(schema::CREATE)?;
            match contents {
                Contents::Pairs | Contents::PairsAmong => {
                    transaction.execute_batch(schema::CREATE_PAIRS)?;
                    create_later_tables(&transaction)?;
                }
                Contents::Searches(positions) => search_rows::begin(&transaction, positions, older)?,
            }
            write_about(&transaction, &entries, &about.labels)?;
            transaction.commit()
        });
        created.map_err(|source| self.sqlite(source))
    }

    fn write_about(&mut self, about: &About) -> Result<(), LedgerError> {
        let entries = self.entries(about)?;
        let written = self.connection.transaction().and_then(|transaction| {
            write_about(&transaction, &entries, &about.labels)?;
            transaction.commit()
        });
        written.map_err(|source| self.sqlite(source))
    }

    fn entries(&self, about: &About) -> Result<[(&'static str, String); 3], LedgerError> {
        let identity = serde_json::to_string(&about.identity).map_err(|error| self.damaged(&error))?;
        Ok([
            (schema::KIND, about.kind.name().to_owned()),
            (schema::IDENTITY, identity),
            (schema::SPEC, about.spec_toml.clone()),
        ])
    }

    /// As stored, or as the identity tells in a ledger that is older than kinds.
    fn kind(&self, identity: &Identity) -> Result<RunKind, LedgerError> {
        match self.meta_if_any(schema::KIND)? {
            None => Ok(RunKind::of_identity(identity)),
            Some(name) => RunKind::from_name(&name)
                .ok_or_else(|| self.damaged(&format_args!("it holds a run of the unknown kind '{name}'"))),
        }
    }

    fn meta(&self, key: &str) -> Result<String, LedgerError> {
        self.meta_if_any(key)?
            .ok_or_else(|| self.damaged(&format_args!("it does not say its {key}")))
    }

    fn meta_if_any(&self, key: &str) -> Result<Option<String>, LedgerError> {
        let value = self
            .connection
            .query_row(schema::SELECT_META, [key], |row| row.get(0));
        value.optional().map_err(|source| self.sqlite(source))
    }

    fn labels(&self) -> Result<Vec<String>, LedgerError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.connection.prepare(schema::SELECT_PLAYERS)?;
            let labels = statement.query_map([], |row| row.get(0))?;
            labels.collect()
        };
        read().map_err(|source| self.sqlite(source))
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

    /// Checks all that a count rests on. Moves, by far the greatest part, are checked when they are read; a file that was
    /// cut short is noticed at the first look, and a torn write-ahead log ends with its last whole transaction.
    fn check_integrity(&self) -> Result<(), LedgerError> {
        let is_study = self.has_table(schema::SEARCHES)?;
        let tables: &[&str] = if is_study {
            &schema::STUDY_TABLES
        } else {
            &schema::SMALL_TABLES
        };
        for table in tables {
            let statement = format!("PRAGMA quick_check({table})");
            let found: String = self
                .connection
                .query_row(&statement, [], |row| row.get(0))
                .map_err(|source| self.sqlite(source))?;
            if found != "ok" {
                return Err(self.damaged(&found));
            }
        }
        Ok(())
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

fn create_later_tables(connection: &Connection) -> rusqlite::Result<()> {
    let mut tables = schema::LATER_TABLES.iter();
    tables.try_for_each(|(_, create)| connection.execute_batch(create))
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

/// What is kept for a run has a name of its own among what the ledger says about itself.
fn kept_key(name: &str) -> String {
    format!("kept {name}")
}

fn acquire_lock(folder: &Path) -> Result<FolderLock, LedgerError> {
    FolderLock::acquire(folder).map_err(|error| match error {
        LockError::InUse => LedgerError::InUse(folder.to_owned()),
        LockError::Refused(source) => LedgerError::Folder {
            path: folder.to_owned(),
            source,
        },
    })
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
                if entry.map_err(to_error)?.file_name() != FolderLock::LEDGER {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(to_error(error)),
    }
}

fn write_about(
    connection: &Connection,
    entries: &[(&str, String)],
    labels: &[String],
) -> rusqlite::Result<()> {
    for (key, value) in entries {
        connection.execute(schema::UPSERT_META, params![key, value])?;
    }
    connection.execute(schema::DELETE_PLAYERS, [])?;
    for (player, label) in labels.iter().enumerate() {
        connection.execute(schema::INSERT_PLAYER, params![player as i64, label])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
