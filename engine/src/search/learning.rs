//! What a beta cut teaches the tables that order moves.
//!
//! In: the move that cut and those tried before it. Out: killers and histories that know it. Must not: search.

use arrayvec::ArrayVec;

use super::counters::{Count, Technique};
use super::moves::Attempt;
use super::node::Node;
use super::tree::Tree;
use crate::config::SearchConfig;
use crate::eval::Evaluated;
use crate::ordering::CaptureHistory;

/// Quiet moves of a node that are punished when a later one cuts.
const QUIETS_MAX: usize = 64;
/// The same for captures.
const CAPTURES_MAX: usize = 32;

/// The moves of a node that were searched and did not cut.
#[derive(Debug, Default)]
pub(super) struct Tried {
    /// Quiet moves, by [`Position::piece_to`](crate::game::Position::piece_to).
    quiets: ArrayVec<usize, QUIETS_MAX>,
    /// Captures, by their place in the capture history.
    captures: ArrayVec<usize, CAPTURES_MAX>,
}

/// What the move that cut in a node of `depth` gains in each history.
fn bonus(config: &SearchConfig, depth: i32) -> i32 {
    (config.history_bonus * depth).min(config.history_bonus_max)
}

/// What the moves tried before it lose.
fn malus(config: &SearchConfig, depth: i32) -> i32 {
    (config.history_malus * depth).min(config.history_malus_max)
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// Notes that the move did not cut.
    #[inline]
    pub(super) fn note_tried(&self, attempt: &Attempt<P::Move>, tried: &mut Tried) {
        if attempt.is_quiet {
            // Moves beyond the room go unpunished.
            let _ = tried.quiets.try_push(attempt.piece_to);
        } else if self.tables.config.capture_history {
            let place = CaptureHistory::place(&self.position, attempt.mv);
            let _ = tried.captures.try_push(place);
        }
    }

    /// Tells killers and histories which move cut and which did not.
    pub(super) fn learn(&mut self, node: &Node<P::Move>, attempt: &Attempt<P::Move>, tried: &Tried) {
        let config = self.tables.config;
        if attempt.is_quiet {
            self.count_distant(node, attempt.piece_to);
            self.tables.killers.insert(node.ply, attempt.mv);
            self.tables.counter_moves.insert(node.context[0], attempt.mv);
            self.tables
                .history
                .update(node.context, attempt.piece_to, bonus(config, node.depth));
        } else if config.capture_history {
            let place = CaptureHistory::place(&self.position, attempt.mv);
            let captures = &mut self.tables.history.captures;
            self.count
                .count(Technique::CaptureHistory, captures.score(place) > 0);
            captures.update(place, bonus(config, node.depth));
        }
        let malus = malus(config, node.depth);
        for &place in &tried.captures {
            self.tables.history.captures.update(place, -malus);
        }
        for &piece_to in &tried.quiets {
            self.tables.history.update(node.context, piece_to, -malus);
        }
    }

    /// Counts whether the history of the move four plies before spoke for the quiet move that cut.
    #[inline]
    fn count_distant(&mut self, node: &Node<P::Move>, piece_to: usize) {
        if C::IS_COUNTING && self.tables.config.continuation_4 {
            let row = self.tables.history.distant_row(node.context);
            let is_good = row.get(piece_to).is_some_and(|&value| value > 0);
            self.count.count(Technique::Continuation4, is_good);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_and_losses_grow_with_depth_to_limits_of_their_own() {
        let config = SearchConfig {
            history_bonus: 150,
            history_malus: 50,
            history_malus_max: 300,
            ..SearchConfig::default()
        };
        assert_eq!([1, 4, 40].map(|depth| bonus(&config, depth)), [150, 600, 1500]);
        assert_eq!([1, 4, 40].map(|depth| malus(&config, depth)), [50, 200, 300]);
    }
}
