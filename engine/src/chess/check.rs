//! Whether a move gives check, without making it.

use cozy_chess::{
    Piece, Square, get_between_rays, get_bishop_moves, get_bishop_rays, get_knight_moves, get_line_rays,
    get_pawn_attacks, get_rook_moves, get_rook_rays,
};

use super::{Board, Move};

impl Board {
    #[inline]
    pub(super) fn checks(&self, mv: Move) -> bool {
        let us = self.turn();
        let (from, to, king) = (mv.from(), mv.to(), self.king(!us));
        let occupied = (self.occupied() ^ from.bitboard()) | to.bitboard();
        let on_ray =
            |rays: cozy_chess::BitBoard| rays.has(to) && (get_between_rays(to, king) & occupied).is_empty();
        let is_direct = match self.arriving(mv) {
            Piece::Pawn => get_pawn_attacks(king, !us).has(to),
            Piece::Knight => get_knight_moves(king).has(to),
            Piece::Bishop => on_ray(get_bishop_rays(king)),
            Piece::Rook => on_ray(get_rook_rays(king)),
            Piece::Queen => on_ray(get_bishop_rays(king) | get_rook_rays(king)),
            Piece::King => return self.king_move_checks(mv, king),
        };
        is_direct || self.uncovers(from, to, king) || (self.is_en_passant(mv) && self.checks_when_played(mv))
    }

    /// Does a piece that leaves `from` for `to` open a line to the king?
    #[inline]
    fn uncovers(&self, from: Square, to: Square, king: Square) -> bool {
        let is_straight = get_rook_rays(king).has(from);
        if !(is_straight || get_bishop_rays(king).has(from)) {
            return false;
        }
        let line = get_line_rays(king, from);
        let slider = if is_straight { Piece::Rook } else { Piece::Bishop };
        let sliders = self.colors(self.turn()) & (self.pieces(slider) | self.pieces(Piece::Queen));
        let behind = (line & sliders) & !from.bitboard();
        if behind.is_empty() || line.has(to) {
            return false;
        }
        let occupied = (self.occupied() ^ from.bitboard()) | to.bitboard();
        let seen = if is_straight {
            get_rook_moves(king, occupied)
        } else {
            get_bishop_moves(king, occupied)
        };
        !seen.is_disjoint(behind)
    }

    fn king_move_checks(&self, mv: Move, king: Square) -> bool {
        if self.castling_rook(mv).is_some() {
            return self.checks_when_played(mv);
        }
        self.uncovers(mv.from(), mv.to(), king)
    }

    #[cold]
    fn checks_when_played(&self, mv: Move) -> bool {
        let mut after = self.clone();
        after.play(mv);
        !after.state.checkers.is_empty()
    }
}
