use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use tanren_engine::game::Game;
use tanren_engine::search::Searchable;

use crate::config::PlayerSpec;
use crate::interrupt::Interrupt;
use crate::openings::{self, GenerateError, GenerateSpec, Phase, Starts};
use crate::session::error::{ExperimentError, Result};
use crate::session::folder::check_out;
use crate::session::game::with_game;
use crate::session::options::RunOptions;

const PLIES_LIMIT: u32 = 200;
/// A position takes seconds to be judged and half a kilobyte to be kept.
const COUNT_MAX: usize = 10_000_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerationSpec {
    pub game: Game,
    pub count: usize,
    pub seed: u64,
    pub phase: Option<Phase>,
    pub plies_min: Option<u32>,
    pub plies_max: Option<u32>,
    pub score_min: i32,
    pub score_max: i32,
    pub nodes_judge: u64,
    /// Nodes of the search for each move on the way; a 25th of the others if nothing is said.
    pub nodes_move: Option<u64>,
    pub player: String,
    pub out: PathBuf,
    pub replaces: bool,
    pub concurrency: Option<NonZero<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedSuite {
    pub plies: RangeInclusive<u32>,
    pub positions: Vec<String>,
}

impl GenerationSpec {
    /// Who plays unless something else is said; the first line of a suite leaves it out.
    pub const PLAYER: &'static str = "base";

    fn plies(&self) -> Result<RangeInclusive<u32>> {
        let (least, most) = match self.phase {
            None | Some(Phase::Opening) => (8, 24),
            Some(Phase::Middle) => (30, 70),
            Some(Phase::Endgame) => (60, 120),
        };
        let (least, most) = (self.plies_min.unwrap_or(least), self.plies_max.unwrap_or(most));
        if least > most || most > PLIES_LIMIT {
            let message = format!("plies from {least} to {most} is no range within {PLIES_LIMIT}");
            return Err(ExperimentError::Input(message));
        }
        Ok(least..=most)
    }
}

pub fn generate_suite(
    spec: &GenerationSpec,
    progress: &mut (dyn FnMut(usize) + Send),
) -> Result<GeneratedSuite> {
    with_game!(spec.game, generate(spec, progress))
}

fn generate<P: Searchable>(
    spec: &GenerationSpec,
    progress: &mut (dyn FnMut(usize) + Send),
) -> Result<GeneratedSuite> {
    if spec.count > COUNT_MAX {
        let message = format!("--count is {}, but must be {COUNT_MAX} at most", spec.count);
        return Err(ExperimentError::Input(message));
    }
    if spec.score_min > spec.score_max {
        let message = format!(
            "--score-min {} is more than --score-max {}",
            spec.score_min, spec.score_max
        );
        return Err(ExperimentError::Input(message));
    }
    let plies = spec.plies()?;
    let player = PlayerSpec::parse(spec.game, "of --player", &spec.player)?;
    let engine = player.builtin()?.clone();
    check_out(&spec.out, spec.replaces)?;
    let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let wanted = GenerateSpec {
        count: spec.count,
        seed: spec.seed,
        plies: plies.clone(),
        phase: spec.phase,
        score_min: spec.score_min,
        score_max: spec.score_max,
        nodes_judge: spec.nodes_judge,
        nodes_move: spec.nodes_move.unwrap_or(spec.nodes_judge / 25),
        engine,
    };
    let options = RunOptions {
        concurrency: spec.concurrency,
        ..RunOptions::default()
    };
    let executor = options.executor()?;
    let made = executor
        .pool()
        .install(|| openings::generate::<P>(&wanted, &interrupt, progress));
    let positions = made.map_err(|error| match error {
        GenerateError::Interrupted => ExperimentError::stopped(&interrupt),
        error => error.into(),
    })?;
    Ok(GeneratedSuite {
        plies,
        positions: positions.iter().map(ToString::to_string).collect(),
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartsSpec {
    pub starts: Starts,
    /// All by number, or so many in an order of the seed.
    pub count: Option<usize>,
    pub seed: u64,
    pub out: PathBuf,
    pub replaces: bool,
}

pub fn start_positions(spec: &StartsSpec) -> Result<Vec<String>> {
    let all = spec.starts.count();
    if let Some(count) = spec.count.filter(|&count| count > all) {
        let message = format!(
            "--count is {count}, but --{} has {all} positions",
            spec.starts.name()
        );
        return Err(ExperimentError::Input(message));
    }
    check_out(&spec.out, spec.replaces)?;
    Ok(spec.starts.lines(spec.count, spec.seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(out: PathBuf) -> GenerationSpec {
        GenerationSpec {
            game: Game::Shogi,
            count: 3,
            seed: 1,
            phase: None,
            plies_min: None,
            plies_max: None,
            score_min: 0,
            score_max: 300,
            nodes_judge: 100,
            nodes_move: None,
            player: GenerationSpec::PLAYER.to_owned(),
            out,
            replaces: false,
            concurrency: NonZero::new(1),
        }
    }

    #[test]
    fn plies_are_those_of_the_phase_unless_given() {
        let mut spec = spec("x.sfen".into());
        assert_eq!(spec.plies().unwrap(), 8..=24);
        spec.phase = Some(Phase::Endgame);
        assert_eq!(spec.plies().unwrap(), 60..=120);
        spec.plies_max = Some(50);
        let error = spec.plies().unwrap_err();
        assert!(error.to_string().contains("plies from 60 to 50"), "{error}");
        (spec.plies_min, spec.plies_max) = (Some(1), Some(201));
        assert!(spec.plies().is_err());
    }

    #[test]
    fn a_suite_has_as_many_positions_as_wanted_and_no_file_is_replaced_unasked() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("mine.sfen");
        let mut last = 0;
        let mut endless = spec(out.clone());
        endless.count = 9_999_999_999_999;
        let error = generate_suite(&endless, &mut |_| ()).unwrap_err();
        assert!(error.to_string().contains("must be 10000000 at most"), "{error}");
        let made = generate_suite(&spec(out.clone()), &mut |found| last = found).unwrap();
        assert_eq!((made.positions.len(), last), (3, 3));
        assert!(!out.exists(), "writing is not part of it");
        std::fs::write(&out, "old").unwrap();
        let error = generate_suite(&spec(out), &mut |_| ()).unwrap_err();
        assert!(
            error.is_input() && error.to_string().contains("--force"),
            "{error}"
        );
    }
}
