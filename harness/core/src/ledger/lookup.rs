//! What pairs share: openings and machines, looked up by their numbers, each once.
//!
//! In: a connection, numbers. Out: the rows that make sense. Must not: judge that one is missing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, Row};

use super::schema;
use crate::record::Host;

/// What pairs share, and each names by a number.
pub(super) struct Lookups<'c> {
    pub(super) openings: Lookup<'c, String>,
    pub(super) hosts: Lookup<'c, Arc<Host>>,
}

/// The rows of a table that were looked up by their number.
pub(super) struct Lookup<'c, T> {
    connection: &'c Connection,
    select: &'static str,
    pub(super) known: HashMap<i64, Option<T>>,
}

impl<'c> Lookups<'c> {
    pub(super) fn new(connection: &'c Connection) -> Lookups<'c> {
        Lookups {
            openings: Lookup::new(connection, schema::SELECT_OPENING),
            hosts: Lookup::new(connection, schema::SELECT_HOST_OF),
        }
    }
}

impl<'c, T> Lookup<'c, T> {
    fn new(connection: &'c Connection, select: &'static str) -> Self {
        Lookup {
            connection,
            select,
            known: HashMap::new(),
        }
    }

    /// The row of this number, if there is one that makes sense.
    pub(super) fn find(
        &mut self,
        number: i64,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Option<&T>> {
        let found = match self.known.entry(number) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let mut statement = self.connection.prepare_cached(self.select)?;
                let row = statement.query_row([number], |row| Ok(read(row).ok()));
                unknown.insert(row.optional()?.flatten())
            }
        };
        Ok(found.as_ref())
    }
}
