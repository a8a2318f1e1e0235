//! Learnt values: what a piece adds by its square, by where it stands seen from each king, and by how many are in hand.
//!
//! Every value is seen by the owner of the piece, with the board turned by 180 degrees for the second side. Relations are
//! also mirrored so that the king stands on files 1 to 5.

use crate::eval::King;
use crate::eval::learned::{PackedScore, value};
use crate::game::Side;
use crate::shogi::{Bitboard, Board, Kind, Piece, Square};

const KINDS: usize = Kind::ALL.len();
const KING_SQUARES: usize = 45;
/// Counts in hand, 0 to 18.
const COUNTS: usize = 19;
const HANDS_FROM: usize = KINDS * Square::COUNT;
const RELATIONS_FROM: usize = HANDS_FROM + Kind::HAND.len() * COUNTS;

/// Number of learnt weights: of pieces on squares, of pieces in hand, and of pieces seen from kings, in this order.
pub const WEIGHTS: usize = RELATIONS_FROM + 2 * KING_SQUARES * KINDS * Square::COUNT;

static FILE: &[u8; 4 * WEIGHTS] = include_bytes!("learned.bin");

/// Place of the weight of a piece on a square, as its owner sees the board.
pub fn square_weight(kind: Kind, square: Square) -> usize {
    (kind.index() - 1) * Square::COUNT + square.index()
}

/// Place of the weight of `count` (0 to 18) pieces in hand; `kind` must be pawn to gold.
pub fn hand_weight(kind: Kind, count: usize) -> usize {
    HANDS_FROM + (kind.index() - 1) * COUNTS + count
}

/// Place of the weight of a piece seen from a king, both as the piece's owner sees the board.
pub fn relation_weight(king: King, king_square: Square, kind: Kind, square: Square) -> usize {
    let is_mirrored = king_square.file() > 4;
    let seen = |square: Square| {
        if is_mirrored {
            Square::at(8 - square.file(), square.rank()).index()
        } else {
            square.index()
        }
    };
    let row = (king as usize * KING_SQUARES + seen(king_square)) * KINDS + kind.index() - 1;
    RELATIONS_FROM + row * Square::COUNT + seen(square)
}

/// Sums of learnt values from the first side's view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LearnedSums {
    /// Of all pieces on board seen from the king of each side.
    relations: [PackedScore; 2],
    /// Of pieces on squares and in hand.
    pieces: PackedScore,
}

impl LearnedSums {
    pub(super) fn total(&self) -> PackedScore {
        self.relations[0].plus(self.relations[1]).plus(self.pieces)
    }
}

type ByPieceAndSquare = [[PackedScore; Square::COUNT]; Piece::COUNT];

#[derive(Debug, Clone)]
pub(super) struct Learned {
    squares: Box<ByPieceAndSquare>,
    /// By side of the king and square of the king.
    relations: Vec<ByPieceAndSquare>,
    hands: [[[PackedScore; COUNTS]; 8]; 2],
}

/// A weight of the file, scaled, with the sign of the piece's side.
fn weight(place: usize, side: Side, percent: i32) -> PackedScore {
    let [opening, ending] = value(FILE, place, percent);
    PackedScore::new(side.sign() * opening, side.sign() * ending)
}

fn expand(percent: i32, place: impl Fn(Side, Kind, Square) -> usize) -> ByPieceAndSquare {
    let mut table = [[PackedScore::default(); Square::COUNT]; Piece::COUNT];
    for side in [Side::First, Side::Second] {
        for kind in Kind::ALL {
            for square in Square::all() {
                table[Piece::new(side, kind).index()][square.index()] =
                    weight(place(side, kind, square), side, percent);
            }
        }
    }
    table
}

