//! Mate problems: suites of them, their proof, and how many a player solves.
//!
//! In: problems, a configuration, a node limit. Out: one [`Answer`] for each problem, in their order, and [`Share`]s.
//! Must not: let the number of threads show, or believe a mate that the solver has not proven.

mod mine;
mod suite;

pub use mine::{MineSpec, games, mine};
pub use suite::{Problem, TsumeError, load, wrong_problems};

/// Reads the lines of `text` as problems and as games.
#[cfg(feature = "fuzzing")]
pub fn fuzz<P: tanren_engine::game::Position>(text: &str) {
    drop(suite::parse::<P>(text, "fuzz"));
    text.lines().for_each(|line| drop(mine::parse_game::<P>(line)));
}

use rayon::prelude::*;
use tanren_engine::config::Config;
use tanren_engine::game::{GameMove, Path};
use tanren_engine::mate::MateSolver;
use tanren_engine::search::{Iteration, MATE, MATE_IN_MAX, Observer, Searchable, Searcher};
use tanren_engine::time::Limits;

use crate::interrupt::Interrupt;

/// How many plies longer than the shortest a mate may be and still be proven.
const DETOUR_PLIES_MAX: u32 = 6;

/// Who solves, with what.
#[derive(Debug, Clone, Copy)]
pub struct SolveSpec<'a> {
    /// The player.
    pub config: &'a Config,
    /// Its nodes for each problem.
    pub nodes_max: u64,
    /// Its hash table in MiB.
    pub hash_mib: usize,
    /// Nodes of the solver that judges its answer.
    pub solver_nodes_max: u64,
}

/// What an answer is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// A mate score and the first move of a shortest mate.
    Shortest,
    /// A mate score and the first move of a longer mate by checks, proven within the length of the score.
    Longer,
    /// A mate score, but no mate by checks is proven after the move within the length of the score, a few plies more
    /// than the shortest at most.
    Unproven,
    /// No mate score.
    Missed,
}

impl Verdict {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Shortest => "shortest",
            Verdict::Longer => "longer",
            Verdict::Unproven => "unproven",
            Verdict::Missed => "missed",
        }
    }

    /// Does it count as solved?
    pub fn is_solved(self) -> bool {
        matches!(self, Verdict::Shortest | Verdict::Longer)
    }
}

/// What a player made of one problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The problem's line.
    pub line: u32,
    /// Plies of the shortest mate.
    pub plies: u32,
    /// The judgement.
    pub verdict: Verdict,
    /// The move, empty if there was none.
    pub mv: String,
    /// The player's score.
    pub score: i32,
    /// Its last finished iteration.
    pub depth: u32,
    /// Its nodes.
    pub nodes: u64,
}

/// The share solved of the problems of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Plies of the shortest mate.
    pub plies: u32,
    /// Problems.
    pub positions: usize,
    /// Solved by any proven mate.
    pub solved: usize,
    /// Solved by a shortest one.
    pub shortest: usize,
}

/// Lets the player solve every problem, each as the first move of a new game, on the threads of the current pool. `None` if
/// it was interrupted. `solved` is called after every problem, from any thread.
pub fn solve<P: Searchable>(
    spec: SolveSpec<'_>,
    problems: &[Problem<P>],
    interrupt: &Interrupt,
    solved: &(dyn Fn() + Sync),
) -> Option<Vec<Answer>> {
    problems
        .par_iter()
        .map_init(
            || Searcher::<P>::new(spec.config, spec.hash_mib),
            |searcher, problem| answer(spec, searcher, problem, interrupt).inspect(|_| solved()),
        )
        .collect()
}

fn answer<P: Searchable>(
    spec: SolveSpec<'_>,
    searcher: &mut Searcher<P>,
    problem: &Problem<P>,
    interrupt: &Interrupt,
) -> Option<Answer> {
    searcher.new_game();
    let limits = Limits {
        nodes_max: Some(spec.nodes_max),
        ..Limits::default()
    };
    let path = Path::new(&problem.position);
    let report = searcher.search(&problem.position, &path, &limits, &mut Watch(interrupt));
    if interrupt.is_requested() {
        return None;
    }
    let verdict = match report.best {
        Some(mv) if report.score >= MATE_IN_MAX => judge(spec, problem, mv, MATE.abs_diff(report.score)),
        _ => Verdict::Missed,
    };
    Some(Answer {
        line: problem.line,
        plies: problem.plies,
        verdict,
        mv: report.best.map_or(String::new(), |mv| mv.to_string()),
        score: report.score,
        depth: report.depth,
        nodes: report.nodes,
    })
}

/// What the first move of a mate in `claimed` plies is worth.
fn judge<P: Searchable>(spec: SolveSpec<'_>, problem: &Problem<P>, mv: P::Move, claimed: u32) -> Verdict {
    let mut solver = MateSolver::new(spec.solver_nodes_max);
    let mut mates_within = |plies| solver.mates_by(&problem.position, mv, plies) == Ok(true);
    if mates_within(problem.plies) {
        Verdict::Shortest
    } else if mates_within(claimed.min(problem.plies + DETOUR_PLIES_MAX)) {
        Verdict::Longer
    } else {
        Verdict::Unproven
    }
}

/// The shares of all lengths, shortest first.
pub fn shares(answers: &[Answer]) -> Vec<Share> {
    let mut lengths: Vec<u32> = answers.iter().map(|answer| answer.plies).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let share = |plies| {
        let of_length = || answers.iter().filter(move |answer| answer.plies == plies);
        Share {
            plies,
            positions: of_length().count(),
            solved: of_length().filter(|answer| answer.verdict.is_solved()).count(),
            shortest: of_length()
                .filter(|answer| answer.verdict == Verdict::Shortest)
                .count(),
        }
    };
    lengths.into_iter().map(share).collect()
}

/// Stops a search when the user wants to.
struct Watch<'a>(&'a Interrupt);

impl<M: GameMove> Observer<M> for Watch<'_> {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }
    fn is_stop_requested(&mut self) -> bool {
        self.0.is_requested()
    }
    fn iteration(&mut self, _: &Iteration<'_, M>) {}
}

#[cfg(test)]
mod tests;
