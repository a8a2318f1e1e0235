//! A chess position: `cozy_chess::Board` with our moves and our facts.

use std::fmt;

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};

use super::moves::Move;
use super::{castling, first, validate};
use crate::game::{MoveList, ParseError, Side};

/// A chess position with what is kept beside it for search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    pub(super) inner: cozy_chess::Board,
    /// The kind of the piece on each square; a pawn also where there is none.
    pub(super) kinds: [Piece; Square::NUM],
    /// Is castling written as the king's move onto its rook, and are castling rights files?
    pub(super) is_chess960: bool,
}

/// What a move must leave behind to be taken back.
#[derive(Debug, Clone)]
pub struct Undo {
    /// `cozy-chess` copies its board instead of taking moves back.
    pub(super) inner: cozy_chess::Board,
    moved: Piece,
    stood: Piece,
    /// Did more than the squares of the move change?
    is_special: bool,
}

#[cold]
fn kinds_of(board: &cozy_chess::Board) -> [Piece; Square::NUM] {
    Square::ALL.map(|square| board.piece_on(square).unwrap_or(Piece::Pawn))
}

impl Board {
    /// The position of the crate that knows the rules.
    pub fn inner(&self) -> &cozy_chess::Board {
        &self.inner
    }

    /// Parses `startpos` or a FEN with or without the leading word `fen`.
    ///
    /// Castling rights are those of FEN, X-FEN or Shredder-FEN. The position is one of Chess960 if they name a file, or kings
    /// and rooks that do not stand where they do in chess. More than 100 plies without a capture or a pawn's move count as 100, and
    /// move number 0 as 1.
    pub fn from_fen(text: &str) -> Result<Board, ParseError> {
        let text = text.trim();
        if text == "startpos" {
            return Ok(Board::startpos());
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
        // Games without a claim continue beyond fifty moves, and some programs count moves from zero.
        let plies: Option<u32> = fields.get(4).and_then(|plies| plies.parse().ok());
        if plies.is_some_and(|plies| plies > 100) {
            fields[4] = "100";
        }
        if fields.get(5) == Some(&"0") {
            fields[5] = "1";
        }
        let parse = |fields: &[&str]| {
            let parsed = cozy_chess::Board::from_fen(&fields.join(" "), true);
            parsed.map_err(|error| wrong(&error))
        };
        let Some(rights) = fields.get(2).copied().filter(|rights| *rights != "-") else {
            return Ok(Board::new(parse(&fields)?, false));
        };
        fields[2] = "-";
        let (rights, is_chess960) =
            castling::read(rights, &parse(&fields)?).map_err(|reason| wrong(&reason))?;
        fields[2] = &rights;
        Ok(Board::new(parse(&fields)?, is_chess960))
    }

    fn new(inner: cozy_chess::Board, is_chess960: bool) -> Board {
        Board {
            kinds: kinds_of(&inner),
            inner,
            is_chess960,
        }
    }

    pub(super) fn startpos() -> Board {
        Board::new(cozy_chess::Board::default(), false)
    }

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
        let from = mv.from();
        if let Some(rook) = mv.castling_partner() {
            return self.castling_to_inner(from, rook);
        }
        let promotion = mv.promotion().ok()?;
        let mut to = mv.to();
        if self.inner.pieces(Piece::King).has(from) {
            let files = from.file() as i8 - to.file() as i8;
            if files.abs() == 2 && from.rank() == to.rank() && !self.is_chess960 {
                let rights = self.inner.castle_rights(self.inner.side_to_move());
                let rook_file = if files < 0 { rights.short } else { rights.long };
                to = Square::new(rook_file?, from.rank());
            } else if self.inner.color_on(to) == Some(self.inner.side_to_move()) {
                return None;
            }
        }
        Some(cozy_chess::Move { from, to, promotion })
    }

    #[cold]
    fn castling_to_inner(&self, from: Square, to: Square) -> Option<cozy_chess::Move> {
        let us = self.inner.side_to_move();
        let is_own = |square, piece| self.inner.colored_pieces(us, piece).has(square);
        let castles = self.is_chess960 && is_own(from, Piece::King) && is_own(to, Piece::Rook);
        castles.then_some(cozy_chess::Move {
            from,
            to,
            promotion: None,
        })
    }

