//! A chess position: `cozy_chess::Board` with our moves and our facts.
//!
//! In: FEN, moves. Out: [`Board`]. Must not: generate moves itself.

use std::fmt;

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};

use super::moves::Move;
use super::validate;
use crate::game::{ParseError, Side};

/// A chess position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board(pub(super) cozy_chess::Board);

impl Board {
    /// The position of the crate that knows the rules.
    #[inline]
    pub fn inner(&self) -> &cozy_chess::Board {
        &self.0
    }

    /// Parses `startpos` or a FEN with or without the leading word `fen`.
    ///
    /// # Errors
    /// Says which part of the FEN is wrong, also if the position cannot be played on.
    pub fn from_fen(text: &str) -> Result<Board, ParseError> {
        let text = text.trim();
        if text == "startpos" {
            return Ok(Board(cozy_chess::Board::default()));
        }
        let fen = text.strip_prefix("fen ").unwrap_or(text);
        let wrong = |reason: &dyn fmt::Display| ParseError(format!("fen '{fen}': {reason}"));
        let mut fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let field = |index: usize, name: &str| {
            let missing = || wrong(&format_args!("there is no {name} field"));
            fields.get(index).copied().ok_or_else(missing)
        };
        let (board, side_to_move) = (field(0, "board")?, field(1, "side to move")?);
        validate::check(board, side_to_move).map_err(|reason| wrong(&reason))?;
        if fields.len() == 4 {
            fields.extend(["0", "1"]);
        }
        let parsed = cozy_chess::Board::from_fen(&fields.join(" "), false);
        let parsed = parsed.map_err(|error| wrong(&error))?;
        for color in Color::ALL {
            let (rights, king) = (parsed.castle_rights(color), parsed.king(color));
            if (rights.short.is_some() || rights.long.is_some()) && king.file() != File::E {
                let home = Square::new(File::E, king.rank());
                return Err(wrong(&format!(
                    "castling needs the king on {king} to stand on {home}"
                )));
            }
        }
        Ok(Board(parsed))
    }

    /// The side of a colour.
    #[inline]
    pub(super) fn side_of(color: Color) -> Side {
        match color {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }

    /// The move as the rules crate writes it (castling is "king takes rook" there); `None` if the bits are no move here.
    #[inline]
    pub(super) fn to_inner(&self, mv: Move) -> Option<cozy_chess::Move> {
        let (from, mut to) = (mv.from(), mv.to());
        let promotion = mv.promotion().ok()?;
        if self.0.piece_on(from) == Some(Piece::King) {
            let files = from.file() as i8 - to.file() as i8;
            if files.abs() == 2 && from.rank() == to.rank() {
                let rights = self.0.castle_rights(self.0.side_to_move());
                let rook_file = if files < 0 { rights.short } else { rights.long };
                to = Square::new(rook_file?, from.rank());
            } else if self.0.color_on(to) == Some(self.0.side_to_move()) {
                return None;
            }
        }
        Some(cozy_chess::Move { from, to, promotion })
    }

    /// The move of the rules crate in our form.
    #[inline]
    pub(super) fn ours(&self, mv: cozy_chess::Move) -> Move {
        let castles = self.0.color_on(mv.to) == Some(self.0.side_to_move());
        let to = if castles {
            let file = if mv.to.file() > mv.from.file() {
                File::G
            } else {
                File::C
            };
            Square::new(file, mv.from.rank())
        } else {
            mv.to
        };
        Move::new(mv.from, to, mv.promotion)
    }

    /// The square on which a pawn may capture en passant.
    #[inline]
    pub(super) fn en_passant_square(&self) -> Option<Square> {
        let us = self.0.side_to_move();
        self.0
            .en_passant()
            .map(|file| Square::new(file, Rank::Third.relative_to(!us)))
    }

    /// The piece that `mv` captures.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        let us = self.0.side_to_move();
        if self.0.colors(!us).has(mv.to()) {
            return self.0.piece_on(mv.to());
        }
        let is_en_passant =
            self.en_passant_square() == Some(mv.to()) && self.0.piece_on(mv.from()) == Some(Piece::Pawn);
        is_en_passant.then_some(Piece::Pawn)
    }

    /// From where to where the rook goes, if `mv` castles.
    #[inline]
    pub fn castling_rook(&self, mv: Move) -> Option<(Square, Square)> {
        let (from, to) = (mv.from(), mv.to());
        let files = to.file() as i8 - from.file() as i8;
        if files.abs() != 2 || self.0.piece_on(from) != Some(Piece::King) {
            return None;
        }
        let rook_from = self.to_inner(mv)?.to;
        let rook_file = if files > 0 { File::F } else { File::D };
        Some((rook_from, Square::new(rook_file, from.rank())))
    }

    /// Fifty moves without a capture or a pawn move, or too little material to mate at all.
    pub(super) fn is_dead_draw(&self) -> bool {
        if self.0.halfmove_clock() >= 100 {
            return true;
        }
        let board = &self.0;
        let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        heavy == BitBoard::EMPTY && board.occupied().len() <= 3
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
