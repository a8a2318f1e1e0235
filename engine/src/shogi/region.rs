//! Where a quiet move acts: what pruning by region judges (SS-Cut and DS-Cut; Hashimoto, Matsubara, Iida, TACOS).
//!
//! The paper leaves details open; ours: an attack move counts from the enemy king to the nearest enemy piece it attacks, a
//! defence move from the own king to the nearest attacked piece it protects or takes away, any other move from its
//! destination to the nearer king. The metric and whether the paper's exempt pieces are left out are the caller's choice.

use super::attacks::attacks_of;
use super::{Bitboard, Board, Kind, Move, Piece, Square};
use crate::game::{Metric, Position, Region, RegionKind, RegionRules};

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
        if is_left_out || !self.piece_on(to).is_none() || mv.is_promotion() || self.gives_check(mv) {
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
        let region = |kind, distance| Some(Region { kind, distance });
        let near = |king| move |square| between(rules.metric, king, square);
        if let Some(distance) = (reach & self.pieces(them)).map(near(enemy_king)).min() {
            return region(RegionKind::Attack, distance);
        }
        let mut saved = reach & self.pieces(us);
        if !mv.is_drop() {
            saved |= Bitboard::of(mv.from());
        }
        let attacked = saved.filter(|&square| self.is_attacked(square, them, occupied));
        if let Some(distance) = attacked.map(near(own_king)).min() {
            return region(RegionKind::Defence, distance);
        }
        region(RegionKind::Other, near(own_king)(to).min(near(enemy_king)(to)))
    }
}
