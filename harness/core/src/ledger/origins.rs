//! Which machines played which pairs, or made which searches, in runs of a fleet.

use std::sync::Arc;

use super::checksum::UnitTally;
use super::codec::{of_bytes, to_bytes};
use super::description::{COUNTED, put};
use super::units::{ALL, Part};
use super::{Ledger, LedgerError};
use crate::record::{Host, Origin};

/// The key of those that are not believed, each with the reason.
const DISTRUSTED: &str = "distrusted";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostUnits {
    pub host: Host,
    /// Pairs in the ledger that it played, or searches that it made.
    pub units: u64,
    /// Why nothing of it is believed, if so.
    pub distrusted: Option<String>,
}

impl Ledger {
    /// All machines that played, in the order of their first unit, and then those of which nothing is left since they are not believed.
    pub fn hosts(&self) -> Result<Vec<HostUnits>, LedgerError> {
        let mut hosts: Vec<HostUnits> = Vec::new();
        let mut add = |host: &Host, units, distrusted: Option<String>| match hosts
            .iter_mut()
            .find(|known| known.host == *host)
        {
            Some(known) => {
                known.units += units;
                known.distrusted = distrusted.or(known.distrusted.take());
            }
            None => hosts.push(HostUnits {
                host: host.clone(),
                units,
                distrusted,
            }),
        };
        self.for_each_origin(|_, origin| add(&origin.host, 1, None))?;
        for (host, why) in self.distrusted_hosts()? {
            add(&host, 0, Some(why));
        }
        Ok(hosts)
    }

    /// Hands the number of every unit that another machine played and who that was to `visit`, in the order of numbers.
    pub fn for_each_origin(&self, mut visit: impl FnMut(u64, Origin)) -> Result<(), LedgerError> {
        self.scan(Part::Summaries, ALL, &mut |number, unit| {
            let origin = unit.and_then(|unit| self.origin(&unit));
            if let Some(origin) = origin.map_err(|damage| self.damaged(&damage))? {
                visit(number as u64, origin);
            }
            Ok(())
        })
    }

    pub(super) fn distrusted_hosts(&self) -> Result<Vec<(Host, String)>, LedgerError> {
        Ok(self.value(DISTRUSTED)?.unwrap_or_default())
    }

    /// The names of the machines that are not believed.
    pub fn distrusted(&self) -> Result<Vec<String>, LedgerError> {
        let hosts = self.distrusted_hosts()?.into_iter();
        Ok(hosts.map(|(host, _)| host.name).collect())
    }

    /// Takes out everything that the machine of this public key played, and if `and_later` says so all that comes after the first of
    /// it; remembers why. How much that was.
    pub fn distrust(&mut self, host: &Host, why: &str, and_later: bool) -> Result<u64, LedgerError> {
        let mut own = Vec::new();
        self.for_each_origin(|number, origin| own.extend((origin.host.key == host.key).then_some(number)))?;
        if let Some(&first) = own.first().filter(|_| and_later) {
            own = self
                .finished()?
                .into_iter()
                .filter(|&number| number >= first)
                .collect();
        }
        let mut distrusted = self.distrusted_hosts()?;
        distrusted.retain(|(known, _)| known != host);
        distrusted.push((host.clone(), why.to_owned()));
        let salt = self.salt;
        self.describe(|connection| {
            put(connection, DISTRUSTED, &distrusted)?;
            connection.execute("DELETE FROM meta WHERE key = ?1", [COUNTED])?;
            let mut tally = UnitTally::read(connection, salt)?;
            for &number in &own {
                let delete = "DELETE FROM unit WHERE number = ?1 RETURNING sum";
                tally.take_out(connection.query_row(delete, [number as i64], |row| row.get(0))?);
                connection.execute("DELETE FROM packet WHERE number = ?1", [number as i64])?;
            }
            tally.write(connection, salt)
        })?;
        Ok(own.len() as u64)
    }
}

pub(super) fn bytes_of(origin: &Origin) -> Vec<u8> {
    let Origin {
        host,
        table,
        pace,
        signature,
    } = origin;
    to_bytes(&(&**host, table, pace, signature))
}

pub(super) fn origin_of(bytes: &[u8]) -> Option<Origin> {
    let (host, table, pace, signature) = of_bytes(bytes)?;
    Some(Origin {
        host: Arc::new(host),
        table,
        pace,
        signature,
    })
}
