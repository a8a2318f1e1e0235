//! Which machines played which pairs, or made which searches, in runs of a fleet.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use rusqlite::{Connection, Row, params};

use super::description::seal;
use super::tally::Tally;
use super::{Ledger, LedgerError};
use crate::record::{Finished, Host, Origin, Pace};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostUnits {
    pub host: Host,
    /// Pairs in the ledger that it played, or searches that it made.
    pub units: u64,
    /// Why nothing of it is believed, if so.
    pub distrusted: Option<String>,
}

const SELECT_HOSTS: &str = "
    SELECT name, key, cpu, version, distrusted, count(unit.number)
    FROM host LEFT JOIN origin USING (host) LEFT JOIN unit ON unit.number = origin.number
    GROUP BY host ORDER BY host
";

impl Ledger {
    /// All machines that played, or are not believed, in the order of their first unit.
    pub fn hosts(&self) -> Result<Vec<HostUnits>, LedgerError> {
        let read = || -> rusqlite::Result<_> {
            let mut statement = self.connection.prepare(SELECT_HOSTS)?;
            let hosts = statement.query_map([], |row| {
                Ok(HostUnits {
                    host: read_host(row, 0)?,
                    distrusted: row.get(4)?,
                    units: row.get::<_, i64>(5)? as u64,
                })
            })?;
            hosts.collect()
        };
        read().map_err(|source| self.sqlite(source))
    }

    /// Hands the number of every unit that another machine played and who that was to `visit`, in the order of numbers.
    pub fn for_each_origin(&self, mut visit: impl FnMut(u64, Origin)) -> Result<(), LedgerError> {
        self.for_each_summary(|number, origin| {
            if let Some(origin) = origin {
                visit(number, origin);
            }
        })
    }

    pub fn distrusted(&self) -> Result<Vec<String>, LedgerError> {
        let hosts = self.hosts()?.into_iter();
        Ok(hosts
            .filter(|host| host.distrusted.is_some())
            .map(|host| host.host.name)
            .collect())
    }

    /// Takes out everything that the machine of this public key played, and if `and_later` says so all that comes after the first of
    /// it; remembers why. How much that was.
    pub fn distrust(&mut self, host: &Host, why: &str, and_later: bool) -> Result<u64, LedgerError> {
        let salt = self.salt;
        let mut taken = 0;
        self.describe(|connection| {
            disbelieve(connection, host, why)?;
            connection.execute_batch("CREATE TEMPORARY TABLE taken_out (number INTEGER PRIMARY KEY)")?;
            let fill = "
                INSERT INTO taken_out
                WITH own AS (SELECT number FROM origin JOIN host USING (host) JOIN unit USING (number) WHERE key = ?1)
                SELECT number FROM own UNION SELECT number FROM unit WHERE ?2 AND number > (SELECT min(number) FROM own)
            ";
            connection.execute(fill, params![host.key, and_later])?;
            let mut tally = Tally::read(connection, salt)?;
            let mut delete = connection.prepare("DELETE FROM unit WHERE number IN taken_out RETURNING sum")?;
            for sum in delete.query_map([], |row| row.get(0))? {
                tally.take_out(sum?);
                taken += 1;
            }
            tally.write(connection, salt)?;
            connection.execute_batch(
                "DELETE FROM packet WHERE number IN taken_out;
                 DELETE FROM origin WHERE number IN taken_out;
                 DELETE FROM counted;
                 DROP TABLE taken_out;",
            )
        })?;
        Ok(taken)
    }

    /// Takes over the machines of a damaged ledger, those that are not believed too.
    pub(super) fn insert_hosts(&mut self, hosts: &[HostUnits]) -> Result<(), LedgerError> {
        self.describe(|connection| {
            hosts
                .iter()
                .try_for_each(|HostUnits { host, distrusted, .. }| match distrusted {
                    Some(why) => disbelieve(connection, host, why),
                    None => number_of(connection, host).map(drop),
                })
        })
    }
}

fn disbelieve(connection: &Connection, host: &Host, why: &str) -> rusqlite::Result<()> {
    number_of(connection, host)?;
    let update = "UPDATE host SET distrusted = ?2 WHERE key = ?1";
    connection.execute(update, params![host.key, why]).map(drop)
}

/// The numbers of the machines that played `units`; those that have none get one, and the description a new checksum.
pub(super) fn introduce(
    connection: &Connection,
    units: &[(Finished, Option<Origin>)],
) -> rusqlite::Result<HashMap<Arc<Host>, i64>> {
    let known = connection.total_changes();
    let mut numbers = HashMap::new();
    for origin in units.iter().filter_map(|(_, origin)| origin.as_ref()) {
        if let Entry::Vacant(unknown) = numbers.entry(Arc::clone(&origin.host)) {
            let number = number_of(connection, unknown.key())?;
            unknown.insert(number);
        }
    }
    if connection.total_changes() != known {
        seal(connection)?;
    }
    Ok(numbers)
}

fn number_of(connection: &Connection, host: &Host) -> rusqlite::Result<i64> {
    let values = params![host.name, host.key, host.cpu, host.version];
    let insert = "INSERT OR IGNORE INTO host (name, key, cpu, version) VALUES (?1, ?2, ?3, ?4)";
    connection.prepare_cached(insert)?.execute(values)?;
    let select = "SELECT host FROM host WHERE name = ?1 AND key = ?2 AND cpu = ?3 AND version = ?4";
    connection
        .prepare_cached(select)?
        .query_row(values, |row| row.get(0))
}

/// The machines by their numbers, but for those that make no sense.
pub(super) fn read_hosts(connection: &Connection) -> rusqlite::Result<HashMap<i64, Arc<Host>>> {
    let mut statement = connection.prepare_cached("SELECT host, name, key, cpu, version FROM host")?;
    let (mut rows, mut hosts) = (statement.query([])?, HashMap::new());
    while let Some(row) = rows.next()? {
        if let (Ok(number), Ok(host)) = (row.get(0), read_host(row, 1)) {
            hosts.insert(number, Arc::new(host));
        }
    }
    Ok(hosts)
}

fn read_host(row: &Row<'_>, first: usize) -> rusqlite::Result<Host> {
    Ok(Host {
        name: row.get(first)?,
        key: row.get(first + 1)?,
        cpu: row.get(first + 2)?,
        version: row.get(first + 3)?,
    })
}

/// From the number of the machine in column 4 on; `None` if a value makes no sense.
pub(super) fn read_origin(row: &Row<'_>, hosts: &HashMap<i64, Arc<Host>>) -> Option<Origin> {
    let nps: [Option<i64>; 2] = [row.get(7).ok()?, row.get(8).ok()?];
    Some(Origin {
        host: Arc::clone(hosts.get(&row.get(4).ok()?)?),
        table: row.get(5).ok()?,
        signature: row.get(6).ok()?,
        pace: match nps.map(|nps| nps.map(|nps| nps as u64)) {
            [Some(nps), Some(reference_nps)] => Some(Pace { nps, reference_nps }),
            [None, None] => None,
            _ => return None,
        },
    })
}