    /// A move read without a position: in Chess960 the king's move onto its own rook castles.
    pub(super) fn resolve(&self, mv: Move) -> Move {
        let castling = Move::castling(mv.from(), mv.to());
        if mv.promotion() == Ok(None) && self.to_inner(castling).is_some() {
            castling
        } else {
            mv
        }
    }

    /// The legal castling that `mv` is in the notation of the other kind of chess.
    pub(super) fn castling_by_other_notation(&self, mv: Move) -> Option<Move> {
        let us = self.inner.side_to_move();
        let king = self.king(us);
        let is_rook = self.inner.colored_pieces(us, Piece::Rook).has(mv.to());
        let is_right = |square: Square| square.file() > king.file();
        let mut legal = MoveList::new();
        self.list_all(&mut legal);
        let mut castlings = legal.iter().copied().filter(|castling| {
            let files = castling.to().file() as i8 - king.file() as i8;
            castling.from() == king && (castling.castling_partner().is_some() || files.abs() == 2)
        });
        castlings.find(|castling| {
            let goes_there = castling.to() == mv.to();
            mv.from() == king && (goes_there || is_rook && is_right(mv.to()) == is_right(castling.to()))
        })
    }

    #[cold]
    pub(super) fn our_castling(&self, king: Square, rook: Square) -> Move {
        let castling = Move::castling(king, rook);
        if self.is_chess960 {
            return castling;
        }
        Move::new(king, castling.to(), None)
    }

    /// The square on which a pawn may capture en passant.
    #[inline]
    pub(super) fn en_passant_square(&self) -> Option<Square> {
        let us = self.inner.side_to_move();
        self.inner
            .en_passant()
            .map(|file| Square::new(file, Rank::Third.relative_to(!us)))
    }

    #[inline]
    pub(crate) fn king(&self, color: Color) -> Square {
        first(self.inner.colored_pieces(color, Piece::King))
    }

    /// The kind of the piece on `square`, a pawn also if there is none.
    #[inline]
    pub(crate) fn kind_on(&self, square: Square) -> Piece {
        self.kinds[square as usize]
    }

    /// The kind of the piece that `mv` puts on its destination.
    #[inline]
    pub(crate) fn arriving(&self, mv: Move) -> Piece {
        mv.promoted().unwrap_or_else(|| self.kind_on(mv.from()))
    }

    #[inline]
    pub(super) fn play(&mut self, mv: Move) -> Undo {
        let (from, to) = (mv.from(), mv.to());
        let before = Undo {
            inner: self.inner.clone(),
            moved: self.kinds[from as usize],
            stood: self.kinds[to as usize],
            is_special: self.is_en_passant(mv) || self.castling_rook(mv).is_some(),
        };
        if let Some(mv) = self.to_inner(mv) {
            self.inner.play_unchecked(mv);
        }
        if before.is_special {
            self.kinds = kinds_of(&self.inner);
        } else {
            self.kinds[from as usize] = Piece::Pawn;
            self.kinds[to as usize] = mv.promoted().unwrap_or(before.moved);
        }
        before
    }

    #[inline]
    pub(super) fn pass(&mut self) -> Undo {
        let passed = self.inner.null_move().unwrap_or_else(|| self.inner.clone());
        Undo {
            inner: std::mem::replace(&mut self.inner, passed),
            moved: Piece::Pawn,
            stood: Piece::Pawn,
            is_special: false,
        }
    }

    #[inline]
    pub(super) fn take_back(&mut self, mv: Move, before: Undo) {
        self.inner = before.inner;
        if before.is_special {
            self.kinds = kinds_of(&self.inner);
        } else {
            self.kinds[mv.from() as usize] = before.moved;
            self.kinds[mv.to() as usize] = before.stood;
        }
    }

    #[inline]
    pub(super) fn captures_any(&self, mv: Move) -> bool {
        let us = self.inner.side_to_move();
        self.inner.colors(!us).has(mv.to()) || self.is_en_passant(mv)
    }

    pub(super) fn is_en_passant(&self, mv: Move) -> bool {
        self.inner.en_passant().is_some() && self.takes_en_passant(mv)
    }

