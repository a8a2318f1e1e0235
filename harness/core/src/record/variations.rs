//! The moves that players expected at each turn of a game.

use super::packed::Packed;

/// Moves kept of one variation; what lies beyond is rarely more than a guess.
const MOVES_MAX: usize = 32;

/// The principal variation of every turn; of built-in players, and of programs that tell none, it is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variations {
    /// The moves' bits, turn after turn.
    moves: Vec<u16>,
    /// Where each turn ends in `moves`; turns at the end of a game that have none are left out.
    ends: Vec<usize>,
}

impl Variations {
    /// Adds the variation of the turn with this index, greater than all before; moves beyond the first 32 are dropped.
    pub fn push(&mut self, turn: usize, variation: &[u16]) {
        if variation.is_empty() {
            return;
        }
        self.ends.resize(turn, self.moves.len());
        self.moves
            .extend_from_slice(&variation[..variation.len().min(MOVES_MAX)]);
        self.ends.push(self.moves.len());
    }

    /// The moves' bits that were expected at the turn with this index, its own move first.
    pub fn of(&self, turn: usize) -> &[u16] {
        let Some(&end) = self.ends.get(turn) else {
            return &[];
        };
        let start = turn.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.moves[start..end]
    }
}

/// For each turn up to the last one that has a variation: the number of its moves in a byte, then its moves.
impl Packed for Variations {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for turn in 0..self.ends.len() {
            let variation = self.of(turn);
            // There are at most `MOVES_MAX`.
            bytes.push(variation.len() as u8);
            bytes.extend(variation.iter().flat_map(|bits| bits.to_le_bytes()));
        }
        bytes
    }

    fn of_bytes(mut bytes: &[u8]) -> Option<Variations> {
        let mut variations = Variations::default();
        let mut turn = 0;
        while let Some((&count, rest)) = bytes.split_first() {
            let (variation, rest) = rest.split_at_checked(2 * usize::from(count))?;
            variations.push(turn, &Vec::<u16>::of_bytes(variation)?);
            turn += 1;
            bytes = rest;
        }
        Some(variations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_turn_has_its_own_variation_or_none() {
        let mut variations = Variations::default();
        variations.push(0, &[]);
        assert_eq!(variations, Variations::default());
        variations.push(1, &[7, 8, 9]);
        variations.push(2, &[]);
        variations.push(4, &[1; 100]);
        let all: Vec<&[u16]> = (0..6).map(|turn| variations.of(turn)).collect();
        assert_eq!(all, [&[][..], &[7, 8, 9], &[], &[], &[1; MOVES_MAX], &[]]);
        assert_eq!(variations.ends.len(), 5);
    }

    proptest! {
        #[test]
        fn variations_come_back_as_they_were(turns in prop::collection::vec(prop::collection::vec(any::<u16>(), 0..32), 0..20)) {
            let mut variations = Variations::default();
            for (turn, moves) in turns.iter().enumerate() {
                variations.push(turn, moves);
            }
            prop_assert_eq!(Variations::of_bytes(&variations.to_bytes()), Some(variations));
        }
    }
}
