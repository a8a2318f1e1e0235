//! Ledgers of searches instead of pairs.
//!
//! In: finished searches. Out: the same searches, by configuration and position, after any interruption.

use std::path::Path;

use rusqlite::{Connection, Row, params};

use super::{About, Contents, Ledger, LedgerError, schema};
use crate::record::{Search, SearchIteration, Tried};

/// A position that a study searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyPosition {
    /// Its line in its file, from 1.
    pub line: u32,
    /// The position, in the game's notation.
    pub text: String,
}

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

/// Tables and contents of a new study.
pub(super) fn begin(
    connection: &Connection,
    positions: &[StudyPosition],
    searches: &[Search],
) -> rusqlite::Result<()> {
    connection.execute_batch(schema::CREATE_SEARCHES)?;
    let mut statement = connection.prepare(schema::INSERT_POSITION)?;
    for (index, position) in positions.iter().enumerate() {
        statement.execute(params![index as i64, position.line, position.text])?;
    }
    insert(connection, searches)
}

fn insert(connection: &Connection, searches: &[Search]) -> rusqlite::Result<()> {
    let mut of_search = connection.prepare_cached(schema::INSERT_SEARCH)?;
    let mut of_iteration = connection.prepare_cached(schema::INSERT_ITERATION)?;
    for search in searches {
        let (config, position) = (search.config as i64, search.position as i64);
        of_search.execute(params![config, position, search.fault])?;
        for iteration in &search.iterations {
            of_iteration.execute(params![
                config,
                position,
                iteration.depth,
                iteration.nodes as i64,
                iteration.time_us.map(|time_us| time_us as i64),
                iteration.score,
                iteration.pv.join(" "),
                encode(&iteration.tried),
            ])?;
        }
    }
    Ok(())
}

/// Configuration and position, which are the first two columns.
fn read_job(row: &Row<'_>) -> rusqlite::Result<(usize, usize)> {
    let config: u32 = row.get(0)?;
    let position: u32 = row.get(1)?;
    Ok((config as usize, position as usize))
}

fn read_search(row: &Row<'_>) -> rusqlite::Result<Search> {
    let (config, position) = read_job(row)?;
    Ok(Search {
        config,
        position,
        iterations: Vec::new(),
        fault: row.get(2)?,
    })
}

/// Reads the columns of [`schema::SELECT_ITERATIONS`] after its job. `None`: the values make no sense.
fn read_iteration(row: &Row<'_>) -> rusqlite::Result<Option<SearchIteration>> {
    let Some(tried) = decode(row.get_ref(7)?.as_blob()?) else {
        return Ok(None);
    };
    let pv = row.get_ref(6)?.as_str()?;
    Ok(Some(SearchIteration {
        depth: row.get(2)?,
        nodes: row.get::<_, i64>(3)? as u64,
        time_us: row.get::<_, Option<i64>>(4)?.map(|time_us| time_us as u64),
        score: row.get(5)?,
        pv: pv.split_ascii_whitespace().map(str::to_owned).collect(),
        tried,
    }))
}

/// Tries and successes, eight bytes each, lowest first.
fn encode(tried: &[Tried]) -> Vec<u8> {
    let numbers = tried.iter().flat_map(|tried| [tried.tries, tried.successes]);
    numbers.flat_map(u64::to_le_bytes).collect()
}

fn decode(bytes: &[u8]) -> Option<Vec<Tried>> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    let (pairs, odd) = numbers.as_chunks::<2>();
    let tried = pairs.iter().map(|[tries, successes]| Tried {
        tries: u64::from_le_bytes(*tries),
        successes: u64::from_le_bytes(*successes),
    });
    (rest.is_empty() && odd.is_empty()).then(|| tried.collect())
}

#[cfg(test)]
mod tests;
