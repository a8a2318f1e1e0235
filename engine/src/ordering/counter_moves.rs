//! Counter moves: the quiet move that last cut after each move of the opponent.

use crate::config::SearchConfig;
use crate::game::{GameMove, Position};

#[derive(Debug)]
pub(crate) struct CounterMoves<P: Position> {
    /// By the `piece_to` of the move answered; empty when switched off.
    answers: Vec<P::Move>,
}

impl<P: Position> CounterMoves<P> {
    pub(crate) fn new(config: &SearchConfig) -> Self {
        let moves = if config.counter_moves { P::PIECE_TO } else { 0 };
        CounterMoves {
            answers: vec![P::Move::from_bits(0); moves],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.answers.fill(P::Move::from_bits(0));
    }

    /// The answer to the move `earlier`, bits 0 if there is none ([`Position::PIECE_TO`], a pass, has none).
    #[inline]
    pub(crate) fn answer(&self, earlier: usize) -> P::Move {
        let none = P::Move::from_bits(0);
        self.answers.get(earlier).copied().unwrap_or(none)
    }

    #[inline]
    pub(crate) fn insert(&mut self, earlier: usize, mv: P::Move) {
        if let Some(answer) = self.answers.get_mut(earlier) {
            *answer = mv;
        }
    }
}
