//! The weights of a configuration by piece and square, with several in one number, so that one addition adds them all.

use derive_more::{Add, AddAssign, Sub, SubAssign};

use super::learned::{COUNTS, hand_weight, relation_weight, square_weight, value_of};
use super::{king, placement};
use crate::config::{LearnedValues, ShogiWeights};
use crate::eval::King;
use crate::game::Side;
use crate::shogi::{Bitboard, Board, Kind, Move, Piece, Square, squares_within};

/// Of pieces on squares and in hand, from the first side's view: opening value, ending value (24 bits each) and phase points. Below each
/// number its neighbour's sign borrows from it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Add, AddAssign, Sub, SubAssign)]
pub(super) struct PieceSum(i64);

impl PieceSum {
    fn new(opening: i32, ending: i32, phase: i32) -> Self {
        PieceSum(i64::from(opening) + (i64::from(ending) << 24) + (i64::from(phase) << 48))
    }

    pub(super) fn opening(self) -> i32 {
        (self.0 << 40 >> 40) as i32
    }

    pub(super) fn ending(self) -> i32 {
        ((self.0 + (1 << 23)) << 16 >> 40) as i32
    }

    pub(super) fn phase(self) -> i32 {
        ((self.0 + (1 << 47)) >> 48) as i32
    }
}

/// Of all pieces seen from one king, 16 bits each: learnt opening and ending value from the first side's view, tenths of units of the
/// castle and of the attack.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Add, AddAssign, Sub, SubAssign)]
pub(super) struct KingSum(i64);

impl KingSum {
    fn new(opening: i32, ending: i32, castle: i32, attack: i32) -> Self {
        let [opening, ending, castle, attack] = [opening, ending, castle, attack].map(i64::from);
        KingSum(opening + (ending << 16) + (castle << 32) + (attack << 48))
    }

    pub(super) fn opening(self) -> i32 {
        i32::from(self.0 as i16)
    }

    pub(super) fn ending(self) -> i32 {
        i32::from(((self.0 + (1 << 15)) >> 16) as i16)
    }

    pub(super) fn castle(self) -> i32 {
        i32::from(((self.0 + (1 << 31)) >> 32) as i16)
    }

    pub(super) fn attack(self) -> i32 {
        ((self.0 + (1 << 47)) >> 48) as i32
    }
}

/// Sums carried from ply to ply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) pieces: PieceSum,
    /// By the king's side.
    pub(super) kings: [KingSum; 2],
    /// By the holder's side, units.
    pub(super) reserve: [i32; 2],
}

/// By [`place`].
type ByPieceAndSquare<T> = [T; Piece::COUNT * Square::COUNT];

#[inline]
fn place(piece: Piece, square: Square) -> usize {
    piece.index() * Square::COUNT + square.index()
}

/// The weights expanded.
#[derive(Debug, Clone)]
pub(super) struct Tables {
    pieces: Box<ByPieceAndSquare<PieceSum>>,
    /// By side and square of the king.
    kings: Vec<ByPieceAndSquare<KingSum>>,
    /// By holder, kind and count.
    hands: [[[PieceSum; COUNTS]; 8]; 2],
    reserve: [i32; 8],
}

impl Tables {
    pub(super) fn new(weights: &ShogiWeights) -> Self {
        let percent = match weights.learned {
            LearnedValues::Off => 0,
            _ => weights.learned_percent,
        };
        Tables {
            pieces: pieces(weights, percent),
            kings: kings(weights, percent),
            hands: hands(weights, percent),
            reserve: king::reserve(weights),
        }
    }

    fn seen_from(&self, side: Side, king: Square) -> &ByPieceAndSquare<KingSum> {
        &self.kings[side.index() * Square::COUNT + king.index()]
    }

    #[inline]
    fn all_seen_from(&self, side: Side, king: Square, board: &Board, squares: Bitboard) -> KingSum {
        let seen = self.seen_from(side, king);
        let mut sum = KingSum::default();
        squares.for_each(|square| sum += seen[place(board.piece_on(square), square)]);
        sum
    }

    /// The sums of a position, from scratch.
    pub(super) fn refresh(&self, board: &Board) -> Sums {
        let mut sums = Sums::default();
        for square in board.occupied() {
            sums.pieces += self.pieces[place(board.piece_on(square), square)];
        }
        for side in [Side::First, Side::Second] {
            sums.kings[side.index()] = self.all_seen_from(side, board.king(side), board, board.occupied());
            for kind in Kind::HAND {
                let count = board.hand(side).count(kind);
                sums.pieces += self.hands[side.index()][kind.index()][count as usize];
                sums.reserve[side.index()] += count as i32 * self.reserve[kind.index()];
            }
        }
        sums
    }

