//! Static exchange evaluation of chess.

use cozy_chess::{
    BitBoard, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use super::{Board, Move, first};

/// By piece, pawn to king; Sayuri's material values.
pub(super) const VALUES: [i32; 6] = [100, 400, 400, 600, 1200, 20_000];

impl Board {
    pub(super) fn attackers(&self, square: Square, occupied: BitBoard) -> BitBoard {
        let board = self;
        let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
        let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        (get_pawn_attacks(square, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn))
            | (get_pawn_attacks(square, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn))
            | (get_knight_moves(square) & board.pieces(Piece::Knight))
            | (get_king_moves(square) & board.pieces(Piece::King))
            | (get_bishop_moves(square, occupied) & diagonal)
            | (get_rook_moves(square, occupied) & straight)
    }

    #[inline]
    pub(super) fn gain_of(&self, mv: Move) -> i32 {
        let captured = self.captured(mv).map_or(0, |piece| VALUES[piece as usize]);
        if mv.promotes() {
            return captured + VALUES[mv.promoted_kind() as usize] - VALUES[0];
        }
        captured
    }

    /// Does `mv` win at least `threshold`, if both sides go on capturing on its destination with their least valuable
    /// piece as long as it pays? Pins are ignored.
    #[inline]
    pub(super) fn exchange_wins(&self, mv: Move, threshold: i32) -> bool {
        let mut balance = self.gain_of(mv) - threshold;
        if balance < 0 {
            return false;
        }
        balance -= VALUES[self.arriving(mv) as usize];
        balance >= 0 || self.wins_in_debt(mv, balance)
    }

    /// The same where `mv` alone leaves `balance`, below 0, if the piece that it moves is lost.
    #[inline(never)]
    fn wins_in_debt(&self, mv: Move, mut balance: i32) -> bool {
        let (us, from, to) = (self.turn(), mv.from(), mv.to());
        // Most often a pawn decides at once.
        let pawns = get_pawn_attacks(to, us) & self.colored_pieces(!us, Piece::Pawn);
        if !pawns.is_empty() && balance < -VALUES[0] {
            return false;
        }
        let mut occupied = (self.occupied() ^ from.bitboard()) | to.bitboard();
        if self.is_en_passant(mv) {
            occupied ^= Square::new(to.file(), from.rank()).bitboard();
        }
        let queens = self.pieces(Piece::Queen);
        let diagonal = self.pieces(Piece::Bishop) | queens;
        let straight = self.pieces(Piece::Rook) | queens;
        let mut attackers = self.attackers(to, occupied);
        let (mut side, mut wins) = (us, true);
        loop {
            side = !side;
            attackers &= occupied;
            let own = attackers & self.colors(side);
            if own.is_empty() {
                return wins;
            }
            let is_there = |piece: &Piece| !own.is_disjoint(self.pieces(*piece));
            let piece = Piece::ALL.into_iter().find(is_there).unwrap_or(Piece::King);
            if piece == Piece::King && own != attackers {
                return wins;
            }
            wins = !wins;
            balance = -balance - 1 - VALUES[piece as usize];
            if balance >= 0 {
                return wins;
            }
            occupied ^= first(own & self.pieces(piece)).bitboard();
            // What stood behind may capture next.
            if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen | Piece::King) {
                attackers |= get_bishop_moves(to, occupied) & diagonal;
            }
            if matches!(piece, Piece::Rook | Piece::Queen | Piece::King) {
                attackers |= get_rook_moves(to, occupied) & straight;
            }
        }
    }
}
