//! Evaluation of chess: material, square values and what Sayuri's evaluation counts.
//!
//! Material and what the places of pieces are worth are sums carried from ply to ply; the rest is counted ([`Feature`]) when a position is evaluated, the pawns' part
//! out of a table, and multiplied with a row of weights that depends on the number of pieces.

mod count;
mod feature;
pub mod learned;
mod pawns;
mod placement;
mod weights;

use std::sync::Arc;

use cozy_chess::BitBoard;

use self::count::Tally;
use self::pawns::Pawns;
use self::placement::{Placement, Sums};
use self::weights::{CENTIPAWN, MEN, Row, Weights};
use super::phase::{PhaseLine, mix};
use super::{Evaluate, Evaluated};
use crate::chess::{Board, Color, Move, Piece, Square, Tables};
use crate::config::{ChessWeights, Config};
use crate::game::Known;

pub use self::feature::{Counts, FEATURES, Feature, SAYURI_FEATURES};
pub use self::pawns::PawnTable;

/// Static scores stay below the mate scores whatever the weights.
const SCORE_MAX: i32 = 25_000;

/// The evaluation with its weights expanded.
#[derive(Debug, Clone)]
pub struct Evaluator {
    /// By kind.
    material: [i32; Piece::NUM],
    placement: Placement,
    phase: PhaseLine,
    weights: Weights,
    scale: Scale,
    tempo: i32,
    tables: Option<Arc<Tables>>,
}

/// Sums carried from ply to ply, from white's view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Accumulator {
    material: i32,
    placement: Sums,
}

/// What is counted in a position, by colour.
pub fn counts(board: &Board) -> [Counts; 2] {
    let pawns = Pawns::of(Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn)));
    let mut counts = pawns.counts.map(|numbers| {
        let mut counts = [0; FEATURES];
        for (count, number) in counts.iter_mut().zip(numbers) {
            *count = i16::from(number);
        }
        counts
    });
    count::count(board, &pawns, count::Wanted::ALL, counts.each_mut());
    counts
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

/// Percent that is added to the evaluation of some positions.
#[derive(Debug, Clone, Copy, Default)]
struct Scale {
    pawn_ending: i32,
    pawnless: i32,
    one_wing: i32,
}

const QUEENSIDE: BitBoard = BitBoard(0x0f0f_0f0f_0f0f_0f0f);

impl Scale {
    fn new(weights: &ChessWeights) -> Scale {
        if !weights.scale {
            return Scale::default();
        }
        Scale {
            pawn_ending: weights.scale_pawn_ending - 100,
            pawnless: weights.scale_pawnless - 100,
            one_wing: weights.scale_one_wing - 100,
        }
    }

    /// Percent of `value`, which is from white's view.
    #[inline]
    fn percent(self, board: &Board, value: i32) -> i32 {
        let pawns = board.pieces(Piece::Pawn);
        let leader = if value < 0 { Color::Black } else { Color::White };
        let mut percent = 100;
        if pawns | board.pieces(Piece::King) == board.occupied() {
            percent += self.pawn_ending;
        }
        if (pawns & board.colors(leader)).is_empty() {
            percent += self.pawnless;
        }
        if (pawns & QUEENSIDE).is_empty() || (pawns & !QUEENSIDE).is_empty() {
            percent += self.one_wing;
        }
        percent
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
    /// Percent that is left of `value`, which is from white's view.
    pub fn percent(&self, board: &Board, value: i32) -> i32 {
        self.scale.percent(board, value)
    }

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
        let mut black = Value { row, sum: 0 };
        count::count(board, pawns, wanted, [&mut white, &mut black]);
        (white.sum - black.sum) / CENTIPAWN
    }
}

impl Evaluate<Board> for Evaluator {
    type Accumulator = Accumulator;
    type Memory = PawnTable;

    const KNOWS_PASSES: bool = true;

    fn new(config: &Config) -> Self {
        let weights = &config.chess;
        // The phase variable counts men taken, so that it grows towards the ending like that of every game.
        let men = MEN as i32;
        let line = |opening: i32, ending: i32| PhaseLine::new(men - opening, men - ending, men);
        Evaluator {
            material: [
                weights.pawn,
                weights.knight,
                weights.bishop,
                weights.rook,
                weights.queen,
                0,
            ],
            placement: Placement::new(weights),
            phase: line(weights.phase_opening, weights.phase_ending),
            weights: Weights::new(config),
            scale: Scale::new(weights),
            tempo: weights.tempo,
            tables: None,
        }
    }

    fn refresh(&self, board: &Board) -> Accumulator {
        let lead = |piece| {
            let number = |color| board.colored_pieces(color, piece).len() as i32;
            number(Color::White) - number(Color::Black)
        };
        Accumulator {
            material: Piece::ALL
                .iter()
                .map(|&piece| lead(piece) * self.material[piece as usize])
                .sum(),
            placement: self.placement.refresh(board),
        }
    }

    #[inline]
    fn update(&self, board: &Board, mv: Move, sums: &Accumulator) -> Accumulator {
        let (us, to) = (board.turn(), mv.to());
        let captured = if board.colors(!us).has(to) {
            Some((board.kind_on(to), to))
        } else if board.is_en_passant(mv) {
            Some((Piece::Pawn, Square::new(to.file(), mv.from().rank())))
        } else {
            None
        };
        let mut gained = captured.map_or(0, |(piece, _)| self.material[piece as usize]);
        let arriving = board.arriving(mv);
        if arriving != board.kind_on(mv.from()) {
            gained += self.material[arriving as usize] - self.material[Piece::Pawn as usize];
        }
        Accumulator {
            material: if us == Color::White {
                sums.material + gained
            } else {
                sums.material - gained
            },
            placement: self.placement.update(board, mv, captured, sums.placement),
        }
    }

    fn use_tables(&mut self, tables: Option<&Arc<Tables>>) {
        self.tables = tables.cloned();
    }

    #[inline]
    fn known(&self, board: &Board) -> Option<Known> {
        self.tables.as_ref()?.known(board)
    }

    #[inline]
    fn phase(&self, board: &Board, _: &Accumulator) -> i32 {
        self.phase.share(MEN as i32 - board.occupied().len() as i32)
    }

    #[inline]
    fn evaluate(&self, board: &Board, sums: &Accumulator, table: &mut PawnTable) -> i32 {
        let pieces = board.occupied().len() as usize;
        let taken = MEN as i32 - pieces as i32;
        let placement = sums.placement[0].plus(sums.placement[1]);
        let share = self.phase.share(taken);
        let placed = mix(
            sums.material + placement.opening(),
            sums.material + placement.ending(),
            share,
        );
        let value = placed + self.counted(board, pieces, table);
        let score = seen(board, value * self.scale.percent(board, value) / 100);
        (score + self.tempo).clamp(-SCORE_MAX, SCORE_MAX)
    }

    /// En passant and the race of a king with a pawn are all that depends on whose turn it is.
    fn after_pass(&self, board: &Board, eval: i32) -> Option<i32> {
        let men = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        let may_race = Color::ALL
            .iter()
            .any(|&color| (board.colors(color) & !men).is_empty());
        let mirrored = 2 * self.tempo - eval;
        let is_clamped = eval.abs().max(mirrored.abs()) >= SCORE_MAX;
        (!may_race && !is_clamped && board.en_passant_square().is_none()).then_some(mirrored)
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
