//! Where a quiet move acts: what pruning by region judges (SS-Cut and DS-Cut; Hashimoto, Matsubara, Iida, TACOS).
//!
//! The paper leaves details open; ours: an attack move counts from the enemy king to the nearest enemy piece it attacks, a
//! defence move from the own king to the nearest attacked piece it protects or takes away, any other move from its
//! destination to the nearer king. The metric and whether the paper's exempt pieces are left out are the caller's choice.

use super::attacks::attacks_of;
use super::{Bitboard, Board, Kind, Move, Piece, Square};
use crate::game::{Metric, Region, RegionKind, RegionRules};

const fn is_exempt(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::King | Kind::Lance | Kind::Bishop | Kind::Rook | Kind::Horse | Kind::Dragon
    )
}

#[inline]
fn between(metric: Metric, one: Square, other: Square) -> u8 {
    match metric {
        Metric::KingMoves => one.distance(other),
        Metric::Steps => one.file().abs_diff(other.file()) + one.rank().abs_diff(other.rank()),
    }
}

fn nearest(metric: Metric, king: Square, squares: Bitboard) -> Option<u8> {
    squares
        .into_iter()
        .map(|square| between(metric, king, square))
        .min()
}

impl Board {
    /// The region of a quiet move that neither promotes nor gives check; `None` for every other move and for exempt pieces.
    pub(super) fn region_of(&self, mv: Move, rules: RegionRules) -> Option<Region> {
        let (us, them) = (self.side, self.side.opponent());
        let to = mv.to();
        let moving = if mv.is_drop() {
            Piece::new(us, mv.dropped())
        } else {
            self.piece_on(mv.from())
        };
        let is_left_out = rules.exempts && is_exempt(moving.kind());
        if is_left_out || !self.piece_on(to).is_none() || mv.is_promotion() || self.checks(mv) {
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
        if let Some(distance) = nearest(rules.metric, enemy_king, reach & self.pieces(them)) {
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
        if let Some(distance) = nearest(rules.metric, own_king, attacked) {
            return Some(Region {
                kind: RegionKind::Defence,
                distance,
            });
        }
        let to_king = |king| between(rules.metric, king, to);
        let distance = to_king(own_king).min(to_king(enemy_king));
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

    const RULES: RegionRules = RegionRules {
        metric: Metric::KingMoves,
        exempts: true,
    };

    fn region_by(rules: RegionRules, sfen: &str, mv: &str) -> Option<Region> {
        let board = Board::parse(sfen).unwrap();
        board.region_of(board.parse_move(mv).unwrap(), rules)
    }

    fn region(sfen: &str, mv: &str) -> Option<Region> {
        region_by(RULES, sfen, mv)
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

    #[test]
    fn steps_add_files_and_ranks_and_without_exemption_every_piece_is_judged() {
        let sfen = "4k4/9/9/9/9/9/9/9/R3K4 b S 1";
        let steps = RegionRules {
            metric: Metric::Steps,
            ..RULES
        };
        assert_eq!(region_by(steps, sfen, "S*9e"), found(RegionKind::Other, 8));
        let all = RegionRules {
            exempts: false,
            ..RULES
        };
        assert_eq!(region_by(all, sfen, "5i5h"), found(RegionKind::Other, 1));
        assert_eq!(region_by(all, sfen, "9i9h"), found(RegionKind::Other, 4));
    }
}
