//! The legality ladder: from any bit pattern to pseudo-legal, from pseudo-legal to legal.

use super::attacks::{
    between, bishop_attacks, king_attacks, line_through, pseudo, pseudo_by_kind, rook_attacks, squares_within,
};
use super::{Bitboard, Board, Kind, Move, Piece, Square};
use crate::game::{EarlyTests, Side};

/// What the tests of all moves of a position share.
#[derive(Debug, Clone, Copy)]
pub struct CheckInfo {
    /// Pieces of the side to move that may not leave the line to their own king.
    pinned: Bitboard,
    /// Pieces of the side to move that give check by leaving the line to the enemy king.
    discoverers: Bitboard,
}

impl CheckInfo {
    #[inline]
    pub(super) fn new(board: &Board) -> Self {
        let (us, them) = (board.side, board.side.opponent());
        let occupied = board.occupied();
        CheckInfo {
            pinned: board.pinned(us, occupied),
            discoverers: board.blockers(board.king(them), us, occupied) & board.pieces(us),
        }
    }
}

impl Board {
    /// Does any piece of `side` attack `square`, on a board with these squares occupied?
    #[inline]
    pub(crate) fn is_attacked(&self, square: Square, side: Side, occupied: Bitboard) -> bool {
        if self.steppers_on(square, side).non_empty() {
            return true;
        }
        for slider in self.aligned_sliders(square, side) {
            if !between(square, slider).meets(occupied) {
                return true;
            }
        }
        false
    }

    /// The squares next to `center` that `side` attacks, on a board with these squares occupied.
    pub(super) fn attacked_around(&self, center: Square, side: Side, occupied: Bitboard) -> Bitboard {
        let around = king_attacks(center);
        let own = self.sides[side.index()];
        let of = |kind: Kind| own & self.kinds[kind.index()];
        let near = squares_within(center, 2);
        let mut attacked = match side {
            Side::First => of(Kind::Pawn).up(),
            Side::Second => of(Kind::Pawn).down(),
        };
        let majors = of(Kind::Horse) | of(Kind::Dragon);
        ((of(Kind::King) | majors) & near).for_each(|square| attacked |= king_attacks(square));
        let generals = (of(Kind::Silver) | own & self.golds) & near;
        let knights = of(Kind::Knight) & squares_within(center, 3);
        (generals | knights).for_each(|square| attacked |= pseudo(self.piece_on(square), square));
        let mut slide = |kind: Kind, sliders: Bitboard, attacks: fn(Square, Bitboard) -> Bitboard| {
            sliders.for_each(|square| {
                let on_lines = pseudo_by_kind(side, square)[kind.index()] & around;
                if on_lines.non_empty() {
                    attacked |= attacks(square, occupied) & on_lines;
                }
            });
        };
        slide(Kind::Rook, of(Kind::Rook) | of(Kind::Dragon), rook_attacks);
        slide(Kind::Bishop, of(Kind::Bishop) | of(Kind::Horse), bishop_attacks);
        slide(Kind::Lance, of(Kind::Lance), rook_attacks);
        attacked & around
    }

    /// Pieces of `side` that attack `square` by a step or a jump.
    #[inline]
    fn steppers_on(&self, square: Square, side: Side) -> Bitboard {
        // A piece of ours attacks the square if a piece of the opponent's, standing there, would attack it.
        let row = pseudo_by_kind(side.opponent(), square);
        let seen = |kind: Kind| row[kind.index()];
        let kinds = &self.kinds;
        self.sides[side.index()]
            & (kinds[Kind::Pawn.index()] & seen(Kind::Pawn)
                | kinds[Kind::Knight.index()] & seen(Kind::Knight)
                | kinds[Kind::Silver.index()] & seen(Kind::Silver)
                | self.golds & seen(Kind::Gold)
                | (kinds[Kind::King.index()] | kinds[Kind::Horse.index()] | kinds[Kind::Dragon.index()])
                    & seen(Kind::King))
    }

    /// Pieces of `side` that attack `square`, on a board with these squares occupied.
    #[inline]
    pub(crate) fn attackers(&self, square: Square, side: Side, occupied: Bitboard) -> Bitboard {
        let mut attackers = self.steppers_on(square, side);
        for slider in self.aligned_sliders(square, side) {
            if !between(square, slider).meets(occupied) {
                attackers |= Bitboard::of(slider);
            }
        }
        attackers
    }

    /// Pieces of `side` that may not leave the line to their own king.
    #[inline]
    pub(super) fn pinned(&self, side: Side, occupied: Bitboard) -> Bitboard {
        self.blockers(self.king(side), side.opponent(), occupied) & self.sides[side.index()]
    }

    /// Pieces that each stand alone between `king` and a slider of `side`.
    #[inline]
    fn blockers(&self, king: Square, side: Side, occupied: Bitboard) -> Bitboard {
        let mut alone = Bitboard::EMPTY;
        for slider in self.aligned_sliders(king, side) {
            let blockers = between(king, slider) & occupied;
            if !blockers.is_several() {
                alone |= blockers;
            }
        }
        alone
    }

    /// The first step of the ladder: could a generator have made these bits here? (See [`Position::is_pseudo_legal`].)
    ///
    /// [`Position::is_pseudo_legal`]: crate::game::Position::is_pseudo_legal
    pub(super) fn could_generate(&self, mv: Move) -> bool {
        let Some(to) = Square::new(mv.to_index()) else {
            return false;
        };
        if mv.is_drop() {
            self.could_drop(mv, to)
        } else {
            self.could_move(mv, to)
        }
    }

