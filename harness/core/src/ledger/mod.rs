//! The one truth about a run: which units, pairs of games or searches, are finished, and what came of them.
//!
//! One SQLite file a run, in write-ahead mode: a pair is in it with both games or not at all, also after the process
//! was killed. One process at a time may write: it holds a lock on a file beside the ledger.
//!
//! Every unit has checksums over all that is stored for it, and they are checked at every read: a reader gets what
//! was stored, or an error. A tally of all units misses those that were deleted. A run that is resumed plays damaged and missing
//! pairs again (`repair`).

mod checksum;
mod codec;
mod description;
mod error;
mod examine;
mod live;
mod lock;
mod origins;
mod repair;
mod schema;
mod summary;
mod units;
mod upgrade;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::{Connection, OpenFlags};

use crate::config::Identity;
use crate::interrupt::Interrupt;
use crate::platform::{FileId, file_id};
use crate::shard::Shard;
use checksum::{Salt, UnitTally};
pub use codec::{FORMAT, PACKET_BYTES_MAX, decode, encode};
pub use description::{Manifest, StudyPosition};
pub use error::LedgerError;
pub use examine::{Item, ItemDamage, Repaired};
pub use live::{LiveFile, live_games};
pub use lock::FolderLock;
pub use origins::HostUnits;
pub use schema::LEDGER_FILE;
use schema::Tables;
pub use summary::{LedgerStamp, RunSummary, ask_writer_to_end, is_being_written, is_writer_known};
pub use upgrade::Upgraded;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    Pairs,
    Searches,
    /// Nothing but its description: its parts have ledgers of their own.
    Parts,
    /// As [`Parts`](Holds::Parts); the folder may hold other files.
    Among,
}

pub struct Ledger {
    connection: Connection,
    path: PathBuf,
    lock: Option<FolderLock>,
    /// The file that was opened; `None` where there is none.
    place: Option<FileId>,
    /// In which it is stored.
    format: u32,
    salt: Salt,
    players: usize,
    /// Of a study; 0 where pairs are stored.
    positions: usize,
    shard: Shard,
    repaired: Option<Repaired>,
    /// What ends reading it early.
    interrupt: Interrupt,
    /// What the statement has cost that runs now, since its last row.
    looks: Arc<AtomicU64>,
}

impl Ledger {
    /// Opens the ledger in `folder` for playing, or makes folder and ledger. A ledger of another identity is refused,
    /// except that the number of pairs may have grown.
    pub fn open_or_create(folder: &Path, manifest: &Manifest) -> Result<Ledger, LedgerError> {
        Ledger::open_or_create_with(folder, manifest, Holds::Pairs)
    }

    /// As [`open_or_create`](Ledger::open_or_create), for other contents than pairs.
    pub fn open_or_create_with(
        folder: &Path,
        manifest: &Manifest,
        holds: Holds,
    ) -> Result<Ledger, LedgerError> {
        let path = folder.join(LEDGER_FILE);
        if holds != Holds::Among && folder_is_occupied(folder)? {
            if !path.exists() {
                return Err(LedgerError::Foreign(folder.to_owned()));
            }
            if Ledger::is_empty(&path) {
                return Err(LedgerError::Emptied(path));
            }
        }
        let lock = FolderLock::acquire(folder)?;
        if !path.exists() || Ledger::is_empty(&path) {
            let mut ledger = Ledger::connect(path, OpenFlags::default())?;
            ledger.lock = Some(lock);
            ledger.initialise(manifest)?;
            return Ok(ledger);
        }
        let repaired = match Ledger::take_up(&path, manifest) {
            Ok(mut ledger) => {
                ledger.lock = Some(lock);
                return Ok(ledger);
            }
            Err(error) if error.is_damage() => Ledger::repair(&path, manifest, holds, error)?,
            Err(error) => return Err(error),
        };
        let mut ledger = Ledger::take_up(&path, manifest)?;
        (ledger.lock, ledger.repaired) = (Some(lock), Some(repaired));
        Ok(ledger)
    }

    /// Opens the ledger at `path` for playing on, if it is of this run and whole.
    fn take_up(path: &Path, manifest: &Manifest) -> Result<Ledger, LedgerError> {
        let mut ledger = Ledger::connect(path.to_owned(), OpenFlags::default())?;
        let stored = ledger.begin_reading()?;
        if !continues(&stored, manifest) {
            let path = path.parent().unwrap_or(path).to_owned();
            if stored.kind != manifest.kind {
                let (found, wanted) = (stored.kind, manifest.kind.clone());
                return Err(LedgerError::OtherKind { path, found, wanted });
            }
            let differences = stored.differences(manifest, ["there", "now"]);
            return Err(LedgerError::OtherSpec { path, differences });
        }
        let condition = ledger.examine_checksums()?;
        if !condition.is_whole() {
            return Err(ledger.damaged(&condition));
        }
        if stored != *manifest {
            ledger.describe_as(manifest)?;
        }
        Ok(ledger)
    }

