//! Legal moves: listed by class, counted, and told of any bits.

use cozy_chess::{
    BitBoard, Color, File, Piece, Rank, Square, get_between_rays, get_bishop_moves, get_king_moves,
    get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_moves,
};

use super::{Board, Move, each, first};
use crate::game::MoveList;

/// Captures, and promotions to a queen.
pub(super) const CAPTURES: u8 = 0;
/// All that is not in `CAPTURES`.
pub(super) const QUIETS: u8 = 1;
pub(super) const EVERYTHING: u8 = 2;

const UNDERPROMOTIONS: [Piece; 3] = [Piece::Knight, Piece::Bishop, Piece::Rook];

#[inline]
fn attacks(piece: Piece, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        _ => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
    }
}

/// The squares one step before `squares`.
#[inline]
fn forward(squares: BitBoard, us: Color) -> BitBoard {
    BitBoard(match us {
        Color::White => squares.0 << 8,
        Color::Black => squares.0 >> 8,
    })
}

/// What pawns on `squares` attack towards file a, and towards file h.
#[inline]
pub(crate) fn pawn_attacks(squares: BitBoard, us: Color) -> [BitBoard; 2] {
    let (left, right) = (squares & !File::A.bitboard(), squares & !File::H.bitboard());
    match us {
        Color::White => [BitBoard(left.0 << 7), BitBoard(right.0 << 9)],
        Color::Black => [BitBoard(left.0 >> 9), BitBoard(right.0 >> 7)],
    }
}

impl Board {
    /// Where pieces other than the king may go: against a check between or onto the piece that gives it.
    #[inline]
    fn targets(&self) -> BitBoard {
        let (us, checkers) = (self.turn(), self.state.checkers);
        let answers = if checkers.is_empty() {
            BitBoard::FULL
        } else if super::has_two(checkers) {
            BitBoard::EMPTY
        } else {
            get_between_rays(first(checkers), self.king(us)) | checkers
        };
        answers & !self.colors(us)
    }

    /// What stands alone between the king and an enemy slider, whosever it is.
    #[inline]
    fn pinned(&self) -> BitBoard {
        let (king, occupied) = (self.king(self.turn()), self.occupied());
        let mut pinned = BitBoard::EMPTY;
        for slider in each(self.state.aligned_sliders()) {
            let between = get_between_rays(slider, king) & occupied;
            if !super::has_two(between) {
                pinned |= between;
            }
        }
        pinned
    }

    /// The line that a pinned piece on `from` must not leave.
    #[inline]
    fn pin_line(&self, from: Square) -> BitBoard {
        get_line_rays(self.king(self.turn()), from)
    }

    /// The line that a piece on `from` must not leave, if it is pinned.
    #[inline]
    fn line(&self, from: Square) -> BitBoard {
        if self.pinned().has(from) {
            self.pin_line(from)
        } else {
            BitBoard::FULL
        }
    }

    /// Steps of the pawns on `squares`, one or two forward.
    #[inline]
    fn pawn_steps(&self, squares: BitBoard) -> [BitBoard; 2] {
        let (us, empty) = (self.turn(), !self.occupied());
        let one = forward(squares, us) & empty;
        let third = Rank::Third.relative_to(us).bitboard();
        [one, forward(one & third, us) & empty]
    }

    #[inline]
    fn pawn_moves(&self, from: Square) -> BitBoard {
        let us = self.turn();
        let [one, two] = self.pawn_steps(from.bitboard());
        get_pawn_attacks(from, us) & self.colors(!us) | one | two
    }

    /// The pawns that may capture en passant, and where to.
    #[inline]
    pub(super) fn en_passant_captures(&self) -> Option<(BitBoard, Square)> {
        let to = self.state.passed?;
        Some((self.en_passant_capturers(to), to))
    }

    #[cold]
    fn en_passant_capturers(&self, to: Square) -> BitBoard {
        let us = self.turn();
        let (king, theirs) = (self.king(us), self.colors(!us));
        let diagonal = theirs & (self.pieces(Piece::Bishop) | self.pieces(Piece::Queen));
        let straight = theirs & (self.pieces(Piece::Rook) | self.pieces(Piece::Queen));
        let captured = forward(to.bitboard(), !us);
        let is_safe = |from: &Square| {
            let occupied = self.occupied() ^ captured ^ from.bitboard() | to.bitboard();
            get_bishop_moves(king, occupied).is_disjoint(diagonal)
                && get_rook_moves(king, occupied).is_disjoint(straight)
        };
        let beside = get_pawn_attacks(to, !us) & self.colored_pieces(us, Piece::Pawn);
        each(beside).filter(is_safe).collect()
    }

