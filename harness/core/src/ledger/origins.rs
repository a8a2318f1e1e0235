//! Which machines played which pairs, or made which searches, in runs of a fleet.
//!
//! In: origins. Out: machines with their pairs; a ledger without those of a machine that is not believed any more.
//! Must not: check a signature.

use std::sync::Arc;

use rusqlite::{Row, params};

use super::machines::{Origins, create_tables, number_of};
use super::{Ledger, LedgerError, rows, schema};
use crate::record::{Host, Origin, Pace, PairRecord};

/// A machine and its part of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPairs {
    /// The machine.
    pub host: Host,
    /// How many pairs in the ledger it played, or searches it made.
    pub pairs: u64,
    /// Why nothing of it is believed, if so.
    pub distrusted: Option<String>,
}

/// What a machine put its signature to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// Its public key.
    pub key: String,
    /// The digest of the table.
    pub table: String,
    /// What time was worth there, of games by time.
    pub pace: Option<Pace>,
    /// The signature.
    pub signature: Vec<u8>,
}

impl Ledger {
    /// Stores finished pairs, and who played those that another machine played, in one transaction: all of them or none.
    ///
    /// # Errors
    /// SQLite's, and a pair that is stored already.
    pub fn insert_played(&mut self, pairs: &[PairRecord], origins: &Origins) -> Result<(), LedgerError> {
        self.check_place()?;
        let result = rows::insert(&mut self.connection, self.salt, pairs, origins);
        result.map_err(|source| self.sqlite(source))
    }

    /// Takes over machines as another ledger holds them, those that are not believed too.
    ///
    /// # Errors
    /// SQLite's.
    pub(super) fn insert_hosts(&mut self, hosts: &[HostPairs]) -> Result<(), LedgerError> {
        if hosts.is_empty() {
            return Ok(());
        }
        self.describe(|connection| {
            create_tables(connection)?;
            hosts.iter().try_for_each(|HostPairs { host, distrusted, .. }| {
                number_of(connection, host)?;
                match distrusted {
                    Some(why) => connection
                        .execute(schema::DISTRUST, params![host.key, why])
                        .map(drop),
                    None => Ok(()),
                }
            })
        })
    }

    /// All machines that played, or are not believed, in the order of their first pair.
    ///
    /// # Errors
    /// SQLite's.
    pub fn hosts(&self) -> Result<Vec<HostPairs>, LedgerError> {
        if !self.has_table(schema::HOST)? {
            return Ok(Vec::new());
        }
        let select = if self.has_table(schema::SEARCHES)? {
            schema::SELECT_HOSTS_OF_SEARCHES
        } else {
            schema::SELECT_HOSTS
        };
        let read = || -> rusqlite::Result<Vec<HostPairs>> {
            let mut statement = self.connection.prepare(select)?;
            let rows = statement.query_map([], |row| {
                Ok(HostPairs {
                    host: Host {
                        name: row.get(0)?,
                        key: row.get(1)?,
                        cpu: row.get(2)?,
                        version: row.get(3)?,
                    },
                    distrusted: row.get(4)?,
                    pairs: row.get::<_, i64>(5)? as u64,
                })
            })?;
            rows.collect()
        };
        read().map_err(|source| self.sqlite(source))
    }

