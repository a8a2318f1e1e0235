//! Makes opening suites: games that begin like games, stopped where both sides still stand well.
//!
//! In: a [`GenerateSpec`]. Out: distinct quiet positions within a window of the engine's own score, the same for the
//! same specification at any number of threads. Must not: write a file.
//!
//! Attempt `n` depends on the seed and `n` alone. It plays from the start position: most moves are the engine's answer
//! to a short search, the others legal moves that lose no material at once, so that no two games stay together for long.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use rayon::prelude::*;
use tanren_engine::config::Config;
use tanren_engine::eval::Evaluated;
use tanren_engine::game::{MoveList, Path};
use tanren_engine::search::{Searcher, Silent};
use tanren_engine::time::Limits;

use crate::interrupt::Interrupt;
use crate::random::Random;

/// Attempts between two looks at how far it is.
const ATTEMPTS_PER_ROUND: u64 = 512;
/// With so few successes the specification asks for the impossible.
const ATTEMPTS_PER_OPENING_MAX: u64 = 2_000;
const HASH_MIB: usize = 1;
/// How many moves are the engine's.
const ENGINE_MOVES_PERCENT: u64 = 65;

/// What to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerateSpec {
    /// How many positions.
    pub count: usize,
    /// Decides everything that is random.
    pub seed: u64,
    /// Plies from the start position.
    pub plies: RangeInclusive<u32>,
    /// Greatest score either way, in centipawns.
    pub score_max: i32,
    /// Nodes of the search that judges a position.
    pub nodes_judge: u64,
    /// Nodes of the search for a move on the way.
    pub nodes_move: u64,
}

/// Why a suite cannot be made.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum GenerateError {
    /// Too few positions pass.
    #[error(
        "only {found} of {wanted} positions found in {attempts} attempts: allow a wider score or more plies"
    )]
    TooRare {
        /// Found so far.
        found: usize,
        /// Wanted.
        wanted: usize,
        /// Attempts made.
        attempts: u64,
    },
    /// A signal came.
    #[error("interrupted")]
    Interrupted,
}

/// Makes the positions, calling `progress` with the number found so far.
///
/// # Errors
/// Positions that pass are too rare, or `interrupt` was raised.
pub fn generate<P: Evaluated>(
    spec: &GenerateSpec,
    interrupt: &Interrupt,
    mut progress: impl FnMut(usize),
) -> Result<Vec<P>, GenerateError> {
    let mut found: Vec<P> = Vec::with_capacity(spec.count);
    let mut keys = HashSet::new();
    let mut attempts = 0;
    while found.len() < spec.count {
        if interrupt.is_requested() {
            return Err(GenerateError::Interrupted);
        }
        if attempts > ATTEMPTS_PER_OPENING_MAX * (found.len() as u64 + 1) {
            return Err(GenerateError::TooRare {
                found: found.len(),
                wanted: spec.count,
                attempts,
            });
        }
        let round: Vec<Option<P>> = (attempts..attempts + ATTEMPTS_PER_ROUND)
            .into_par_iter()
            .map_init(
                || Searcher::<P>::new(&Config::default(), HASH_MIB),
                |searcher, number| attempt(spec, searcher, number),
            )
            .collect();
        attempts += ATTEMPTS_PER_ROUND;
        for position in round.into_iter().flatten() {
            if found.len() < spec.count && keys.insert(position.key()) {
                found.push(position);
            }
        }
        progress(found.len());
    }
    Ok(found)
}

/// One try; `None` if the position does not pass.
fn attempt<P: Evaluated>(spec: &GenerateSpec, searcher: &mut Searcher<P>, number: u64) -> Option<P> {
    let mut random = Random::new(spec.seed, &[number]);
    let (least, most) = (*spec.plies.start(), *spec.plies.end());
    let plies = least + random.below(u64::from(most - least) + 1) as u32;
    let mut position = P::start();
    let mut path = Path::new(&position);
    searcher.new_game();
    for _ in 0..plies {
        let mv = if random.below(100) < ENGINE_MOVES_PERCENT {
            let limits = nodes(spec.nodes_move);
            searcher.search(&position, &path, &limits, &mut Silent).best?
        } else {
            sound_move(&position, &mut random)?
        };
        position.make(mv);
        path.push(&position);
        if path.occurrences() > 1 {
            return None;
        }
    }
    if position.in_check() || position.count_legal_all() == 0 {
        return None;
    }
    // A table that is warm from the way here would make the score depend on more than the position.
    searcher.new_game();
    let path = Path::new(&position);
    let report = searcher.search(&position, &path, &nodes(spec.nodes_judge), &mut Silent);
    (report.score.abs() <= spec.score_max).then_some(position)
}

/// A random legal move that does not lose material at once, if there is one.
fn sound_move<P: Evaluated>(position: &P, random: &mut Random) -> Option<P::Move> {
    let mut moves = MoveList::new();
    position.legal(&mut moves);
    random.shuffle(&mut moves);
    let is_sound = |mv: &P::Move| position.see_ge(*mv, 0);
    moves.iter().copied().find(is_sound).or(moves.first().copied())
}

fn nodes(nodes_max: u64) -> Limits {
    Limits {
        nodes_max: Some(nodes_max),
        ..Limits::default()
    }
}