    /// Finds out what every reading needs to know.
    fn begin_reading(&mut self) -> Result<Manifest, LedgerError> {
        self.check_version()?;
        self.check_tables()?;
        self.check_description()?;
        let manifest = self.manifest()?;
        self.be_of(&manifest);
        Ok(manifest)
    }

    fn be_of(&mut self, manifest: &Manifest) {
        self.salt = upgrade::salt_of(self.format, &manifest.identity);
        (self.players, self.positions) = (manifest.labels.len(), manifest.positions.len());
        self.shard = manifest.shard;
    }

    /// The share of the run's pairs that it holds.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// What was done about damage when it was opened for playing.
    pub fn repaired(&self) -> Option<&Repaired> {
        self.repaired.as_ref()
    }

    /// Was it begun by a process that ended before it had its tables? One that cannot be read was not.
    fn is_empty(path: &Path) -> bool {
        let ledger = Ledger::connect(path.to_owned(), OpenFlags::default());
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
    pub fn open_existing(folder: &Path) -> Result<Ledger, LedgerError> {
        let mut ledger = Ledger::connect_to_read(folder)?;
        ledger.begin_reading()?;
        // Packets, by far the greatest part, are checked when they are read, and everything when a run is resumed.
        for table in schema::SMALL_TABLES {
            ledger.quick_check(&format!("({table})"))?;
        }
        ledger.check_tally()?;
        Ok(ledger)
    }

    /// As [`open_existing`](Ledger::open_existing), also if what it says about its run is damaged: that comes back in words. Once
    /// `interrupt` is raised nothing more is read.
    pub fn open_to_examine(
        folder: &Path,
        interrupt: &Interrupt,
    ) -> Result<(Ledger, Option<String>), LedgerError> {
        let mut ledger = Ledger::connect_to_read(folder)?;
        ledger.interrupt = interrupt.clone();
        ledger.restrain().map_err(|source| ledger.sqlite(source))?;
        match ledger.begin_reading() {
            Ok(_) => Ok((ledger, None)),
            Err(error) if error.is_damage() && ledger.tables()? != Tables::Foreign => {
                if let Ok(manifest) = ledger.manifest() {
                    ledger.be_of(&manifest);
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
        match Ledger::connect(path.clone(), flags) {
            Err(LedgerError::Unwritable { .. } | LedgerError::Full(_) | LedgerError::Sqlite { .. }) => {
                Ledger::connect_read_only(path, true)
            }
            connected => connected,
        }
    }

    /// Opens the file at `path`; if it `is_quiet`, nothing writes it, and no file is made beside it.
    fn connect_read_only(path: PathBuf, is_quiet: bool) -> Result<Ledger, LedgerError> {
        if is_quiet && log_of(&path).metadata().is_ok_and(|log| log.len() > 0) {
            return Err(LedgerError::Unfinished(path));
        }
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = match is_quiet {
            true => Connection::open_with_flags(immutable_uri(&path), flags),
            false => Connection::open_with_flags(&path, flags),
        };
        Ledger::of_connection(opened, path, "")
    }

    /// Opens the ledger in `folder` for playing on, whatever run it is of.
    pub fn open_stored(folder: &Path) -> Result<Ledger, LedgerError> {
        let (stored, _) = Ledger::open_to_examine(folder, &Interrupt::default())?;
        Ledger::open_or_create(folder, &stored.manifest()?)
    }

    /// Would [`open_or_create`](Ledger::open_or_create) take this identity up in `folder`?
    pub fn is_resumable(folder: &Path, identity: &Identity, shard: Shard) -> bool {
        Ledger::open_existing(folder)
            .and_then(|ledger| ledger.manifest())
            .is_ok_and(|stored| stored.shard == shard && may_continue(&stored.identity, identity))
    }

    #[cfg(test)]
    pub fn in_memory(manifest: &Manifest) -> Ledger {
        let connection = Connection::open_in_memory().unwrap();
        let mut ledger = Ledger::new(connection, PathBuf::new());
        ledger.initialise(manifest).unwrap();
        ledger
    }

    fn connect(path: PathBuf, flags: OpenFlags) -> Result<Ledger, LedgerError> {
        Ledger::of_connection(Connection::open_with_flags(&path, flags), path, schema::PRAGMAS)
    }

    fn of_connection(
        opened: rusqlite::Result<Connection>,
        path: PathBuf,
        pragmas: &str,
    ) -> Result<Ledger, LedgerError> {
        let connection = opened.map_err(|source| LedgerError::from_sqlite(&path, source))?;
        let mut ledger = Ledger::new(connection, path);
        let begun = ledger.restrain();
        let begun = begun.and_then(|()| ledger.connection.execute_batch(pragmas));
        begun.map_err(|source| ledger.sqlite(source))?;
        match file_id(&ledger.path) {
            Ok(place) => ledger.place = Some(place),
            Err(_) => return Err(LedgerError::Gone(ledger.path)),
        }
        Ok(ledger)
    }

    fn restrain(&mut self) -> rusqlite::Result<()> {
        let bytes = |path: &Path| path.metadata().map_or(0, |file| file.len());
        let bytes = bytes(&self.path) + bytes(&log_of(&self.path));
        schema::restrain(&mut self.connection, bytes, &self.looks, self.interrupt.clone())
    }

    fn new(connection: Connection, path: PathBuf) -> Ledger {
        Ledger {
            connection,
            path,
            lock: None,
            place: None,
            format: FORMAT,
            salt: Salt::default(),
            players: 0,
            positions: 0,
            shard: Shard::WHOLE,
            repaired: None,
            interrupt: Interrupt::default(),
            looks: Arc::default(),
        }
    }

    /// Tables and description in one transaction: a ledger that was only begun is an empty file to the next process.
    fn initialise(&mut self, manifest: &Manifest) -> Result<(), LedgerError> {
        self.be_of(manifest);
        let salt = self.salt;
        self.describe(|connection| {
            connection.execute_batch(schema::CREATE)?;
            connection.pragma_update(None, "user_version", FORMAT)?;
            UnitTally::default().write(connection, salt)?;
            description::put_manifest(connection, manifest)
        })
    }

    fn version(&self) -> Result<i64, LedgerError> {
        self.connection
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .map_err(|source| self.sqlite(source))
    }

    fn check_version(&self) -> Result<(), LedgerError> {
        match self.version()? {
            found if found == i64::from(FORMAT) => Ok(()),
            0 => Err(LedgerError::Empty(self.path.clone())),
            found => Err(LedgerError::Format {
                path: self.path.clone(),
                found,
                writer: match self.tables()? {
                    Tables::Foreign => None,
                    _ => self.text(description::PROGRAM).ok().flatten(),
                },
            }),
        }
    }

    fn tables(&self) -> Result<Tables, LedgerError> {
        schema::tables_of(self.connection()).map_err(|source| self.sqlite(source))
    }

    /// Nothing of a ledger is read before this: what looks like a table may be a computation without end.
    fn check_tables(&self) -> Result<(), LedgerError> {
        match self.tables()? {
            Tables::Known => Ok(()),
            _ => Err(self.damaged(&"its tables are not those of a ledger")),
        }
    }

    /// For a statement, whose cost is counted from here on.
    fn connection(&self) -> &Connection {
        self.looks.store(0, Ordering::Relaxed);
        &self.connection
    }

    /// To be asked at every row: what is forged may have rows without end.
    fn go_on(&self, last: i64, number: i64) -> Result<(), LedgerError> {
        self.looks.store(0, Ordering::Relaxed);
        if self.interrupt.is_requested() {
            return Err(LedgerError::Interrupted(self.path.clone()));
        }
        if number <= last {
            return Err(self.damaged(&"its units are not in their order"));
        }
        Ok(())
    }

    fn quick_check(&self, of: &str) -> Result<(), LedgerError> {
        let statement = format!("PRAGMA quick_check{of}");
        let found: String = self
            .connection()
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
            Some(place) if file_id(&self.path).ok().as_ref() != Some(place) => {
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

/// May the number of pairs alone have grown? A sequential test that its pairs left open errs no more often when it gets more.
fn continues(stored: &Manifest, wanted: &Manifest) -> bool {
    stored.shard == wanted.shard && may_continue(&stored.identity, &wanted.identity)
}

/// Does a run of `wanted` continue what is `stored`?
pub fn may_continue(stored: &Identity, wanted: &Identity) -> bool {
    let is_growth = |name: &String| {
        let [stored, wanted] = [stored, wanted].map(|identity| identity.pairs());
        name == Identity::PAIRS && stored.is_some() && stored <= wanted
    };
    stored.differences(wanted).iter().all(is_growth)
}

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
