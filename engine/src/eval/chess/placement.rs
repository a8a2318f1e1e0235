//! What pieces of chess are worth by where they stand.

use super::learned::{from_king, on_square};
use crate::chess::{Board, Color, Move, Piece, Square, each};
use crate::config::ChessWeights;
use crate::eval::learned::PackedScore;

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

/// What `piece` on `square` adds to its owner, who sees the board from below: its opening and its ending value.
fn values(weights: &ChessWeights, piece: Piece, square: Square) -> [i32; 2] {
    let w = weights;
    let (opening, ending, percent) = match piece {
        Piece::Pawn => (PAWN_OPENING, PAWN_ENDING, w.placement_pawn),
        Piece::Knight => (KNIGHT, KNIGHT, w.placement_knight),
        Piece::Bishop => (BISHOP, BISHOP, w.placement_bishop),
        Piece::Rook => (ROOK, ROOK, w.placement_rook),
        Piece::Queen => (QUEEN, QUEEN, w.placement_queen),
        Piece::King => (KING_OPENING, KING_ENDING, w.placement_king),
    };
    let learned = if w.learned {
        on_square(piece, square, w.learned_percent)
    } else {
        [0; 2]
    };
    [
        at(opening, square) * percent / 100 + learned[0],
        at(ending, square) * percent / 100 + learned[1],
    ]
}

/// By the colour of the king that sees, from white's view. Square values are with what the white king sees.
pub(super) type Sums = [PackedScore; 2];

const PLACES: usize = Color::NUM * Piece::NUM * Square::NUM;

/// A piece on a square as one number less than [`PLACES`].
#[inline]
fn place(owner: Color, piece: Piece, square: Square) -> usize {
    (owner as usize * Piece::NUM + piece as usize) * Square::NUM + square as usize
}

/// By colour and square of a king: what every piece on every square adds.
#[derive(Debug, Clone)]
pub(super) struct Placement(Vec<[PackedScore; PLACES]>);

impl Placement {
    pub(super) fn new(weights: &ChessWeights) -> Self {
        let mut all = vec![[PackedScore::default(); PLACES]; Color::NUM * Square::NUM];
        for owner in Color::ALL {
            let sign = if owner == Color::White { 1 } else { -1 };
            for piece in Piece::ALL {
                for square in Square::ALL {
                    let of_square = values(weights, piece, square.relative_to(owner));
                    for king in Square::ALL {
                        for (king_color, other) in [(Color::White, of_square), (Color::Black, [0; 2])] {
                            let mut sum = other;
                            if weights.learned {
                                let colors = [king_color, owner];
                                let learned = from_king(colors, king, piece, square, weights.learned_percent);
                                sum = [sum[0] + learned[0], sum[1] + learned[1]];
                            }
                            let index = king_color as usize * Square::NUM + king as usize;
                            all[index][place(owner, piece, square)] =
                                PackedScore::new(sign * sum[0], sign * sum[1]);
                        }
                    }
                }
            }
        }
        Placement(all)
    }

    #[inline]
    fn seen(&self, king_color: Color, king: Square) -> &[PackedScore; PLACES] {
        &self.0[king_color as usize * Square::NUM + king as usize]
    }

    pub(super) fn refresh(&self, board: &Board) -> Sums {
        Color::ALL.map(|color| sum(board, self.seen(color, board.king(color))))
    }

    /// The sums after `mv`, before it is made. Where a king moves, what it sees is added up anew.
    #[inline]
    pub(super) fn update(
        &self,
        board: &Board,
        mv: Move,
        captured: Option<(Piece, Square)>,
        sums: Sums,
    ) -> Sums {
        let us = board.turn();
        let (piece, to) = (board.kind_on(mv.from()), mv.to());
        let left = place(us, piece, mv.from());
        let reached = place(us, board.arriving(mv), to);
        let taken = captured.map(|(captured, square)| place(!us, captured, square));
        let changed = |seen: &[PackedScore; PLACES], sum: PackedScore| {
            let sum = sum.minus(seen[left]).plus(seen[reached]);
            taken.map_or(sum, |taken| sum.minus(seen[taken]))
        };
        let see = |color| self.seen(color, board.king(color));
        if piece != Piece::King {
            return Color::ALL.map(|color| changed(see(color), sums[color as usize]));
        }
        let rook = board.castling_rook(mv);
        let seen_by = |color: Color| {
            let (seen, sum) = if color == us {
                let seen = self.seen(us, to);
                (seen, sum(board, seen))
            } else {
                (see(color), sums[color as usize])
            };
            let sum = changed(seen, sum);
            rook.map_or(sum, |(from, to)| {
                let [from, to] = [from, to].map(|square| seen[place(us, Piece::Rook, square)]);
                sum.minus(from).plus(to)
            })
        };
        Color::ALL.map(seen_by)
    }
}

fn sum(board: &Board, seen: &[PackedScore; PLACES]) -> PackedScore {
    let mut sum = PackedScore::default();
    for owner in Color::ALL {
        for square in each(board.colors(owner)) {
            sum = sum.plus(seen[place(owner, board.kind_on(square), square)]);
        }
    }
    sum
}