    fn could_drop(&self, mv: Move, to: Square) -> bool {
        let code = mv.origin_index();
        if mv.is_promotion() || !(1..=7).contains(&code) {
            return false;
        }
        let kind = mv.dropped();
        if !self.hand(self.side).has(kind) || !self.piece_on(to).is_none() || is_dead(kind, self.side, to) {
            return false;
        }
        if kind == Kind::Pawn && !self.pieces_of(self.side, Kind::Pawn).empty_files().has(to) {
            return false;
        }
        self.checkers.is_empty()
            || !self.checkers.is_several() && between(self.king(self.side), self.checkers.first()).has(to)
    }

    fn could_move(&self, mv: Move, to: Square) -> bool {
        let Some(from) = Square::new(mv.origin_index()) else {
            return false;
        };
        let piece = self.piece_on(from);
        if piece.is_none() || piece.side() != self.side || self.sides[self.side.index()].has(to) {
            return false;
        }
        let kind = piece.kind();
        if mv.is_promotion() {
            let in_zone = from.relative_rank(self.side) < 3 || to.relative_rank(self.side) < 3;
            if !kind.can_promote() || !in_zone {
                return false;
            }
        } else if is_dead(kind, self.side, to) {
            return false;
        }
        if !pseudo(piece, from).has(to) || between(from, to).meets(self.occupied()) {
            return false;
        }
        if self.checkers.is_empty() || kind == Kind::King {
            return true;
        }
        !self.checkers.is_several() && {
            let checker = self.checkers.first();
            to == checker || between(self.king(self.side), checker).has(to)
        }
    }

    /// The second step of the ladder: no suicide, no drop-pawn mate. The move must be pseudo-legal.
    pub(super) fn survives(&self, mv: Move) -> bool {
        self.survives_by(mv, &CheckInfo::new(self))
    }

    #[inline(always)]
    pub(super) fn survives_by(&self, mv: Move, info: &CheckInfo) -> bool {
        if mv.is_drop() {
            return mv.dropped() != Kind::Pawn || !self.is_drop_pawn_mate(mv.to());
        }
        let (from, king) = (mv.from(), self.king(self.side));
        if from == king {
            return !self.is_attacked_without_king(mv.to());
        }
        !info.pinned.has(from) || line_through(king, from).has(mv.to())
    }

    #[inline(never)]
    fn is_attacked_without_king(&self, to: Square) -> bool {
        let without_king = self.occupied() ^ Bitboard::of(self.king(self.side));
        self.is_attacked(to, self.side.opponent(), without_king)
    }

    /// Is the pseudo-legal move one that the `early` tests alone judge?
    #[inline(always)]
    pub(super) fn is_tested(&self, mv: Move, early: EarlyTests) -> bool {
        if mv.is_drop() {
            early.drops && mv.dropped() == Kind::Pawn
        } else if mv.from() == self.king(self.side) {
            if self.checkers.is_empty() {
                early.kings
            } else {
                early.king_evasions
            }
        } else {
            early.pins
        }
    }

    #[inline]
    pub(super) fn is_drop_pawn_mate(&self, to: Square) -> bool {
        let them = self.side.opponent();
        let king = self.king(them);
        pseudo_by_kind(self.side, to)[Kind::Pawn.index()].has(king) && self.is_pawn_check_mate(to, king)
    }

    #[cold]
    fn is_pawn_check_mate(&self, to: Square, king: Square) -> bool {
        let (us, them) = (self.side, self.side.opponent());
        let occupied = self.occupied() | Bitboard::of(to);
        // The pawn may itself cut a line of ours: everything is judged with it on the board.
        let without_king = occupied ^ Bitboard::of(king);
        let escapes = king_attacks(king) & !self.sides[them.index()];
        if escapes
            .into_iter()
            .any(|square| !self.is_attacked(square, us, without_king))
        {
            return false;
        }
        let pinned = self.pinned(them, occupied);
        let capturers = self.attackers(to, them, occupied) & !Bitboard::of(king);
        !capturers
            .into_iter()
            .any(|square| !pinned.has(square) || line_through(king, square).has(to))
    }

    /// Does the pseudo-legal move check the enemy king?
    #[inline(always)]
    pub(super) fn checks(&self, mv: Move, info: &CheckInfo) -> bool {
        if self.checks_by_mover(mv) {
            return true;
        }
        if mv.is_drop() {
            return false;
        }
        let (from, king) = (mv.from(), self.king(self.side.opponent()));
        info.discoverers.has(from) && !line_through(king, from).has(mv.to())
    }

    /// Does the moved or dropped piece itself attack the enemy king?
    #[inline(always)]
    pub(super) fn checks_by_mover(&self, mv: Move) -> bool {
        let (us, to) = (self.side, mv.to());
        let king = self.king(us.opponent());
        let sees = |piece: Piece| pseudo(piece.opposite(), king).has(to);
        if mv.is_drop() {
            return sees(mv.dropped_by(us)) && !between(to, king).meets(self.occupied());
        }
        let from = mv.from();
        sees(mv.arriving(self.piece_on(from)))
            && !between(to, king).meets(self.occupied() ^ Bitboard::of(from))
    }
}

#[inline]
pub(super) fn is_dead(kind: Kind, side: Side, to: Square) -> bool {
    match kind {
        Kind::Pawn | Kind::Lance => to.relative_rank(side) == 0,
        Kind::Knight => to.relative_rank(side) < 2,
        _ => false,
    }
}
