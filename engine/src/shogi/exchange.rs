//! Static exchange evaluation: what a series of captures on one square is worth.

use super::attacks::{between, line_through, pseudo_by_kind};
use super::{Bitboard, Board, Kind, Move, Square};
use crate::game::Side;

/// Value by kind code of a piece on the board.
pub(super) const VALUES: [i32; Kind::COUNT] = [
    0, 90, 310, 400, 490, 850, 990, 540, 15_000, 540, 540, 540, 540, 950, 1300, 0,
];

/// By kind code: kinds of less worth capture first, golds after what moves like one.
const ORDER: [u8; Kind::COUNT] = [0, 1, 2, 3, 4, 10, 12, 9, 14, 5, 6, 7, 8, 11, 13, 0];

impl Board {
    /// The fixed values of the pieces of `side`, those in hand included.
    pub(crate) fn material(&self, side: Side) -> i32 {
        let pieces = self.occupied().into_iter().map(|square| self.piece_on(square));
        let own = pieces.filter(|piece| piece.side() == side);
        let hand = Kind::HAND.map(|kind| self.hand(side).count(kind) as i32 * VALUES[kind.index()]);
        own.map(|piece| VALUES[piece.kind_index()]).sum::<i32>() + hand.iter().sum::<i32>()
    }

    #[inline]
    pub(super) fn gain_of(&self, mv: Move) -> i32 {
        if mv.is_drop() {
            return 0;
        }
        let captured = VALUES[self.piece_on(mv.to()).kind_index()];
        if mv.is_promotion() {
            let kind = self.piece_on(mv.from()).kind();
            captured + VALUES[kind.promoted().index()] - VALUES[kind.index()]
        } else {
            captured
        }
    }

    #[inline]
    pub(super) fn value_of_mover(&self, mv: Move) -> i32 {
        let kind = if mv.is_drop() {
            mv.dropped().index()
        } else {
            self.piece_on(mv.from()).kind_index()
        };
        VALUES[kind]
    }

    /// Does `mv` win at least `threshold`, if both sides go on capturing on its destination with their least valuable
    /// piece as long as it pays? Pinned attackers count as long as their pinner stands; promotions by recapture are ignored.
    pub(super) fn exchange_wins(&self, mv: Move, threshold: i32) -> bool {
        let to = mv.to();
        let mut balance = self.gain_of(mv) - threshold;
        if balance < 0 {
            return false;
        }
        let moved = if mv.is_promotion() {
            VALUES[self.piece_on(mv.from()).kind().promoted().index()]
        } else {
            self.value_of_mover(mv)
        };
        balance -= moved;
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.occupied() | Bitboard::of(to);
        if !mv.is_drop() {
            occupied ^= Bitboard::of(mv.from());
        }
        let us = self.side;
        let mut attackers = self.attackers(to, us.opponent(), occupied);
        if attackers.is_empty() {
            return true;
        }
        // Our own ones are looked for once they matter: most often the first capture decides.
        let (mut side, mut wins, mut is_first) = (us, true, true);
        loop {
            side = side.opponent();
            attackers &= occupied;
            let mut own = attackers & self.pieces(side);
            if own.is_empty() {
                return wins;
            }
            if let Some(pinned) = self.pinned_attackers(own, side, occupied, to) {
                own ^= pinned;
            }
            let king = Bitboard::of(self.king(side));
            let Some((from, kind)) = self.least_valuable(own & !king) else {
                // Only the king is left to capture: it may do so if nothing can capture it.
                if is_first {
                    attackers |= self.attackers(to, us, occupied) & occupied;
                }
                return wins ^ (own.meets(king) && !attackers.meets(self.pieces(side.opponent())));
            };
            wins = !wins;
            balance = -balance - 1 - VALUES[kind.index()];
            if balance >= 0 {
                return wins;
            }
            occupied ^= Bitboard::of(from);
            // Another slider may have stood behind the capturer.
            let line = line_through(to, from);
            if line.non_empty() {
                attackers |= self.sliders_on(to, side, line, occupied);
            }
            if is_first {
                attackers |= self.attackers(to, us, occupied);
            } else if line.non_empty() {
                attackers |= self.sliders_on(to, side.opponent(), line, occupied);
            }
            is_first = false;
        }
    }

    #[inline]
    fn least_valuable(&self, pieces: Bitboard) -> Option<(Square, Kind)> {
        let mut least = None;
        pieces.for_each(|square| {
            let kind = self.piece_on(square).kind();
            if least.is_none_or(|(_, other): (Square, Kind)| ORDER[kind.index()] < ORDER[other.index()]) {
                least = Some((square, kind));
            }
        });
        least
    }

    /// Those of `attackers` that may not leave their line to the king for `to`.
    #[inline]
    fn pinned_attackers(
        &self,
        attackers: Bitboard,
        side: Side,
        occupied: Bitboard,
        to: Square,
    ) -> Option<Bitboard> {
        let king = self.king(side);
        let seen = pseudo_by_kind(side, king);
        if !attackers.meets(seen[Kind::Rook.index()] | seen[Kind::Bishop.index()]) {
            return None;
        }
        let mut pinned = Bitboard::EMPTY;
        for slider in self.aligned_sliders(king, side.opponent()) & occupied {
            let blockers = between(king, slider) & occupied;
            if !blockers.is_several() && blockers.meets(attackers) && !line_through(king, slider).has(to) {
                pinned |= blockers;
            }
        }
        pinned.non_empty().then_some(pinned & attackers)
    }
}
