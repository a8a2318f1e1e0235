//! A set of squares in 128 bits.
//!
//! Files 1-7 lie in bits 0-62, files 8-9 in bits 64-81. No file straddles the two halves, so that a step along
//! a file is a shift of 64-bit words, and bit 63 stops carries between them.

use std::ops::Not;

use derive_more::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign};

use super::square::Square;

/// A set of squares.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    BitAnd,
    BitAndAssign,
    BitOr,
    BitOrAssign,
    BitXor,
    BitXorAssign,
)]
pub struct Bitboard(u128);

const SQUARES: [u128; 128] = {
    let mut table = [0; 128];
    let mut index = 0;
    while index < 81 {
        table[index] = 1 << (index + (index >= 63) as usize);
        index += 1;
    }
    table
};

static SQUARE_BITS: [u128; 128] = SQUARES;

impl Bitboard {
    /// The set without a square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// The set of all 81 squares.
    pub const ALL: Bitboard = Bitboard(((1 << 63) - 1) | (((1 << 18) - 1) << 64));

    /// The set of one square.
    pub fn of(square: Square) -> Bitboard {
        Bitboard(SQUARE_BITS[square.index()])
    }

    /// Toggles `squares`. The set is written as a whole, because a processor waits when it reads as a whole what has just been written
    /// in halves.
    #[inline(always)]
    pub(super) fn toggle(&mut self, squares: Bitboard) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{__m128i, _mm_xor_si128};
            use std::mem::transmute;
            // SAFETY: every x86-64 has SSE2, and both types are 128 bits, of which any are allowed.
            self.0 = unsafe {
                let [before, change] = [self.0, squares.0].map(|bits| transmute::<u128, __m128i>(bits));
                transmute::<__m128i, u128>(_mm_xor_si128(before, change))
            };
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            *self ^= squares;
        }
    }

    /// One square, for tables made by the compiler.
    pub(super) const fn of_const(square: Square) -> Bitboard {
        Bitboard(SQUARES[square.index()])
    }

    pub(super) const fn rank(rank: u8) -> Bitboard {
        let mut bits = 0;
        let mut file = 0;
        while file < 9 {
            bits |= SQUARES[Square::at(file, rank).index()];
            file += 1;
        }
        Bitboard(bits)
    }

    pub(super) const fn file(file: u8) -> Bitboard {
        Bitboard(0x1ff << (file * 9 + (file >= 7) as u8))
    }

    pub(super) const fn bits(self) -> u128 {
        self.0
    }

    pub(super) const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits)
    }

    pub(super) const fn union(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }

    /// The squares that are not in `other`.
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// No square in it?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// At least one square in it?
    pub const fn non_empty(self) -> bool {
        self.0 != 0
    }

    /// Is the square in it?
    pub fn has(self, square: Square) -> bool {
        self.0 & SQUARE_BITS[square.index()] != 0
    }

    /// Do the sets share a square?
    pub const fn meets(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The number of squares in the set.
    pub const fn count(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Two squares or more?
    pub const fn is_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square of least index, of a set that is not empty.
    #[inline]
    pub const fn first(self) -> Square {
        debug_assert!(self.0 != 0);
        let low = self.0 as u64;
        if low != 0 {
            Square::new_unchecked(low.trailing_zeros() as u8)
        } else {
            Square::new_unchecked(63 + ((self.0 >> 64) as u64).trailing_zeros() as u8)
        }
    }

    /// Each square one rank towards rank a; no square may be on it.
    pub const fn up(self) -> Bitboard {
        Bitboard(self.0 >> 1)
    }

    /// Each square one rank towards rank i; no square may be on it.
    pub const fn down(self) -> Bitboard {
        Bitboard(self.0 << 1)
    }

    /// All squares of the files on which the set (at most one square a file) has none.
    #[inline]
    pub const fn empty_files(self) -> Bitboard {
        // A pawn borrows from the marker on its file's last rank and so clears it; each marker left fills its file.
        const MARKS: u128 = Bitboard::rank(8).0;
        let marks = MARKS.wrapping_sub(self.0) & MARKS;
        Bitboard((marks << 1).wrapping_sub(marks >> 8))
    }

    /// The squares below each of these, down to and including the next one of `occupied`; these must be in `occupied`, none on rank i.
    #[inline]
    pub(super) fn down_to(self, occupied: Bitboard) -> Bitboard {
        debug_assert!(self.without(occupied).is_empty() && !self.meets(Bitboard::rank(8)));
        // Subtracting the square below borrows from the next occupied one. A stop at the end of each file keeps the borrow inside.
        let stops = occupied.0 | Bitboard::rank(8).0;
        Bitboard(stops ^ stops.wrapping_sub(self.0 << 1))
    }

    /// The set as a number in which every square matters.
    #[inline]
    pub(super) fn mixed(self) -> u64 {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        (low ^ high.rotate_left(40)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Calls `each` on every square in index order.
    #[inline]
    pub fn for_each(self, mut each: impl FnMut(Square)) {
        let mut low = self.0 as u64;
        while low != 0 {
            each(Square::new_unchecked(low.trailing_zeros() as u8));
            low &= low - 1;
        }
        let mut high = (self.0 >> 64) as u64;
        while high != 0 {
            each(Square::new_unchecked(63 + high.trailing_zeros() as u8));
            high &= high - 1;
        }
    }
}

/// A set of squares by index, without the gap of a [`Bitboard`]: quicker to ask about many moves. The origin of a drop is in no set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SquareIndices([u64; 4]);

impl SquareIndices {
    /// Is the index, below 256, in the set?
    #[inline(always)]
    pub(super) fn has(&self, index: usize) -> bool {
        self.0[index / 64 % 4] >> (index % 64) & 1 != 0
    }
}

impl From<Bitboard> for SquareIndices {
    #[inline]
    fn from(squares: Bitboard) -> Self {
        debug_assert!(squares.without(Bitboard::ALL).is_empty());
        let (low, high) = (squares.0 as u64, (squares.0 >> 64) as u64);
        SquareIndices([low | high << 63, high >> 1, 0, 0])
    }
}

impl From<SquareIndices> for Bitboard {
    #[inline]
    fn from(squares: SquareIndices) -> Self {
        let [low, high, ..] = squares.0;
        let bits = u128::from(low) | u128::from(high << 1 | low >> 63) << 64;
        Bitboard(bits & Bitboard::ALL.0)
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = self.first();
        self.0 &= self.0.wrapping_sub(1);
        Some(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & Bitboard::ALL.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_a_pawn_are_whole_and_files_with_one_are_empty() {
        for rank in 0..9 {
            let pawns: Bitboard = [0, 6, 7, 8]
                .map(|file| Square::at(file, rank))
                .into_iter()
                .collect();
            let expected: Bitboard = Square::all()
                .filter(|sq| ![0, 6, 7, 8].contains(&sq.file()))
                .collect();
            assert_eq!(pawns.empty_files(), expected);
        }
        assert_eq!(Bitboard::EMPTY.empty_files(), Bitboard::ALL);
    }

    #[test]
    fn squares_below_end_with_the_next_occupied_one_or_the_file() {
        for file in 0..9 {
            let on = |ranks: &str| -> Bitboard {
                let ranks = ranks.bytes().map(|rank| rank - b'a');
                ranks.map(|rank| Square::at(file, rank)).collect()
            };
            let beside = Bitboard::rank(7).without(Bitboard::file(file));
            for (lances, others, expected) in [
                ("a", "", "bcdefghi"),
                ("c", "ae", "de"),
                ("h", "", "i"),
                ("bd", "g", "cdefg"),
                ("ab", "", "bcdefghi"),
            ] {
                let found = (on(lances) | beside).down_to(on(lances) | on(others) | beside);
                let on_file = found & Bitboard::file(file);
                assert_eq!(on_file, on(expected), "{lances} {others} on file {file}");
            }
        }
    }

    #[test]
    fn squares_by_index_are_those_of_the_bitboard_and_no_others() {
        for square in Square::all() {
            let indices = SquareIndices::from(Bitboard::of(square));
            let found: Vec<_> = (0..256).filter(|&index| indices.has(index)).collect();
            assert_eq!(found, [square.index()]);
            assert_eq!(Bitboard::from(indices), Bitboard::of(square));
        }
    }

    #[test]
    fn iteration_visits_every_square_once_in_index_order() {
        assert!(Bitboard::ALL.eq(Square::all()));
        let mut visited = Vec::new();
        Bitboard::ALL.for_each(|square| visited.push(square));
        assert!(visited.into_iter().eq(Square::all()));
        assert_eq!(Bitboard::ALL.count(), 81);
    }
}
