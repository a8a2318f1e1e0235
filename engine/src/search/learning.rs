//! What searches teach the tables that order moves.

use super::{Attempt, Count, EVAL_NONE, Node, Technique, Tree, TriedMoves};
use crate::config::{HistoryGrowth, SearchConfig};
use crate::eval::Evaluated;
use crate::ordering::{CaptureHistory, Place};

/// No bonus is greater: `history.limit` is at least this.
const BONUS_MAX: i32 = 4096;
/// Evaluations that rise or fall by more, in centipawns, count as this: a tactical move changed them.
const RISE_MAX: i32 = 100;

/// What bonus and malus are multiplied with.
#[inline]
fn grown(config: &SearchConfig, depth: i32) -> i32 {
    match config.history_growth {
        HistoryGrowth::Linear => depth,
        HistoryGrowth::Square => depth * depth,
    }
}

/// What the move that cut in a node of `depth` gains in each history.
fn bonus(config: &SearchConfig, depth: i32) -> i32 {
    (config.history_bonus * grown(config, depth)).min(config.history_bonus_max)
}

/// What the moves tried before it lose.
fn malus(config: &SearchConfig, depth: i32) -> i32 {
    (config.history_malus * grown(config, depth)).min(config.history_malus_max)
}

/// What a quiet move gains when its side's evaluation rises by `rise` centipawns.
fn rise_bonus(config: &SearchConfig, rise: i32) -> i32 {
    let rise = rise.clamp(-RISE_MAX, RISE_MAX) + config.eval_history_offset;
    (rise * config.eval_history_weight).clamp(-BONUS_MAX, BONUS_MAX)
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// Notes that the move did not cut.
    #[inline]
    pub(super) fn note_tried(&self, attempt: &Attempt<P::Move>, tried: &mut TriedMoves) {
        if let Some(place) = attempt.quiet {
            // Moves beyond the room go unpunished.
            let _ = tried.quiets.try_push(place);
        } else if self.config.capture_history {
            let place = CaptureHistory::place(&self.position, attempt.mv);
            let _ = tried.captures.try_push(place);
        }
    }

    /// Tells killers and histories which move cut and which did not.
    pub(super) fn learn(&mut self, node: &Node<P>, attempt: &Attempt<P::Move>, tried: &TriedMoves) {
        let config = self.config;
        if let Some(place) = attempt.quiet {
            self.count_distant(node, place);
            self.memory.killers.insert(node.ply, attempt.mv);
            self.memory.counter_moves.insert(node.context[0], attempt.mv);
            let bonus = bonus(config, node.depth);
            self.memory.history.update(node.context, place, bonus);
        } else if config.capture_history {
            let place = CaptureHistory::place(&self.position, attempt.mv);
            let captures = &mut self.memory.history.captures;
            self.count
                .count(Technique::CaptureHistory, captures.score(place) > 0);
            captures.update(place, bonus(config, node.depth));
        }
        let malus = malus(config, node.depth);
        for &place in &tried.captures {
            self.memory.history.captures.update(place, -malus);
        }
        for &place in &tried.quiets {
            self.memory.history.update(node.context, place, -malus);
        }
    }

    /// Tells the histories that no reply to the last move reached alpha.
    pub(super) fn learn_unanswered(&mut self, depth: i32, ply: usize) {
        self.learn_last_move(bonus(self.config, depth), self.config.history_unanswered, ply);
    }

    /// Rewards or punishes the last move, whose reduced search was above alpha: `reached` says whether its score still is, after a further
    /// search to `depth` if there was one.
    pub(super) fn learn_research(&mut self, depth: i32, reached: bool, ply: usize) {
        let worth = if reached {
            bonus(self.config, depth)
        } else {
            -malus(self.config, depth)
        };
        self.learn_last_move(worth, self.config.history_research, ply);
    }

    /// Adds `percent` of `worth` to the histories of the last move, if it is a quiet one.
    fn learn_last_move(&mut self, worth: i32, percent: i32, ply: usize) {
        if percent == 0 {
            return;
        }
        if let Some(place) = self.frame(ply, 1).quiet {
            let worth = (worth * percent / 100).clamp(-BONUS_MAX, BONUS_MAX);
            self.memory.history.update(self.context(ply - 1), place, worth);
        }
    }

    /// Tells the history of quiet moves how much better off the last move left its side, by the static evaluations before and after it.
    #[inline]
    pub(super) fn learn_rise(&mut self, ply: usize) {
        let config = self.config;
        if !config.eval_history || !config.history || ply == 0 {
            return;
        }
        let (after, before) = (self.frame(ply, 0).eval, *self.frame(ply, 1));
        if let Some(place) = before.quiet
            && before.eval != EVAL_NONE
            && after != EVAL_NONE
        {
            let bonus = rise_bonus(config, -after - before.eval);
            self.memory.history.update_alone(place, bonus);
        }
    }

    /// Counts whether the history of the move four plies before spoke for the quiet move that cut.
    #[inline]
    fn count_distant(&mut self, node: &Node<P>, place: Place) {
        if C::IS_COUNTING && self.config.continuation_4 {
            let score = self.memory.history.distant_score(node.context, place);
            self.count.count(Technique::Continuation4, score > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_and_losses_grow_with_depth_to_limits_of_their_own() {
        let config = SearchConfig::with("history.bonus=150,history.malus=50,history.malus_max=300");
        assert_eq!([1, 4, 40].map(|depth| bonus(&config, depth)), [150, 600, 1500]);
        assert_eq!([1, 4, 40].map(|depth| malus(&config, depth)), [50, 200, 300]);
        let square = SearchConfig {
            history_growth: HistoryGrowth::Square,
            history_bonus: 1,
            ..config
        };
        assert_eq!([1, 4, 40].map(|depth| bonus(&square, depth)), [1, 16, 1500]);
    }

    #[test]
    fn a_move_gains_by_a_rise_of_the_evaluation_and_loses_by_a_fall() {
        let config = SearchConfig::with("eval_history.weight=10,eval_history.offset=20");
        assert_eq!(
            [-5000, -20, 0, 30].map(|rise| rise_bonus(&config, rise)),
            [-800, 0, 200, 500]
        );
        let steep = SearchConfig::with("eval_history.weight=64");
        assert_eq!([-5000, 5000].map(|rise| rise_bonus(&steep, rise)), [-4096, 4096]);
    }
}