    fn takes_en_passant(&self, mv: Move) -> bool {
        self.en_passant_square() == Some(mv.to()) && self.inner.pieces(Piece::Pawn).has(mv.from())
    }

    /// The piece that `mv` captures.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        let us = self.inner.side_to_move();
        if self.inner.colors(!us).has(mv.to()) {
            return Some(self.kind_on(mv.to()));
        }
        self.is_en_passant(mv).then_some(Piece::Pawn)
    }

    /// From where to where the rook goes, if `mv` castles.
    #[inline]
    pub fn castling_rook(&self, mv: Move) -> Option<(Square, Square)> {
        if self.kind_on(mv.from()) != Piece::King {
            return None;
        }
        self.castling_rook_of_king(mv)
    }

    fn castling_rook_of_king(&self, mv: Move) -> Option<(Square, Square)> {
        let (from, to) = (mv.from(), mv.to());
        let files = to.file() as i8 - from.file() as i8;
        let rook_from = match mv.castling_partner() {
            Some(rook) => rook,
            None if files.abs() != 2 => return None,
            None => self.to_inner(mv)?.to,
        };
        let rook_file = if to.file() == File::G { File::F } else { File::D };
        Some((rook_from, Square::new(rook_file, from.rank())))
    }

    /// Fifty moves without a capture or a pawn move, or too little material to mate at all.
    #[inline]
    pub(super) fn is_dead_draw(&self) -> bool {
        if self.inner.halfmove_clock() >= 100 {
            return true;
        }
        let board = &self.inner;
        let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        heavy == BitBoard::EMPTY && self.is_mate_impossible()
    }

    /// Is there a mate by `side` at all, with whatever help? A lone knight needs a piece that shuts its own king in, which a queen
    /// never does; bishops on squares of one colour need a pawn, a knight or a bishop on the other.
    pub(super) fn has_mating_material(&self, side: Side) -> bool {
        let (board, us) = (
            &self.inner,
            match side {
                Side::First => Color::White,
                Side::Second => Color::Black,
            },
        );
        let (own, others) = (board.colors(us), board.colors(!us));
        let [pawns, knights, bishops, rooks, queens, kings] = Piece::ALL.map(|piece| board.pieces(piece));
        if !(own & (pawns | rooks | queens)).is_empty() {
            return true;
        }
        if !(own & knights).is_empty() {
            return own.len() > 2 || !(others & !(kings | queens)).is_empty();
        }
        let are_on_one_color =
            bishops.is_disjoint(BitBoard::DARK_SQUARES) || bishops.is_disjoint(BitBoard::LIGHT_SQUARES);
        !((own & bishops).is_empty() || are_on_one_color && (pawns | knights).is_empty())
    }

    /// Without pawns, rooks and queens: is there no sequence of legal moves to a mate? So it is with one minor piece, and with
    /// bishops alone that stand on squares of one colour, however many there are and whose they are.
    #[cold]
    fn is_mate_impossible(&self) -> bool {
        let board = &self.inner;
        let bishops = board.pieces(Piece::Bishop);
        let are_on_one_color =
            bishops.is_disjoint(BitBoard::DARK_SQUARES) || bishops.is_disjoint(BitBoard::LIGHT_SQUARES);
        board.occupied().len() <= 3 || (are_on_one_color && board.pieces(Piece::Knight).is_empty())
    }

    /// The key by which a position comes again: a pawn's double step counts for nothing where no capture en passant is legal.
    #[inline]
    pub(super) fn repetition_hash(&self) -> u64 {
        if self.inner.en_passant().is_some() && !self.may_capture_en_passant() {
            return self.inner.hash_without_ep();
        }
        self.inner.hash()
    }

    #[cold]
    fn may_capture_en_passant(&self) -> bool {
        let us = self.inner.side_to_move();
        self.en_passant_square().is_some_and(|to| {
            let beside = cozy_chess::get_pawn_attacks(to, !us) & self.inner.colored_pieces(us, Piece::Pawn);
            beside.into_iter().any(|from| {
                let promotion = None;
                self.inner.is_legal(cozy_chess::Move { from, to, promotion })
            })
        })
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_chess960 {
            write!(f, "{:#}", self.inner)
        } else {
            write!(f, "{}", self.inner)
        }
    }
}
