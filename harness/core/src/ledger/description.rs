//! What a ledger says about itself, and the checksum over it.
//!
//! In: an open ledger. Out: [`About`], what is kept for a run, how many pairs were counted.

use rusqlite::{Connection, OptionalExtension, params};

use super::seal::{checksum, seal, write_about};
use super::{About, Ledger, LedgerError, RunKind, schema};

impl Ledger {
    /// What the ledger says about itself.
    ///
    /// # Errors
    /// Unreadable.
    pub fn about(&self) -> Result<About, LedgerError> {
        let identity = self.meta(schema::IDENTITY)?;
        let identity = serde_json::from_str(&identity).map_err(|error| self.damaged(&error))?;
        Ok(About {
            kind: self.kind()?,
            identity,
            spec_toml: self.meta(schema::SPEC)?,
            labels: self.labels()?,
        })
    }

    /// Tells this run from every other one, whatever its number of pairs: 16 hexadecimal digits.
    pub fn run_id(&self) -> String {
        format!("{:016x}", self.salt.number())
    }

    /// Keeps `text` under `name`, instead of what was kept there.
    ///
    /// # Errors
    /// SQLite's.
    pub fn keep(&mut self, name: &str, text: &str) -> Result<(), LedgerError> {
        self.describe(|connection| {
            let kept = params![kept_key(name), text];
            connection.execute(schema::UPSERT_META, kept).map(drop)
        })
    }

    /// What is kept under `name`.
    ///
    /// # Errors
    /// SQLite's.
    pub fn kept(&self, name: &str) -> Result<Option<String>, LedgerError> {
        self.meta_if_any(&kept_key(name))
    }

    /// Marks the pairs below `counted` as those that the verdict rests on. Pairs beyond, in flight when the run was
    /// decided, stay stored and unmarked.
    ///
    /// # Errors
    /// SQLite's.
    pub fn mark_counted(&mut self, counted: u64) -> Result<(), LedgerError> {
        self.check_place()?;
        self.describe(|connection| {
            let counted = counted as i64;
            connection.execute(schema::MARK_COUNTED, [counted]).map(drop)
        })?;
        self.check_place()
    }

    /// On how many pairs the verdict rests, if there is one.
    ///
    /// # Errors
    /// SQLite's.
    pub fn counted(&self) -> Result<Option<u64>, LedgerError> {
        let counted = self
            .connection
            .query_row(schema::SELECT_COUNTED, [], |row| row.get(0));
        let counted = counted.optional().map_err(|source| self.sqlite(source))?;
        Ok(counted.map(|counted: i64| counted as u64))
    }

    pub(super) fn write_about(&mut self, about: &About) -> Result<(), LedgerError> {
        let entries = self.entries(about)?;
        self.describe(|connection| write_about(connection, &entries, &about.labels))
    }

    /// What [`write_about`] stores.
    pub(super) fn entries(&self, about: &About) -> Result<[(&'static str, String); 3], LedgerError> {
        let identity = serde_json::to_string(&about.identity).map_err(|error| self.damaged(&error))?;
        Ok([
            (schema::KIND, about.kind.name().to_owned()),
            (schema::IDENTITY, identity),
            (schema::SPEC, about.spec_toml.clone()),
        ])
    }

    /// Is the description as it was stored?
    pub(super) fn check_description(&self) -> Result<(), LedgerError> {
        let read = || -> rusqlite::Result<_> {
            // One state of the file, also while a run goes on.
            let _snapshot = self.connection.unchecked_transaction()?;
            let stored =
                self.connection
                    .query_row(schema::SELECT_META, [schema::DESCRIPTION_CHECKSUM], |row| {
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

    fn kind(&self) -> Result<RunKind, LedgerError> {
        let name = self.meta(schema::KIND)?;
        RunKind::from_name(&name)
            .ok_or_else(|| self.damaged(&format_args!("it holds a run of the unknown kind '{name}'")))
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

    pub(super) fn labels(&self) -> Result<Vec<String>, LedgerError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.connection.prepare(schema::SELECT_PLAYERS)?;
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
