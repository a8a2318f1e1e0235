//! Evaluation of chess: material, square values and what Sayuri's evaluation counts.
//!
//! Material, square values and what is learnt are sums carried from ply to ply; the rest is counted ([`Feature`]) when a position is evaluated, the pawns' part
//! out of a table, and multiplied with a row of weights that depends on the number of pieces.

mod count;
mod feature;
pub mod learned;
mod pawns;
mod placement;
mod weights;

use self::count::Tally;
use self::learned::{Learned, Relations};
use self::pawns::Pawns;
use self::placement::{Placement, Term};
use self::weights::{CENTIPAWN, MEN, Row, Weights, pieces_or};
use super::phase::{PhaseLine, mix};
use super::{Evaluate, Evaluated};
use crate::chess::{Board, Color, Move, Piece, Square};
use crate::config::Config;

pub use self::feature::{Counts, FEATURES, Feature, SAYURI_FEATURES};
pub use self::pawns::PawnTable;

/// Static scores stay below the mate scores whatever the weights.
const SCORE_MAX: i32 = 25_000;

/// The evaluation with its weights expanded.
#[derive(Debug, Clone)]
pub struct Evaluator {
    placement: Placement,
    phase: PhaseLine,
    placement_phase: PhaseLine,
    weights: Weights,
    learned: Option<Learned>,
    tempo: i32,
}

/// Sums carried from ply to ply, from white's view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Accumulator {
    /// Material and square values.
    opening: i32,
    ending: i32,
    material: i32,
    relations: Relations,
}

impl Accumulator {
    #[inline]
    fn add(&mut self, term: Term, sign: i32) {
        self.opening += sign * i32::from(term.opening);
        self.ending += sign * i32::from(term.ending);
        self.material += sign * i32::from(term.material);
    }
}

/// What is counted in a position, by colour.
pub fn counts(board: &Board) -> [Counts; 2] {
    let pawns = Pawns::of(Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn)));
    Color::ALL.map(|color| {
        let mut counts = [0; FEATURES];
        for (count, number) in counts.iter_mut().zip(pawns.counts[color as usize]) {
            *count = i16::from(number);
        }
        count::count(board, &pawns, color, count::Wanted::ALL, &mut counts);
        counts
    })
}

/// A sum of weights.
struct Value<'a> {
    row: &'a Row,
    sum: i32,
}

impl Tally for Value<'_> {
    #[inline(always)]
    fn add(&mut self, feature: Feature, number: i32) {
        self.sum += number * self.row[feature as usize];
    }
}

/// `score` from the side to move's view.
#[inline]
fn seen(board: &Board, score: i32) -> i32 {
    if board.turn() == Color::White {
        score
    } else {
        -score
    }
}

impl Evaluator {
    /// The value of what is counted, from white's view.
    #[inline]
    fn counted(&self, board: &Board, pieces: usize, table: &mut PawnTable) -> i32 {
        let wanted = self.weights.wanted;
        let pawns = if wanted.pawns {
            table.of(board)
        } else {
            &Pawns::NONE
        };
        let row = self.weights.row(pieces);
        let mut sum = 0;
        for ((weight, &white), &black) in row.iter().zip(&pawns.counts[0]).zip(&pawns.counts[1]) {
            sum += weight * (i32::from(white) - i32::from(black));
        }
        let mut white = Value { row, sum };
        count::count(board, pawns, Color::White, wanted, &mut white);
        let mut black = Value { row, sum: 0 };
        count::count(board, pawns, Color::Black, wanted, &mut black);
        (white.sum - black.sum) / CENTIPAWN
    }
}

impl Evaluate<Board> for Evaluator {
    type Accumulator = Accumulator;
    type Memory = PawnTable;

    fn new(config: &Config) -> Self {
        let weights = &config.chess;
        // The phase variable counts men taken, so that it grows towards the ending like that of every game.
        let men = MEN as i32;
        let line = |opening: i32, ending: i32| PhaseLine::new(men - opening, men - ending, men);
        Evaluator {
            placement: Placement::new(weights),
            phase: line(weights.phase_opening, weights.phase_ending),
            placement_phase: line(
                pieces_or(weights.placement_opening_pieces, weights.phase_opening),
                pieces_or(weights.placement_ending_pieces, weights.phase_ending),
            ),
            weights: Weights::new(config),
            learned: weights.learned.then(|| Learned::new(weights.learned_percent)),
            tempo: weights.tempo,
        }
    }

    fn refresh(&self, board: &Board) -> Accumulator {
        let mut sums = Accumulator::default();
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    sums.add(self.placement.of(color, piece, square), 1);
                }
            }
        }
        if let Some(learned) = &self.learned {
            sums.relations = learned.refresh(board);
        }
        sums
    }

    #[inline]
    fn update(&self, board: &Board, mv: Move, sums: &Accumulator) -> Accumulator {
        let mut sums = *sums;
        let us = board.turn();
        let (from, to) = (mv.from(), mv.to());
        let piece = board.kind_on(from);
        sums.add(self.placement.of(us, piece, from), -1);
        sums.add(self.placement.of(us, mv.promoted().unwrap_or(piece), to), 1);
        let captured = board.captured(mv).map(|captured| {
            let en_passant = !board.occupied().has(to);
            let square = if en_passant {
                Square::new(to.file(), from.rank())
            } else {
                to
            };
            (captured, square)
        });
        if let Some((captured, square)) = captured {
            sums.add(self.placement.of(!us, captured, square), -1);
        }
        if let Some(learned) = &self.learned {
            learned.update(board, mv, captured, &mut sums.relations);
        }
        if let Some((rook_from, rook_to)) = board.castling_rook(mv) {
            sums.add(self.placement.of(us, Piece::Rook, rook_from), -1);
            sums.add(self.placement.of(us, Piece::Rook, rook_to), 1);
        }
        sums
    }

    #[inline]
    fn phase(&self, board: &Board, _: &Accumulator) -> i32 {
        self.phase.share(MEN as i32 - board.occupied().len() as i32)
    }

    #[inline]
    fn evaluate(&self, board: &Board, sums: &Accumulator, table: &mut PawnTable) -> i32 {
        let pieces = board.occupied().len() as usize;
        let taken = MEN as i32 - pieces as i32;
        let [seen_white, seen_black] = sums.relations;
        let learned = seen_white.plus(seen_black);
        let (opening, ending) = (sums.opening + learned.opening(), sums.ending + learned.ending());
        let placed = mix(opening, ending, self.placement_phase.share(taken));
        let score = seen(board, placed + self.counted(board, pieces, table));
        (score + self.tempo).clamp(-SCORE_MAX, SCORE_MAX)
    }

    fn material(&self, board: &Board, sums: &Accumulator) -> i32 {
        seen(board, sums.material)
    }
}

impl Evaluated for Board {
    type Evaluator = Evaluator;
}

#[cfg(test)]
mod tests;
