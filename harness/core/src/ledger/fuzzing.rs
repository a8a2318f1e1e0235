//! The ledger's blobs, for `fuzz/`.
//!
//! In: any bytes. Out: what they decode to, which must be what it encodes to again.

use super::{moves, remarks, search_rows, turns, variations};
use crate::record::{Turn, Variations};

/// What a row's blobs hold.
pub fn decode(played: &[u8], costs: &[u8], expected: &[u8]) -> Option<(Vec<u16>, Vec<Turn>, Variations)> {
    let played = moves::decode(played);
    let costs = turns::decode(costs)?;
    assert_eq!(turns::decode(&turns::encode(&costs)).as_ref(), Some(&costs));
    let expected = variations::decode(expected)?;
    assert_eq!(
        variations::decode(&variations::encode(&expected)).as_ref(),
        Some(&expected)
    );
    Some((played, costs, expected))
}

/// What was remarked of both players.
pub fn decode_remarks(bytes: &[u8]) {
    if let Some(remarks) = remarks::decode(bytes) {
        assert_eq!(remarks::decode(&remarks::encode(&remarks)), Some(remarks));
    }
}

/// What each technique tried.
pub fn decode_tried(bytes: &[u8]) {
    if let Some(tried) = search_rows::decode(bytes) {
        assert_eq!(search_rows::encode(&tried), bytes);
    }
}
