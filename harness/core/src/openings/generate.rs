//! Makes opening suites: games that begin like games, stopped where both sides still stand well.
//!
//! Attempt `n` depends on the seed and `n` alone. It plays from the start position: most moves are the engine's answer
//! to a short search, the others legal moves that lose no material at once, so that no two games stay together for long.
//! Where a phase is asked for, the game is one of the engine against itself after its first moves, and its first position
//! that passes is taken, from a ply on that is drawn for each attempt.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use rayon::prelude::*;
use tanren_engine::config::Config;
use tanren_engine::eval::{Evaluate, PHASE_WHOLE};
use tanren_engine::game::{MoveList, Path, Position};
use tanren_engine::search::{Searchable, Searcher, Silent};
use tanren_engine::time::Limits;

use crate::interrupt::Interrupt;
use crate::random::Random;

/// Attempts between two looks at how far it is.
const ATTEMPTS_PER_ROUND: u64 = 512;
/// With so few successes the specification asks for the impossible.
const ATTEMPTS_PER_OPENING_MAX: u64 = 2_000;
const HASH_MIB: usize = 1;
const ENGINE_MOVES_PERCENT: u64 = 65;
/// Plies after which a game that is to reach a phase is the engine's alone: random moves late would decide it.
const RANDOM_PLIES: u32 = 16;
/// Plies until a game whose position did not pass is looked at again, and how often that is done.
const PLIES_BETWEEN_JUDGEMENTS: u32 = 6;
const JUDGEMENTS_MAX: u32 = 4;

/// A third of the way from the first moves to the ending, by the phase variable of the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Phase {
    Opening,
    Middle,
    Endgame,
}

impl Phase {
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The third in which a phase of 0 to [`PHASE_WHOLE`] lies.
    pub fn of(phase: i32) -> Phase {
        match 3 * phase / (PHASE_WHOLE + 1) {
            ..=0 => Phase::Opening,
            1 => Phase::Middle,
            _ => Phase::Endgame,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerateSpec {
    pub count: usize,
    pub seed: u64,
    /// Plies from the start position; with a phase, those from which positions are looked at.
    pub plies: RangeInclusive<u32>,
    pub phase: Option<Phase>,
    pub score_min: i32,
    /// Greatest score either way, in centipawns.
    pub score_max: i32,
    pub nodes_judge: u64,
    pub nodes_move: u64,
    pub engine: Config,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum GenerateError {
    #[error(
        "only {found} of {wanted} positions found in {attempts} attempts: allow a wider score, other plies or another phase"
    )]
    TooRare {
        found: usize,
        wanted: usize,
        attempts: u64,
    },
    #[error("interrupted")]
    Interrupted,
}

pub fn generate<P: Searchable>(
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
                || Searcher::<P>::new(&spec.engine, HASH_MIB),
                |searcher, number| attempt(spec, searcher, number),
            )
            .collect();
        attempts += ATTEMPTS_PER_ROUND;
        for position in round.into_iter().flatten() {
            if found.len() < spec.count && keys.insert(position.repetition_key()) {
                found.push(position);
            }
        }
        progress(found.len());
    }
    Ok(found)
}

/// One try; `None` if no position of it passes. Where a phase is asked for, the first one of that phase counts, if it comes soon.
fn attempt<P: Searchable>(spec: &GenerateSpec, searcher: &mut Searcher<P>, number: u64) -> Option<P> {
    let mut game = OpeningCandidate::begin(spec, searcher, number);
    for ply in 0..game.draw_plies() {
        let is_alone = spec.phase.is_some() && ply >= RANDOM_PLIES;
        let is_engine = is_alone || game.random.below(100) < ENGINE_MOVES_PERCENT;
        game.play(is_engine)?;
    }
    let Some(phase) = spec.phase else {
        return game.passes().then_some(game.position);
    };
    let evaluator = <P::Evaluator as Evaluate<P>>::new(&spec.engine);
    for _ in 0..JUDGEMENTS_MAX {
        let sums = evaluator.refresh(&game.position);
        if Phase::of(evaluator.phase(&game.position, &sums)) == phase && game.passes() {
            return Some(game.position);
        }
        for _ in 0..PLIES_BETWEEN_JUDGEMENTS {
            game.play(true)?;
        }
    }
    None
}

struct OpeningCandidate<'a, P: Searchable> {
    spec: &'a GenerateSpec,
    searcher: &'a mut Searcher<P>,
    random: Random,
    position: P,
    path: Path,
}

impl<'a, P: Searchable> OpeningCandidate<'a, P> {
    fn begin(spec: &'a GenerateSpec, searcher: &'a mut Searcher<P>, number: u64) -> Self {
        let position = P::start();
        searcher.new_game();
        OpeningCandidate {
            spec,
            searcher,
            random: Random::new(spec.seed, &[number]),
            path: Path::new(&position),
            position,
        }
    }

    fn draw_plies(&mut self) -> u32 {
        let (least, most) = (*self.spec.plies.start(), *self.spec.plies.end());
        least + self.random.below(u64::from(most - least) + 1) as u32
    }

    /// Makes one move; `None` if there is none or the position was there before.
    fn play(&mut self, is_engine: bool) -> Option<()> {
        let mv = if is_engine {
            let limits = Limits::nodes(self.spec.nodes_move);
            let report = self
                .searcher
                .search(&self.position, &self.path, &limits, &mut Silent);
            report.best?
        } else {
            sound_move(&self.position, &mut self.random)?
        };
        self.position.make(mv);
        self.path.push(&self.position);
        (self.path.occurrences() <= 1).then_some(())
    }

    fn passes(&mut self) -> bool {
        if self.position.in_check() || self.position.count_legal_all() == 0 {
            return false;
        }
        // A table that is warm from the way here would make the score depend on more than the position.
        self.searcher.new_game();
        let path = Path::new(&self.position);
        let limits = Limits::nodes(self.spec.nodes_judge);
        let report = self.searcher.search(&self.position, &path, &limits, &mut Silent);
        (self.spec.score_min..=self.spec.score_max).contains(&report.score.abs())
    }
}

pub(super) fn sound_move<P: Position>(position: &P, random: &mut Random) -> Option<P::Move> {
    let mut moves = MoveList::new();
    position.legal(&mut moves);
    random.shuffle(&mut moves);
    let is_sound = |mv: &P::Move| position.see_ge(*mv, 0);
    moves.iter().copied().find(is_sound).or(moves.first().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_engine::shogi::Board;

    #[test]
    fn positions_of_a_phase_are_of_that_phase_and_phases_are_thirds() {
        let spec = |phase| GenerateSpec {
            count: 4,
            seed: 3,
            plies: 60..=100,
            phase: Some(phase),
            score_min: 0,
            score_max: 600,
            nodes_judge: 300,
            nodes_move: 60,
            engine: Config::default(),
        };
        let evaluator = <Board as tanren_engine::eval::Evaluated>::Evaluator::new(&Config::default());
        for phase in [Phase::Middle, Phase::Endgame] {
            let positions = generate::<Board>(&spec(phase), &Interrupt::default(), |_| {}).unwrap();
            let found = positions
                .iter()
                .map(|board| evaluator.phase(board, &evaluator.refresh(board)));
            assert_eq!(found.map(Phase::of).collect::<Vec<_>>(), [phase; 4]);
        }
        let names = [0, 85, 86, 171, 172, 256].map(|phase| Phase::of(phase).name());
        assert_eq!(
            names,
            ["opening", "opening", "middle", "middle", "endgame", "endgame"]
        );
    }
}
