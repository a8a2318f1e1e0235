//! A chess move in 16 bits and its UCI text.

use std::fmt;

use cozy_chess::{File, Piece, Square};

use crate::game::{GameMove, ParseError};

/// Bits 0-5 destination, 6-11 origin, 12-14 promotion (0 none, 1 knight to 4 queen). Castling is the king's move of
/// two squares; in Chess960 bit 15 is set, and bits 0-5 are the square of the rook.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

const CASTLING: u16 = 1 << 15;
const PROMOTION: u16 = 7 << 12;

const PROMOTIONS: [Option<Piece>; 8] = [
    None,
    Some(Piece::Knight),
    Some(Piece::Bishop),
    Some(Piece::Rook),
    Some(Piece::Queen),
    None,
    None,
    None,
];

/// The square of the lowest six bits. Compilers see that this is no conversion at all.
#[inline]
pub(super) fn square(bits: u16) -> Square {
    Square::try_index(usize::from(bits & 63)).unwrap_or(Square::A1)
}

impl Move {
    /// A move; `promotion` must not be a pawn or a king.
    pub fn new(from: Square, to: Square, promotion: Option<Piece>) -> Move {
        Move(to as u16 | (from as u16) << 6 | promotion.map_or(0, |piece| piece as u16) << 12)
    }

    /// Castling of Chess960: of the king on `king` with the rook on `rook`.
    pub fn castling(king: Square, rook: Square) -> Move {
        Move(rook as u16 | (king as u16) << 6 | CASTLING)
    }

    /// Where the piece ends, also if it castles.
    #[inline]
    pub fn to(self) -> Square {
        if self.0 & CASTLING != 0 {
            return self.king_castled();
        }
        square(self.0)
    }

    #[cold]
    fn king_castled(self) -> Square {
        let rook = square(self.0);
        let file = if rook.file() > self.from().file() {
            File::G
        } else {
            File::C
        };
        Square::new(file, self.from().rank())
    }

    /// The rook that castles, of a move made by [`castling`](Move::castling); bits that are no move have none.
    pub(super) fn castling_partner(self) -> Option<Square> {
        (self.0 >> 12 == CASTLING >> 12).then(|| square(self.0))
    }

    /// The square that the piece leaves.
    pub fn from(self) -> Square {
        square(self.0 >> 6)
    }

    /// What a pawn becomes, of a legal move.
    #[inline]
    pub fn promoted(self) -> Option<Piece> {
        PROMOTIONS[usize::from((self.0 & PROMOTION) >> 12)]
    }

    #[inline]
    pub(super) fn promotes(self) -> bool {
        self.0 & PROMOTION != 0
    }

    /// What a pawn becomes, of a move that promotes one.
    #[cold]
    pub(super) fn promoted_kind(self) -> Piece {
        self.promoted().unwrap_or(Piece::Queen)
    }

    /// What a pawn becomes; `Err` for bits that are no move.
    pub(super) fn promotion(self) -> Result<Option<Piece>, ()> {
        if self.0 >> 12 > Piece::Queen as u16 {
            return Err(());
        }
        Ok(self.promoted())
    }
}

impl GameMove for Move {
    fn bits(self) -> u16 {
        self.0
    }
    fn from_bits(bits: u16) -> Self {
        Move(bits)
    }
    fn parse(text: &str) -> Result<Self, ParseError> {
        // The library ignores what follows five characters, and takes a king or a pawn to promote to.
        let is_form = matches!(
            text.as_bytes(),
            [_, _, _, _] | [_, _, _, _, b'n' | b'b' | b'r' | b'q']
        );
        let parsed = text.parse().ok().filter(|_| is_form);
        let cozy_chess::Move { from, to, promotion } = parsed.ok_or_else(|| {
            ParseError(format!(
                "'{text}' is not a move (expected a form like e2e4 or e7e8q)"
            ))
        })?;
        Ok(Move::new(from, to, promotion))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rook) = self.castling_partner() {
            return write!(f, "{}{rook}", self.from());
        }
        match self.promotion() {
            Ok(_) if self.from() == self.to() => f.write_str("0000"),
            Ok(None) => write!(f, "{}{}", self.from(), self.to()),
            Ok(Some(piece)) => write!(f, "{}{}{piece}", self.from(), self.to()),
            Err(()) => f.write_str("0000"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
