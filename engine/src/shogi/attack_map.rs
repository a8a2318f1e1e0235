//! The squares that the pieces of a side attack.

use super::attacks::{bishop_attacks, king_attacks, lance_attacks, rook_attacks};
use super::{Bitboard, Board, Kind, Square, Steps};
use crate::game::Side;

/// What a side attacks: by pawns, by these and lances and knights, by all these and silvers and golds (and what moves like one), by any piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttackMap {
    pub(crate) pawns: Bitboard,
    pub(crate) small: Bitboard,
    pub(crate) generals: Bitboard,
    pub(crate) all: Bitboard,
    /// By two pieces or more.
    pub(crate) twice: Bitboard,
}

impl Board {
    /// The squares of lances and costlier pieces of either side, without kings, that a cheaper piece of `map` attacks.
    #[inline]
    pub(crate) fn attacked_by_cheaper(&self, map: &AttackMap) -> Bitboard {
        let of = |kind: Kind| self.kinds[kind.index()];
        (of(Kind::Lance) | of(Kind::Knight)) & map.pawns
            | (of(Kind::Silver) | self.golds) & map.small
            | (of(Kind::Bishop) | of(Kind::Horse) | of(Kind::Rook) | of(Kind::Dragon)) & map.generals
    }

    /// Calls `each` on every bishop and rook of `side`, promoted or not, with what it attacks.
    #[inline]
    pub(crate) fn majors(&self, side: Side, mut each: impl FnMut(Kind, Bitboard)) {
        let occupied = self.occupied();
        let mut of = |kind: Kind, attacks: fn(Square, Bitboard) -> Bitboard| {
            let pieces = self.kinds[kind.index()] | self.kinds[kind.promoted().index()];
            (self.sides[side.index()] & pieces).for_each(|square| {
                let mut reach = attacks(square, occupied);
                if self.piece_on(square).kind_index() != kind.index() {
                    reach |= king_attacks(square);
                }
                each(kind, reach);
            });
        };
        of(Kind::Bishop, bishop_attacks);
        of(Kind::Rook, rook_attacks);
    }

    /// What `side` attacks if its `steps` are known; its [`majors`](Board::majors) are told to `each_major`.
    #[inline]
    pub(crate) fn attack_map(
        &self,
        side: Side,
        steps: &Steps,
        mut each_major: impl FnMut(Kind, Bitboard),
    ) -> AttackMap {
        let (own, occupied) = (self.sides[side.index()], self.occupied());
        let of = |kind: Kind| own & self.kinds[kind.index()];
        let (mut all, mut twice) = (steps.all, steps.twice);
        let mut add = |attacks: Bitboard| {
            twice |= all & attacks;
            all |= attacks;
        };
        let pawns = match side {
            Side::First => of(Kind::Pawn).up(),
            Side::Second => of(Kind::Pawn).down(),
        };
        add(pawns);
        // Lances stop at each other, so their attacks never overlap. `down_to` works towards rank i only.
        let lances = match side {
            Side::First => {
                let mut lances = Bitboard::EMPTY;
                of(Kind::Lance).for_each(|square| lances |= lance_attacks(side, square, occupied));
                lances
            }
            Side::Second => of(Kind::Lance).down_to(occupied),
        };
        add(lances);
        self.majors(side, |kind, reach| {
            add(reach);
            each_major(kind, reach);
        });
        let small = pawns | lances | steps.by_knights;
        AttackMap {
            pawns,
            small,
            generals: small | steps.by_generals,
            all,
            twice,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{MoveList, Position};
    use crate::shogi::StepTable;

    #[test]
    fn a_map_has_what_the_pieces_attack_one_by_one() {
        let mut board = Board::start();
        let mut random = 7_u64;
        let mut table = StepTable::default();
        for _ in 0..400 {
            for side in [Side::First, Side::Second] {
                let map = board.attack_map(side, table.of(&board, side), |_, _| {});
                for square in Square::all() {
                    let attackers = board.attackers(square, side, board.occupied());
                    assert_eq!(map.all.has(square), attackers.non_empty(), "{board:?} {square:?}");
                    assert_eq!(
                        map.twice.has(square),
                        attackers.is_several(),
                        "{board:?} {square:?}"
                    );
                    let of = |kind: Kind| board.kinds[kind.index()];
                    let cheap = of(Kind::Pawn) | of(Kind::Lance) | of(Kind::Knight);
                    assert_eq!(
                        map.small.has(square),
                        attackers.meets(cheap),
                        "{board:?} {square:?}"
                    );
                }
            }
            let mut list = MoveList::new();
            board.legal(&mut list);
            if list.is_empty() {
                board = Board::start();
                continue;
            }
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            board.make(list[(random >> 33) as usize % list.len()]);
        }
    }
}
