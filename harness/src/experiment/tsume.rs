//! Mate problems: what a player solves, whether a suite of them is right, and a new suite from games.
//!
//! In: a [`TsumeSpec`]. Out: [`TsumeFindings`]. Must not: look for a mate itself.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use tanren_engine::game::{Game, Position};
use tanren_engine::search::Searchable;

use super::ExperimentError;
use super::folder::{first_usable, plain_name};
use super::game::with_game;
use super::options::RunOptions;
use super::out::check_out;
use crate::config::PlayerSpec;
use crate::interrupt::Interrupt;
use crate::runner::LocalExecutor;
use crate::study::tsume::{self, Answer, MineSpec, Problem, SolveSpec};

const SHOGI_SUITE: &str = "suites/shogi-tsume.sfen";
/// The solver that judges answers and checks suites gives up after so many nodes.
const SOLVER_NODES_MAX: u64 = 20_000_000;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TsumeSpec {
    /// The game of the positions.
    pub game: Game,
    /// Positions at the same time; as many as there are cores if nothing is said.
    pub concurrency: Option<NonZero<usize>>,
    /// With what.
    pub task: TsumeTask,
}

/// What can be done with mate problems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TsumeTask {
    /// A player tries to solve them.
    Solve(SolveTask),
    /// Their lengths are proven.
    Check {
        /// The problems.
        file: PathBuf,
    },
    /// A suite of them is made from games.
    Mine {
        /// The games, one a line.
        games: Vec<PathBuf>,
        /// Which positions are wanted.
        wanted: MineSpec,
        /// The file of the suite.
        out: PathBuf,
        /// May there be such a file already?
        replaces: bool,
    },
}

/// Who solves what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolveTask {
    /// The problems; the suite of the repository if there is none.
    pub suite: Option<PathBuf>,
    /// The player, as the user writes it.
    pub player: String,
    /// Its nodes for each problem.
    pub nodes_max: u64,
    /// Its hash table in MiB.
    pub hash_mib: usize,
    /// The folder of the result.
    pub out: Option<PathBuf>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TsumeFindings {
    /// What a player answered.
    Solved(SolvedProblems),
    /// A suite is right.
    Checked {
        /// Its file.
        file: PathBuf,
        /// Its problems.
        positions: usize,
    },
    /// A suite was made.
    Mined(MinedProblems),
}

/// The answers of one player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolvedProblems {
    /// What the player is called.
    pub label: String,
    /// Its nodes for each problem.
    pub nodes_max: u64,
    /// Its answers, in the order of the suite.
    pub answers: Vec<Answer>,
    /// The folder of the result, which exists.
    pub folder: PathBuf,
}

/// Problems from games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinedProblems {
    /// Of which game.
    pub game: Game,
    /// Which positions were wanted.
    pub wanted: MineSpec,
    /// The positions in the game's notation, each with the plies of its mate.
    pub problems: Vec<(String, u32)>,
    /// How many games were looked through.
    pub games: usize,
    /// The file of the suite.
    pub out: PathBuf,
}

/// Does what `spec` wants; the files are not written yet. After each problem that is searched
/// `solved` is called with the number of all.
///
/// # Errors
/// A file cannot be read or holds something else, a problem is wrong, or a signal came.
pub fn tsume(spec: &TsumeSpec, solved: &(dyn Fn(usize) + Sync)) -> Result<TsumeFindings, ExperimentError> {
    match &spec.task {
        TsumeTask::Solve(task) => with_game!(spec.game, solve(spec, task, solved)),
        TsumeTask::Check { file } => with_game!(spec.game, check(spec, file)),
        TsumeTask::Mine {
            games,
            wanted,
            out,
            replaces,
        } => {
            check_out(out, *replaces)?;
            with_game!(spec.game, mine(spec, games, *wanted, out))
        }
    }
}

impl TsumeSpec {
    fn executor(&self) -> Result<LocalExecutor, ExperimentError> {
        let options = RunOptions {
            concurrency: self.concurrency,
            ..RunOptions::default()
        };
        options.executor()
    }
}

