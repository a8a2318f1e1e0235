//! Pieces in hand, packed in 32 bits.

use super::piece::Kind;

/// The pieces one side holds. Each kind has its own bits with a gap above, so that counts never run over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

const SHIFT: [u32; 8] = [0, 0, 8, 12, 16, 20, 24, 28];
const MASK: [u32; 8] = [0, 0x1f, 7, 7, 7, 3, 3, 7];

impl Hand {
    /// The hand without a piece.
    pub const EMPTY: Hand = Hand(0);

    /// How many of `kind`, which must be pawn to gold.
    pub const fn count(self, kind: Kind) -> u32 {
        (self.0 >> SHIFT[kind.index() & 7]) & MASK[kind.index() & 7]
    }

    /// At least one of `kind`?
    pub const fn has(self, kind: Kind) -> bool {
        self.0 & (MASK[kind.index() & 7] << SHIFT[kind.index() & 7]) != 0
    }

    /// Is there no piece of any kind?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// One more of `kind`.
    pub fn add(&mut self, kind: Kind) {
        self.0 += 1 << SHIFT[kind.index() & 7];
    }

    /// One less of `kind`, of which there must be one.
    #[inline]
    pub fn remove(&mut self, kind: Kind) {
        debug_assert!(self.has(kind));
        self.0 -= 1 << SHIFT[kind.index() & 7];
    }

    /// The number of pieces of all kinds.
    pub fn total(self) -> u32 {
        Kind::HAND.iter().map(|&kind| self.count(kind)).sum()
    }
}