    /// What the opponent attacks, also through the king of the side to move.
    #[inline]
    pub(super) fn attacked(&self) -> BitBoard {
        let (us, them) = (self.turn(), !self.turn());
        let of = |piece: Piece| self.colored_pieces(them, piece);
        let others = self.occupied() ^ self.colored_pieces(us, Piece::King);
        let [left, right] = pawn_attacks(of(Piece::Pawn), them);
        let mut attacked = left | right | get_king_moves(self.king(them));
        for knight in each(of(Piece::Knight)) {
            attacked |= get_knight_moves(knight);
        }
        for slider in each(of(Piece::Bishop) | of(Piece::Queen)) {
            attacked |= get_bishop_moves(slider, others);
        }
        for slider in each(of(Piece::Rook) | of(Piece::Queen)) {
            attacked |= get_rook_moves(slider, others);
        }
        attacked
    }

    /// The squares that the king passes to castle with `rook`, if nothing but an attack on them prevents it.
    fn castling_path(&self, rook: Square) -> Option<BitBoard> {
        let king = self.king(self.turn());
        let [king_file, rook_file] = if rook > king {
            [File::G, File::F]
        } else {
            [File::C, File::D]
        };
        let [king_to, rook_to] = [king_file, rook_file].map(|file| Square::new(file, king.rank()));
        let path = get_between_rays(king, king_to) | king_to.bitboard();
        let empty = path | get_between_rays(king, rook) | rook_to.bitboard();
        let others = self.occupied() ^ king.bitboard() ^ rook.bitboard();
        let is_open = self.state.checkers.is_empty() && others.is_disjoint(empty);
        (is_open && !self.pinned().has(rook)).then_some(path)
    }

    fn can_castle(&self, rook: Square) -> bool {
        self.castling_path(rook)
            .is_some_and(|path| path.is_disjoint(self.attacked()))
    }

    /// The king's moves to `targets`, castling as its move onto the rook.
    #[inline]
    fn king_moves<const CASTLES: bool>(&self, targets: BitBoard) -> BitBoard {
        let us = self.turn();
        let mut attacked = None;
        let mut moves = get_king_moves(self.king(us)) & targets;
        if !moves.is_empty() {
            moves &= !*attacked.insert(self.attacked());
        }
        if CASTLES {
            let home = Rank::First.relative_to(us).bitboard();
            for rook in each(self.state.castling & home) {
                if let Some(path) = self.castling_path(rook)
                    && path.is_disjoint(*attacked.get_or_insert_with(|| self.attacked()))
                {
                    moves |= rook.bitboard();
                }
            }
        }
        moves
    }

