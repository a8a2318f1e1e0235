//! Who played a pair, or searched.
//!
//! In: a packet, a public key, a signature. Out: whether they belong together.

use nkeys::KeyPair;

use super::wire::signed_bytes_at;
use crate::record::Origin;

/// Did this machine sign `packet` as a pair or a search of `run`?
pub fn is_signed(run: &str, packet: &[u8], by: &Origin) -> bool {
    let key = KeyPair::from_public_key(&by.host.key);
    key.is_ok_and(|key| {
        let signed = signed_bytes_at(run, &by.table, by.pace, packet);
        key.verify(&signed, &by.signature).is_ok()
    })
}
