//! A move in 16 bits and its USI text.

use std::fmt;

use super::{Kind, Piece, Square};
use crate::game::{GameMove, ParseError, Side};

/// Bits 0-6 destination, 7-13 origin (or the dropped kind), 14 drop, 15 promotion.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

const DROP: u16 = 1 << 14;
const PROMOTE: u16 = 1 << 15;

impl Move {
    /// A move on the board.
    pub const fn board(from: Square, to: Square, promote: bool) -> Move {
        Move(to.index() as u16 | (from.index() as u16) << 7 | (promote as u16) << 15)
    }

    /// A drop of `kind`.
    pub const fn drop(kind: Kind, to: Square) -> Move {
        Move(to.index() as u16 | (kind as u16) << 7 | DROP)
    }

    pub(super) const fn to_index(self) -> usize {
        (self.0 & 127) as usize
    }

    pub(super) const fn origin_index(self) -> usize {
        (self.0 >> 7 & 127) as usize
    }

    /// The index of the origin, or a number from 128 to 255 that is no square's.
    pub(super) const fn origin_or_hand(self) -> usize {
        (self.0 >> 7 & 255) as usize
    }

    /// Destination, of a pseudo-legal move.
    pub const fn to(self) -> Square {
        Square::new_unchecked((self.0 & 127) as u8)
    }

    /// Origin, of a pseudo-legal move on the board.
    pub const fn from(self) -> Square {
        Square::new_unchecked((self.0 >> 7 & 127) as u8)
    }

    /// The dropped kind, of a pseudo-legal drop.
    pub const fn dropped(self) -> Kind {
        Kind::BY_CODE[(self.0 >> 7 & 7) as usize]
    }

    /// The piece that `side` drops, of a pseudo-legal drop.
    pub(super) const fn dropped_by(self, side: Side) -> Piece {
        Piece::from_hand(side, (self.0 >> 7) as u8)
    }

    /// Is it a drop?
    pub const fn is_drop(self) -> bool {
        self.0 & DROP != 0
    }

    /// Does the piece promote by this move?
    pub const fn is_promotion(self) -> bool {
        self.0 & PROMOTE != 0
    }

    /// What the piece that moves is on its destination.
    #[inline]
    pub const fn arriving(self, moving: Piece) -> Piece {
        if self.is_promotion() {
            moving.promoted()
        } else {
            moving
        }
    }

    /// Parses USI notation, `7g7f`, `2b3c+` or `P*5e`.
    pub fn parse(text: &str) -> Result<Move, ParseError> {
        let error = || {
            ParseError(format!(
                "'{text}' is not a move (expected a form like 7g7f, 2b3c+ or P*5e)"
            ))
        };
        if !text.is_ascii() {
            return Err(error());
        }
        match text.as_bytes() {
            [letter, b'*', _, _] => {
                let kind = Kind::from_letter(char::from(*letter))
                    .filter(|&kind| kind != Kind::King)
                    .ok_or_else(error)?;
                Ok(Move::drop(kind, Square::parse(&text[2..])?))
            }
            [_, _, _, _] => Ok(Move::board(
                Square::parse(&text[..2])?,
                Square::parse(&text[2..])?,
                false,
            )),
            [_, _, _, _, b'+'] => Ok(Move::board(
                Square::parse(&text[..2])?,
                Square::parse(&text[2..4])?,
                true,
            )),
            _ => Err(error()),
        }
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
        Move::parse(text)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(to), from) = (Square::new(self.to_index()), self.origin_index()) else {
            return f.write_str("none");
        };
        if self.is_drop() {
            match u8::try_from(from).ok().and_then(Kind::from_code) {
                Some(kind) => write!(f, "{}*{to}", kind.letter()),
                None => f.write_str("none"),
            }
        } else {
            match Square::new(from) {
                Some(from) if from != to => {
                    write!(f, "{from}{to}{}", if self.is_promotion() { "+" } else { "" })
                }
                _ => f.write_str("none"),
            }
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
