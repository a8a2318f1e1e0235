//! Who played a pair.
//!
//! In: a pair, a public key, a signature. Out: whether they belong together.

use nkeys::KeyPair;

use super::wire::signed_bytes_at;
use crate::ledger::pack;
use crate::record::PairRecord;

/// Did the machine of this public key sign `record` as a pair of `run`, played at the table of this digest?
pub fn is_signed(run: &str, table_digest: &str, record: &PairRecord, key: &str, signature: &[u8]) -> bool {
    let key = KeyPair::from_public_key(key);
    key.is_ok_and(|key| {
        let signed = signed_bytes_at(run, table_digest, &pack(record));
        key.verify(&signed, signature).is_ok()
    })
}
