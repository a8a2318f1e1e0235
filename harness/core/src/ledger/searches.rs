//! Ledgers of searches instead of pairs.
//!
//! In: finished searches. Out: the same searches, by configuration and position, after any interruption.

use std::path::Path;

use super::damage::ItemDamage;
use super::machines::Origins;
use super::search_rows::{Gathering, StudyPosition, insert};
use super::{About, Contents, Ledger, LedgerError, schema};
use crate::record::Search;

impl Ledger {
    /// Opens the ledger of a study in `folder` for searching, or makes folder and ledger.
    ///
    /// # Errors
    /// See [`LedgerError`]; a ledger of another identity is refused.
    pub fn open_or_create_study(
        folder: &Path,
        about: &About,
        positions: &[StudyPosition],
    ) -> Result<Ledger, LedgerError> {
        Ledger::open_with(folder, about, Contents::Searches(positions))
    }

    /// Stores finished searches in one transaction, each with its checksum: all of them or none.
    ///
    /// # Errors
    /// SQLite's, and a search that is stored already.
    pub fn insert_searches(&mut self, searches: &[Search]) -> Result<(), LedgerError> {
        self.insert_searched(searches, &Origins::new())
    }

    /// As [`insert_searches`](Ledger::insert_searches), and who made those that another machine made.
    ///
    /// # Errors
    /// As there.
    pub fn insert_searched(&mut self, searches: &[Search], origins: &Origins) -> Result<(), LedgerError> {
        self.check_place()?;
        let salt = self.salt;
        let stored = self.connection.transaction().and_then(|transaction| {
            insert(&transaction, salt, searches, origins)?;
            transaction.commit()
        });
        stored.map_err(|source| self.sqlite(source))
    }

    /// All searches, by configuration and position.
    ///
    /// # Errors
    /// Unreadable or damaged rows.
    pub fn searches(&self) -> Result<Vec<Search>, LedgerError> {
        let searches = self.gather(None)?;
        let whole = searches
            .into_iter()
            .map(|search| search.map_err(|damage| self.damaged(&damage)));
        whole.collect()
    }

    /// All searches or those of one job, and what is wrong with those that are not as they were stored.
    pub(super) fn gather(
        &self,
        job: Option<(usize, usize)>,
    ) -> Result<Vec<Result<Search, ItemDamage>>, LedgerError> {
        let known = [self.labels()?.len(), self.positions()?.len()];
        let has_origins = self.has_table(schema::ORIGIN)?;
        // One state of the file, also while a study goes on.
        let snapshot = self.connection.unchecked_transaction();
        let _snapshot = snapshot.map_err(|source| self.sqlite(source))?;
        let mut gathering = Gathering::new(self.salt, known);
        let mut each = |table: &str| {
            let (select, key) = match (table, job) {
                (schema::ORIGIN, None) => (schema::SELECT_SEARCH_ORIGINS.to_owned(), Vec::new()),
                (schema::ORIGIN, Some((config, position))) => {
                    let number = (config * known[1] + position) as i64;
                    (schema::SELECT_SEARCH_ORIGIN.to_owned(), vec![number])
                }
                (_, job) => {
                    let key = job.map(|(config, position)| [config as i64, position as i64]);
                    let select = format!("SELECT * FROM {table} {}", schema::of_job(job.is_some()));
                    (select, key.into_iter().flatten().collect())
                }
            };
            self.each_row(&select, rusqlite::params_from_iter(key), |row| {
                gathering.take(table, row);
                Ok::<(), LedgerError>(())
            })
        };
        each(schema::SEARCHES)?;
        each(schema::ITERATIONS)?;
        if has_origins {
            each(schema::ORIGIN)?;
        }
        each(schema::CHECKSUM)?;
        Ok(gathering.end())
    }

    /// The positions of the study, in their order.
    ///
    /// # Errors
    /// Unreadable.
    pub fn positions(&self) -> Result<Vec<StudyPosition>, LedgerError> {
        let mut positions = Vec::new();
        self.each_row(schema::SELECT_POSITIONS, [], |row| {
            let read = || -> rusqlite::Result<_> {
                Ok(StudyPosition {
                    line: row.get(0)?,
                    text: row.get(1)?,
                })
            };
            positions.push(read().map_err(|source| self.sqlite(source))?);
            Ok::<(), LedgerError>(())
        })?;
        Ok(positions)
    }
}

#[cfg(test)]
mod tests;
