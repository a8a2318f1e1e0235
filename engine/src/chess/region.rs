//! Where a quiet move acts: what pruning by region judges, carried over from shogi (SS-Cut and DS-Cut; Hashimoto, Matsubara, Iida, TACOS).
//!
//! The kinds and what they are counted from are those of `shogi::region`. Exempt are the king and the pieces that cross the board in one
//! move, as there; so by the paper's rule pawns and knights are judged.

use cozy_chess::{
    BitBoard, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use super::{Board, Move};
use crate::game::{Metric, Region, RegionKind, RegionRules};

const fn is_exempt(piece: Piece) -> bool {
    !matches!(piece, Piece::Pawn | Piece::Knight)
}

#[inline]
fn between(metric: Metric, one: Square, other: Square) -> u8 {
    let files = (one.file() as u8).abs_diff(other.file() as u8);
    let ranks = (one.rank() as u8).abs_diff(other.rank() as u8);
    match metric {
        Metric::KingMoves => files.max(ranks),
        Metric::Steps => files + ranks,
    }
}

fn nearest(metric: Metric, king: Square, squares: BitBoard) -> Option<u8> {
    squares
        .into_iter()
        .map(|square| between(metric, king, square))
        .min()
}

impl Board {
    /// The region of a quiet move that neither promotes, castles nor gives check; `None` for every other move and for exempt pieces.
    pub(super) fn region_of(&self, mv: Move, rules: RegionRules) -> Option<Region> {
        let board = self.inner();
        let us = board.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let piece = Piece::ALL[self.kind_on(from)];
        let is_special = self.captures_any(mv) || mv.promoted().is_some() || self.castling_rook(mv).is_some();
        if (rules.exempts && is_exempt(piece)) || is_special || self.checks(mv) {
            return None;
        }
        let occupied = board.occupied();
        let after = (occupied ^ from.bitboard()) | to.bitboard();
        let reach = match piece {
            Piece::Pawn => get_pawn_attacks(to, us),
            Piece::Knight => get_knight_moves(to),
            Piece::Bishop => get_bishop_moves(to, after),
            Piece::Rook => get_rook_moves(to, after),
            Piece::Queen => get_bishop_moves(to, after) | get_rook_moves(to, after),
            Piece::King => get_king_moves(to),
        };
        let (own_king, enemy_king) = (self.king(us), self.king(!us));
        let region = |kind, distance| Some(Region { kind, distance });
        if let Some(distance) = nearest(rules.metric, enemy_king, reach & board.colors(!us)) {
            return region(RegionKind::Attack, distance);
        }
        let saved = (reach & board.colors(us)) | from.bitboard();
        let is_attacked =
            |square: &Square| !(self.attackers(*square, occupied) & board.colors(!us)).is_empty();
        let attacked: BitBoard = saved.into_iter().filter(is_attacked).collect();
        if let Some(distance) = nearest(rules.metric, own_king, attacked) {
            return region(RegionKind::Defence, distance);
        }
        let to_king = |king| between(rules.metric, king, to);
        region(RegionKind::Other, to_king(own_king).min(to_king(enemy_king)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    fn region(fen: &str, mv: &str, exempts: bool) -> Option<Region> {
        let board = Board::parse(fen).unwrap();
        let rules = RegionRules {
            metric: Metric::KingMoves,
            exempts,
        };
        board.region_of(board.parse_move(mv).unwrap(), rules)
    }

    fn found(kind: RegionKind, distance: u8) -> Option<Region> {
        Some(Region { kind, distance })
    }

    #[test]
    fn an_attack_counts_from_the_enemy_king_to_the_nearest_piece_attacked() {
        // From e4 the knight attacks the rooks on f6 and d6; the king stands on a8.
        let fen = "k7/8/3r1r2/8/8/2N5/8/4K3 w - - 0 1";
        assert_eq!(region(fen, "c3e4", true), found(RegionKind::Attack, 3));
    }

    #[test]
    fn a_defence_counts_from_the_own_king_to_the_nearest_attacked_piece_protected_or_taken_away() {
        let fen = "3r3k/8/8/8/3N4/8/8/K7 w - - 0 1";
        assert_eq!(region(fen, "d4f3", true), found(RegionKind::Defence, 3));
        let fen = "3r3k/8/8/8/3P4/8/7N/K7 w - - 0 1";
        assert_eq!(region(fen, "h2f3", true), found(RegionKind::Defence, 3));
    }

    #[test]
    fn any_other_move_counts_to_the_nearer_king() {
        let fen = "7k/8/8/8/8/8/P7/7K w - - 0 1";
        assert_eq!(region(fen, "a2a3", true), found(RegionKind::Other, 7));
        assert_eq!(region(fen, "h1g1", false), found(RegionKind::Other, 1));
    }

    #[test]
    fn captures_checks_promotions_castling_and_exempt_pieces_are_not_judged() {
        assert_eq!(
            region("7k/8/8/3p4/4P3/8/8/K7 w - - 0 1", "e4d5", true),
            None,
            "capture"
        );
        assert_eq!(
            region("7k/8/8/8/5N2/8/8/K7 w - - 0 1", "f4g6", true),
            None,
            "check"
        );
        assert_eq!(
            region("8/P7/8/8/8/8/8/K6k w - - 0 1", "a7a8n", true),
            None,
            "promotion"
        );
        assert_eq!(
            region("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", false),
            None,
            "castling"
        );
        assert_eq!(region("7k/8/8/8/8/8/8/KR6 w - - 0 1", "b1b2", true), None, "rook");
        assert!(region("7k/8/8/8/8/8/8/KR6 w - - 0 1", "b1b2", false).is_some());
    }
}
