//! Hash cut: a search of the same position, as deep as this one, has settled the score.

use super::{Bound, Count, EVAL_MAX, HashEntry, Technique, Tree, Window};
use crate::eval::Evaluated;

/// From so many plies without a capture or a pawn's move on, of 100, scores of the same position are not comparable.
const HALFMOVES_MAX: u8 = 90;

/// Does the score of `entry`, seen as `score` from here, settle a search of `depth` with `window`?
#[inline]
fn settles(entry: &HashEntry, score: i32, depth: i32, window: Window) -> bool {
    i32::from(entry.depth) >= depth
        && match entry.bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        }
}

/// `eval` made better by `score`, that of `entry`, where its bound says that `eval` errs.
#[inline]
pub(super) fn refined(entry: &HashEntry, score: i32, eval: i32) -> i32 {
    let better = match entry.bound {
        Bound::None => false,
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    };
    if better && score.abs() <= EVAL_MAX {
        score
    } else {
        eval
    }
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// The score of a known position, if it settles a search of `depth` with `window`.
    #[inline]
    pub(super) fn settled(
        &mut self,
        known: Option<(HashEntry, i32)>,
        depth: i32,
        window: Window,
    ) -> Option<i32> {
        // The key does not tell how near the draw by 50 moves is.
        if self
            .position
            .halfmove_clock()
            .is_some_and(|plies| plies >= HALFMOVES_MAX)
        {
            return None;
        }
        let (entry, score) = known?;
        let settles = settles(&entry, score, depth, window);
        self.count.count(Technique::Hash, settles);
        settles.then_some(score)
    }
}