    #[inline]
    pub(super) fn list<const CLASS: u8>(&self, list: &mut MoveList<Move>) {
        let us = self.turn();
        let (theirs, occupied, pinned) = (self.colors(!us), self.occupied(), self.pinned());
        let class = match CLASS {
            CAPTURES => theirs,
            QUIETS => !theirs,
            _ => BitBoard::FULL,
        };
        let all = self.targets();
        if !all.is_empty() {
            let last = Rank::Eighth.relative_to(us).bitboard();
            // Of many pawns few can capture, and those in front of another cannot move on.
            let pawns = self.colored_pieces(us, Piece::Pawn);
            let capturing = pawn_attacks(theirs, !us);
            let stepping = forward(!occupied, !us);
            let able = pawns
                & match CLASS {
                    CAPTURES => capturing[0] | capturing[1] | stepping & forward(last, !us),
                    QUIETS => stepping | (capturing[0] | capturing[1]) & forward(last, !us),
                    _ => stepping | capturing[0] | capturing[1],
                };
            for from in each(able & !pinned) {
                list_pawn::<CLASS>(list, from, self.pawn_moves(from) & all, class, last);
            }
            for from in each(able & pinned) {
                let to = self.pawn_moves(from) & all & self.pin_line(from);
                list_pawn::<CLASS>(list, from, to, class, last);
            }
            if CLASS != QUIETS
                && let Some((pawns, to)) = self.en_passant_captures()
            {
                list.extend(each(pawns).map(|from| Move::new(from, to, None)));
            }
            let targets = all & class;
            for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                let pieces = self.colored_pieces(us, piece);
                for from in each(pieces & !pinned) {
                    list_piece(list, from, attacks(piece, from, occupied) & targets);
                }
                for from in each(pieces & pinned) {
                    list_piece(
                        list,
                        from,
                        attacks(piece, from, occupied) & targets & self.pin_line(from),
                    );
                }
            }
        }
        self.list_king::<CLASS>(list, class & !self.colors(us));
    }

    #[inline]
    fn list_king<const CLASS: u8>(&self, list: &mut MoveList<Move>, targets: BitBoard) {
        let us = self.turn();
        let king = self.king(us);
        let moves = if CLASS == CAPTURES {
            self.king_moves::<false>(targets)
        } else {
            self.king_moves::<true>(targets)
        };
        for to in each(moves) {
            list.push(if self.colors(us).has(to) {
                self.our_castling(king, to)
            } else {
                Move::new(king, to, None)
            });
        }
    }

    /// The number of legal moves.
    pub(super) fn count(&self) -> usize {
        let us = self.turn();
        let (theirs, occupied, pinned) = (self.colors(!us), self.occupied(), self.pinned());
        let last = Rank::Eighth.relative_to(us).bitboard();
        let number = |to: BitBoard| to.len() + 3 * (to & last).len();
        let mut count = self.king_moves::<true>(!self.colors(us)).len();
        let all = self.targets();
        if all.is_empty() {
            return count as usize;
        }
        let pawns = self.colored_pieces(us, Piece::Pawn);
        let free = pawns & !pinned;
        let [one, two] = self.pawn_steps(free);
        let [left, right] = pawn_attacks(free, us).map(|attacked| number(attacked & theirs & all));
        count += left + right + number(one & all) + (two & all).len();
        for from in each(pawns & pinned) {
            count += number(self.pawn_moves(from) & all & self.pin_line(from));
        }
        if let Some((pawns, _)) = self.en_passant_captures() {
            count += pawns.len();
        }
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let pieces = self.colored_pieces(us, piece);
            for from in each(pieces & !pinned) {
                count += (attacks(piece, from, occupied) & all).len();
            }
            if piece != Piece::Knight {
                for from in each(pieces & pinned) {
                    count += (attacks(piece, from, occupied) & all & self.pin_line(from)).len();
                }
            }
        }
        count as usize
    }

    /// Is `mv`, of any bits, a legal move?
    pub(super) fn allows(&self, mv: Move) -> bool {
        let (us, from, to) = (self.turn(), mv.from(), mv.to());
        if !self.colors(us).has(from) {
            return false;
        }
        let piece = self.kind_on(from);
        if let Some(rook) = mv.castling_partner() {
            let is_right = self.is_chess960 && self.state.castling.has(rook);
            return is_right && piece == Piece::King && rook.rank() == from.rank() && self.can_castle(rook);
        }
        let Ok(promotion) = mv.promotion() else {
            return false;
        };
        if piece == Piece::Pawn {
            if promotion.is_some() != (to.rank() == Rank::Eighth.relative_to(us)) {
                return false;
            }
            return match self.en_passant_captures().filter(|(_, square)| *square == to) {
                Some((pawns, _)) if get_pawn_attacks(from, us).has(to) => pawns.has(from),
                _ => (self.pawn_moves(from) & self.targets() & self.line(from)).has(to),
            };
        }
        if promotion.is_some() {
            return false;
        }
        if piece != Piece::King {
            return (attacks(piece, from, self.occupied()) & self.targets() & self.line(from)).has(to);
        }
        match self.castling_rook(mv) {
            Some((rook, _)) => self.can_castle(rook),
            None => (get_king_moves(from) & !self.colors(us)).has(to) && !self.attacked().has(to),
        }
    }
}

#[inline]
fn list_piece(list: &mut MoveList<Move>, from: Square, targets: BitBoard) {
    for to in each(targets) {
        list.push(Move::new(from, to, None));
    }
}

#[inline]
fn list_pawn<const CLASS: u8>(
    list: &mut MoveList<Move>,
    from: Square,
    to: BitBoard,
    class: BitBoard,
    last: BitBoard,
) {
    if last.is_disjoint(to) {
        list_piece(list, from, to & class);
        return;
    }
    for to in each(to) {
        if CLASS != CAPTURES {
            list.extend(UNDERPROMOTIONS.map(|piece| Move::new(from, to, Some(piece))));
        }
        if CLASS != QUIETS {
            list.push(Move::new(from, to, Some(Piece::Queen)));
        }
    }
}