impl Learned {
    pub(super) fn new(percent: i32) -> Self {
        let squares = expand(percent, |side, kind, square| {
            square_weight(kind, square.seen_by(side))
        });
        let mut relations = Vec::with_capacity(2 * Square::COUNT);
        for king_side in [Side::First, Side::Second] {
            for king in Square::all() {
                relations.push(expand(percent, |side, kind, square| {
                    let whose = if side == king_side { King::Own } else { King::Enemy };
                    relation_weight(whose, king.seen_by(side), kind, square.seen_by(side))
                }));
            }
        }
        let mut hands = [[[PackedScore::default(); COUNTS]; 8]; 2];
        for side in [Side::First, Side::Second] {
            for kind in Kind::HAND {
                let values = &mut hands[side.index()][kind.index()];
                for (count, value) in values.iter_mut().enumerate() {
                    *value = weight(hand_weight(kind, count), side, percent);
                }
            }
        }
        Learned {
            squares: Box::new(squares),
            relations,
            hands,
        }
    }

    fn seen_from(&self, king_side: Side, king: Square) -> &ByPieceAndSquare {
        &self.relations[king_side.index() * Square::COUNT + king.index()]
    }

    pub(super) fn add_piece(&self, sums: &mut LearnedSums, kings: [Square; 2], piece: Piece, square: Square) {
        self.change_piece(sums, kings, piece, square, PackedScore::plus);
    }

    #[inline]
    pub(super) fn remove_piece(
        &self,
        sums: &mut LearnedSums,
        kings: [Square; 2],
        piece: Piece,
        square: Square,
    ) {
        self.change_piece(sums, kings, piece, square, PackedScore::minus);
    }

    #[inline(always)]
    fn change_piece(
        &self,
        sums: &mut LearnedSums,
        kings: [Square; 2],
        piece: Piece,
        square: Square,
        change: impl Fn(PackedScore, PackedScore) -> PackedScore,
    ) {
        let (piece, square) = (piece.index(), square.index());
        sums.pieces = change(sums.pieces, self.squares[piece][square]);
        for side in [Side::First, Side::Second] {
            let value = self.seen_from(side, kings[side.index()])[piece][square];
            sums.relations[side.index()] = change(sums.relations[side.index()], value);
        }
    }

    #[inline]
    pub(super) fn change_hand(
        &self,
        sums: &mut LearnedSums,
        side: Side,
        kind: Kind,
        before: u32,
        after: u32,
    ) {
        let values = &self.hands[side.index()][kind.index() & 7];
        let value = |count: u32| values[(count as usize).min(COUNTS - 1)];
        sums.pieces = sums.pieces.plus(value(after)).minus(value(before));
    }

    /// Adds up again what is seen from the king of `side`, which stands on `king`, with the other `pieces` of the board.
    #[inline]
    pub(super) fn move_king(
        &self,
        sums: &mut LearnedSums,
        board: &Board,
        side: Side,
        king: Square,
        pieces: Bitboard,
    ) {
        let table = self.seen_from(side, king);
        let mut sum = table[Piece::new(side, Kind::King).index()][king.index()];
        pieces.for_each(|square| {
            sum = sum.plus(table[board.piece_on(square).index()][square.index()]);
        });
        sums.relations[side.index()] = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_has_a_place_of_its_own_and_mirrored_relations_share_theirs() {
        let mut uses = vec![0; WEIGHTS];
        for kind in Kind::ALL {
            for square in Square::all() {
                uses[square_weight(kind, square)] += 1;
                for king in Square::all().filter(|king| king.file() <= 4) {
                    uses[relation_weight(King::Own, king, kind, square)] += 1;
                    uses[relation_weight(King::Enemy, king, kind, square)] += 1;
                }
            }
        }
        for kind in Kind::HAND {
            for count in 0..COUNTS {
                uses[hand_weight(kind, count)] += 1;
            }
        }
        assert!(uses.iter().all(|&uses| uses == 1));
        let place = |king, square| relation_weight(King::Own, king, Kind::Gold, square);
        assert_eq!(
            place(Square::at(7, 8), Square::at(6, 7)),
            place(Square::at(1, 8), Square::at(2, 7))
        );
    }
}
