//! Checksums of 64 bits (XXH3). They find damage; against one who means to deceive no hash in the same file would help, and a
//! fleet has signatures.

use rusqlite::Row;
use rusqlite::types::ValueRef;
use twox_hash::XxHash3_64;

use super::codec::to_bytes;
use crate::config::Identity;
use crate::record::Origin;

/// What every checksum of a run begins with: units of another run do not fit it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Salt(pub(super) u64);

impl Salt {
    /// Of the run of this identity. The number of pairs may grow and does not count.
    pub(super) fn of(identity: &Identity) -> Salt {
        let entries = identity.entries().filter(|(name, _)| *name != Identity::PAIRS);
        Salt(XxHash3_64::oneshot(&to_bytes(&entries.collect::<Vec<_>>())))
    }

    /// Of the bytes of the unit of this number.
    pub(super) fn sum(self, number: i64, bytes: &[u8]) -> i64 {
        let seed = XxHash3_64::oneshot_with_seed(self.0, &number.to_le_bytes());
        XxHash3_64::oneshot_with_seed(seed, bytes).cast_signed()
    }

    /// Of a unit's summary and of who played it, if another machine did.
    pub(super) fn sum_of_unit(self, number: i64, summary: &[u8], origin: Option<&Origin>) -> i64 {
        let sum = self.sum(number, summary);
        let Some(origin) = origin else {
            return sum;
        };
        let said = to_bytes(&(&*origin.host, &origin.table, origin.pace, &origin.signature));
        XxHash3_64::oneshot_with_seed(sum.cast_unsigned(), &said).cast_signed()
    }
}

/// Adds all values of a row to `bytes`, each with its type.
pub(super) fn add_row(bytes: &mut Vec<u8>, row: &Row<'_>) {
    for value in (0..).map_while(|column| row.get_ref(column).ok()) {
        let (kind, content): (u8, &[u8]) = match &value {
            ValueRef::Null => (0, &[]),
            ValueRef::Integer(value) => (1, &value.to_le_bytes()),
            ValueRef::Real(value) => (2, &value.to_le_bytes()),
            ValueRef::Text(text) => (3, text),
            ValueRef::Blob(blob) => (4, blob),
        };
        bytes.push(kind);
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(content);
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
