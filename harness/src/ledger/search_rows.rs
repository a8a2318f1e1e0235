//! Searches as rows.
//!
//! In: searches, a connection. Out: rows, and searches from rows.

use rusqlite::{Connection, Row, params};

use super::schema;
use crate::record::{Search, SearchIteration, Tried};

/// A position that a study searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyPosition {
    /// Its line in its file, from 1.
    pub line: u32,
    /// The position, in the game's notation.
    pub text: String,
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

pub(super) fn insert(connection: &Connection, searches: &[Search]) -> rusqlite::Result<()> {
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
pub(super) fn read_job(row: &Row<'_>) -> rusqlite::Result<(usize, usize)> {
    let config: u32 = row.get(0)?;
    let position: u32 = row.get(1)?;
    Ok((config as usize, position as usize))
}

pub(super) fn read_search(row: &Row<'_>) -> rusqlite::Result<Search> {
    let (config, position) = read_job(row)?;
    Ok(Search {
        config,
        position,
        iterations: Vec::new(),
        fault: row.get(2)?,
    })
}

/// Reads the columns of [`schema::SELECT_ITERATIONS`] after its job. `None`: the values make no sense.
pub(super) fn read_iteration(row: &Row<'_>) -> rusqlite::Result<Option<SearchIteration>> {
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
pub(super) fn encode(tried: &[Tried]) -> Vec<u8> {
    let numbers = tried.iter().flat_map(|tried| [tried.tries, tried.successes]);
    numbers.flat_map(u64::to_le_bytes).collect()
}

pub(super) fn decode(bytes: &[u8]) -> Option<Vec<Tried>> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    let (pairs, odd) = numbers.as_chunks::<2>();
    let tried = pairs.iter().map(|[tries, successes]| Tried {
        tries: u64::from_le_bytes(*tries),
        successes: u64::from_le_bytes(*successes),
    });
    (rest.is_empty() && odd.is_empty()).then(|| tried.collect())
}
