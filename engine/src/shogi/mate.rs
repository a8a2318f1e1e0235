//! Mate in one ply, without making every move.
//!
//! Looked at are checks from the squares next to the enemy king and checks by knights, dropped or moved. Sets of squares
//! sort out what cannot mate; what is left is made and its evasions counted. Missed are checks from afar, mates by
//! discovery alone, drop-pawn mates (illegal anyway) and moves out of check.

use super::attacks::{attacks_of, king_attacks, pseudo, pseudo_by_kind};
use super::legality::is_dead;
use super::{Bitboard, Board, Kind, Move, Piece, Square};
use crate::game::Side;

/// No piece next to a king takes more other squares from it than this (a dragon beside it: five).
const FLIGHTS_MAX: u32 = 5;

/// The dropped kinds that mate by an adjacent check, likeliest first.
const DROPS: [Kind; 5] = [Kind::Gold, Kind::Silver, Kind::Rook, Kind::Bishop, Kind::Lance];

struct Net<'a> {
    board: &'a Board,
    us: Side,
    king: Square,
    occupied: Bitboard,
    /// Squares that the king may go to.
    flights: Bitboard,
    /// Squares next to the king, without a piece of ours, that we attack and from which a piece could take all flights.
    guarded: Bitboard,
}

impl Board {
    /// A move that mates at once by a check from next to the enemy king or by a knight; `None` if none is found. `own_attacks` is what
    /// the side to move attacks, if that is known.
    pub(super) fn adjacent_mate(&self, own_attacks: Option<Bitboard>) -> Option<Move> {
        if self.checkers.non_empty() {
            return None;
        }
        let net = Net::around(self, own_attacks)?;
        net.mating_drop().or_else(|| net.mating_move())
    }
}

impl<'a> Net<'a> {
    /// `None` if the king has more flights than any check takes.
    #[inline]
    fn around(board: &'a Board, own_attacks: Option<Bitboard>) -> Option<Self> {
        let us = board.side;
        let king = board.king(us.opponent());
        let occupied = board.occupied();
        let enemy = board.pieces(us.opponent());
        let around = king_attacks(king);
        let attacked = match own_attacks {
            Some(all) => {
                debug_assert_eq!(all & around, board.attacked_around(king, us, occupied));
                all & around
            }
            None => board.attacked_around(king, us, occupied),
        };
        let flights = around & !attacked & !enemy;
        if flights.count() > FLIGHTS_MAX {
            return None;
        }
        let mut guarded = Bitboard::EMPTY;
        attacked.without(board.pieces(us)).for_each(|square| {
            // No piece takes more than a dragon and a horse in one.
            let seen = pseudo_by_kind(us, square);
            let taken = seen[Kind::Dragon.index()] | seen[Kind::Horse.index()] | Bitboard::of(square);
            if flights.without(taken).is_empty() {
                guarded |= Bitboard::of(square);
            }
        });
        Some(Net {
            board,
            us,
            king,
            occupied,
            flights,
            guarded,
        })
    }

    /// Squares from which a piece of this kind of ours, if nothing is between, attacks the king.
    fn checking(&self, kind: Kind) -> Bitboard {
        pseudo_by_kind(self.us.opponent(), self.king)[kind.index()]
    }

    fn mating_drop(&self) -> Option<Move> {
        let hand = self.board.hand(self.us);
        let empty = !self.occupied;
        let mates = |kind: Kind, targets: Bitboard| {
            (targets & empty)
                .into_iter()
                .filter(|&to| self.may_mate(Piece::new(self.us, kind), to, Bitboard::EMPTY))
                .map(|to| Move::drop(kind, to))
                .find(|&mv| self.is_mate(mv))
        };
        if self.guarded.meets(empty) {
            let found = DROPS
                .into_iter()
                .filter(|&kind| hand.has(kind))
                .find_map(|kind| mates(kind, self.checking(kind) & self.guarded));
            if found.is_some() {
                return found;
            }
        }
        if hand.has(Kind::Knight) {
            return mates(Kind::Knight, self.checking(Kind::Knight));
        }
        None
    }

    fn mating_move(&self) -> Option<Move> {
        for to in self.guarded {
            let movers = self.board.attackers(to, self.us, self.occupied);
            for from in movers & !Bitboard::of(self.board.king(self.us)) {
                if let Some(mv) = self.mating_arrival(from, to) {
                    return Some(mv);
                }
            }
        }
        let knights = self.board.pieces_of(self.us, Kind::Knight);
        if knights.is_empty() {
            return None;
        }
        for to in self.checking(Kind::Knight) & !self.board.pieces(self.us) {
            for from in knights & pseudo_by_kind(self.us.opponent(), to)[Kind::Knight.index()] {
                let mv = Move::board(from, to, false);
                if self.may_mate(Piece::new(self.us, Kind::Knight), to, Bitboard::of(from))
                    && self.is_mate(mv)
                {
                    return Some(mv);
                }
            }
        }
        None
    }

    /// The move from `from` to `to`, next to the king, that mates; promoted if it can be.
    fn mating_arrival(&self, from: Square, to: Square) -> Option<Move> {
        let moving = self.board.piece_on(from);
        let kind = moving.kind();
        let left = Bitboard::of(from);
        let can_promote =
            kind.can_promote() && (from.relative_rank(self.us) < 3 || to.relative_rank(self.us) < 3);
        let dominated = can_promote && matches!(kind, Kind::Pawn | Kind::Bishop | Kind::Rook);
        let plain = !dominated && !is_dead(kind, self.us, to);
        [(true, can_promote), (false, plain)]
            .into_iter()
            .filter(|&(_, is_possible)| is_possible)
            .map(|(promotes, _)| Move::board(from, to, promotes))
            .find(|&mv| {
                let piece = mv.arriving(moving);
                pseudo(piece, to).has(self.king)
                    && self.may_mate(piece, to, left)
                    && (self.board.attackers(to, self.us, self.occupied & !left) & !left).non_empty()
                    && self.is_mate(mv)
            })
    }

    #[inline]
    fn may_mate(&self, piece: Piece, to: Square, left: Bitboard) -> bool {
        let them = self.us.opponent();
        let king = Bitboard::of(self.king);
        let after = self.occupied & !left | Bitboard::of(to);
        let taken = attacks_of(piece, to, after & !king) | Bitboard::of(to);
        if (self.flights & !taken).non_empty() {
            return false;
        }
        let capturers = self.board.attackers(to, them, after) & !king;
        capturers.is_empty() || (capturers & !self.board.pinned(them, after)).is_empty()
    }

    /// Is the pseudo-legal move legal, and is there no answer to it?
    fn is_mate(&self, mv: Move) -> bool {
        if !self.board.survives(mv) {
            return false;
        }
        let mut after = self.board.clone();
        after.play(mv, after.next_key(mv), None);
        after.checkers.non_empty() && after.count_moves() == 0
    }
}
