//! Learnt values of chess: what a piece adds by its square, and by where it stands seen from each king.
//!
//! Every value is seen by the owner of the piece, with the board turned over for black. Relations are also mirrored so that the king
//! stands on files a to d.

use crate::chess::{Board, Color, File, Move, Piece, Square, each};
use crate::eval::King;
use crate::eval::learned::{PackedScore, value};

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

/// Sums of what is seen from the king of each colour, from white's view.
pub(super) type Relations = [PackedScore; 2];

type ByPieceAndSquare = [[[PackedScore; Square::NUM]; KINDS]; 2];

#[derive(Debug, Clone)]
pub(super) struct Learned {
    /// By colour and square of the king.
    relations: Vec<ByPieceAndSquare>,
}

impl Learned {
    pub(super) fn new(percent: i32) -> Self {
        let mut relations = Vec::with_capacity(2 * Square::NUM);
        for king_color in Color::ALL {
            for king in Square::ALL {
                relations.push(seen_from(king_color, king, percent));
            }
        }
        Learned { relations }
    }

    fn table(&self, king_color: Color, king: Square) -> &ByPieceAndSquare {
        &self.relations[king_color as usize * Square::NUM + king as usize]
    }

    pub(super) fn refresh(&self, board: &Board) -> Relations {
        Color::ALL.map(|color| sum(board, self.table(color, board.king(color))))
    }

    /// The sums after `mv`, before it is made. Castling and moves of a king begin with what is seen from where the king arrives.
    #[inline]
    pub(super) fn update(
        &self,
        board: &Board,
        mv: Move,
        captured: Option<(Piece, Square)>,
        sums: &mut Relations,
    ) {
        let us = board.turn();
        let (from, to) = (mv.from(), mv.to());
        let piece = board.kind_on(from);
        let arriving = mv.promoted().unwrap_or(piece);
        let rook = board.castling_rook(mv);
        for color in Color::ALL {
            let is_moving = piece == Piece::King && color == us;
            let king = if is_moving { to } else { board.king(color) };
            let table = self.table(color, king);
            let of = |owner: Color, piece: Piece, square: Square| {
                table[owner as usize][piece as usize][square as usize]
            };
            let mut total = if is_moving {
                sum(board, table)
            } else {
                sums[color as usize]
            };
            total = total.minus(of(us, piece, from)).plus(of(us, arriving, to));
            if let Some((captured, square)) = captured {
                total = total.minus(of(!us, captured, square));
            }
            if let Some((rook_from, rook_to)) = rook {
                total = total
                    .minus(of(us, Piece::Rook, rook_from))
                    .plus(of(us, Piece::Rook, rook_to));
            }
            sums[color as usize] = total;
        }
    }
}

fn sum(board: &Board, table: &ByPieceAndSquare) -> PackedScore {
    let mut sum = PackedScore::default();
    for owner in Color::ALL {
        for square in each(board.colors(owner)) {
            sum = sum.plus(table[owner as usize][board.kind_on(square) as usize][square as usize]);
        }
    }
    sum
}

/// What every piece on every square adds seen from one king, from white's view.
fn seen_from(king_color: Color, king: Square, percent: i32) -> ByPieceAndSquare {
    let mut table = [[[PackedScore::default(); Square::NUM]; KINDS]; 2];
    for owner in Color::ALL {
        let whose = if owner == king_color {
            King::Own
        } else {
            King::Enemy
        };
        let sign = if owner == Color::White { 1 } else { -1 };
        for piece in Piece::ALL {
            for square in Square::ALL {
                let place = relation_weight(whose, king.relative_to(owner), piece, square.relative_to(owner));
                let [opening, ending] = value(FILE, place, percent);
                table[owner as usize][piece as usize][square as usize] =
                    PackedScore::new(sign * opening, sign * ending);
            }
        }
    }
    table
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