    /// Hands pair, place in [`hosts`](Ledger::hosts) and pace of every pair that another machine played to `visit`.
    ///
    /// # Errors
    /// SQLite's.
    pub fn for_each_origin(
        &self,
        mut visit: impl FnMut(u64, usize, Option<Pace>),
    ) -> Result<(), LedgerError> {
        if !self.has_table(schema::ORIGIN)? {
            return Ok(());
        }
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(schema::SELECT_ORIGINS)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (pair, host): (i64, i64) = (row.get(0)?, row.get(1)?);
                visit(
                    pair as u64,
                    host.saturating_sub(1) as usize,
                    rows::read_pace(row, 2)?,
                );
            }
            Ok(())
        };
        read().map_err(|source| self.sqlite(source))
    }

    /// Hands pair, public key, digest of the table and signature of every pair that another machine played to `visit`.
    ///
    /// # Errors
    /// SQLite's.
    pub fn for_each_signature(&self, mut visit: impl FnMut(u64, Signed)) -> Result<(), LedgerError> {
        if !self.has_table(schema::ORIGIN)? {
            return Ok(());
        }
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(schema::SELECT_SIGNATURES)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let signed = Signed {
                    key: row.get(1)?,
                    table: row.get(2)?,
                    signature: row.get(3)?,
                    pace: rows::read_pace(row, 4)?,
                };
                visit(row.get::<_, i64>(0)? as u64, signed);
            }
            Ok(())
        };
        read().map_err(|source| self.sqlite(source))
    }

    /// The names of the machines that are not believed any more.
    ///
    /// # Errors
    /// SQLite's.
    pub fn distrusted(&self) -> Result<Vec<String>, LedgerError> {
        let hosts = self.hosts()?.into_iter();
        Ok(hosts
            .filter(|host| host.distrusted.is_some())
            .map(|host| host.host.name)
            .collect())
    }

    /// Takes out every pair that the machine of this public key played, and if `and_later` says so all that come after the first of
    /// them; remembers why. How many that were.
    ///
    /// # Errors
    /// SQLite's.
    pub fn distrust(&mut self, host: &Host, why: &str, and_later: bool) -> Result<u64, LedgerError> {
        if self.has_table(schema::SEARCHES)? {
            return self.distrust_searches(host, why);
        }
        let mut taken = 0;
        self.describe(|connection| {
            number_of(connection, host)?;
            connection.execute(schema::DISTRUST, params![host.key, why])?;
            connection.execute_batch(schema::CREATE_TAKEN_OUT)?;
            connection.execute(schema::INSERT_TAKEN_OUT, params![host.key, and_later])?;
            for statement in schema::DELETE_TAKEN_OUT {
                connection.execute(statement, [])?;
            }
            taken = connection.execute(schema::DELETE_TAKEN_OUT_PAIRS, [])?;
            connection.execute_batch(schema::DROP_TAKEN_OUT)?;
            connection.execute(schema::DELETE_COUNTED, []).map(drop)
        })?;
        Ok(taken as u64)
    }

    /// Takes out every search that the machine of this public key made, and remembers why. How many that were.
    fn distrust_searches(&mut self, host: &Host, why: &str) -> Result<u64, LedgerError> {
        let mut taken = 0;
        self.describe(|connection| {
            create_tables(connection)?;
            number_of(connection, host)?;
            connection.execute(schema::DISTRUST, params![host.key, why])?;
            connection.execute_batch(schema::CREATE_TAKEN_OUT)?;
            connection.execute(schema::INSERT_TAKEN_OUT_SEARCHES, params![host.key])?;
            for statement in schema::DELETE_TAKEN_OUT_OF_SEARCHES {
                connection.execute(statement, [])?;
            }
            taken = connection.execute(schema::DELETE_TAKEN_OUT_SEARCHES, [])?;
            connection.execute_batch(schema::DROP_TAKEN_OUT)
        })?;
        Ok(taken as u64)
    }

    /// Who made the searches that another machine made, by their numbers; nobody where that cannot be read.
    pub fn search_origins(&self) -> Origins {
        let mut origins = Origins::new();
        let read = |origins: &mut Origins| -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(schema::SELECT_SEARCH_ORIGINS)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if let (Ok(number), Ok(origin)) = (row.get::<_, i64>(0), read_search_origin(row)) {
                    origins.insert(number as u64, origin);
                }
            }
            Ok(())
        };
        // Searches that were read and whose machine was not stay, as those of this machine.
        let _ = read(&mut origins);
        origins
    }
}

fn read_search_origin(row: &Row<'_>) -> rusqlite::Result<Origin> {
    Ok(Origin {
        table: row.get(2)?,
        signature: row.get(3)?,
        pace: rows::read_pace(row, 4)?,
        host: Arc::new(Host {
            name: row.get(6)?,
            key: row.get(7)?,
            cpu: row.get(8)?,
            version: row.get(9)?,
        }),
    })
}
