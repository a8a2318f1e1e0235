//! Mate in one ply, found by the rules instead of by a search.

use super::{Bound, Count, HashEntry, PLY_MAX, Technique, Tree, lost, to_table};
use crate::eval::{Evaluate, Evaluated};
use crate::game::GameMove;

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// The score of `ply` if the side to move mates at once; remembered, and made the line of `ply` if it `has_line`.
    pub(super) fn mate_in_one(&mut self, ply: usize, has_line: bool) -> Option<i32> {
        if self.position.in_check() {
            return None;
        }
        let attacks = P::Evaluator::attacks_of_both(&self.memory.evaluation);
        let found = self.position.mate_in_one(attacks.map(|[own, _]| own));
        self.count.count(Technique::MateInOne, found.is_some());
        let mv = found?;
        let score = -lost(ply + 1);
        if has_line {
            self.lines.clear(ply + 1);
            self.lines.extend(ply, mv);
        }
        self.store(HashEntry {
            mv: mv.bits(),
            score: to_table(score, ply),
            depth: PLY_MAX as u8 - 1,
            bound: Bound::Exact,
            is_only_reply: false,
        });
        Some(score)
    }
}
