//! How many units were stored, kept apart from them: rows that are deleted are missed at every opening.

use rusqlite::types::Type;
use rusqlite::{Connection, params};

use super::checksum::Salt;
use super::{Ledger, LedgerError};

/// Units, and their checksums added up without a carry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) units: i64,
    sums: i64,
}

impl Tally {
    pub(super) fn add(&mut self, sum: i64) {
        self.units += 1;
        self.sums = self.sums.wrapping_add(sum);
    }

    pub(super) fn take_out(&mut self, sum: i64) {
        self.units -= 1;
        self.sums = self.sums.wrapping_sub(sum);
    }

    pub(super) fn read(connection: &Connection, salt: Salt) -> rusqlite::Result<Tally> {
        let mut statement = connection.prepare_cached("SELECT units, sums, sum FROM tally")?;
        let (tally, sum) = statement.query_row([], |row| {
            let tally = Tally {
                units: row.get(0)?,
                sums: row.get(1)?,
            };
            Ok((tally, row.get::<_, i64>(2)?))
        })?;
        if tally.sum(salt) == sum {
            return Ok(tally);
        }
        let why = "the number of what is stored does not fit its checksum";
        Err(rusqlite::Error::FromSqlConversionFailure(
            2,
            Type::Integer,
            why.into(),
        ))
    }

    pub(super) fn write(self, connection: &Connection, salt: Salt) -> rusqlite::Result<()> {
        let row = params![self.units, self.sums, self.sum(salt)];
        let replace = "INSERT OR REPLACE INTO tally (id, units, sums, sum) VALUES (0, ?1, ?2, ?3)";
        connection.prepare_cached(replace)?.execute(row).map(drop)
    }

    fn sum(self, salt: Salt) -> i64 {
        salt.sum(self.units, &self.sums.to_le_bytes())
    }

    fn count(connection: &Connection) -> rusqlite::Result<Tally> {
        let mut found = Tally::default();
        let mut statement = connection.prepare("SELECT sum FROM unit")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            found.add(row.get(0).unwrap_or(0));
        }
        Ok(found)
    }
}

impl Ledger {
    /// Are all units there that were stored, and no others?
    pub(super) fn check_tally(&self) -> Result<(), LedgerError> {
        let both = || -> rusqlite::Result<_> {
            // One state of the file, also while a run is going on.
            let _snapshot = self.connection.unchecked_transaction()?;
            Ok((
                Tally::read(&self.connection, self.salt)?,
                Tally::count(&self.connection)?,
            ))
        };
        let (stored, found) = both().map_err(|source| self.sqlite(source))?;
        let missing = stored.units - found.units;
        if missing > 0 {
            let items = if self.positions == 0 { "pairs" } else { "searches" };
            let of = stored.units;
            return Err(self.damaged(&format_args!("{missing} of {of} stored {items} are missing")));
        }
        if stored == found {
            return Ok(());
        }
        // A unit whose own checksum was changed is named.
        self.for_each_summary(|_, _| ())?;
        Err(self.damaged(&"what is stored is not what was counted when it was stored"))
    }
}
