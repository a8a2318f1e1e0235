//! Checksums of 64 bits (XXH3). They find damage; against one who means to deceive no hash in the same file would help, and a
//! fleet has signatures.

use rusqlite::{Connection, params};
use twox_hash::XxHash3_64;

use super::codec::to_bytes;
use super::{Ledger, LedgerError};
use crate::config::Identity;

/// What every checksum of a run begins with: units of another run do not fit it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Salt(pub(super) u64);

/// What a tournament has from its first pair to its last.
const OF_TOURNAMENT: [&str; 7] = [
    "player 1",
    "limit 1",
    "player 2",
    "limit 2",
    "game",
    "seed",
    "openings (SHA-256)",
];

impl Salt {
    /// Of the run of this identity. What may grow does not count: pairs, and the players of a tournament.
    pub(super) fn of(identity: &Identity) -> Salt {
        let is_tournament = identity.get(OF_TOURNAMENT[0]).is_some();
        let counts = |name: &str| match is_tournament {
            true => OF_TOURNAMENT.contains(&name),
            false => name != Identity::PAIRS,
        };
        let entries = identity.entries().filter(|(name, _)| counts(name));
        Salt(XxHash3_64::oneshot(&to_bytes(&entries.collect::<Vec<_>>())))
    }

    /// As ledgers of format 7 had it: the players of a tournament could not grow.
    pub(super) fn of_format_7(identity: &Identity) -> Salt {
        let entries = identity.entries().filter(|(name, _)| *name != Identity::PAIRS);
        Salt(XxHash3_64::oneshot(&to_bytes(&entries.collect::<Vec<_>>())))
    }

    /// Of the bytes of the unit of this number.
    pub(super) fn sum(self, number: i64, bytes: &[u8]) -> i64 {
        let seed = XxHash3_64::oneshot_with_seed(self.0, &number.to_le_bytes());
        XxHash3_64::oneshot_with_seed(seed, bytes).cast_signed()
    }

    /// Of a unit's summary and of who played it, if another machine did.
    pub(super) fn sum_of_unit(self, number: i64, summary: &[u8], origin: Option<&[u8]>) -> i64 {
        let sum = self.sum(number, summary);
        origin.map_or(sum, |origin| {
            XxHash3_64::oneshot_with_seed(sum.cast_unsigned(), origin).cast_signed()
        })
    }
}

/// How many units were stored, kept apart from them: rows that are deleted are missed at every opening.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct UnitTally {
    pub(super) units: i64,
    /// Their checksums, added up without a carry.
    sums: i64,
}

impl UnitTally {
    pub(super) fn add(&mut self, sum: i64) {
        self.units += 1;
        self.sums = self.sums.wrapping_add(sum);
    }

    pub(super) fn take_out(&mut self, sum: i64) {
        self.units -= 1;
        self.sums = self.sums.wrapping_sub(sum);
    }

    pub(super) fn read(connection: &Connection, salt: Salt) -> rusqlite::Result<UnitTally> {
        let mut statement = connection.prepare_cached("SELECT units, sums, sum FROM tally")?;
        let (units, sums, sum): (_, _, i64) = statement.query_row([], |row| row.try_into())?;
        let tally = UnitTally { units, sums };
        if tally.sum(salt) == sum {
            return Ok(tally);
        }
        Err(not_as_stored(
            "the number of what is stored does not fit its checksum",
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
}

/// A value that fits its type, and not what was stored.
pub(super) fn not_as_stored(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Null, why.into())
}

/// Over the tables and all that a ledger says about itself.
pub(super) fn of_description(connection: &Connection) -> rusqlite::Result<String> {
    let select = "
        SELECT name, coalesce(sql, '') FROM sqlite_schema
        UNION ALL SELECT key, value FROM meta WHERE key <> 'checksum' ORDER BY 1, 2
    ";
    let mut statement = connection.prepare_cached(select)?;
    let rows = statement.query_map([], |row| <(String, String)>::try_from(row))?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(format!("{:016x}", XxHash3_64::oneshot(&to_bytes(&rows))))
}

impl Ledger {
    fn count(&self) -> Result<UnitTally, LedgerError> {
        let sqlite = |source| self.sqlite(source);
        let select = "SELECT number, sum FROM unit ORDER BY number";
        let mut statement = self.connection().prepare(select).map_err(sqlite)?;
        let mut rows = statement.query([]).map_err(sqlite)?;
        let (mut found, mut before) = (UnitTally::default(), -1);
        while let Some(row) = rows.next().map_err(sqlite)? {
            let number = row.get(0).map_err(sqlite)?;
            self.go_on(before, number)?;
            before = number;
            found.add(row.get(1).unwrap_or(0));
        }
        Ok(found)
    }

    /// Are all units there that were stored, and no others?
    pub(super) fn check_tally(&self) -> Result<(), LedgerError> {
        let (stored, found) = {
            let sqlite = |source| self.sqlite(source);
            // One state of the file, also while a run is going on.
            let _snapshot = self.connection().unchecked_transaction().map_err(sqlite)?;
            let stored = UnitTally::read(self.connection(), self.salt).map_err(sqlite)?;
            (stored, self.count()?)
        };
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
        self.for_each_origin(|_, _| ())?;
        Err(self.damaged(&"what is stored is not what was counted when it was stored"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_differ_in_more_than_the_number_of_pairs_have_checksums_of_their_own() {
        let salt = |pairs: &str, seed: &str| {
            let mut identity = Identity::default();
            identity.push(Identity::PAIRS, pairs);
            identity.push("seed", seed);
            Salt::of(&identity)
        };
        assert_eq!(salt("10", "1"), salt("20", "1"));
        assert_ne!(salt("10", "1"), salt("10", "2"));
        assert_ne!(salt("10", "1").sum(1, b"a"), salt("10", "1").sum(2, b"a"));
    }
}
