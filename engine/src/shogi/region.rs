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

    #[test]
    fn a_move_counts_from_what_it_attacks_or_saves_or_from_its_destination_to_the_king() {
        let [attack, defence, other] = [RegionKind::Attack, RegionKind::Defence, RegionKind::Other];
        // A silver on 6d attacks the golds on 6c and 5c.
        let golds = "4k4/9/3gg4/9/9/9/9/9/4K4 b S 1";
        // The rook on 8e attacks the silver on 8g: a gold beside it protects it, and the silver may step away.
        let saved = "4k4/9/9/9/1r7/9/1S7/9/4K4 b G 1";
        let calm = "4k4/9/9/9/9/9/9/9/4K4 b SP 1";
        let tried = "4k4/9/9/9/4p4/4S4/9/9/R3K4 b GL 1";
        let rook = "4k4/9/9/9/9/9/9/9/R3K4 b S 1";
        let (king_moves, steps) = (Metric::KingMoves, Metric::Steps);
        for (sfen, text, metric, exempts, expected) in [
            (golds, "S*6d", king_moves, true, Some((attack, 2))),
            (golds, "S*7d", king_moves, true, Some((attack, 2))),
            (saved, "G*8h", king_moves, true, Some((defence, 3))),
            (saved, "8g9h", king_moves, true, Some((defence, 3))),
            (calm, "S*9e", king_moves, true, Some((other, 4))),
            (calm, "P*1b", king_moves, true, Some((other, 4))),
            (tried, "5f5e", king_moves, true, None),
            (tried, "G*5b", king_moves, true, None),
            (tried, "9i9h", king_moves, true, None),
            (tried, "L*1h", king_moves, true, None),
            (tried, "5i5h", king_moves, true, None),
            (rook, "S*9e", steps, true, Some((other, 8))),
            (rook, "5i5h", king_moves, false, Some((other, 1))),
            (rook, "9i9h", king_moves, false, Some((other, 4))),
        ] {
            let board = Board::parse(sfen).unwrap();
            let found = board.region_of(board.parse_move(text).unwrap(), RegionRules { metric, exempts });
            assert_eq!(
                found.map(|region| (region.kind, region.distance)),
                expected,
                "{text} in {sfen}"
            );
        }
    }
}
