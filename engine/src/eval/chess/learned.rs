//! Learnt values of chess: what a piece adds by its square, and by where it stands seen from each king.
//!
//! Every value is seen by the owner of the piece, with the board turned over for black. Relations are also mirrored so that the king
//! stands on files a to d.

use crate::chess::{Color, File, Piece, Square};
use crate::eval::King;
use crate::eval::learned::value;

const KINDS: usize = Piece::NUM;
const KING_SQUARES: usize = 32;
const RELATIONS_FROM: usize = KINDS * Square::NUM;

/// Number of learnt weights: of pieces on squares, then of pieces seen from kings.
pub const WEIGHTS: usize = RELATIONS_FROM + 2 * KING_SQUARES * KINDS * Square::NUM;

static FILE: &[u8; 4 * WEIGHTS] = include_bytes!("learned.bin");

/// Place of the weight of a piece on a square, as its owner sees the board.
pub fn square_weight(piece: Piece, square: Square) -> usize {
    piece as usize * Square::NUM + square as usize
}

/// Place of the weight of a piece seen from a king, both as the piece's owner sees the board.
pub fn relation_weight(king: King, king_square: Square, piece: Piece, square: Square) -> usize {
    let is_mirrored = king_square.file() > File::D;
    let seen = |square: Square| if is_mirrored { square.flip_file() } else { square };
    let king_square = seen(king_square);
    let king_place = king_square.rank() as usize * 4 + king_square.file() as usize;
    let row = (king as usize * KING_SQUARES + king_place) * KINDS + piece as usize;
    RELATIONS_FROM + row * Square::NUM + seen(square) as usize
}

/// What a piece adds by its square, as its owner sees the board: `percent` of the opening and the ending value, in centipawns.
pub(super) fn on_square(piece: Piece, square: Square, percent: i32) -> [i32; 2] {
    value(FILE, square_weight(piece, square), percent)
}

/// What a piece adds seen from the king of `king_color` on `king`, as on a square.
pub(super) fn from_king(
    [king_color, owner]: [Color; 2],
    king: Square,
    piece: Piece,
    square: Square,
    percent: i32,
) -> [i32; 2] {
    let whose = if owner == king_color {
        King::Own
    } else {
        King::Enemy
    };
    let place = relation_weight(whose, king.relative_to(owner), piece, square.relative_to(owner));
    value(FILE, place, percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_has_a_place_of_its_own_and_mirrored_relations_share_theirs() {
        let mut uses = vec![0; WEIGHTS];
        for piece in Piece::ALL {
            for square in Square::ALL {
                uses[square_weight(piece, square)] += 1;
                for king in Square::ALL.into_iter().filter(|king| king.file() <= File::D) {
                    uses[relation_weight(King::Own, king, piece, square)] += 1;
                    uses[relation_weight(King::Enemy, king, piece, square)] += 1;
                }
            }
        }
        assert!(uses.iter().all(|&uses| uses == 1));
        let place = |king, square| relation_weight(King::Own, king, Piece::Knight, square);
        assert_eq!(place(Square::G1, Square::F3), place(Square::B1, Square::C3));
    }
}
