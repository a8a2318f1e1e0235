//! A chess position, from FEN and to FEN, and what can be asked of it.

use std::fmt::{self, Write};

use cozy_chess::{BitBoard, CastleRights, Color, File, Piece, Rank, Square};

use super::movegen::EVERYTHING;
use super::moves::Move;
use super::play::{State, digit};
use super::{castling, each, keys, validate};
use crate::game::{MoveList, ParseError, Side};

/// A chess position with what is kept beside it for search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    pub(super) state: State,
    /// The kind of the piece on each square; a pawn also where there is none.
    pub(super) kinds: [Piece; Square::NUM],
    /// Is castling written as the king's move onto its rook, and are castling rights files?
    pub(super) is_chess960: bool,
}

impl Board {
    /// The squares of all pieces of a kind.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        self.state.pieces[piece as usize]
    }

    /// The squares of a side.
    #[inline]
    pub fn colors(&self, color: Color) -> BitBoard {
        self.state.colors[color as usize]
    }

    /// The squares of a side's pieces of a kind.
    #[inline]
    pub fn colored_pieces(&self, color: Color, piece: Piece) -> BitBoard {
        self.colors(color) & self.pieces(piece)
    }

    /// The squares that are not empty.
    #[inline]
    pub fn occupied(&self) -> BitBoard {
        self.state.occupied()
    }

    /// Whose turn it is.
    #[inline]
    pub fn turn(&self) -> Color {
        self.state.side_to_move
    }

    /// The piece on `square` and whose it is.
    pub fn piece_on(&self, square: Square) -> Option<(Color, Piece)> {
        let color = Color::ALL
            .into_iter()
            .find(|&color| self.colors(color).has(square))?;
        Some((color, self.kind_on(square)))
    }

    /// Has this side a right to castle left?
    #[inline]
    pub fn may_castle(&self, color: Color) -> bool {
        !self
            .state
            .castling
            .is_disjoint(Rank::First.relative_to(color).bitboard())
    }

    /// The files of the rooks that may still castle.
    pub fn castle_rights(&self, color: Color) -> CastleRights {
        let towards = |short| Some(self.castling_rook_towards(color, short)?.file());
        CastleRights {
            short: towards(true),
            long: towards(false),
        }
    }

    /// The square that a pawn's double step has just passed.
    #[inline]
    pub fn en_passant_square(&self) -> Option<Square> {
        self.state.passed
    }

    /// Plies without a capture or a pawn's move, at most 100.
    #[inline]
    pub fn quiet_plies(&self) -> u8 {
        self.state.quiet_plies
    }

    /// Is castling written as the king's move onto its rook?
    pub fn is_chess960(&self) -> bool {
        self.is_chess960
    }

    /// The number of the move, from 1.
    pub fn move_number(&self) -> u16 {
        self.state.move_number
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
        if let 4 | 5 = fields.len() {
            fields.extend(&["0", "1"][fields.len() - 4..]);
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
            return Ok(Board::new(&parse(&fields)?, false));
        };
        fields[2] = "-";
        let (rights, is_chess960) =
            castling::read(rights, &parse(&fields)?).map_err(|reason| wrong(&reason))?;
        fields[2] = &rights;
        Ok(Board::new(&parse(&fields)?, is_chess960))
    }

    fn new(read: &cozy_chess::Board, is_chess960: bool) -> Board {
        let us = read.side_to_move();
        let rooks = |color: Color| {
            let rights = read.castle_rights(color);
            let home = Rank::First.relative_to(color);
            let files = rights.short.into_iter().chain(rights.long);
            files.map(move |file| Square::new(file, home))
        };
        let mut board = Board {
            state: State {
                pieces: Piece::ALL.map(|piece| read.pieces(piece)),
                colors: Color::ALL.map(|color| read.colors(color)),
                material: Color::ALL.map(|color| {
                    let number = |&piece: &Piece| read.colored_pieces(color, piece).len() * digit(piece);
                    Piece::ALL.iter().map(number).sum()
                }),
                key: 0,
                pieces_keys: [0; Color::NUM],
                checkers: read.checkers(),
                castling: Color::ALL.into_iter().flat_map(rooks).collect(),
                side_to_move: us,
                passed: read
                    .en_passant()
                    .map(|file| Square::new(file, Rank::Third.relative_to(!us))),
                quiet_plies: read.halfmove_clock(),
                move_number: read.fullmove_number(),
            },
            kinds: Square::ALL.map(|square| read.piece_on(square).unwrap_or(Piece::Pawn)),
            is_chess960,
        };
        for square in Square::ALL {
            if let Some(color) = read.color_on(square) {
                let kind = board.kinds[square as usize];
                board.state.toggle_key(color, kind, square);
            }
        }
        let castling = |color| rooks(color).map(move |rook| keys::of_castling(color, rook.file()));
        let passed = board.state.passed;
        board.state.key = Color::ALL
            .into_iter()
            .flat_map(castling)
            .chain(passed.map(|square| keys::of_en_passant(square.file())))
            .chain((us == Color::Black).then(keys::of_black_to_move))
            .fold(board.state.key, |key, part| key ^ part);
        board
    }

    pub(super) fn startpos() -> Board {
        Board::new(&cozy_chess::Board::default(), false)
    }

    #[inline]
    pub(super) fn side_of(color: Color) -> Side {
        match color {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }

    /// The rook that may castle to the right of the king, or to its left.
    pub(super) fn castling_rook_towards(&self, color: Color, right: bool) -> Option<Square> {
        let home = Rank::First.relative_to(color).bitboard();
        each(self.state.castling & home).find(|&rook| (rook > self.king(color)) == right)
    }

    /// A move read without a position: in Chess960 the king's move onto its own rook castles.
    pub(super) fn resolve(&self, mv: Move) -> Move {
        let is_own = |square, piece| self.colored_pieces(self.turn(), piece).has(square);
        let castles = is_own(mv.from(), Piece::King) && is_own(mv.to(), Piece::Rook);
        if self.is_chess960 && castles && mv.promotion() == Ok(None) {
            Move::castling(mv.from(), mv.to())
        } else {
            mv
        }
    }

    /// The legal castling that `mv` is in the notation of the other kind of chess.
    pub(super) fn castling_by_other_notation(&self, mv: Move) -> Option<Move> {
        let us = self.turn();
        let king = self.king(us);
        let is_rook = self.colored_pieces(us, Piece::Rook).has(mv.to());
        let is_right = |square: Square| square.file() > king.file();
        let mut legal = MoveList::new();
        self.list::<EVERYTHING>(&mut legal);
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

    #[inline]
    pub(crate) fn king(&self, color: Color) -> Square {
        self.state.king(color)
    }

    /// The kind of the piece on `square`, a pawn also if there is none.
    #[inline]
    pub(crate) fn kind_on(&self, square: Square) -> Piece {
        self.kinds[square as usize]
    }

    /// The kind of the piece that `mv` puts on its destination.
    #[inline]
    pub(crate) fn arriving(&self, mv: Move) -> Piece {
        if mv.promotes() {
            return mv.promoted_kind();
        }
        self.kind_on(mv.from())
    }

    #[inline]
    pub(super) fn captures_any(&self, mv: Move) -> bool {
        let us = self.turn();
        self.colors(!us).has(mv.to()) || self.is_en_passant(mv)
    }

    #[inline]
    pub(crate) fn is_en_passant(&self, mv: Move) -> bool {
        self.state.passed == Some(mv.to()) && self.kind_on(mv.from()) == Piece::Pawn
    }

    /// The piece that `mv` captures.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        let us = self.turn();
        if self.colors(!us).has(mv.to()) {
            return Some(self.kind_on(mv.to()));
        }
        self.is_en_passant(mv).then_some(Piece::Pawn)
    }

    /// From where to where the rook goes, if `mv` castles.
    #[inline]
    pub fn castling_rook(&self, mv: Move) -> Option<(Square, Square)> {
        if self.kind_on(mv.from()) != Piece::King || self.state.castling.is_empty() {
            return None;
        }
        self.castling_rook_of_king(mv)
    }

    fn castling_rook_of_king(&self, mv: Move) -> Option<(Square, Square)> {
        let (from, to) = (mv.from(), mv.to());
        let files = to.file() as i8 - from.file() as i8;
        let rook_from = match mv.castling_partner() {
            Some(rook) => rook,
            None if files.abs() != 2 || self.is_chess960 || from.rank() != to.rank() => return None,
            None => self.castling_rook_towards(self.turn(), files > 0)?,
        };
        let rook_file = if to.file() == File::G { File::F } else { File::D };
        Some((rook_from, Square::new(rook_file, from.rank())))
    }

    /// Fifty moves without a capture or a pawn move, or too little material to mate at all.
    #[inline]
    pub(super) fn is_dead_draw(&self) -> bool {
        if self.quiet_plies() >= 100 {
            return true;
        }
        let board = self;
        let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        heavy == BitBoard::EMPTY && self.is_mate_impossible()
    }

    /// Is there a mate by `side` at all, with whatever help? A lone knight needs a piece that shuts its own king in, which a queen
    /// never does; bishops on squares of one colour need a pawn, a knight or a bishop on the other.
    pub(super) fn has_mating_material(&self, side: Side) -> bool {
        let us = match side {
            Side::First => Color::White,
            Side::Second => Color::Black,
        };
        let (own, others) = (self.colors(us), self.colors(!us));
        let [pawns, knights, bishops, rooks, queens, kings] = self.state.pieces;
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

    /// Is there no sequence of legal moves to a mate?
    #[cold]
    fn is_mate_impossible(&self) -> bool {
        !self.has_mating_material(Side::First) && !self.has_mating_material(Side::Second)
    }

    /// The key by which a position comes again: a pawn's double step counts for nothing where no capture en passant is legal.
    #[inline]
    pub(super) fn repetition_hash(&self) -> u64 {
        match self.state.passed {
            Some(square) if !self.can_capture_en_passant() => {
                self.state.key ^ keys::of_en_passant(square.file())
            }
            _ => self.state.key,
        }
    }

    /// Is there a capture en passant?
    #[cold]
    pub fn can_capture_en_passant(&self) -> bool {
        self.en_passant_captures()
            .is_some_and(|(pawns, _)| !pawns.is_empty())
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_on(Square::new(file, rank)) {
                    None => empty += 1,
                    Some((color, piece)) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                            empty = 0;
                        }
                        f.write_char(cased(color, piece.into()))?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank > Rank::First {
                f.write_char('/')?;
            }
        }
        write!(f, " {} ", self.turn())?;
        for color in Color::ALL {
            for (right, letter) in [(true, 'k'), (false, 'q')] {
                if let Some(rook) = self.castling_rook_towards(color, right) {
                    let letter = if self.is_chess960 {
                        rook.file().into()
                    } else {
                        letter
                    };
                    f.write_char(cased(color, letter))?;
                }
            }
        }
        if self.state.castling.is_empty() {
            f.write_char('-')?;
        }
        match self.state.passed {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.quiet_plies(), self.move_number())
    }
}

fn cased(color: Color, letter: char) -> char {
    match color {
        Color::White => letter.to_ascii_uppercase(),
        Color::Black => letter,
    }
}
