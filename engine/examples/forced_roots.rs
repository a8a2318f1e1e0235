//! Roots in check at which all moves but one lose by force: how many the engine's rule finds, and whether it ever errs.
//!
//! In: games (SFEN lines), or the suite that was made of them. Out: the suite on stdout; or a row a player. Must not: take a root for forced
//! that a search of every other move did not prove to be.
//!
//! ```text
//! cargo run --release -p tanren-engine --example forced_roots -- make GAMES.sfen... > suites/shogi-evasions.sfen
//! cargo run --release -p tanren-engine --example forced_roots -- count suites/shogi-evasions.sfen base,second_best_stop=on
//! ```
#![expect(clippy::print_stdout, reason = "its output")]

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;

use tanren_engine::config::Config;
use tanren_engine::game::{Game, MoveList, Path, Position};
use tanren_engine::search::{MATE_IN_MAX, Report, Searcher, Silent};
use tanren_engine::shogi::{Board, Move};
use tanren_engine::time::Limits;

/// Positions of each kind in the suite.
const FORCED: usize = 24;
const FREE: usize = 88;
/// What proves that a move is mated, and what has to fail before one counts as not mated.
const PROOF_NODES: u64 = 300_000;
/// What a player may take at a root.
const NODES: u64 = 1_000_000;
/// Moves of a root that is worth asking.
const MOVES: std::ops::RangeInclusive<usize> = 2..=12;

type Anything = Result<(), Box<dyn Error>>;

fn main() -> Anything {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", ref games @ ..] if !games.is_empty() => make(games),
        ["count", suite, ref players @ ..] if !players.is_empty() => count(suite, players),
        _ => Err("say make GAMES.sfen... or count SUITE PLAYER...".into()),
    }
}

fn search(engine: &mut Searcher<Board>, position: &Board, nodes: u64) -> Report<Move> {
    let limits = Limits {
        nodes_max: Some(nodes),
        ..Limits::default()
    };
    engine.new_game();
    engine.search(position, &Path::new(position), &limits, &mut Silent)
}

/// The moves of `position` that no search finds mated.
fn holding(engine: &mut Searcher<Board>, position: &Board) -> Vec<Move> {
    let mut moves = MoveList::new();
    position.legal(&mut moves);
    let holds = |mv: &Move| {
        let mut after = position.clone();
        after.make(*mv);
        search(engine, &after, PROOF_NODES).score < MATE_IN_MAX
    };
    moves.into_iter().filter(holds).collect()
}

/// Positions in check with some moves, at most one a game in every eight plies, in the order of the games.
fn candidates(text: &str) -> Result<Vec<Board>, Box<dyn Error>> {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let mut position = Board::parse(start).map_err(|error| error.0)?;
        let mut ply_next = 0;
        for (ply, word) in moves.split(' ').filter(|word| !word.is_empty()).enumerate() {
            let mv = position.parse_move(word).map_err(|error| error.0)?;
            position.make(mv);
            let mut legal = MoveList::new();
            position.legal(&mut legal);
            if ply >= ply_next && position.in_check() && MOVES.contains(&legal.len()) {
                found.push(position.clone());
                ply_next = ply + 8;
            }
        }
    }
    Ok(found)
}

/// Prints a suite: roots with one move that holds, which is named, and roots with more.
fn make(games: &[&str]) -> Anything {
    let mut engine = Searcher::new(&Config::base(Game::Shogi), 64);
    let (mut forced, mut free, mut seen) = (0, 0, BTreeSet::new());
    for file in games {
        for position in candidates(&fs::read_to_string(file)?)? {
            if forced == FORCED && free == FREE {
                return Ok(());
            }
            if !seen.insert(position.to_string()) {
                continue;
            }
            let held = holding(&mut engine, &position);
            // A root at which the one move mates is decided otherwise.
            let wins = search(&mut engine, &position, PROOF_NODES).score >= MATE_IN_MAX;
            match held[..] {
                [only] if !wins && forced < FORCED => {
                    forced += 1;
                    println!("{position} ; only {only}");
                }
                [_, _, ..] if !wins && free < FREE => {
                    free += 1;
                    println!("{position} ; holding {}", held.len());
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Prints how many forced roots each player answers before its nodes are used, and how many others.
fn count(suite: &str, players: &[&str]) -> Anything {
    let text = fs::read_to_string(suite)?;
    let lines: Vec<(&str, &str)> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" ; "))
        .collect();
    println!("player,forced,found,other_move,free,false,nodes");
    for player in players {
        let mut engine = Searcher::new(&Config::parse(Game::Shogi, player)?, 64);
        let [mut forced, mut found, mut other, mut free, mut wrong, mut nodes] = [0_u64; 6];
        for (start, label) in &lines {
            let position = Board::parse(start).map_err(|error| error.0)?;
            let report = search(&mut engine, &position, NODES);
            let is_early = report.nodes < NODES && report.score.abs() < MATE_IN_MAX;
            nodes += report.nodes;
            let Some(only) = label.strip_prefix("only ") else {
                free += 1;
                wrong += u64::from(is_early);
                continue;
            };
            forced += 1;
            found += u64::from(is_early);
            let is_only = report.best.is_some_and(|best| best.to_string() == only);
            other += u64::from(!is_only);
        }
        println!("\"{player}\",{forced},{found},{other},{free},{wrong},{nodes}");
    }
    Ok(())
}
