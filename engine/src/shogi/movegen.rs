//! One generator for all classes of moves, working on whole sets of destinations.
//!
//! The wanted class, whether dominated moves are left out and whether only legal moves are made are constants, so that
//! each use compiles to its own straight code. Search lists with the same function that `perft` counts with.

use super::attacks::{
    between, bishop_attacks, king_attacks, lance_attacks, line_through, pseudo_by_kind, rook_attacks,
};
use super::{Bitboard, Board, Kind, Move, Square};
use crate::game::{MoveList, Side};

pub(super) const CAPTURES: u8 = 0;
/// All that is not in `CAPTURES`.
pub(super) const QUIETS: u8 = 1;
pub(super) const EVERYTHING: u8 = 2;

/// No test of legality: pseudo-legal moves.
pub(super) const UNTESTED: u8 = 0;
/// Pinned pieces stay on their line.
pub(super) const PINS: u8 = 1;
/// The king does not step into an attack.
pub(super) const KING: u8 = 2;
/// A dropped pawn does not mate.
pub(super) const PAWN_MATE: u8 = 4;
/// All tests: legal moves.
pub(super) const LEGAL: u8 = PINS | KING | PAWN_MATE;

pub(super) trait Sink {
    fn piece(&mut self, from: Square, plain: Bitboard, promoted: Bitboard);
    fn pawns(&mut self, side: Side, plain: Bitboard, promoted: Bitboard);
    fn drops(&mut self, kind: Kind, targets: Bitboard);
}

impl Sink for MoveList<Move> {
    #[inline]
    fn piece(&mut self, from: Square, plain: Bitboard, promoted: Bitboard) {
        promoted.for_each(|to| self.push(Move::board(from, to, true)));
        plain.for_each(|to| self.push(Move::board(from, to, false)));
    }

    #[inline]
    fn pawns(&mut self, side: Side, plain: Bitboard, promoted: Bitboard) {
        let origin = |to: Square| match side {
            Side::First => Square::new_unchecked(to.index() as u8 + 1),
            Side::Second => Square::new_unchecked(to.index() as u8 - 1),
        };
        promoted.for_each(|to| self.push(Move::board(origin(to), to, true)));
        plain.for_each(|to| self.push(Move::board(origin(to), to, false)));
    }

    fn drops(&mut self, kind: Kind, targets: Bitboard) {
        targets.for_each(|to| self.push(Move::drop(kind, to)));
    }
}

#[derive(Default)]
pub(super) struct Counter(pub(super) usize);

impl Sink for Counter {
    fn piece(&mut self, _: Square, plain: Bitboard, promoted: Bitboard) {
        self.0 += (plain.count() + promoted.count()) as usize;
    }

    fn pawns(&mut self, _: Side, plain: Bitboard, promoted: Bitboard) {
        self.0 += (plain.count() + promoted.count()) as usize;
    }

    fn drops(&mut self, _: Kind, targets: Bitboard) {
        self.0 += targets.count() as usize;
    }
}

/// The last rank of a side, its last two and its last three.
const fn last_ranks(side: Side) -> [Bitboard; 3] {
    let [one, two, three] = match side {
        Side::First => [Bitboard::rank(0), Bitboard::rank(1), Bitboard::rank(2)],
        Side::Second => [Bitboard::rank(8), Bitboard::rank(7), Bitboard::rank(6)],
    };
    [one, one.union(two), one.union(two).union(three)]
}

const LAST_RANKS: [[Bitboard; 3]; 2] = [last_ranks(Side::First), last_ranks(Side::Second)];

/// The three ranks where a side promotes, by side.
pub(super) const CAMPS: [Bitboard; 2] = [LAST_RANKS[0][2], LAST_RANKS[1][2]];

impl Board {
    /// Generates `CLASS` (when not in check) or all evasions (when in check).
    ///
    /// `ALL`: dominated non-promotions too. `TESTS`: which tests of legality are made.
    #[inline]
    pub(super) fn generate<const CLASS: u8, const ALL: bool, const TESTS: u8>(&self, sink: &mut impl Sink) {
        match self.side {
            Side::First => Generator::<CLASS, ALL, TESTS, true>::new(self).run(sink),
            Side::Second => Generator::<CLASS, ALL, TESTS, false>::new(self).run(sink),
        }
    }
}

