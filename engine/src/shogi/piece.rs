//! Kinds of pieces and pieces with their side.

use crate::game::Side;
use crate::named::named;

named! {
    /// A kind of piece. Promoting adds 8.
    #[derive(PartialOrd, Ord)]
    #[repr(u8)]
    Kind {
        Pawn(1) = "pawn", "Pawn.";
        Lance(2) = "lance", "Lance.";
        Knight(3) = "knight", "Knight.";
        Silver(4) = "silver", "Silver general.";
        Bishop(5) = "bishop", "Bishop.";
        Rook(6) = "rook", "Rook.";
        Gold(7) = "gold", "Gold general.";
        King(8) = "king", "King.";
        ProPawn(9) = "tokin", "Promoted pawn (tokin).";
        ProLance(10) = "pro_lance", "Promoted lance.";
        ProKnight(11) = "pro_knight", "Promoted knight.";
        ProSilver(12) = "pro_silver", "Promoted silver.";
        Horse(13) = "horse", "Promoted bishop.";
        Dragon(14) = "dragon", "Promoted rook.";
    }
}

/// Of the kinds that are not promoted, in code order.
const LETTERS: [char; 8] = ['P', 'L', 'N', 'S', 'B', 'R', 'G', 'K'];

impl Kind {
    /// Length of tables by code; codes start at 1.
    pub const COUNT: usize = 16;

    /// By code; a pawn where there is none.
    pub(super) const BY_CODE: [Kind; 16] = {
        let mut table = [Kind::Pawn; 16];
        let mut index = 0;
        while index < 14 {
            table[index + 1] = Kind::ALL[index];
            index += 1;
        }
        table
    };

    /// The kinds that can be in hand, in code order.
    pub const HAND: [Kind; 7] = [
        Kind::Pawn,
        Kind::Lance,
        Kind::Knight,
        Kind::Silver,
        Kind::Bishop,
        Kind::Rook,
        Kind::Gold,
    ];

    /// The kind of a code from 1 to 14.
    #[inline]
    pub const fn from_code(code: u8) -> Option<Kind> {
        if code >= 1 && code <= 14 {
            Some(Kind::ALL[code as usize - 1])
        } else {
            None
        }
    }

    /// Code, 1 to 14.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Is it one of the kinds that can promote, pawn to rook?
    pub const fn can_promote(self) -> bool {
        (self as u8) <= Kind::Rook as u8
    }

    /// The promoted kind of one that can promote.
    #[inline]
    pub const fn promoted(self) -> Kind {
        debug_assert!(self.can_promote());
        Kind::BY_CODE[(self as usize + 8) & 15]
    }

    /// The kind that goes to hand when captured.
    #[inline]
    pub const fn demoted(self) -> Kind {
        if self as u8 > Kind::King as u8 {
            Kind::BY_CODE[self as usize - 8]
        } else {
            self
        }
    }

    /// Promoted pawn, lance, knight, silver, bishop or rook.
    pub const fn is_promoted(self) -> bool {
        self as u8 > Kind::King as u8
    }

    /// The SFEN letter of the unpromoted kind, upper case.
    pub const fn letter(self) -> char {
        LETTERS[self.demoted() as usize - 1]
    }

    /// The kind of an SFEN letter, upper case.
    pub fn from_letter(letter: char) -> Option<Kind> {
        let index = LETTERS.iter().position(|&known| known == letter)?;
        Some(Kind::ALL[index])
    }
}

/// A kind with its side, in one byte; 0 is an empty square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    /// Length of tables by code.
    pub const COUNT: usize = 32;
    /// What an empty square holds.
    pub const NONE: Piece = Piece(0);

    /// The piece of this side and kind.
    pub const fn new(side: Side, kind: Kind) -> Piece {
        Piece(kind as u8 | (side as u8) << 4)
    }

    /// The piece that `side` drops, by the code of its kind.
    pub(super) const fn from_hand(side: Side, code: u8) -> Piece {
        Piece(code & 7 | (side as u8) << 4)
    }

    /// What a piece that can promote becomes.
    pub(super) const fn promoted(self) -> Piece {
        Piece(self.0 | 8)
    }

    /// The same kind of the other side.
    pub(super) const fn opposite(self) -> Piece {
        Piece(self.0 ^ 16)
    }

    /// Code: the kind, plus 16 for the second side.
    pub const fn index(self) -> usize {
        (self.0 & 31) as usize
    }

    /// True for an empty square.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The kind; must not be called on [`Piece::NONE`].
    #[inline]
    pub const fn kind(self) -> Kind {
        debug_assert!(!self.is_none());
        Kind::BY_CODE[(self.0 & 15) as usize]
    }

    /// The kind's code, 0 for an empty square.
    pub const fn kind_index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The side that the piece belongs to.
    #[inline]
    pub const fn side(self) -> Side {
        if self.0 & 16 == 0 {
            Side::First
        } else {
            Side::Second
        }
    }
}
