//! A game's variations as bytes.
//!
//! In: variations. Out: a blob, and the same variations again. Must not: know of SQL.
//!
//! For each turn up to the last one that has a variation: the number of its moves in a byte, then two bytes a move, lowest
//! first.

use super::moves;
use crate::record::Variations;

/// The blob of `variations`.
pub(super) fn encode(variations: &Variations) -> Vec<u8> {
    let mut bytes = Vec::new();
    for turn in 0..variations.turns() {
        let variation = variations.of(turn);
        // There are far fewer than 256.
        bytes.push(variation.len() as u8);
        bytes.extend(moves::encode(variation));
    }
    bytes
}

/// The variations of a blob; `None` if it is none.
pub(super) fn decode(mut bytes: &[u8]) -> Option<Variations> {
    let mut variations = Variations::default();
    let mut turn = 0;
    while let Some((&count, rest)) = bytes.split_first() {
        let (variation, rest) = rest.split_at_checked(2 * usize::from(count))?;
        variations.push(turn, &moves::decode(variation));
        turn += 1;
        bytes = rest;
    }
    Some(variations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn variations_come_back_as_they_were(turns in prop::collection::vec(prop::collection::vec(any::<u16>(), 0..32), 0..20)) {
            let mut variations = Variations::default();
            for (turn, moves) in turns.iter().enumerate() {
                variations.push(turn, moves);
            }
            prop_assert_eq!(decode(&encode(&variations)), Some(variations));
        }
    }

    #[test]
    fn a_blob_cut_short_is_none() {
        let mut variations = Variations::default();
        variations.push(0, &[1, 2]);
        let bytes = encode(&variations);
        for length in 1..bytes.len() {
            assert_eq!(decode(&bytes[..length]), None, "{length}");
        }
    }
}