    /// The sums after `mv`, which is not made yet.
    #[inline]
    pub(super) fn update(&self, board: &Board, mv: Move, sums: &mut Sums) {
        let us = board.side();
        let seen = [Side::First, Side::Second].map(|side| self.seen_from(side, board.king(side)));
        let to = mv.to();
        let held = &self.hands[us.index()];
        if mv.is_drop() {
            let kind = mv.dropped();
            let place = place(Piece::new(us, kind), to);
            let held = &held[kind.index() & 7];
            let count = board.hand(us).count(kind) as usize % COUNTS;
            sums.pieces += self.pieces[place] + held[count.saturating_sub(1)] - held[count];
            sums.reserve[us.index()] -= self.reserve[kind.index() & 7];
            for (sum, seen) in sums.kings.iter_mut().zip(seen) {
                *sum += seen[place];
            }
            return;
        }
        let from = mv.from();
        let (moving, captured) = (board.piece_on(from), board.piece_on(to));
        if !captured.is_none() {
            let kind = captured.kind().demoted();
            let held = &held[kind.index() & 7];
            let count = board.hand(us).count(kind) as usize % COUNTS;
            let captured = place(captured, to);
            sums.pieces += held[(count + 1) % COUNTS] - held[count] - self.pieces[captured];
            sums.reserve[us.index()] += self.reserve[kind.index() & 7];
            for (sum, seen) in sums.kings.iter_mut().zip(seen) {
                *sum -= seen[captured];
            }
        }
        let (before, after) = (place(moving, from), place(mv.arriving(moving), to));
        sums.pieces += self.pieces[after] - self.pieces[before];
        for (sum, seen) in sums.kings.iter_mut().zip(seen) {
            *sum += seen[after] - seen[before];
        }
        if moving.kind() == Kind::King {
            let others = board.occupied().without(Bitboard::of(from) | Bitboard::of(to));
            let seen = self.seen_from(us, to)[place(moving, to)];
            sums.kings[us.index()] = self.all_seen_from(us, to, board, others) + seen;
        }
    }
}

/// Fills `table` with what `of` says for each piece of each side on each square.
fn fill<T>(table: &mut ByPieceAndSquare<T>, of: impl Fn(Side, Kind, Square) -> T) {
    for side in [Side::First, Side::Second] {
        for kind in Kind::ALL {
            for square in Square::all() {
                table[place(Piece::new(side, kind), square)] = of(side, kind, square);
            }
        }
    }
}

fn pieces(weights: &ShogiWeights, percent: i32) -> Box<ByPieceAndSquare<PieceSum>> {
    let mut table = Box::new([PieceSum::default(); Piece::COUNT * Square::COUNT]);
    let material = Kind::ALL.map(|kind| placement::material(weights, "eval", kind));
    fill(&mut table, |side, kind, square| {
        let seen = square.seen_by(side);
        let material = material[kind.index() - 1];
        let placed = placement::square_values(weights, kind, seen);
        let [opening, ending] = value_of(square_weight(kind, seen), percent);
        PieceSum::new(
            side.sign() * (material.0 + placed.0 + opening),
            side.sign() * (material.1 + placed.1 + ending),
            placement::phase_points(kind, seen.rank()),
        )
    });
    table
}

fn kings(weights: &ShogiWeights, percent: i32) -> Vec<ByPieceAndSquare<KingSum>> {
    let [castle, attack] = [true, false].map(|is_own| king::units(weights, is_own));
    let empty = [KingSum::default(); Piece::COUNT * Square::COUNT];
    let mut tables = vec![empty; 2 * Square::COUNT];
    let sides = [Side::First, Side::Second];
    let all = sides
        .iter()
        .flat_map(|&side| Square::all().map(move |king| (side, king)));
    for (table, (king_side, king)) in tables.iter_mut().zip(all) {
        fill(table, |side, kind, square| {
            let whose = if side == king_side { King::Own } else { King::Enemy };
            let weight = relation_weight(whose, king.seen_by(side), kind, square.seen_by(side));
            let [opening, ending] = value_of(weight, percent).map(|value| side.sign() * value);
            KingSum::new(opening, ending, 0, 0)
        });
        for square in squares_within(king, king::REACH) {
            let cell = king::cell(king_side, king, square);
            for kind in Kind::ALL {
                let [own, enemy] = [king_side, king_side.opponent()].map(|side| Piece::new(side, kind));
                table[place(own, square)] += KingSum::new(0, 0, castle[kind.index()][cell], 0);
                table[place(enemy, square)] += KingSum::new(0, 0, 0, attack[kind.index()][cell]);
            }
        }
    }
    tables
}

fn hands(weights: &ShogiWeights, percent: i32) -> [[[PieceSum; COUNTS]; 8]; 2] {
    let mut hands = [[[PieceSum::default(); COUNTS]; 8]; 2];
    for side in [Side::First, Side::Second] {
        for kind in Kind::HAND {
            let each = placement::material(weights, "eval.hand", kind);
            let phase = if kind == Kind::Pawn { 1 } else { 2 };
            for (count, sum) in (0..).zip(&mut hands[side.index()][kind.index()]) {
                let [opening, ending] = value_of(hand_weight(kind, count as usize), percent);
                *sum = PieceSum::new(
                    side.sign() * (count * each.0 + opening),
                    side.sign() * (count * each.1 + ending),
                    count * phase,
                );
            }
        }
    }
    hands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_sum_do_not_disturb_each_other() {
        for (a, b, c, d) in [
            (-1, 1, -1, 1),
            (300, -300, 0, -1),
            (-20_000, 20_000, -14_700, 21_750),
        ] {
            let sum = KingSum::new(a, b, c, d) + KingSum::new(-7, 7, 9, -9) - KingSum::new(-7, 7, 9, -9);
            assert_eq!(
                [sum.opening(), sum.ending(), sum.castle(), sum.attack()],
                [a, b, c, d]
            );
            let sum = PieceSum::new(99 * a, 99 * b, d) + PieceSum::new(-7, -7, 9) - PieceSum::new(-7, -7, 9);
            assert_eq!([sum.opening(), sum.ending(), sum.phase()], [99 * a, 99 * b, d]);
        }
    }
}
