//! Where a quiet move acts: what pruning by region judges, carried over from shogi (SS-Cut and DS-Cut; Hashimoto, Matsubara, Iida, TACOS).
//!
//! The kinds and what they are counted from are those of `shogi::region`. Exempt are the king and the pieces that cross the board in one
//! move, as there; so by the paper's rule pawns and knights are judged.

use cozy_chess::{
    Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
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

impl Board {
    /// The region of a quiet move that neither promotes, castles nor gives check; `None` for every other move and for exempt pieces.
    pub(super) fn region_of(&self, mv: Move, rules: RegionRules) -> Option<Region> {
        let board = self;
        let us = board.turn();
        let (from, to) = (mv.from(), mv.to());
        let piece = self.kind_on(from);
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
        let near = |king| move |square| between(rules.metric, king, square);
        let attacks = reach & board.colors(!us);
        if let Some(distance) = attacks.into_iter().map(near(enemy_king)).min() {
            return region(RegionKind::Attack, distance);
        }
        let saved = (reach & board.colors(us)) | from.bitboard();
        let is_attacked =
            |square: &Square| !(self.attackers(*square, occupied) & board.colors(!us)).is_empty();
        let attacked = saved.into_iter().filter(is_attacked);
        if let Some(distance) = attacked.map(near(own_king)).min() {
            return region(RegionKind::Defence, distance);
        }
        region(RegionKind::Other, near(own_king)(to).min(near(enemy_king)(to)))
    }
}
