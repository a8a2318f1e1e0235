//! Checksums of rows.
//!
//! In: the values of rows, in the order of their table's columns. Out: their XXH3 hash of 64 bits. Must not: know which rows
//! belong together, or run statements.
//!
//! It finds damage. Against one who means to deceive no hash in the same file would help; a fleet has signatures.
//!
//! Values at the end of a row that are NULL do not count, so that a column which a later version adds leaves the checksums
//! of rows from before as they are. Every other change of a value, of a type, or of the number of rows is seen.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Row, ToSql};
use twox_hash::XxHash3_64;

use crate::config::Identity;

const NULL: u8 = 0;
const INTEGER: u8 = 1;
const REAL: u8 = 2;
const TEXT: u8 = 3;
const BLOB: u8 = 4;
const ROW: u8 = 5;

/// What every checksum of a run begins with: rows of another run do not fit it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Salt(u64);

impl Salt {
    /// Of the run of this identity. The number of pairs may grow and does not count.
    pub(super) fn of(identity: &Identity) -> Salt {
        let mut checksum = Checksum::default();
        for (name, value) in identity.entries() {
            if name != Identity::PAIRS {
                checksum.row("identity", [ValueRef::from(name), ValueRef::from(value)]);
            }
        }
        Salt(checksum.value() as u64)
    }

    /// The same run has the same.
    pub(super) fn number(self) -> u64 {
        self.0
    }
}

/// A checksum in the making. It keeps its room when it is begun again.
#[derive(Debug, Default)]
pub(super) struct Checksum {
    bytes: Vec<u8>,
}

impl Checksum {
    /// Forgets all rows.
    pub(super) fn begin(&mut self, salt: Salt) {
        self.bytes.clear();
        self.bytes.extend(salt.0.to_le_bytes());
    }

    /// Takes in a row of `table`.
    pub(super) fn row<'a>(&mut self, table: &str, values: impl IntoIterator<Item = ValueRef<'a>>) {
        self.bytes.push(ROW);
        self.bytes.extend(table.as_bytes());
        let mut end = self.bytes.len();
        for value in values {
            self.value_of_row(value);
            if !matches!(value, ValueRef::Null) {
                end = self.bytes.len();
            }
        }
        self.bytes.truncate(end);
    }

    /// Takes in a row of `table` as it is going to be stored.
    ///
    /// # Errors
    /// A value that SQLite cannot hold.
    pub(super) fn stored(&mut self, table: &str, values: &[&dyn ToSql]) -> rusqlite::Result<()> {
        let outputs = values.iter().map(|value| value.to_sql());
        let outputs: Vec<ToSqlOutput<'_>> = outputs.collect::<Result<_, _>>()?;
        self.row(table, outputs.iter().map(by_reference));
        Ok(())
    }

    /// The hash of everything taken in, as SQLite stores it.
    pub(super) fn value(&self) -> i64 {
        XxHash3_64::oneshot(&self.bytes).cast_signed()
    }

    fn value_of_row(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Null => self.bytes.push(NULL),
            ValueRef::Integer(value) => self.number(INTEGER, value.to_le_bytes()),
            ValueRef::Real(value) => self.number(REAL, value.to_le_bytes()),
            ValueRef::Text(text) => self.counted(TEXT, text),
            ValueRef::Blob(blob) => self.counted(BLOB, blob),
        }
    }

    fn number(&mut self, kind: u8, bytes: [u8; 8]) {
        self.bytes.push(kind);
        self.bytes.extend(bytes);
    }

    fn counted(&mut self, kind: u8, bytes: &[u8]) {
        self.number(kind, (bytes.len() as u64).to_le_bytes());
        self.bytes.extend(bytes);
    }
}

/// All values of a row.
pub(super) fn values<'r>(row: &'r Row<'_>) -> impl Iterator<Item = ValueRef<'r>> {
    (0..).map_while(|column| row.get_ref(column).ok())
}

fn by_reference<'a>(output: &'a ToSqlOutput<'_>) -> ValueRef<'a> {
    match output {
        ToSqlOutput::Borrowed(value) => *value,
        ToSqlOutput::Owned(value) => ValueRef::from(value),
        // Nothing else is stored here.
        _ => ValueRef::from(&Value::Null),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[(&str, &[ValueRef<'_>])]) -> i64 {
        let mut checksum = Checksum::default();
        checksum.begin(Salt(7));
        for (table, values) in rows {
            checksum.row(table, values.iter().copied());
        }
        checksum.value()
    }

    #[test]
    fn every_value_type_row_and_table_counts_and_nulls_at_the_end_do_not() {
        use ValueRef::{Blob, Integer, Null, Text};
        let row: &[ValueRef<'_>] = &[Integer(1), Text(b"ab"), Null, Blob(b"c")];
        let whole = of(&[("game", row)]);
        let longer = [row, &[Null, Null]].concat();
        assert_eq!(of(&[("game", &longer)]), whole);
        let others: [&[(&str, &[ValueRef<'_>])]; 8] = [
            &[("games", row)],
            &[("game", row), ("game", row)],
            &[("game", row), ("game", &[])],
            &[("game", &[Integer(2), Text(b"ab"), Null, Blob(b"c")])],
            &[("game", &[Integer(1), Text(b"a"), Null, Blob(b"bc")])],
            &[("game", &[Integer(1), Text(b"ab"), Blob(b"c")])],
            &[("game", &[Integer(1), Text(b"ab"), Null, Text(b"c")])],
            &[("game", &[Integer(1), Text(b"ab"), Null])],
        ];
        for (index, other) in others.into_iter().enumerate() {
            assert_ne!(of(other), whole, "{index}");
        }
    }

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
    }
}
