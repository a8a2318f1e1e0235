//! The 81 squares, file by file: 1a is 0, 1i is 8, 9i is 80.

use std::fmt;

use crate::game::{ParseError, Side};

/// One of the 81 squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The number of squares of the board.
    pub const COUNT: usize = 81;

    #[inline]
    pub(super) const fn new_unchecked(index: u8) -> Self {
        debug_assert!(index < 81);
        Square(index)
    }

    /// The square of an index below 81.
    #[inline]
    pub const fn new(index: usize) -> Option<Self> {
        if index < 81 {
            Some(Square(index as u8))
        } else {
            None
        }
    }

    /// File 0 (the "1" file) to 8 and rank 0 (the "a" rank) to 8.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Self {
        debug_assert!(file < 9 && rank < 9);
        Square(file * 9 + rank)
    }

    /// Index, 0 to 80.
    pub const fn index(self) -> usize {
        // Spares tables of 128 the test of bounds.
        (self.0 & 127) as usize
    }

    /// File, 0 (the "1" file) to 8.
    pub const fn file(self) -> u8 {
        self.0 / 9
    }

    /// Rank, 0 (the "a" rank) to 8.
    pub const fn rank(self) -> u8 {
        self.0 % 9
    }

    /// Rank counted from the far side of `side`: 0 is where its pieces must promote.
    #[inline]
    pub const fn relative_rank(self, side: Side) -> u8 {
        match side {
            Side::First => self.rank(),
            Side::Second => 8 - self.rank(),
        }
    }

    /// The square as the other side sees it (board turned by 180 degrees).
    pub const fn rotated(self) -> Self {
        Square(80 - self.0)
    }

    /// The square as `side` sees it.
    #[inline]
    pub fn seen_by(self, side: Side) -> Self {
        match side {
            Side::First => self,
            Side::Second => self.rotated(),
        }
    }

    /// The moves that a king needs on an empty board.
    #[inline]
    pub const fn distance(self, other: Square) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }

    /// All squares in index order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..81).map(Square)
    }

    /// Parses a square as USI writes it, `7g`.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        match text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => Ok(Square::at(file - b'1', rank - b'a')),
            _ => Err(ParseError(format!(
                "'{text}' is not a square (expected 1a to 9i)"
            ))),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file() + 1, char::from(b'a' + self.rank()))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
