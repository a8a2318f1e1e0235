//! What the harness itself costs: `cargo bench -p tanren --bench pipeline`.
//!
//! Players that answer at once play whole matches through the real pipeline: schedule, referee, order, count, test and
//! ledger on disk. What is left is scheduling, rules, statistics and storage. CPU time of all threads is what counts, so
//! that the figures are those of one core and hold on shared cores too.
#![expect(clippy::print_stdout, reason = "a bench prints its result")]

use std::collections::HashMap;
use std::sync::Arc;

use cpu_time::ProcessTime;

use tanren::internals::{
    Action, Clocks, GameTable, Interrupt, Ledger, LocalExecutor, Manifest, MatchState, Opening, PairRun,
    Player, Rules, StopRule, Thought, built_in_openings, play,
};
use tanren::stats::random::Random;
use tanren::stats::{EloModel, Sprt};
use tanren_engine::config::DeclarationRule;
use tanren_engine::game::{MoveList, Path, Position};
use tanren_engine::shogi::{Board, Move};

const ROUNDS: usize = 5;
const PAIRS: u64 = 10_000;
/// Plies of a game: a blunder, a short game, the length of a usual one.
const PLIES: [usize; 3] = [10, 40, 110];
/// The rate at which the share of a core is told.
const GAMES_PER_SECOND: f64 = 100.0;

type Lines = Arc<HashMap<u64, Vec<Move>>>;

/// Plays the line that was prepared for the opening, then resigns.
struct Replayer {
    lines: Lines,
    opening: Option<u64>,
}

impl Player<Board> for Replayer {
    fn new_game(&mut self, _: &Board, _: u32) {
        self.opening = None;
    }

    fn think(&mut self, position: &Board, path: &Path, _: &Clocks) -> Option<Thought<Move>> {
        let opening = *self.opening.get_or_insert_with(|| position.key());
        let action = match self.lines[&opening].get(path.len() - 1) {
            Some(&mv) => Action::Move(mv),
            None => Action::Resign,
        };
        Some(Thought {
            action,
            score: None,
            nodes: 1,
            depth: 1,
            time: None,
        })
    }
}

/// Random legal moves from every opening, found again by the position before and after the first of them, since each
/// player first sees one of these.
fn lines(openings: &[Opening<Board>], plies: usize) -> Lines {
    let mut lines = HashMap::new();
    for opening in openings {
        let mut position = opening.position();
        let mut random = Random::new(1, &[u64::from(opening.line)]);
        let mut line = Vec::new();
        let mut keys = vec![position.key()];
        while line.len() < plies {
            let mut moves = MoveList::new();
            position.legal(&mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len() as u64) as usize];
            position.make(mv);
            line.push(mv);
            if line.len() == 1 {
                keys.push(position.key());
            }
        }
        for key in keys {
            lines.insert(key, line.clone());
        }
    }
    Arc::new(lines)
}

/// CPU time of a whole match with a ledger on disk.
fn seconds(openings: &[Opening<Board>], lines: &Lines) -> f64 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let manifest = Manifest {
        kind: "match".to_owned(),
        labels: vec!["a".to_owned(), "b".to_owned()],
        ..Manifest::default()
    };
    let player = || -> Box<dyn Player<Board>> {
        Box::new(Replayer {
            lines: lines.clone(),
            opening: None,
        })
    };
    let make_table = || {
        GameTable::new(
            [player(), player()],
            Rules {
                plies_max: 0,
                declaration: DeclarationRule::default(),
                ..Rules::default()
            },
        )
    };
    let executor = LocalExecutor::new(1).expect("a worker");
    let interrupt = Interrupt::default();
    let run = PairRun {
        openings,
        seed: 1,
        pairs_max: PAIRS,
        make_table: &make_table,
        elsewhere: None,
        game_listener: None,
        interrupt: &interrupt,
    };
    let mut match_state = MatchState::new(StopRule::new(
        Some(Sprt::new(0.0, 1.0, 0.05, 0.05, EloModel::Normalized).expect("a test")),
        PAIRS,
    ));
    let start = ProcessTime::now();
    let mut ledger = Ledger::open_or_create(&folder.path().join("run"), &manifest).expect("a ledger");
    play(&run, &executor, &mut ledger, &mut match_state, &mut |_| {}).expect("a match");
    let elapsed = start.elapsed().as_secs_f64();
    assert_eq!(match_state.tally().pairs(), PAIRS, "every pair is counted");
    elapsed
}

fn main() {
    let suite = built_in_openings::<Board>();
    println!(
        "plies  games per CPU second, {ROUNDS} rounds         µs/game  share of a core at {GAMES_PER_SECOND} games/s"
    );
    for plies in PLIES {
        let lines = lines(&suite.openings, plies);
        let mut rates: Vec<f64> = (0..ROUNDS)
            .map(|_| 2.0 * PAIRS as f64 / seconds(&suite.openings, &lines))
            .collect();
        rates.sort_by(|a, b| b.total_cmp(a));
        let listed: Vec<String> = rates.iter().map(|rate| format!("{rate:.0}")).collect();
        println!(
            "{plies:>5}  {:<40}  {:>7.1}  {:.2} %",
            listed.join(" "),
            1e6 / rates[0],
            100.0 * GAMES_PER_SECOND / rates[0]
        );
    }
}
