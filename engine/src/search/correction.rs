//! Correction history: where searches found the static evaluation wrong, it is wrong again in positions alike.
//!
//! In: static evaluations and what searches made of them. Out: corrected evaluations. Must not: be put into the hash table,
//! which keeps evaluations as they are.
//!
//! Positions are alike in several ways, each with a table of its own: in three parts of the position that the game names
//! ([`Likenesses`]) and in the last two moves. Each table learns from what all of them together left uncorrected.

use super::counters::{Count, Technique};
use super::node::Node;
use super::score::{DECISIVE, EVAL_MAX, EVAL_NONE};
use super::table::Bound;
use super::tree::Tree;
use crate::config::SearchConfig;
use crate::eval::Evaluated;
use crate::game::{GameMove, Likenesses, Side};
use crate::ordering::{Context, pull};

/// Entries of one table, a power of two.
const ENTRIES_BITS: u32 = 13;
/// Tables: material, kings, pawns, last moves.
const TABLES: usize = 4;
/// One centipawn in a table.
const CENTIPAWN: i32 = 32;
/// Depths beyond this teach as much as this.
const DEPTH_MAX: i32 = 16;

/// The tables, empty when switched off.
#[derive(Debug)]
pub(super) struct Corrections(Vec<i16>);

impl Corrections {
    /// No corrections, and no room for any unless `config` uses them.
    pub(super) fn new(config: &SearchConfig) -> Self {
        let len = (2 * TABLES) << ENTRIES_BITS;
        Corrections(vec![0; if config.correction { len } else { 0 }])
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The correction at `places` in centipawns.
    fn at(&self, config: &SearchConfig, places: [usize; TABLES]) -> i32 {
        let weights = [
            config.correction_material,
            config.correction_kings,
            config.correction_pawns,
            config.correction_moves,
        ];
        let weighted = |(place, weight): (usize, i32)| i32::from(self.0[place]) * weight;
        places.into_iter().zip(weights).map(weighted).sum::<i32>() / (100 * CENTIPAWN)
    }

    /// Learns that the evaluation at `places`, corrected, was `error` centipawns too low, as a search of `depth` found.
    fn learn(&mut self, config: &SearchConfig, places: [usize; TABLES], error: i32, depth: i32) {
        let limit = config.correction_limit * CENTIPAWN;
        let error = error.clamp(-config.correction_limit, config.correction_limit) * CENTIPAWN;
        let step = error * config.correction_rate * depth.clamp(1, DEPTH_MAX) / 256;
        for place in places {
            pull(&mut self.0[place], step.clamp(-limit / 4, limit / 4), limit);
        }
    }
}

/// Where the tables keep the positions like this one.
fn places(side: Side, likenesses: Likenesses, context: Context) -> [usize; TABLES] {
    let last_moves = (context[0] as u64) << 32 | context[1] as u64;
    let keys = [
        likenesses.material,
        likenesses.kings,
        likenesses.pawns,
        last_moves,
    ];
    let mut table = 0;
    keys.map(|key| {
        let index = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - ENTRIES_BITS);
        let place = (2 * table + side.index()) << ENTRIES_BITS | index as usize;
        table += 1;
        place
    })
}

/// Does a search that came to `score` say that `eval` is wrong?
fn contradicts(score: i32, bound: Bound, eval: i32) -> bool {
    score.abs() < DECISIVE
        && match bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        }
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// The static evaluation `eval` of the position at `ply`, corrected; [`EVAL_NONE`] stays what it is.
    #[inline]
    pub(super) fn corrected(&self, eval: i32, ply: usize) -> i32 {
        if self.tables.config.correction && eval != EVAL_NONE {
            self.with_correction(eval, ply)
        } else {
            eval
        }
    }

    #[cold]
    fn with_correction(&self, eval: i32, ply: usize) -> i32 {
        let correction = self.tables.corrections.at(self.tables.config, self.places(ply));
        (eval + correction).clamp(-EVAL_MAX, EVAL_MAX)
    }

    fn places(&self, ply: usize) -> [usize; TABLES] {
        places(
            self.position.side_to_move(),
            self.position.likenesses(),
            self.context(ply),
        )
    }

    /// Step 12b: learns what the search of `node` makes of its static evaluation. Captures and promotions are what search is
    /// for; only a quiet outcome shows an error of the evaluation.
    #[cold]
    pub(super) fn learn_correction(
        &mut self,
        node: &Node<P::Move>,
        best_move: P::Move,
        score: i32,
        bound: Bound,
    ) {
        let eval = self.frame(node.ply, 0).eval;
        let is_tactical = best_move.bits() != 0 && self.position.is_tactical(best_move);
        if node.in_check || is_tactical || !contradicts(score, bound, eval) {
            return;
        }
        let (before, after) = ((score - node.raw_eval).abs(), (score - eval).abs());
        self.count.count(Technique::Correction, after < before);
        let places = self.places(node.ply);
        self.tables
            .corrections
            .learn(self.tables.config, places, score - eval, node.depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> SearchConfig {
        SearchConfig {
            correction: true,
            ..SearchConfig::default()
        }
    }

    const LIKENESSES: Likenesses = Likenesses {
        material: 1,
        kings: 2,
        pawns: 3,
    };

    #[test]
    fn an_error_found_again_and_again_is_corrected_more_and_more_but_never_beyond_the_limits() {
        let config = config();
        let mut corrections = Corrections::new(&config);
        let here = places(Side::First, LIKENESSES, [5, 6, 7]);
        let mut last = 0;
        for _ in 0..8 {
            corrections.learn(&config, here, 100 - last, 8);
            let correction = corrections.at(&config, here);
            assert!(
                correction > last && correction <= 100,
                "{correction} after {last}"
            );
            last = correction;
        }
        for _ in 0..10_000 {
            corrections.learn(&config, here, -30_000, 16);
        }
        let weights = config.correction_material
            + config.correction_kings
            + config.correction_pawns
            + config.correction_moves;
        let most = config.correction_limit * weights / 100;
        let least = corrections.at(&config, here);
        assert!(least < -most / 2 && least >= -most, "{least} of {most}");
        corrections.clear();
        assert_eq!(corrections.at(&config, here), 0);
    }

    #[test]
    fn positions_alike_share_in_the_correction_and_the_other_side_does_not() {
        let config = config();
        let mut corrections = Corrections::new(&config);
        let here = places(Side::First, LIKENESSES, [5, 6, 7]);
        for _ in 0..8 {
            corrections.learn(&config, here, 100, 16);
        }
        let same_pawns = Likenesses {
            material: 91,
            kings: 92,
            ..LIKENESSES
        };
        let whole = corrections.at(&config, here);
        let part = corrections.at(&config, places(Side::First, same_pawns, [8, 9, 7]));
        assert!(0 < part && part < whole, "{part} of {whole}");
        let other = places(Side::Second, LIKENESSES, [5, 6, 7]);
        assert_eq!(corrections.at(&config, other), 0);
    }

    #[test]
    fn a_bound_teaches_only_where_it_contradicts_the_evaluation() {
        assert!(contradicts(50, Bound::Lower, 20) && !contradicts(10, Bound::Lower, 20));
        assert!(contradicts(10, Bound::Upper, 20) && !contradicts(50, Bound::Upper, 20));
        assert!(contradicts(10, Bound::Exact, 20) && !contradicts(DECISIVE, Bound::Exact, 20));
    }
}
