//! Ledgers of searches instead of pairs.
//!
//! In: finished searches. Out: the same searches, by configuration and position, after any interruption.

use std::path::Path;

use super::search_rows::{StudyPosition, insert, read_iteration, read_job, read_search};
use super::{About, Contents, Ledger, LedgerError, schema};
use crate::record::Search;

impl Ledger {
    /// Opens the ledger of a study in `folder` for searching, or makes folder and ledger. What a file of an earlier version
    /// holds there is in a new ledger from the beginning; the file stays as it is.
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

    /// Stores finished searches in one transaction: all of them or none.
    ///
    /// # Errors
    /// SQLite's, and a search that is stored already.
    pub fn insert_searches(&mut self, searches: &[Search]) -> Result<(), LedgerError> {
        let stored = self.connection.transaction().and_then(|transaction| {
            insert(&transaction, searches)?;
            transaction.commit()
        });
        stored.map_err(|source| self.sqlite(source))
    }

    /// All searches, by configuration and position.
    ///
    /// # Errors
    /// Unreadable or damaged rows.
    pub fn searches(&self) -> Result<Vec<Search>, LedgerError> {
        let mut searches: Vec<Search> = Vec::new();
        self.each_row(schema::SELECT_SEARCHES, [], |row| {
            searches.push(read_search(row).map_err(|source| self.sqlite(source))?);
            Ok::<(), LedgerError>(())
        })?;
        self.each_row(schema::SELECT_ITERATIONS, [], |row| {
            let read = || -> rusqlite::Result<_> { Ok((read_job(row)?, read_iteration(row)?)) };
            let (job, iteration) = read().map_err(|source| self.sqlite(source))?;
            let place = searches.binary_search_by_key(&job, Search::job);
            match (place, iteration) {
                (Ok(index), Some(iteration)) => searches[index].iterations.push(iteration),
                _ => return Err(self.damaged(&"an iteration has values that no search can have")),
            }
            Ok(())
        })?;
        let (configs, positions) = (self.labels()?.len(), self.positions()?.len());
        let is_foreign = |search: &&Search| search.config >= configs || search.position >= positions;
        match searches.iter().find(is_foreign) {
            None => Ok(searches),
            Some(search) => {
                let (config, position) = search.job();
                Err(self.damaged(&format_args!("no configuration {config} or position {position}")))
            }
        }
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
