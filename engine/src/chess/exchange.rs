//! Static exchange evaluation of chess.

use cozy_chess::{
    BitBoard, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use super::{Board, Move};

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
        let promoted = mv
            .promoted()
            .map_or(0, |piece| VALUES[piece as usize] - VALUES[0]);
        captured + promoted
    }

    /// Does `mv` win at least `threshold`, if both sides go on capturing on its destination with their least valuable
    /// piece as long as it pays? Pins are ignored.
    pub(super) fn exchange_wins(&self, mv: Move, threshold: i32) -> bool {
        let board = self;
        let (from, to) = (mv.from(), mv.to());
        let mut balance = self.gain_of(mv) - threshold;
        if balance < 0 {
            return false;
        }
        let kind = self.kind_on(from);
        balance -= VALUES[mv.promoted().unwrap_or(kind) as usize];
        if balance >= 0 {
            return true;
        }
        let mut occupied = (board.occupied() ^ from.bitboard()) | to.bitboard();
        if self.en_passant_square() == Some(to) && kind == Piece::Pawn {
            occupied ^= Square::new(to.file(), from.rank()).bitboard();
        }
        let mut side = board.turn();
        let mut wins = true;
        loop {
            side = !side;
            let attackers = self.attackers(to, occupied) & occupied;
            let own = attackers & board.colors(side);
            let Some(piece) = Piece::ALL
                .into_iter()
                .find(|&piece| !(own & board.pieces(piece)).is_empty())
            else {
                return wins;
            };
            if piece == Piece::King && !(attackers & board.colors(!side)).is_empty() {
                return wins;
            }
            wins = !wins;
            balance = -balance - 1 - VALUES[piece as usize];
            if balance >= 0 {
                return wins;
            }
            let capturing = (own & board.pieces(piece)).0;
            occupied ^= BitBoard(capturing & capturing.wrapping_neg());
        }
    }
}
