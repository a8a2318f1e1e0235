//! A suite in numbers.

use tanren_engine::game::{Position, Side};

use super::{Opening, OpeningSuite};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    pub positions: usize,
    pub duplicates: usize,
    pub second_to_move: usize,
    /// Positions in which the side to move is in check.
    pub in_check: usize,
    pub legal_moves_mean: f64,
}

impl Figures {
    /// The figures of `suite`, which holds at least one opening.
    pub fn of<P: Position>(suite: &OpeningSuite<P>) -> Figures {
        let positions = || suite.openings.iter().map(Opening::position);
        let moves: usize = positions().map(|position| position.count_legal_all()).sum();
        Figures {
            positions: suite.openings.len(),
            duplicates: suite.duplicates.len(),
            second_to_move: positions()
                .filter(|position| position.side_to_move() == Side::Second)
                .count(),
            in_check: positions().filter(|position| position.in_check()).count(),
            legal_moves_mean: moves as f64 / suite.openings.len() as f64,
        }
    }
}
