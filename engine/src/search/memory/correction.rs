//! Correction history: where searches found the static evaluation wrong, it is wrong again in positions alike.
//!
//! Positions are alike in several ways, each with a table of its own: in parts of the position that the game names
//! ([`StructureKeys`]) and in the last two moves. Each table learns from what all of them together left uncorrected.

use crate::config::SearchConfig;
use crate::game::{GameMove, Position, Side, StructureKeys};
use crate::ordering::{Context, pull};
use crate::search::counters::{Count, Technique};
use crate::search::data::{Bound, Node};
use crate::search::score::{DECISIVE, EVAL_MAX};

/// Entries of one table, a power of two.
const ENTRIES_BITS: u32 = 13;
const TABLES: usize = 6;
/// A table for each side.
const LEN: usize = (2 * TABLES) << ENTRIES_BITS;
/// One centipawn in a table.
const CENTIPAWN: i32 = 32;
/// Depths beyond this teach as much as this.
const DEPTH_MAX: i32 = 16;

#[derive(Debug)]
pub(crate) struct Corrections(Vec<i16>);

impl Corrections {
    pub(crate) fn new(config: &SearchConfig) -> Self {
        Corrections(vec![0; if config.correction { LEN } else { 0 }])
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    fn at(&self, config: &SearchConfig, places: [usize; TABLES]) -> i32 {
        // One test of the length, which a compiler knows from then on.
        let Some(values) = self.0.first_chunk::<LEN>() else {
            return 0;
        };
        let weights = [
            config.correction_material,
            config.correction_kings,
            config.correction_pawns,
            config.correction_pieces,
            config.correction_pieces,
            config.correction_moves,
        ];
        let weighted = |(place, weight): (usize, i32)| i32::from(values[place]) * weight;
        places.into_iter().zip(weights).map(weighted).sum::<i32>() / (100 * CENTIPAWN)
    }

    #[inline]
    pub(crate) fn corrected<P: Position>(
        &self,
        config: &SearchConfig,
        position: &P,
        context: Context,
        eval: i32,
    ) -> i32 {
        (eval + self.at(config, places_of(position, context))).clamp(-EVAL_MAX, EVAL_MAX)
    }

    /// Learns what the search of `node` makes of its static evaluation, which was `eval` after correction. Captures and
    /// promotions are what search is for; only a quiet outcome shows an error of the evaluation.
    pub(crate) fn learn_node<P: Position>(
        &mut self,
        config: &SearchConfig,
        position: &P,
        node: &Node<P>,
        eval: i32,
        found: SearchedValue<P::Move>,
        count: &mut impl Count,
    ) {
        let SearchedValue {
            best_move,
            score,
            bound,
        } = found;
        let is_tactical = best_move.bits() != 0 && position.is_tactical(best_move);
        if node.in_check || is_tactical || !contradicts(score, bound, eval) {
            return;
        }
        let (before, after) = ((score - node.raw_eval).abs(), (score - eval).abs());
        count.count(Technique::Correction, after < before);
        let places = places_of(position, node.context);
        self.learn(config, places, score - eval, node.depth);
    }

    fn learn(&mut self, config: &SearchConfig, places: [usize; TABLES], error: i32, depth: i32) {
        let limit = config.correction_limit * CENTIPAWN;
        let error = error.clamp(-config.correction_limit, config.correction_limit) * CENTIPAWN;
        let step = error * config.correction_rate * depth.clamp(1, DEPTH_MAX) / 256;
        for place in places {
            pull(&mut self.0[place], step.clamp(-limit / 4, limit / 4), limit);
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchedValue<M> {
    /// Bits 0 for none.
    pub(crate) best_move: M,
    pub(crate) score: i32,
    pub(crate) bound: Bound,
}

#[inline(always)]
fn places_of<P: Position>(position: &P, context: Context) -> [usize; TABLES] {
    places(position.side_to_move(), position.structure_keys(), context)
}

#[inline(always)]
fn places(side: Side, structure_keys: StructureKeys, context: Context) -> [usize; TABLES] {
    let last_moves = (context[0] as u64) << 32 | context[1] as u64;
    let keys = [
        structure_keys.material,
        structure_keys.kings,
        structure_keys.pawns,
        structure_keys.pieces[0],
        structure_keys.pieces[1],
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

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> SearchConfig {
        SearchConfig::with("correction=on")
    }

    const KEYS: StructureKeys = StructureKeys {
        material: 1,
        kings: 2,
        pawns: 3,
        pieces: [4, 5],
    };

    #[test]
    fn an_error_found_again_and_again_is_corrected_more_and_more_but_never_beyond_the_limits() {
        let config = config();
        let mut corrections = Corrections::new(&config);
        let here = places(Side::First, KEYS, [5, 6, 7]);
        let mut last = 0;
        for _ in 0..4 {
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
            + 2 * config.correction_pieces
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
        let here = places(Side::First, KEYS, [5, 6, 7]);
        for _ in 0..8 {
            corrections.learn(&config, here, 100, 16);
        }
        let same_pawns = StructureKeys {
            material: 91,
            kings: 92,
            pieces: [93, 94],
            ..KEYS
        };
        let whole = corrections.at(&config, here);
        let part = corrections.at(&config, places(Side::First, same_pawns, [8, 9, 7]));
        assert!(0 < part && part < whole, "{part} of {whole}");
        let other = places(Side::Second, KEYS, [5, 6, 7]);
        assert_eq!(corrections.at(&config, other), 0);
    }

    #[test]
    fn a_bound_teaches_only_where_it_contradicts_the_evaluation() {
        assert!(contradicts(50, Bound::Lower, 20) && !contradicts(10, Bound::Lower, 20));
        assert!(contradicts(10, Bound::Upper, 20) && !contradicts(50, Bound::Upper, 20));
        assert!(contradicts(10, Bound::Exact, 20) && !contradicts(DECISIVE, Bound::Exact, 20));
    }
}
