//! Material and square values of chess.

use super::learned::on_square;
use crate::chess::{Color, Piece, Square};
use crate::config::ChessWeights;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) opening: i16,
    pub(super) ending: i16,
    pub(super) material: i16,
}

/// By rank (1 to 8), then by file (a to h), in centipawns for white.
type Shape = ([i32; 8], [i32; 8]);

const PAWN_OPENING: Shape = ([0, 0, 2, 10, 18, 30, 50, 0], [-6, -2, 2, 10, 10, -4, 2, -6]);
const PAWN_ENDING: Shape = ([0, 0, 6, 14, 30, 60, 100, 0], [4, 2, 0, 0, 0, 0, 2, 4]);
const KNIGHT: Shape = (
    [-24, -10, 4, 12, 18, 18, 6, -16],
    [-20, -6, 6, 12, 12, 6, -6, -20],
);
const BISHOP: Shape = ([-10, 4, 6, 8, 10, 8, 2, -4], [-8, 2, 2, 4, 4, 2, 2, -8]);
const ROOK: Shape = ([0, -4, -4, -4, 0, 4, 16, 8], [-4, 0, 2, 6, 6, 2, 0, -4]);
const QUEEN: Shape = ([-8, 0, 2, 4, 6, 8, 6, 4], [-6, -2, 2, 4, 4, 2, -2, -6]);
const KING_OPENING: Shape = (
    [12, -4, -30, -50, -60, -70, -80, -90],
    [22, 28, 4, -14, -14, -4, 28, 22],
);
const KING_ENDING: Shape = (
    [-30, -10, 4, 14, 18, 18, 6, -14],
    [-22, -6, 6, 12, 12, 6, -6, -22],
);

fn at(shape: Shape, square: Square) -> i32 {
    shape.0[square.rank() as usize] + shape.1[square.file() as usize]
}

fn values(weights: &ChessWeights, piece: Piece, square: Square) -> [i32; 3] {
    let w = weights;
    let (material, opening, ending, percent) = match piece {
        Piece::Pawn => (w.pawn, PAWN_OPENING, PAWN_ENDING, w.placement_pawn),
        Piece::Knight => (w.knight, KNIGHT, KNIGHT, w.placement_knight),
        Piece::Bishop => (w.bishop, BISHOP, BISHOP, w.placement_bishop),
        Piece::Rook => (w.rook, ROOK, ROOK, w.placement_rook),
        Piece::Queen => (w.queen, QUEEN, QUEEN, w.placement_queen),
        Piece::King => (0, KING_OPENING, KING_ENDING, w.placement_king),
    };
    let learned = if w.learned {
        on_square(piece, square, w.learned_percent)
    } else {
        [0; 2]
    };
    [
        material + at(opening, square) * percent / 100 + learned[0],
        material + at(ending, square) * percent / 100 + learned[1],
        material,
    ]
}

/// The terms of every piece on every square.
#[derive(Debug, Clone)]
pub(super) struct Placement(Box<[[[Term; 64]; 6]; 2]>);

impl Placement {
    pub(super) fn new(weights: &ChessWeights) -> Self {
        let mut terms = Box::new([[[Term::default(); 64]; 6]; 2]);
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in Square::ALL {
                    let [opening, ending, material] = values(weights, piece, square.relative_to(color));
                    let sign = if color == Color::White { 1 } else { -1 };
                    // The declared ranges keep every value far inside 16 bits.
                    terms[color as usize][piece as usize][square as usize] = Term {
                        opening: (sign * opening) as i16,
                        ending: (sign * ending) as i16,
                        material: (sign * material) as i16,
                    };
                }
            }
        }
        Placement(terms)
    }

    pub(super) fn of(&self, color: Color, piece: Piece, square: Square) -> Term {
        self.0[color as usize][piece as usize][square as usize]
    }
}
