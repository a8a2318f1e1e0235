//! Whether a move gives check, without making it.

use cozy_chess::{
    Piece, Square, get_between_rays, get_bishop_moves, get_bishop_rays, get_knight_moves, get_line_rays,
    get_pawn_attacks, get_rook_moves, get_rook_rays,
};

use super::{Board, Move};

impl Board {
    #[inline]
    pub(super) fn checks(&self, mv: Move) -> bool {
        let board = &self.inner;
        let us = board.side_to_move();
        let (from, to, king) = (mv.from(), mv.to(), self.king(!us));
        let occupied = (board.occupied() ^ from.bitboard()) | to.bitboard();
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
        let board = &self.inner;
        let lines = get_bishop_rays(king) | get_rook_rays(king);
        if !lines.has(from) || get_line_rays(king, from).has(to) {
            return false;
        }
        let ours = board.colors(board.side_to_move()) & !from.bitboard();
        let occupied = (board.occupied() ^ from.bitboard()) | to.bitboard();
        let queens = board.pieces(Piece::Queen);
        let diagonal = ours & (board.pieces(Piece::Bishop) | queens);
        let straight = ours & (board.pieces(Piece::Rook) | queens);
        !((get_bishop_moves(king, occupied) & diagonal) | (get_rook_moves(king, occupied) & straight))
            .is_empty()
    }

    fn king_move_checks(&self, mv: Move, king: Square) -> bool {
        if self.castling_rook(mv).is_some() {
            return self.checks_when_played(mv);
        }
        self.uncovers(mv.from(), mv.to(), king)
    }

    #[cold]
    fn checks_when_played(&self, mv: Move) -> bool {
        let mut after = self.inner.clone();
        if let Some(mv) = self.to_inner(mv) {
            after.play_unchecked(mv);
        }
        !after.checkers().is_empty()
    }
}
