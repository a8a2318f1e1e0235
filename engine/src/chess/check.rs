//! Whether a move gives check, without making it.

use cozy_chess::{
    BitBoard, Color, Piece, Square, get_between_rays, get_bishop_moves, get_bishop_rays, get_knight_moves,
    get_line_rays, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

use super::{Board, Move};

/// By colour and square of a king and kind of piece: from where the piece gives check, if nothing stands between.
pub(super) static CHECKING: [[[BitBoard; Piece::NUM]; Square::NUM]; Color::NUM] = {
    let mut all = [[[BitBoard::EMPTY; Piece::NUM]; Square::NUM]; Color::NUM];
    let mut index = 0;
    while index < Color::NUM * Square::NUM {
        let (color, king) = (Color::ALL[index / Square::NUM], Square::ALL[index % Square::NUM]);
        let (diagonal, straight) = (get_bishop_rays(king), get_rook_rays(king));
        all[color as usize][king as usize] = [
            get_pawn_attacks(king, color),
            get_knight_moves(king),
            diagonal,
            straight,
            BitBoard(diagonal.0 | straight.0),
            BitBoard::EMPTY,
        ];
        index += 1;
    }
    all
};

impl Board {
    #[inline]
    pub(super) fn checks(&self, mv: Move) -> bool {
        let enemy = !self.turn();
        let (from, to, king) = (mv.from(), mv.to(), self.king(enemy));
        if self.checks_by_mover(mv) {
            return true;
        }
        let checking = &CHECKING[enemy as usize][king as usize];
        let arriving = self.arriving(mv);
        if checking[Piece::Queen as usize].has(from) && self.uncovers(from, to, king) {
            return true;
        }
        let may_be_special = arriving == Piece::King || self.state.passed == Some(to);
        may_be_special && self.checks_specially(mv)
    }

    /// Does the moved piece itself attack the enemy king?
    #[inline]
    pub(super) fn checks_by_mover(&self, mv: Move) -> bool {
        let enemy = !self.turn();
        let (to, king) = (mv.to(), self.king(enemy));
        CHECKING[enemy as usize][king as usize][self.arriving(mv) as usize].has(to)
            && get_between_rays(to, king).is_disjoint(self.occupied() ^ mv.from().bitboard())
    }

    /// Does a move check that castles or captures en passant?
    #[inline(never)]
    fn checks_specially(&self, mv: Move) -> bool {
        (self.is_en_passant(mv) || self.castling_rook(mv).is_some()) && self.checks_when_played(mv)
    }

    /// Does a piece that leaves `from`, on a line with the king, for `to` open the line?
    #[inline(never)]
    fn uncovers(&self, from: Square, to: Square, king: Square) -> bool {
        let is_straight = get_rook_rays(king).has(from);
        let slider = if is_straight { Piece::Rook } else { Piece::Bishop };
        let sliders = self.colors(self.turn()) & (self.pieces(slider) | self.pieces(Piece::Queen));
        let line = get_line_rays(king, from);
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

    #[cold]
    #[inline(never)]
    fn checks_when_played(&self, mv: Move) -> bool {
        let mut after = self.clone();
        after.play(mv, None);
        !after.state.checkers.is_empty()
    }
}