fn solve<P: Searchable>(
    spec: &TsumeSpec,
    task: &SolveTask,
    solved: &(dyn Fn(usize) + Sync),
) -> Result<TsumeFindings, ExperimentError> {
    let suite = match (&task.suite, spec.game) {
        (Some(path), _) => path,
        (None, Game::Shogi) => Path::new(SHOGI_SUITE),
        (None, game) => {
            let game = game.name();
            let message = format!("there is no suite of mates for {game}: give --suite FILE");
            return Err(ExperimentError::Input(message));
        }
    };
    let player = PlayerSpec::parse(spec.game, "of --config", &task.player)?;
    let problems: Vec<Problem<P>> = tsume::load(suite)?;
    let executor = spec.executor()?;
    let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let solve = SolveSpec {
        config: player.builtin()?,
        nodes_max: task.nodes_max,
        hash_mib: task.hash_mib,
        solver_nodes_max: SOLVER_NODES_MAX,
    };
    let answers = executor
        .pool()
        .install(|| tsume::solve(solve, &problems, &interrupt, &|| solved(problems.len())));
    let answers = answers.ok_or_else(|| ExperimentError::stopped(&interrupt))?;
    let name = plain_name(&format!("tsume-{}", player.label));
    let default = || first_usable(&name, |_| false);
    let folder = task.out.clone().unwrap_or_else(default);
    std::fs::create_dir_all(&folder).map_err(ExperimentError::unwritable(&folder))?;
    Ok(TsumeFindings::Solved(SolvedProblems {
        label: player.label,
        nodes_max: task.nodes_max,
        answers,
        folder,
    }))
}

fn check<P: Position>(spec: &TsumeSpec, file: &Path) -> Result<TsumeFindings, ExperimentError> {
    let problems: Vec<Problem<P>> = tsume::load(file)?;
    let executor = spec.executor()?;
    let wrong = executor
        .pool()
        .install(|| tsume::wrong_problems(&problems, SOLVER_NODES_MAX));
    if !wrong.is_empty() {
        let line = |(line, message): &(u32, String)| format!("'{}', line {line}: {message}", file.display());
        let lines: Vec<String> = wrong.iter().map(line).collect();
        return Err(ExperimentError::Input(lines.join("\n")));
    }
    Ok(TsumeFindings::Checked {
        file: file.to_owned(),
        positions: problems.len(),
    })
}

fn mine<P: Position>(
    spec: &TsumeSpec,
    files: &[PathBuf],
    wanted: MineSpec,
    out: &Path,
) -> Result<TsumeFindings, ExperimentError> {
    let mut games: Vec<Vec<P>> = Vec::new();
    for path in files {
        games.extend(tsume::games(path)?);
    }
    let executor = spec.executor()?;
    let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let mined = executor
        .pool()
        .install(|| tsume::mine(wanted, &games, &interrupt));
    let problems = mined.ok_or_else(|| ExperimentError::stopped(&interrupt))?;
    let text = |problem: &Problem<P>| (problem.position.to_string(), problem.plies);
    Ok(TsumeFindings::Mined(MinedProblems {
        game: spec.game,
        wanted,
        problems: problems.iter().map(text).collect(),
        games: games.len(),
        out: out.to_owned(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(game: Game, task: TsumeTask) -> TsumeSpec {
        TsumeSpec {
            game,
            concurrency: NonZero::new(1),
            task,
        }
    }

    #[test]
    fn a_suite_with_a_wrong_length_is_refused_by_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mates.sfen");
        let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1 ; mate ";
        let checked = |plies: u32| {
            std::fs::write(&file, format!("# mates\n{mate}{plies}\n")).unwrap();
            tsume(
                &spec(Game::Shogi, TsumeTask::Check { file: file.clone() }),
                &|_| {},
            )
        };
        let right = TsumeFindings::Checked {
            file: file.clone(),
            positions: 1,
        };
        assert_eq!(checked(1).unwrap(), right);
        let error = checked(3).unwrap_err();
        assert!(
            error.is_input() && error.to_string().contains("line 2"),
            "{error}"
        );
    }

    #[test]
    fn chess_has_no_suite_of_its_own() {
        let task = TsumeTask::Solve(SolveTask {
            suite: None,
            player: "base".to_owned(),
            nodes_max: 1,
            hash_mib: 1,
            out: None,
        });
        let error = tsume(&spec(Game::Chess, task), &|_| {}).unwrap_err();
        assert!(error.to_string().contains("give --suite FILE"), "{error}");
    }
}
