//! Evaluation of chess: material, square values and the bishop pair.
//!
//! In: a [`Board`] and [`ChessWeights`]. Out: centipawns for the side to move. Must not: search.

mod placement;

use self::placement::{Placement, Term};
use super::phase::{PhaseLine, mix};
use super::{Evaluate, Evaluated};
use crate::chess::{Board, Color, Move, Piece, Square};
use crate::config::{ChessWeights, Config};

/// Men on the board at the start of a game.
const MEN: i32 = 32;
/// Static scores stay below the mate scores whatever the weights.
const SCORE_MAX: i32 = 25_000;

/// The evaluation with its weights expanded.
#[derive(Debug, Clone)]
pub struct Evaluator {
    weights: ChessWeights,
    placement: Placement,
    phase: PhaseLine,
}

/// Sums carried from ply to ply, from white's view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Accumulator {
    opening: i32,
    ending: i32,
}

impl Accumulator {
    #[inline]
    fn add(&mut self, term: Term, sign: i32) {
        self.opening += sign * i32::from(term.opening);
        self.ending += sign * i32::from(term.ending);
    }
}

impl Evaluate<Board> for Evaluator {
    type Accumulator = Accumulator;

    fn new(config: &Config) -> Self {
        let weights = config.chess.clone();
        // The phase variable counts men taken, so that it grows towards the ending like that of every game.
        let phase = PhaseLine::new(MEN - weights.phase_opening, MEN - weights.phase_ending, MEN);
        Evaluator {
            placement: Placement::new(&weights),
            phase,
            weights,
        }
    }

    fn refresh(&self, board: &Board) -> Accumulator {
        let mut sums = Accumulator::default();
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.inner().colored_pieces(color, piece) {
                    sums.add(self.placement.of(color, piece, square), 1);
                }
            }
        }
        sums
    }

    #[inline]
    fn update(&self, board: &Board, mv: Move, sums: &Accumulator) -> Accumulator {
        let mut sums = *sums;
        let us = board.inner().side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = board.inner().piece_on(from) else {
            return sums;
        };
        sums.add(self.placement.of(us, piece, from), -1);
        sums.add(self.placement.of(us, mv.promoted().unwrap_or(piece), to), 1);
        if let Some(captured) = board.captured(mv) {
            let en_passant = board.inner().piece_on(to).is_none();
            let square = if en_passant {
                Square::new(to.file(), from.rank())
            } else {
                to
            };
            sums.add(self.placement.of(!us, captured, square), -1);
        }
        if let Some((rook_from, rook_to)) = board.castling_rook(mv) {
            sums.add(self.placement.of(us, Piece::Rook, rook_from), -1);
            sums.add(self.placement.of(us, Piece::Rook, rook_to), 1);
        }
        sums
    }

    #[inline]
    fn phase(&self, board: &Board, _: &Accumulator) -> i32 {
        self.phase.share(MEN - board.inner().occupied().len() as i32)
    }

    #[inline]
    fn evaluate(&self, board: &Board, sums: &Accumulator) -> i32 {
        let w = &self.weights;
        let inner = board.inner();
        let share = self.phase(board, sums);
        let pairs = |color| i32::from(inner.colored_pieces(color, Piece::Bishop).len() >= 2);
        let score = mix(sums.opening, sums.ending, share)
            + (pairs(Color::White) - pairs(Color::Black)) * mix(w.bishop_pair, w.bishop_pair_ending, share);
        let score = if inner.side_to_move() == Color::White {
            score
        } else {
            -score
        };
        (score + w.tempo).clamp(-SCORE_MAX, SCORE_MAX)
    }
}

impl Evaluated for Board {
    type Evaluator = Evaluator;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{MoveList, Position};

    fn score(fen: &str) -> i32 {
        let evaluator = Evaluator::new(&Config::default());
        let board = Board::parse(fen).unwrap();
        evaluator.evaluate(&board, &evaluator.refresh(&board))
    }

    #[test]
    fn the_start_position_is_worth_the_tempo() {
        assert_eq!(score("startpos"), Config::default().chess.tempo);
    }

    #[test]
    fn a_position_turned_around_is_worth_the_same() {
        let white = score("r3k2r/ppp2ppp/2n5/3q4/3P4/2N2N2/PP3PPP/R2QK2R w KQkq - 0 1");
        let black = score("r2qk2r/pp3ppp/2n2n2/3p4/3Q4/2N5/PPP2PPP/R3K2R b KQkq - 0 1");
        assert_eq!(white, black);
    }

    #[test]
    fn sums_carried_along_equal_sums_from_scratch_through_whole_games() {
        let evaluator = Evaluator::new(&Config::default());
        for seed in 0..40u64 {
            let mut board = Board::start();
            let mut sums = evaluator.refresh(&board);
            let mut random = seed + 1;
            for _ in 0..200 {
                let mut list = MoveList::new();
                board.legal(&mut list);
                if list.is_empty() {
                    break;
                }
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let mv = list[(random >> 33) as usize % list.len()];
                sums = evaluator.update(&board, mv, &sums);
                board.make(mv);
                assert_eq!(sums, evaluator.refresh(&board), "after {mv} in {board}");
            }
        }
    }
}
