//! Where a quiet move acts: what pruning by region judges (SS-Cut and DS-Cut; Hashimoto, Matsubara, Iida, TACOS).
//!
//! In: a [`Board`] and a legal move. Out: the kind of move and its distance. Must not: decide what is pruned.
//!
//! The paper leaves details open; ours: an attack move counts from the enemy king to the nearest enemy piece it attacks, a
//! defence move from the own king to the nearest attacked piece it protects or takes away, any other move from its
//! destination to the nearer king. Distances are king moves.

use super::attacks::attacks_of;
use super::bitboard::Bitboard;
use super::board::Board;
use super::moves::Move;
use super::piece::{Kind, Piece};
use super::square::Square;
use crate::game::{Region, RegionKind};

/// King and fast pieces are never judged.
const fn is_exempt(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::King | Kind::Lance | Kind::Bishop | Kind::Rook | Kind::Horse | Kind::Dragon
    )
}

fn nearest(king: Square, squares: Bitboard) -> Option<u8> {
    squares.into_iter().map(|square| king.distance(square)).min()
}

impl Board {
    /// The region of a quiet move that gives no check; `None` for every other move and for exempt pieces.
    pub(super) fn region_of(&self, mv: Move) -> Option<Region> {
        let (us, them) = (self.side, self.side.opponent());
        let to = mv.to();
        let moving = if mv.is_drop() {
            Piece::new(us, mv.dropped())
        } else {
            self.piece_on(mv.from())
        };
        if is_exempt(moving.kind()) || !self.piece_on(to).is_none() || mv.is_promotion() || self.checks(mv) {
            return None;
        }
        let (own_king, enemy_king) = (self.king(us), self.king(them));
        let occupied = self.occupied();
        let after = if mv.is_drop() {
            occupied
        } else {
            occupied ^ Bitboard::of(mv.from())
        } | Bitboard::of(to);
        let reach = attacks_of(moving, to, after);
        if let Some(distance) = nearest(enemy_king, reach & self.pieces(them)) {
            return Some(Region {
                kind: RegionKind::Attack,
                distance,
            });
        }
        let mut saved = reach & self.pieces(us);
        if !mv.is_drop() {
            saved |= Bitboard::of(mv.from());
        }
        let attacked: Bitboard = saved
            .into_iter()
            .filter(|&square| self.is_attacked(square, them, occupied))
            .collect();
        if let Some(distance) = nearest(own_king, attacked) {
            return Some(Region {
                kind: RegionKind::Defence,
                distance,
            });
        }
        let distance = own_king.distance(to).min(enemy_king.distance(to));
        Some(Region {
            kind: RegionKind::Other,
            distance,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    fn region(sfen: &str, mv: &str) -> Option<Region> {
        let board = Board::parse(sfen).unwrap();
        board.region_of(board.parse_move(mv).unwrap())
    }

    fn found(kind: RegionKind, distance: u8) -> Option<Region> {
        Some(Region { kind, distance })
    }

    #[test]
    fn an_attack_counts_from_the_enemy_king_to_the_nearest_piece_attacked() {
        // A silver on 6d attacks the golds on 6c and 5c.
        let sfen = "4k4/9/3gg4/9/9/9/9/9/4K4 b S 1";
        assert_eq!(region(sfen, "S*6d"), found(RegionKind::Attack, 2));
        assert_eq!(region(sfen, "S*7d"), found(RegionKind::Attack, 2));
    }

    #[test]
    fn a_defence_counts_from_the_own_king_to_the_piece_it_saves() {
        // The rook on 8e attacks the silver on 8g: a gold beside it protects it, and the silver may step away.
        let sfen = "4k4/9/9/9/1r7/9/1S7/9/4K4 b G 1";
        assert_eq!(region(sfen, "G*8h"), found(RegionKind::Defence, 3));
        assert_eq!(region(sfen, "8g9h"), found(RegionKind::Defence, 3));
    }

    #[test]
    fn any_other_move_counts_from_its_destination_to_the_nearer_king() {
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 b SP 1";
        assert_eq!(region(sfen, "S*9e"), found(RegionKind::Other, 4));
        assert_eq!(region(sfen, "P*1b"), found(RegionKind::Other, 4));
    }

    #[test]
    fn captures_checks_promotions_and_fast_pieces_are_not_judged() {
        let sfen = "4k4/9/9/9/4p4/4S4/9/9/R3K4 b GL 1";
        assert_eq!(region(sfen, "5f5e"), None, "capture");
        assert_eq!(region(sfen, "G*5b"), None, "check");
        assert_eq!(region(sfen, "9i9h"), None, "rook");
        assert_eq!(region(sfen, "L*1h"), None, "lance");
        assert_eq!(region(sfen, "5i5h"), None, "king");
    }
}
