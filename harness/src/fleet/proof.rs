//! Who played a pair.
//!
//! In: a pair, a public key, a signature. Out: whether they belong together.

use nkeys::KeyPair;

use super::wire::signed_bytes_at;
use crate::ledger::{Signed, pack};
use crate::record::PairRecord;

/// Did the machine of the public key `by` sign `record` as a pair of `run`?
pub fn is_signed(run: &str, record: &PairRecord, by: &Signed) -> bool {
    let key = KeyPair::from_public_key(&by.key);
    key.is_ok_and(|key| {
        let signed = signed_bytes_at(run, &by.table, by.pace, &pack(record));
        key.verify(&signed, &by.signature).is_ok()
    })
}
