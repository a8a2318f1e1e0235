//! The numbers of machines in a ledger.
//!
//! In: who played pairs. Out: numbers, of new machines too. Must not: commit.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{Connection, params};

use super::schema;
use super::seal::seal;
use crate::record::{Host, Origin};

/// Who played a pair, or made a search, by its number.
pub type Origins = HashMap<u64, Origin>;

/// The numbers of the machines of `origins`; those that have none get one, and the description a new checksum.
pub(super) fn introduce(
    connection: &Connection,
    origins: &Origins,
) -> rusqlite::Result<HashMap<Arc<Host>, i64>> {
    let mut numbers = HashMap::new();
    let mut pairs: Vec<&u64> = origins.keys().collect();
    pairs.sort_unstable();
    let known = connection.total_changes();
    for pair in pairs {
        let host = &origins[pair].host;
        if !numbers.contains_key(host) {
            numbers.insert(Arc::clone(host), number_of(connection, host)?);
        }
    }
    if connection.total_changes() != known {
        seal(connection)?;
    }
    Ok(numbers)
}

/// The tables of a study that no other machine searched for until now.
pub(super) fn create_tables(connection: &Connection) -> rusqlite::Result<()> {
    let mut tables = schema::MACHINE_TABLES.iter();
    tables.try_for_each(|create| connection.execute_batch(create))
}

/// The number of this machine, which gets one if it has none.
pub(super) fn number_of(connection: &Connection, host: &Host) -> rusqlite::Result<i64> {
    let values = params![host.name, host.key, host.cpu, host.version];
    connection.prepare_cached(schema::INSERT_HOST)?.execute(values)?;
    connection
        .prepare_cached(schema::SELECT_HOST)?
        .query_row(values, |row| row.get(0))
}
