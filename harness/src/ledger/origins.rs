//! Which machines played which pairs, in runs of a fleet.
//!
//! In: origins of pairs. Out: machines with their pairs; a ledger without those of a machine that is not believed any more.
//! Must not: check a signature.

use rusqlite::{Connection, params};

use super::{Ledger, LedgerError, schema};
use crate::record::{Host, Origin};

/// A machine and its part of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPairs {
    /// The machine.
    pub host: Host,
    /// How many pairs in the ledger it played.
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
    /// The signature.
    pub signature: Vec<u8>,
}

impl Ledger {
    /// Stores who played pairs that are about to be stored themselves.
    ///
    /// # Errors
    /// SQLite's.
    pub fn insert_origins(&mut self, origins: &[(u64, Origin)]) -> Result<(), LedgerError> {
        let stored = self.connection.transaction().and_then(|transaction| {
            for (pair, origin) in origins {
                let host = number_of(&transaction, &origin.host)?;
                let values = params![*pair as i64, host, origin.table, origin.signature];
                transaction
                    .prepare_cached(schema::INSERT_ORIGIN)?
                    .execute(values)?;
            }
            transaction.commit()
        });
        stored.map_err(|source| self.sqlite(source))
    }

    /// All machines that played, or are not believed, in the order of their first pair.
    ///
    /// # Errors
    /// SQLite's.
    pub fn hosts(&self) -> Result<Vec<HostPairs>, LedgerError> {
        if !self.has_table(schema::HOST)? {
            return Ok(Vec::new());
        }
        let read = || -> rusqlite::Result<Vec<HostPairs>> {
            let mut statement = self.connection.prepare(schema::SELECT_HOSTS)?;
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

    /// Hands pair and place in [`hosts`](Ledger::hosts) of every pair that another machine played to `visit`.
    ///
    /// # Errors
    /// SQLite's.
    pub fn for_each_origin(&self, mut visit: impl FnMut(u64, usize)) -> Result<(), LedgerError> {
        if !self.has_table(schema::ORIGIN)? {
            return Ok(());
        }
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(schema::SELECT_ORIGINS)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (pair, host): (i64, i64) = (row.get(0)?, row.get(1)?);
                visit(pair as u64, host.saturating_sub(1) as usize);
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
}

/// The number of this machine, which gets one if it has none.
fn number_of(connection: &Connection, host: &Host) -> rusqlite::Result<i64> {
    let values = params![host.name, host.key, host.cpu, host.version];
    connection.prepare_cached(schema::INSERT_HOST)?.execute(values)?;
    connection
        .prepare_cached(schema::SELECT_HOST)?
        .query_row(values, |row| row.get(0))
}
