//! Endgames whose best move attacks something away from the king: how often SS-Cut and DS-Cut lose it.
//!
//! In: games (lines of SFEN with moves), or the suite that was made of them. Out: the suite on stdout; or a row a player and depth. Must not: take
//! a move for the best that only a shallow search prefers.
//!
//! ```text
//! cargo run --release -p tanren-engine --example far_moves -- make GAMES.sfen... > suites/shogi-far-attacks.sfen
//! cargo run --release -p tanren-engine --example far_moves -- count suites/shogi-far-attacks.sfen 10 tacos-n tacos-ss tacos-ds
//! ```
#![expect(clippy::print_stdout, reason = "its output")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;

use tanren_engine::config::{Config, SearchConfig};
use tanren_engine::eval::{Evaluate, Evaluated};
use tanren_engine::game::{Game, MoveList, Path, Position, RegionKind, RegionRules};
use tanren_engine::search::{Counters, Focus, Iteration, MATE_IN_MAX, Observer, Searcher, Silent, Technique};
use tanren_engine::shogi::{Board, Kind, Move};
use tanren_engine::time::Limits;

/// Positions of each kind in the suite: knights dropped, as in the paper's figure 2, and other moves.
const KNIGHTS: usize = 6;
const OTHERS: usize = 20;
/// What first looks at a move that was played, and what then judges it and all others.
const GLANCE_NODES: u64 = 10_000;
const PROOF_NODES: u64 = 2_000_000;
/// By how much, in centipawns, the move is better than every other one, and how far a position may be from even.
const GAP: i32 = 100;
const DECIDED: i32 = 2_000;
/// The moves of its own before the position that a player answers first, as in a game, and the nodes that it has for each.
const BEFORE: usize = 4;
const BEFORE_NODES: u64 = 10_000;

type Anything = Result<(), Box<dyn Error>>;

fn main() -> Anything {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", ref games @ ..] if !games.is_empty() => make(games),
        ["count", suite, depth, ref players @ ..] if !players.is_empty() => {
            count(suite, depth.parse()?, players)
        }
        _ => Err("say make GAMES.sfen... or count SUITE DEPTH PLAYER...".into()),
    }
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes_max: Some(nodes),
        ..Limits::default()
    }
}

/// What SS-Cut and DS-Cut look at, as they are set unless changed.
struct Judge {
    search: SearchConfig,
    evaluator: <Board as Evaluated>::Evaluator,
}

impl Judge {
    fn new() -> Self {
        let config = Config::base(Game::Shogi);
        Judge {
            evaluator: <Board as Evaluated>::Evaluator::new(&config),
            search: config.search,
        }
    }

    /// The distance of a move that attacks something in an endgame, if SS-Cut drops it.
    fn far_attack(&self, position: &Board, mv: Move) -> Option<u8> {
        let accumulator = self.evaluator.refresh(position);
        if position.in_check() || self.evaluator.phase(position, &accumulator) < self.search.soppo_phase_min {
            return None;
        }
        let rules = RegionRules {
            metric: self.search.soppo_metric,
            exempts: self.search.soppo_exempt,
        };
        let region = position.region(mv, rules)?;
        let is_far = i32::from(region.distance) > self.search.soppo_distance;
        (region.kind == RegionKind::Attack && is_far).then_some(region.distance)
    }
}

/// The best move of a position that is not decided, with its distance and how much better it is than every other one, if it is a far attack
/// by a deep search.
fn best_far_attack(judge: &Judge, engine: &mut Searcher<Board>, position: &Board) -> Option<(Move, u8, i32)> {
    let path = Path::new(position);
    let mut prefers = |budget| {
        engine.new_game();
        let report = engine.search(position, &path, &nodes(budget), &mut Silent);
        let best = report.best.filter(|_| report.score.abs() < DECIDED)?;
        Some((best, judge.far_attack(position, best)?, report.score))
    };
    let (glanced, ..) = prefers(GLANCE_NODES)?;
    let (best, distance, score) = prefers(PROOF_NODES).filter(|found| found.0 == glanced)?;
    let focus = Focus {
        moves: legal_moves(position)
            .into_iter()
            .filter(|&other| other != best)
            .collect(),
        ..Focus::default()
    };
    engine.new_game();
    let other = engine.analyse(position, &path, &nodes(PROOF_NODES), &focus, &mut Silent);
    let gap = score - other.score.max(-MATE_IN_MAX);
    (gap >= GAP).then_some((best, distance, gap))
}

fn legal_moves(position: &Board) -> MoveList<Move> {
    let mut moves = MoveList::new();
    position.legal(&mut moves);
    moves
}

fn is_knight_drop(mv: Move) -> bool {
    mv.is_drop() && mv.dropped() == Kind::Knight
}

