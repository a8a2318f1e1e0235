//! Digests and signatures as text.
//!
//! In: bytes. Out: hexadecimal digits, and bytes again.

use sha2::{Digest, Sha256};

/// Bytes in hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes of hexadecimal digits; `None` if they are none.
pub(super) fn of_hex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    let digits = (0..text.len()).step_by(2).map(|at| text.get(at..at + 2));
    digits.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
}

/// What tells machines apart that play differently: 16 hexadecimal digits of the digest of what they play.
pub fn digest_of(played: &str) -> String {
    let digest = Sha256::digest(played);
    hex(digest.as_slice().get(..8).unwrap_or_default())
}
