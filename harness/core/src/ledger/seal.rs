//! The description of a run as rows, and the checksum over them.
//!
//! In: a connection. Out: rows, a checksum in 16 hexadecimal digits. Must not: judge what differs.

use rusqlite::{Connection, params};

use super::checksum::{Checksum, Salt, values};
use super::schema;

/// Stores what is said about a run.
pub(super) fn write_about(
    connection: &Connection,
    entries: &[(&str, String)],
    labels: &[String],
) -> rusqlite::Result<()> {
    for (key, value) in entries {
        connection.execute(schema::UPSERT_META, params![key, value])?;
    }
    connection.execute(schema::DELETE_PLAYERS, [])?;
    for (player, label) in labels.iter().enumerate() {
        connection.execute(schema::INSERT_PLAYER, params![player as i64, label])?;
    }
    Ok(())
}

/// Stores the checksum of the description as it is now.
pub(super) fn seal(connection: &Connection) -> rusqlite::Result<()> {
    let sum = checksum(connection)?;
    let entry = params![schema::DESCRIPTION_CHECKSUM, sum];
    connection.execute(schema::UPSERT_META, entry).map(drop)
}

/// Over the tables' names and columns as well.
pub(super) fn checksum(connection: &Connection) -> rusqlite::Result<String> {
    let mut checksum = Checksum::default();
    checksum.begin(Salt::default());
    let mut take = |table: &str, statement: &str| -> rusqlite::Result<()> {
        let mut statement = connection.prepare(statement)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            checksum.row(table, values(row));
        }
        Ok(())
    };
    take("schema", schema::SELECT_SCHEMA)?;
    for (table, statement) in schema::DESCRIPTION {
        let exists: bool = connection.query_row(schema::HAS_TABLE, [table], |row| row.get(0))?;
        if exists {
            take(table, statement)?;
        }
    }
    Ok(format!("{:016x}", checksum.value()))
}