/// Prints a suite of positions in which a far attack is best, at most one of a game. Looked at are those in which one was played, or in which
/// a knight can be dropped for one.
fn make(games: &[&str]) -> Anything {
    let judge = Judge::new();
    let mut engine = Searcher::new(&Config::base(Game::Shogi), 64);
    let (mut knights, mut others, mut seen) = (KNIGHTS, OTHERS, BTreeSet::new());
    for file in games {
        let text = fs::read_to_string(file)?;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
            let mut position = Board::parse(start).map_err(|error| error.0)?;
            let words: Vec<&str> = moves.split_whitespace().collect();
            for (ply, word) in words.iter().enumerate() {
                let played = position.parse_move(word).map_err(|error| error.0)?;
                let is_far = |mv: &Move| judge.far_attack(&position, *mv).is_some();
                let is_asked = knights > 0
                    && legal_moves(&position)
                        .iter()
                        .any(|mv| is_knight_drop(*mv) && is_far(mv))
                    || others > 0 && is_far(&played);
                let found = (is_asked && seen.insert(position.to_string()))
                    .then(|| best_far_attack(&judge, &mut engine, &position))
                    .flatten();
                if let Some((best, distance, gap)) = found {
                    let wanted = if is_knight_drop(best) {
                        &mut knights
                    } else {
                        &mut others
                    };
                    if *wanted > 0 {
                        *wanted -= 1;
                        let before = words[..ply].join(" ");
                        println!("{start} moves {before} ; best {best} ; distance {distance} ; gap {gap}");
                        break;
                    }
                }
                position.make(played);
            }
            if knights + others == 0 {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// What a suite says: a position with its best move, and what came before it.
struct Question {
    /// The positions that the same side had before, in which it answers first, as in a game.
    before: Vec<(Board, Path)>,
    /// The position a ply before, and the move that was played in it.
    prior: (Board, Path, Move),
    position: (Board, Path),
    best: Move,
}

fn question(line: &str) -> Result<Question, Box<dyn Error>> {
    let (game, told) = line.split_once(" ; best ").ok_or("a line without a best move")?;
    let (start, moves) = game.split_once(" moves ").ok_or("a line without moves")?;
    let mut position = Board::parse(start).map_err(|error| error.0)?;
    let mut path = Path::new(&position);
    let mut game = Vec::new();
    for word in moves.split_whitespace() {
        let mv = position.parse_move(word).map_err(|error| error.0)?;
        game.push((position.clone(), path.clone(), mv));
        position.make(mv);
        path.push(&position);
    }
    let best = told.split(' ').next().unwrap_or_default();
    let best = position.parse_move(best).map_err(|error| error.0)?;
    let prior = game.pop().ok_or("a game without moves")?;
    let own = game.into_iter().rev().step_by(2).take(BEFORE);
    let mut before: Vec<_> = own.map(|(position, path, _)| (position, path)).collect();
    before.reverse();
    Ok(Question {
        before,
        prior,
        position: (position, path),
        best,
    })
}

/// What the iterations of one depth came to.
#[derive(Default)]
struct Row {
    searched: u64,
    found: u64,
    found_below: u64,
    static_drops: u64,
    dynamic_drops: u64,
}

type Rows = BTreeMap<u32, Row>;

/// Notes after each iteration whether its line ends in the best move, and whether either cut would drop that.
struct Notes<'a> {
    /// The line that is looked for: the best move, perhaps after the one before it.
    line: &'a [Move],
    dropped_before: [u64; 2],
    rows: &'a mut Rows,
}

impl Observer<Move> for Notes<'_> {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }

    fn is_stop_requested(&mut self) -> bool {
        false
    }

    fn iteration(&mut self, iteration: &Iteration<'_, Move>) {
        let is_below = self.line.len() > 1;
        let is_found = u64::from(iteration.pv.starts_with(self.line));
        let row = self.rows.entry(iteration.depth).or_default();
        if is_below {
            row.found_below += is_found;
            return;
        }
        row.searched += 1;
        row.found += is_found;
        let Some(counters) = iteration.counters else {
            return;
        };
        let techniques = [Technique::SoppoStaticBest, Technique::SoppoDynamicBest];
        let dropped = techniques.map(|technique| counters.successes(technique));
        row.static_drops += is_found * (dropped[0] - self.dropped_before[0]);
        row.dynamic_drops += is_found * (dropped[1] - self.dropped_before[1]);
        self.dropped_before = dropped;
    }
}

/// Searches a position as in a game, to `depth`, and the one before it too, with the move that was played there alone.
fn ask(engine: &mut Searcher<Board>, question: &Question, depth: u32, rows: &mut Rows) {
    let limits = Limits {
        depth_max: Some(depth),
        ..Limits::default()
    };
    let (earlier, earlier_path, last) = &question.prior;
    let lines = [&[question.best][..], &[*last, question.best]];
    for line in lines {
        let mut notes = Notes {
            line,
            dropped_before: [0; 2],
            rows,
        };
        let mut counters = Counters::default();
        engine.new_game();
        for (position, path) in &question.before {
            let limits = nodes(BEFORE_NODES);
            // Counted, so that what DS-Cut would drop is known of every player.
            engine.search_counted(position, path, &limits, &mut Silent, &mut Counters::default());
        }
        if line.len() == 1 {
            let (position, path) = &question.position;
            engine.search_counted(position, path, &limits, &mut notes, &mut counters);
        } else {
            let focus = Focus {
                moves: vec![*last],
                ..Focus::default()
            };
            engine.analyse(earlier, earlier_path, &limits, &focus, &mut notes);
        }
    }
}

/// Prints how often each player prefers the best move of the suite at each depth, and how often the cuts would drop it then.
fn count(suite: &str, depth: u32, players: &[&str]) -> Anything {
    let text = fs::read_to_string(suite)?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let questions = lines.map(question).collect::<Result<Vec<_>, _>>()?;
    println!("player,depth,positions,found,found_below,static_drops,dynamic_drops");
    for player in players {
        let mut rows = BTreeMap::new();
        let config = Config::parse(Game::Shogi, player)?;
        let mut engine = Searcher::new(&config, 64);
        for question in &questions {
            ask(&mut engine, question, depth, &mut rows);
        }
        for (depth, row) in rows {
            let cells = [
                row.searched,
                row.found,
                row.found_below,
                row.static_drops,
                row.dynamic_drops,
            ];
            let cells = cells.map(|cell| cell.to_string()).join(",");
            println!("\"{player}\",{depth},{cells}");
        }
    }
    Ok(())
}
