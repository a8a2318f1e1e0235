//! What a ledger says about itself, and the checksum over it.

use rusqlite::{Connection, OptionalExtension, params};
use twox_hash::XxHash3_64;

use super::checksum::add_row;
use super::{Ledger, LedgerError, schema};
use crate::config::Identity;

const UPSERT_META: &str =
    "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The name of the kind of run, which whoever plays it knows.
    pub kind: String,
    pub identity: Identity,
    /// The run's specification as a file.
    pub spec_toml: String,
    /// What reports call the players, by their number; A and B in a match.
    pub labels: Vec<String>,
}

impl Manifest {
    /// The labels of the players that sat at A's and at B's place; `[0, 1]` in a match. A player without a label is
    /// called by its number.
    pub fn labels_of(&self, players: [u16; 2]) -> [String; 2] {
        players.map(|player| {
            let label = self.labels.get(usize::from(player));
            label.cloned().unwrap_or_else(|| format!("player {player}"))
        })
    }
}

impl Ledger {
    pub fn manifest(&self) -> Result<Manifest, LedgerError> {
        let identity = self.meta(schema::IDENTITY)?;
        let identity = serde_json::from_str(&identity).map_err(|error| self.damaged(&error))?;
        Ok(Manifest {
            kind: self.meta(schema::KIND)?,
            identity,
            spec_toml: self.meta(schema::SPEC)?,
            labels: self.labels()?,
        })
    }

    /// Tells this run from every other one, whatever its number of pairs: 16 hexadecimal digits.
    pub fn run_id(&self) -> String {
        format!("{:016x}", self.salt.0)
    }

    /// Keeps `text` under `name`, instead of what was kept there.
    pub fn keep(&mut self, name: &str, text: &str) -> Result<(), LedgerError> {
        self.describe(|connection| {
            let kept = params![kept_key(name), text];
            connection.execute(UPSERT_META, kept).map(drop)
        })
    }

    /// What is kept under `name`.
    pub fn kept(&self, name: &str) -> Result<Option<String>, LedgerError> {
        self.meta_if_any(&kept_key(name))
    }

    /// Marks the pairs below `counted` as those that the verdict rests on. Pairs beyond, in flight when the run was
    /// decided, stay stored and unmarked.
    pub fn mark_counted(&mut self, counted: u64) -> Result<(), LedgerError> {
        self.check_place()?;
        self.describe(|connection| {
            let mark = "INSERT OR REPLACE INTO counted (id, pairs) VALUES (0, ?1)";
            connection.execute(mark, [counted as i64]).map(drop)
        })?;
        self.check_place()
    }

    /// On how many pairs the verdict rests, if there is one.
    pub fn counted(&self) -> Result<Option<u64>, LedgerError> {
        let counted = self
            .connection
            .query_row("SELECT pairs FROM counted", [], |row| row.get(0));
        let counted = counted.optional().map_err(|source| self.sqlite(source))?;
        Ok(counted.map(|counted: i64| counted as u64))
    }

    pub(super) fn write_about(&mut self, manifest: &Manifest) -> Result<(), LedgerError> {
        let identity = serde_json::to_string(&manifest.identity).map_err(|error| self.damaged(&error))?;
        self.describe(|connection| store_about(connection, manifest, &identity))
    }

    /// Is the description as it was stored?
    pub(super) fn check_description(&self) -> Result<(), LedgerError> {
        let read = || -> rusqlite::Result<_> {
            // One state of the file, also while a run is going on.
            let _snapshot = self.connection.unchecked_transaction()?;
            let stored = "SELECT value FROM meta WHERE key = 'checksum'";
            let stored = self.connection.query_row(stored, [], |row| {
                Ok(row.get_ref(0)?.as_str().ok().map(str::to_owned))
            });
            Ok((stored.optional()?.flatten(), checksum(&self.connection)?))
        };
        let (stored, found) = read().map_err(|source| self.sqlite(source))?;
        if stored.as_deref() == Some(&*found) {
            return Ok(());
        }
        Err(self.damaged(&"what it says about its run does not fit its checksum"))
    }

    /// Changes the description and its checksum in one transaction.
    pub(super) fn describe(
        &mut self,
        change: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), LedgerError> {
        let changed = self.connection.transaction().and_then(|transaction| {
            change(&transaction)?;
            seal(&transaction)?;
            transaction.commit()
        });
        changed.map_err(|source| self.sqlite(source))
    }

    fn meta(&self, key: &str) -> Result<String, LedgerError> {
        self.meta_if_any(key)?
            .ok_or_else(|| self.damaged(&format_args!("it does not say its {key}")))
    }

    pub(super) fn meta_if_any(&self, key: &str) -> Result<Option<String>, LedgerError> {
        let value = self
            .connection
            .query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0));
        value.optional().map_err(|source| self.sqlite(source))
    }

    fn labels(&self) -> Result<Vec<String>, LedgerError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self
                .connection
                .prepare("SELECT label FROM player ORDER BY player")?;
            let labels = statement.query_map([], |row| row.get(0))?;
            labels.collect()
        };
        read().map_err(|source| self.sqlite(source))
    }
}

/// What is kept for a run has a name of its own among what the ledger says about itself.
fn kept_key(name: &str) -> String {
    format!("kept {name}")
}

pub(super) fn store_about(
    connection: &Connection,
    manifest: &Manifest,
    identity: &str,
) -> rusqlite::Result<()> {
    for (key, value) in [
        (schema::KIND, &*manifest.kind),
        (schema::IDENTITY, identity),
        (schema::SPEC, &*manifest.spec_toml),
        (schema::PROGRAM, env!("CARGO_PKG_VERSION")),
    ] {
        connection.execute(UPSERT_META, params![key, value])?;
    }
    connection.execute("DELETE FROM player", [])?;
    for (player, label) in manifest.labels.iter().enumerate() {
        let insert = "INSERT INTO player (player, label) VALUES (?1, ?2)";
        connection.execute(insert, params![player as i64, label])?;
    }
    Ok(())
}

/// Stores the checksum of the description as it is now.
pub(super) fn seal(connection: &Connection) -> rusqlite::Result<()> {
    let entry = params![schema::CHECKSUM, checksum(connection)?];
    connection.execute(UPSERT_META, entry).map(drop)
}

/// Over the tables' names and columns as well.
fn checksum(connection: &Connection) -> rusqlite::Result<String> {
    let mut bytes = Vec::new();
    for (table, select) in (0..).zip(schema::DESCRIPTION) {
        bytes.push(table);
        let mut statement = connection.prepare(select)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            add_row(&mut bytes, row);
        }
    }
    Ok(format!("{:016x}", XxHash3_64::oneshot(&bytes)))
}
