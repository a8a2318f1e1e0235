//! The one truth about a run: which pairs are finished, and what happened in them.
//!
//! In: finished pairs. Out: the same pairs, in schedule order, after any interruption.
//! Must not: count, format or decide anything.
//!
//! A study holds searches in the place of pairs.
//!
//! One SQLite file a run, in write-ahead mode: a pair is in it with both games or not at all, also after the process
//! was killed. One process at a time may write: it holds a lock on a file beside the ledger.
//!
//! Every pair has checksums over all rows that are stored for it, and they are checked at every read: a reader gets what
//! was stored, or an error. A run that is taken up plays damaged pairs again ([`mend`]).

mod about;
mod checksum;
mod damage;
mod description;
mod error;
mod examine;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod glance;
mod kind;
mod live;
mod lock;
mod lookup;
mod machines;
mod mend;
mod moves;
mod origins;
mod packet;
mod read;
mod remarks;
mod rows;
mod scan;
mod schema;
mod seal;
mod search_packet;
mod search_rows;
mod searches;
mod turns;
mod variations;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::config::{Difference, Identity};
use crate::platform::FileId;
use crate::record::PairRecord;
pub use about::About;
use checksum::Salt;
pub use damage::{Item, ItemDamage, Mended};
pub use error::LedgerError;
pub use glance::{Glance, LedgerStamp, ask_writer_to_end, is_being_written, is_writer_known};
pub use kind::RunKind;
pub use live::LiveFile;
pub use live::live_games;
pub use lock::{FolderLock, LockError};
pub use machines::Origins;
pub use origins::{HostPairs, Signed};
pub use packet::{PACKET_BYTES_MAX, pack};
pub use read::GameMoves;
pub use schema::LEDGER_FILE;
pub use search_packet::{pack_finished, unpack_finished};
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
    lock: Option<FolderLock>,
    /// The file that was opened; `None` where there is none.
    place: Option<FileId>,
    salt: Salt,
    players: usize,
    mended: Option<Mended>,
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
        if !matches!(contents, Contents::PairsAmong) && folder_is_occupied(folder)? {
            if !path.exists() {
                return Err(LedgerError::Foreign(folder.to_owned()));
            }
            if Ledger::is_empty(&path) {
                return Err(LedgerError::Emptied(path));
            }
        }
        let lock = acquire_lock(folder)?;
        if !path.exists() || Ledger::is_empty(&path) {
            let mut ledger = Ledger::connect(path, OpenFlags::default(), Some(lock))?;
            ledger.initialise(about, contents)?;
            return Ok(ledger);
        }
        let mended = match Ledger::take_up(&path, about) {
            Ok(mut ledger) => {
                ledger.lock = Some(lock);
                return Ok(ledger);
            }
            Err(error) if error.is_damage() => Ledger::mend(&path, about, contents, error)?,
            Err(error) => return Err(error),
        };
        let mut ledger = Ledger::take_up(&path, about)?;
        (ledger.lock, ledger.mended) = (Some(lock), Some(mended));
        Ok(ledger)
    }

    /// Opens the ledger at `path` for playing on, if it is of this run and whole.
    fn take_up(path: &Path, about: &About) -> Result<Ledger, LedgerError> {
        let mut ledger = Ledger::connect(path.to_owned(), OpenFlags::default(), None)?;
        let stored = ledger.begin_reading()?;
        let differences = blocking_differences(&stored.identity, &about.identity);
        if !differences.is_empty() {
            let path = path.parent().unwrap_or(path).to_owned();
            if stored.kind != about.kind {
                let (found, wanted) = (stored.kind, about.kind);
                return Err(LedgerError::OtherKind { path, found, wanted });
            }
            let kind = about.kind;
            return Err(LedgerError::OtherSpec {
                path,
                kind,
                differences,
            });
        }
        let condition = ledger.examine()?;
        if !condition.is_whole() {
            return Err(ledger.damaged(&condition));
        }
        if stored != *about {
            ledger.write_about(about)?;
        }
        ledger.players = about.labels.len();
        Ok(ledger)
    }

    /// Finds out what every reading needs to know.
    fn begin_reading(&mut self) -> Result<About, LedgerError> {
        self.check_version()?;
        self.check_description()?;
        let about = self.about()?;
        self.salt = Salt::of(&about.identity);
        self.players = about.labels.len();
        Ok(about)
    }

    /// What was done about damage when it was opened for playing.
    pub fn mended(&self) -> Option<&Mended> {
        self.mended.as_ref()
    }

    /// Was it begun by a process that ended before it had its tables? One that cannot be read was not.
    fn is_empty(path: &Path) -> bool {
        let ledger = Ledger::connect(path.to_owned(), OpenFlags::default(), None);
        ledger
            .and_then(|ledger| ledger.version())
            .is_ok_and(|version| version == 0)
    }

    /// Is there a ledger in `folder`? One that was only begun is none.
    pub fn exists(folder: &Path) -> bool {
        let path = folder.join(LEDGER_FILE);
        path.is_file() && !Ledger::is_empty(&path)
    }

    /// Opens the ledger in `folder` for reading, whether or not a run is going on.
    ///
    /// # Errors
    /// No ledger there, or not one that this program can read.
    pub fn open_existing(folder: &Path) -> Result<Ledger, LedgerError> {
        let mut ledger = Ledger::connect_to_read(folder)?;
        ledger.begin_reading()?;
        ledger.check_integrity()?;
        Ok(ledger)
    }

    /// As [`open_existing`](Ledger::open_existing), also if what it says about its run is damaged: that comes back in words.
    ///
    /// # Errors
    /// As there, but for that.
    pub fn open_to_examine(folder: &Path) -> Result<(Ledger, Option<String>), LedgerError> {
        let mut ledger = Ledger::connect_to_read(folder)?;
        match ledger.begin_reading() {
            Ok(_) => Ok((ledger, None)),
            Err(error) if error.is_damage() => {
                if let Ok(about) = ledger.about() {
                    (ledger.salt, ledger.players) = (Salt::of(&about.identity), about.labels.len());
                }
                Ok((ledger, Some(error.damage().to_owned())))
            }
            Err(error) => Err(error),
        }
    }

    /// A folder that cannot be written is read as it is, if nothing that is not in the ledger itself may be missing.
    fn connect_to_read(folder: &Path) -> Result<Ledger, LedgerError> {
        let path = folder.join(LEDGER_FILE);
        if !path.is_file() {
            return Err(LedgerError::Missing(folder.to_owned()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        match Ledger::connect(path.clone(), flags, None) {
            Err(LedgerError::Unwritable { .. }) => Ledger::connect_unchanging(path),
            connected => connected,
        }
    }

    /// Opens the file at `path`, which nothing can write.
    fn connect_unchanging(path: PathBuf) -> Result<Ledger, LedgerError> {
        let log = log_of(&path);
        if log.metadata().is_ok_and(|metadata| metadata.len() > 0) {
            return Err(LedgerError::Unfinished(path));
        }
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(immutable_uri(&path), flags);
        opened
            .map_err(|source| LedgerError::from_sqlite(&path, source))
            .and_then(|connection| Ledger::of_connection(connection, path, None))
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
            .is_ok_and(|stored| blocking_differences(&stored.identity, identity).is_empty())
    }

    /// A ledger in memory.
    #[cfg(test)]
    pub fn in_memory(about: &About) -> Ledger {
        let mut ledger = Ledger {
            connection: Connection::open_in_memory().unwrap(),
            path: PathBuf::new(),
            lock: None,
            place: None,
            salt: Salt::default(),
            players: 0,
            mended: None,
        };
        ledger.initialise(about, Contents::Pairs).unwrap();
        ledger
    }

    /// Stores finished pairs in one transaction: all of them or none.
    ///
    /// # Errors
    /// SQLite's, and a pair that is stored already.
    pub fn insert(&mut self, pairs: &[PairRecord]) -> Result<(), LedgerError> {
        self.insert_played(pairs, &Origins::new())
    }

    fn connect(path: PathBuf, flags: OpenFlags, lock: Option<FolderLock>) -> Result<Ledger, LedgerError> {
        let connection = Connection::open_with_flags(&path, flags)
            .and_then(|connection| connection.execute_batch(schema::PRAGMAS).map(|()| connection));
        match connection {
            Ok(connection) => Ledger::of_connection(connection, path, lock),
            Err(source) => Err(LedgerError::from_sqlite(&path, source)),
        }
    }

    fn of_connection(
        connection: Connection,
        path: PathBuf,
        lock: Option<FolderLock>,
    ) -> Result<Ledger, LedgerError> {
        let Ok(place) = FileId::of(&path) else {
            return Err(LedgerError::Gone(path));
        };
        Ok(Ledger {
            connection,
            place: Some(place),
            path,
            lock,
            salt: Salt::default(),
            players: 0,
            mended: None,
        })
    }

    /// Tables and description in one transaction: a ledger that was only begun is an empty file to the next process.
    fn initialise(&mut self, about: &About, contents: Contents<'_>) -> Result<(), LedgerError> {
        let entries = self.entries(about)?;
        (self.salt, self.players) = (Salt::of(&about.identity), about.labels.len());
        let created = self.connection.transaction().and_then(|transaction| {
            transaction.execute_batch(schema::CREATE)?;
            match contents {
                Contents::Pairs | Contents::PairsAmong => {
                    transaction.execute_batch(schema::CREATE_PAIRS)?;
                    transaction.execute_batch(schema::CREATE_CHECKSUM)?;
                    create_later_tables(&transaction)?;
                }
                Contents::Searches(positions) => {
                    search_rows::begin(&transaction, positions)?;
                }
            }
            seal::write_about(&transaction, &entries, &about.labels)?;
            seal::seal(&transaction)?;
            transaction.commit()
        });
        created.map_err(|source| self.sqlite(source))
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
        if found == 0 {
            return Err(LedgerError::Empty(self.path.clone()));
        }
        Err(LedgerError::Version {
            path: self.path.clone(),
            found,
            known: schema::VERSION,
        })
    }

    /// Checks the order and the pointers of all that a count rests on. Moves, by far the greatest part, are checked when they
    /// are read, and everything when a run is taken up; a file that was cut short is noticed at the first look, and a torn
    /// write-ahead log ends with its last whole transaction.
    fn check_integrity(&self) -> Result<(), LedgerError> {
        let is_study = self.has_table(schema::SEARCHES)?;
        let tables: &[&str] = if is_study {
            &schema::STUDY_TABLES
        } else {
            &schema::SMALL_TABLES
        };
        for table in [schema::HOST, schema::ORIGIN] {
            if self.has_table(table)? {
                self.quick_check(&format!("({table})"))?;
            }
        }
        tables
            .iter()
            .try_for_each(|table| self.quick_check(&format!("({table})")))
    }

    /// Of one table, or of the whole file.
    fn quick_check(&self, of: &str) -> Result<(), LedgerError> {
        let statement = format!("PRAGMA quick_check{of}");
        let found: String = self
            .connection
            .query_row(&statement, [], |row| row.get(0))
            .map_err(|source| self.sqlite(source))?;
        if found == "ok" {
            Ok(())
        } else {
            Err(self.damaged(&found))
        }
    }

    /// Is the file still where it was opened?
    fn check_place(&self) -> Result<(), LedgerError> {
        match &self.place {
            Some(place) if FileId::of(&self.path).ok().as_ref() != Some(place) => {
                Err(LedgerError::Gone(self.path.clone()))
            }
            _ => Ok(()),
        }
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

/// The write-ahead log of an SQLite file.
fn log_of(path: &Path) -> PathBuf {
    with_suffix(path, "-wal")
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The name by which SQLite opens a file that nothing writes.
fn immutable_uri(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri + "?immutable=1"
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

/// What SQLite puts behind the name of a file for those beside it.
const OF_LEDGER: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Does it hold anything but a ledger and its lock?
fn folder_is_occupied(folder: &Path) -> Result<bool, LedgerError> {
    let to_error = |source| LedgerError::Folder {
        path: folder.to_owned(),
        source,
    };
    // A log without its ledger is not ours to begin anew.
    let has_ledger = folder.join(LEDGER_FILE).exists();
    match std::fs::read_dir(folder) {
        Ok(entries) => {
            for entry in entries {
                let name = entry.map_err(to_error)?.file_name();
                let end = name.to_str().and_then(|name| name.strip_prefix(LEDGER_FILE));
                let is_ledger = has_ledger && end.is_some_and(|end| OF_LEDGER.contains(&end));
                if name != FolderLock::LEDGER && !is_ledger {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(to_error(error)),
    }
}

#[cfg(test)]
mod tests;