impl Board {
    pub(super) fn count_moves(&self) -> usize {
        let mut counter = Counter::default();
        self.generate::<EVERYTHING, true, LEGAL>(&mut counter);
        counter.0
    }
}

struct Generator<'a, const CLASS: u8, const ALL: bool, const TESTS: u8, const FIRST: bool> {
    board: &'a Board,
    own: Bitboard,
    occupied: Bitboard,
    king: Square,
    pinned: Bitboard,
}

impl<'a, const CLASS: u8, const ALL: bool, const TESTS: u8, const FIRST: bool>
    Generator<'a, CLASS, ALL, TESTS, FIRST>
{
    const US: Side = if FIRST { Side::First } else { Side::Second };
    const LAST: [Bitboard; 3] = LAST_RANKS[Self::US as usize];
    const ZONE: Bitboard = Self::LAST[2];

    #[inline]
    fn new(board: &'a Board) -> Self {
        let occupied = board.occupied();
        let pinned = if TESTS & PINS != 0 {
            board.pinned(Self::US, occupied)
        } else {
            Bitboard::EMPTY
        };
        Generator {
            board,
            own: board.pieces(Self::US),
            occupied,
            king: board.king(Self::US),
            pinned,
        }
    }

    #[inline]
    fn run(&self, sink: &mut impl Sink) {
        let checkers = self.board.checkers;
        let empty = !self.occupied;
        if checkers.non_empty() {
            self.king_moves(!self.own, sink);
            if !checkers.is_several() {
                let block = between(self.king, checkers.first());
                let targets = block | checkers;
                self.pawns(targets, targets, sink);
                self.pieces(targets, sink);
                self.drops(block, sink);
            }
            return;
        }
        let enemy = self.board.pieces(Self::US.opponent());
        let targets = match CLASS {
            CAPTURES => enemy,
            QUIETS => empty,
            _ => !self.own,
        };
        match CLASS {
            CAPTURES => self.pawns(enemy, enemy | empty, sink),
            QUIETS => self.pawns(empty, Bitboard::EMPTY, sink),
            _ => self.pawns(targets, targets, sink),
        }
        self.pieces(targets, sink);
        self.king_moves(targets, sink);
        if CLASS != CAPTURES {
            self.drops(empty, sink);
        }
    }

    /// Pawns without promotion to `plain`, with promotion to `promoted`, as far as rules and dominance allow.
    #[inline]
    fn pawns(&self, plain: Bitboard, promoted: Bitboard, sink: &mut impl Sink) {
        let pawns = self.board.kinds[Kind::Pawn.index()] & self.own;
        // A pawn pinned on its file may still advance.
        let pawns = if TESTS & PINS != 0 && self.pinned.non_empty() {
            pawns & (!self.pinned | Bitboard::file(self.king.file()))
        } else {
            pawns
        };
        let to = if FIRST { pawns.up() } else { pawns.down() };
        let stays = if ALL { !Self::LAST[0] } else { !Self::ZONE };
        sink.pawns(Self::US, to & plain & stays, to & promoted & Self::ZONE);
    }

    #[inline]
    fn restrict(&self, from: Square, attacks: Bitboard) -> Bitboard {
        if TESTS & PINS != 0 && self.pinned.has(from) {
            attacks & line_through(self.king, from)
        } else {
            attacks
        }
    }

    /// Tells `list` each of `pieces` with its destinations, if it has any.
    #[inline(always)]
    fn each(
        &self,
        pieces: Bitboard,
        targets: Bitboard,
        attacks: impl Fn(Square) -> Bitboard,
        mut list: impl FnMut(Square, Bitboard),
    ) {
        (pieces & self.own).for_each(|from| {
            let to = attacks(from) & targets;
            if to.non_empty() {
                list(from, self.restrict(from, to));
            }
        });
    }

    #[inline]
    fn pieces(&self, targets: Bitboard, sink: &mut impl Sink) {
        let of = |kind: Kind| self.board.kinds[kind.index()];
        let step = |kind: Kind| move |from: Square| pseudo_by_kind(Self::US, from)[kind.index()];
        let lance = |from: Square| lance_attacks(Self::US, from, self.occupied);
        let bishop = |from: Square| bishop_attacks(from, self.occupied);
        let rook = |from: Square| rook_attacks(from, self.occupied);
        self.each(of(Kind::Lance), targets, lance, |from, to| {
            let stays = if ALL { !Self::LAST[0] } else { !Self::LAST[1] };
            sink.piece(from, to & stays, to & Self::ZONE);
        });
        self.each(of(Kind::Knight), targets, step(Kind::Knight), |from, to| {
            sink.piece(from, to & !Self::LAST[1], to & Self::ZONE);
        });
        self.each(of(Kind::Silver), targets, step(Kind::Silver), |from, to| {
            sink.piece(from, to, self.promotions(from, to));
        });
        self.each(self.board.golds, targets, step(Kind::Gold), |from, to| {
            sink.piece(from, to, Bitboard::EMPTY);
        });
        self.each(of(Kind::Bishop), targets, bishop, |from, to| {
            self.major(from, to, sink)
        });
        self.each(of(Kind::Rook), targets, rook, |from, to| {
            self.major(from, to, sink)
        });
        let horse = |from: Square| bishop(from) | king_attacks(from);
        self.each(of(Kind::Horse), targets, horse, |from, to| {
            sink.piece(from, to, Bitboard::EMPTY);
        });
        let dragon = |from: Square| rook(from) | king_attacks(from);
        self.each(of(Kind::Dragon), targets, dragon, |from, to| {
            sink.piece(from, to, Bitboard::EMPTY);
        });
    }

    /// Where a piece from `from` may promote.
    fn promotions(&self, from: Square, to: Bitboard) -> Bitboard {
        if Self::ZONE.has(from) { to } else { to & Self::ZONE }
    }

    #[inline]
    fn major(&self, from: Square, to: Bitboard, sink: &mut impl Sink) {
        let promoted = self.promotions(from, to);
        sink.piece(from, if ALL { to } else { to ^ promoted }, promoted);
    }

    #[inline]
    fn king_moves(&self, targets: Bitboard, sink: &mut impl Sink) {
        let mut to = king_attacks(self.king) & targets;
        if TESTS & KING != 0 && to.non_empty() {
            let without_king = self.occupied ^ Bitboard::of(self.king);
            let them = Self::US.opponent();
            // The whole set costs as much as two squares and a half.
            if to.count() > 2 {
                to &= !self.board.attacked_around(self.king, them, without_king);
            } else {
                for square in to {
                    if self.board.is_attacked(square, them, without_king) {
                        to ^= Bitboard::of(square);
                    }
                }
            }
        }
        sink.piece(self.king, to, Bitboard::EMPTY);
    }

    #[inline]
    fn drops(&self, targets: Bitboard, sink: &mut impl Sink) {
        let hand = self.board.hand(Self::US);
        if hand.is_empty() || targets.is_empty() {
            return;
        }
        if hand.has(Kind::Pawn) {
            let pawns = self.board.kinds[Kind::Pawn.index()] & self.own;
            let mut to = targets & pawns.empty_files() & !Self::LAST[0];
            if TESTS & PAWN_MATE != 0 {
                // Only the square in front of the enemy king can be a drop-pawn mate.
                let enemy_king = self.board.king(Self::US.opponent());
                let mating = pseudo_by_kind(Self::US.opponent(), enemy_king)[Kind::Pawn.index()] & to;
                if mating.non_empty() && self.board.is_drop_pawn_mate(mating.first()) {
                    to ^= mating;
                }
            }
            sink.drops(Kind::Pawn, to);
        }
        for kind in [
            Kind::Lance,
            Kind::Knight,
            Kind::Silver,
            Kind::Gold,
            Kind::Bishop,
            Kind::Rook,
        ] {
            if hand.has(kind) {
                let dead = match kind {
                    Kind::Lance => Self::LAST[0],
                    Kind::Knight => Self::LAST[1],
                    _ => Bitboard::EMPTY,
                };
                sink.drops(kind, targets & !dead);
            }
        }
    }
}
