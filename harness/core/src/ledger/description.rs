//! What a ledger says about itself, and the checksum over it.

use std::sync::atomic::Ordering;

use rusqlite::{Connection, OptionalExtension};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::checksum::of_description;
use super::{Ledger, LedgerError};
use crate::config::{Identity, differences};
use crate::shard::Shard;

/// Keys of the table `meta`. The version of the program that wrote it: who cannot read it is told.
pub(super) const PROGRAM: &str = "program";
const MANIFEST: &str = "manifest";
const CHECKSUM: &str = "checksum";
pub(super) const COUNTED: &str = "counted";
/// There if the run got more pairs when it had some already.
const EXTENDED: &str = "kept extended";

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The name of the kind of run, which whoever plays it knows.
    pub kind: String,
    pub identity: Identity,
    /// The run's specification as a file.
    pub spec_toml: String,
    /// What reports call the players, by their number; A and B in a match.
    pub labels: Vec<String>,
    /// What is searched, if pairs are not played.
    pub positions: Vec<StudyPosition>,
    /// The share of the pairs that this ledger holds.
    #[serde(default, skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyPosition {
    /// Its line in its file, from 1.
    pub line: u32,
    /// The position, in the game's notation.
    pub text: String,
}

impl Manifest {
    /// What differs in `other` as its user would type it; the two are called by `sides`.
    pub fn differences(&self, other: &Manifest, sides: [&str; 2]) -> Vec<String> {
        let [own, others] = [self, other].map(|manifest| (&*manifest.spec_toml, &manifest.identity));
        let mut lines = match self.identity == other.identity {
            true => Vec::new(),
            false => differences(own, others, sides),
        };
        if self.shard != other.shard {
            let shard = |shard: Shard| match shard.is_whole() {
                true => "no --shard".to_owned(),
                false => format!("--shard {shard}"),
            };
            let [there, now] = sides;
            lines.push(format!(
                "{} {there}, {} {now}",
                shard(self.shard),
                shard(other.shard)
            ));
        }
        lines
    }

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
        self.value(MANIFEST)?
            .ok_or_else(|| self.damaged(&"it does not say of what run it is"))
    }

    /// Tells this run from every other one, whatever its number of pairs: 16 hexadecimal digits.
    pub fn run_id(&self) -> String {
        format!("{:016x}", self.salt.0)
    }

    /// Takes another description of the same run, or that of one that grew out of it.
    pub fn describe_as(&mut self, manifest: &Manifest) -> Result<(), LedgerError> {
        let has_more_pairs = self.manifest()?.identity.pairs() < manifest.identity.pairs();
        let is_extended = has_more_pairs && !self.finished()?.is_empty();
        self.be_of(manifest);
        self.describe(|connection| {
            if is_extended {
                put_text(connection, EXTENDED, "")?;
            }
            put_manifest(connection, manifest)
        })
    }

    pub(super) fn mark_extended(&mut self) -> Result<(), LedgerError> {
        self.describe(|connection| put_text(connection, EXTENDED, ""))
    }

    /// Did the run get more pairs when it had some already?
    pub fn is_extended(&self) -> Result<bool, LedgerError> {
        Ok(self.text(EXTENDED)?.is_some())
    }

    /// Keeps `text` under `name`, instead of what was kept there.
    pub fn keep(&mut self, name: &str, text: &str) -> Result<(), LedgerError> {
        self.describe(|connection| put_text(connection, &kept_key(name), text))
    }

    /// What is kept under `name`.
    pub fn kept(&self, name: &str) -> Result<Option<String>, LedgerError> {
        self.text(&kept_key(name))
    }

    /// Marks the pairs below `counted` as those that the verdict rests on. Pairs beyond, in flight when the run was
    /// decided, stay stored and unmarked.
    pub fn mark_counted(&mut self, counted: u64) -> Result<(), LedgerError> {
        self.check_place()?;
        self.describe(|connection| put(connection, COUNTED, &counted))?;
        self.check_place()
    }

    /// On how many pairs the verdict rests, if there is one.
    pub fn counted(&self) -> Result<Option<u64>, LedgerError> {
        self.value(COUNTED)
    }

    /// Is the description as it was stored?
    pub(super) fn check_description(&self) -> Result<(), LedgerError> {
        let read = || -> rusqlite::Result<_> {
            // One state of the file, also while a run is going on.
            let _snapshot = self.connection().unchecked_transaction()?;
            Ok((
                text(self.connection(), CHECKSUM)?,
                of_description(self.connection())?,
            ))
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
        self.looks.store(0, Ordering::Relaxed);
        let changed = self.connection.transaction().and_then(|transaction| {
            change(&transaction)?;
            put_text(&transaction, CHECKSUM, &of_description(&transaction)?)?;
            transaction.commit()
        });
        changed.map_err(|source| self.sqlite(source))
    }

    /// Takes over all that `other`, whose description is whole, says beside what its run is. On how many pairs a verdict rests holds
    /// only if all of them are here.
    pub(super) fn describe_like(&mut self, other: &Ledger, has_all: bool) -> Result<(), LedgerError> {
        let read = || -> rusqlite::Result<Vec<(String, String)>> {
            let mut statement = other.connection().prepare("SELECT key, value FROM meta")?;
            let rows = statement.query_map([], |row| row.try_into())?;
            rows.collect()
        };
        let mut rows = read().map_err(|source| other.sqlite(source))?;
        rows.retain(|(key, _)| {
            ![PROGRAM, MANIFEST, CHECKSUM].contains(&&**key) && (has_all || key != COUNTED)
        });
        self.describe(|connection| {
            rows.iter()
                .try_for_each(|(key, text)| put_text(connection, key, text))
        })
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<String>, LedgerError> {
        text(self.connection(), key).map_err(|source| self.sqlite(source))
    }

    pub(super) fn value<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, LedgerError> {
        let text = self.text(key)?;
        let value = text.map(|text| serde_json::from_str(&text)).transpose();
        value.map_err(|error| self.damaged(&error))
    }
}

/// What is kept for a run has a name of its own among what the ledger says about itself.
fn kept_key(name: &str) -> String {
    format!("kept {name}")
}

pub(super) fn put_manifest(connection: &Connection, manifest: &Manifest) -> rusqlite::Result<()> {
    put_text(connection, PROGRAM, env!("CARGO_PKG_VERSION"))?;
    put(connection, MANIFEST, manifest)
}

fn text(connection: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    let select = "SELECT value FROM meta WHERE key = ?1";
    let value = connection.query_row(select, [key], |row| row.get(0));
    value.optional()
}

fn put_text(connection: &Connection, key: &str, text: &str) -> rusqlite::Result<()> {
    let replace = "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)";
    connection.execute(replace, [key, text]).map(drop)
}

pub(super) fn put(connection: &Connection, key: &str, value: &impl Serialize) -> rusqlite::Result<()> {
    let text = serde_json::to_string(value);
    let text = text.map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    put_text(connection, key, &text)
}
