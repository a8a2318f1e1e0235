//! Evaluation: what a position is worth to the side to move.

pub mod chess;
mod learned;
pub(crate) mod phase;
pub mod shogi;

pub use learned::King;

use std::sync::Arc;

pub(crate) use crate::chess::Tables;
use crate::config::Config;
use crate::game::{Known, Position};

/// The share of a position that is all ending.
pub const PHASE_WHOLE: i32 = phase::WHOLE;

/// A static evaluation, incremental where that pays.
pub trait Evaluate<P: Position>: Send + Sync + 'static {
    /// What is carried from ply to ply; small, copied once a move.
    type Accumulator: Copy + Send;

    /// What an evaluation leaves behind: a cache that is valid for every configuration (chess), or the
    /// [attacks of both sides](Evaluate::attacks_of_both) (shogi).
    type Memory: Default + Send;

    /// Does [`after_pass`](Evaluate::after_pass) ever know?
    const KNOWS_PASSES: bool = false;

    /// Expands the weights once.
    fn new(config: &Config) -> Self;
    /// The accumulator of a position, from scratch.
    fn refresh(&self, position: &P) -> Self::Accumulator;
    /// The accumulator after `mv`, called before `mv` is made. (A pass changes nothing.)
    fn update(&self, position: &P, mv: P::Move, accumulator: &Self::Accumulator) -> Self::Accumulator;
    /// The share of the ending in the position, from 0 (opening) to [`PHASE_WHOLE`] (ending).
    fn phase(&self, position: &P, accumulator: &Self::Accumulator) -> i32;
    /// Centipawns from the side to move's view, well inside the mate scores.
    fn evaluate(&self, position: &P, accumulator: &Self::Accumulator, memory: &mut Self::Memory) -> i32;
    /// What `evaluate` says after a pass in `position`, where it said `eval`, if that is known without a look at the pieces.
    fn after_pass(&self, _position: &P, _eval: i32) -> Option<i32> {
        None
    }
    /// What the side to move and its opponent attack in the position that was evaluated last, if its evaluation found that out.
    /// `None` of an evaluation that [knows passes](Evaluate::KNOWS_PASSES): after a pass it is not asked, and its memory is of another
    /// position.
    fn attacks_of_both(_: &Self::Memory) -> Option<[P::Squares; 2]> {
        None
    }
    /// Reads these tables of endings, if any; games without tables do not.
    fn use_tables(&mut self, _: Option<&Arc<Tables>>) {}
    /// What tables of endings know of the position.
    #[inline]
    fn known(&self, _: &P) -> Option<Known> {
        None
    }
    /// The material alone, in centipawns from the side to move's view.
    fn material(&self, position: &P, accumulator: &Self::Accumulator) -> i32;
}

/// A game that comes with its evaluation.
pub trait Evaluated: Position {
    /// The evaluation of the game.
    type Evaluator: Evaluate<Self>;
}
