//! Finds mate problems at the ends of games.
//!
//! In: games, as lists of positions. Out: distinct problems of every length, at most one a game, the same for the same games
//! at any number of threads. Must not: keep a mate that is not proven to be shortest.

use std::collections::HashSet;
use std::path::Path;

use rayon::prelude::*;
use tanren_engine::game::Position;
use tanren_engine::mate::MateSolver;

use super::suite::{Problem, TsumeError, parse_lines, read};
use crate::interrupt::Interrupt;

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MineSpec {
    /// Longest mate, in plies.
    pub plies_max: u32,
    /// Problems of each length.
    pub per_length: usize,
    /// A position that takes more nodes is left out.
    pub nodes_max: u64,
}

/// Reads the games of a file such as `games.sfen`, each as the list of its positions.
///
/// # Errors
/// Unreadable, empty, or a line that is no game.
pub fn games<P: Position>(path: &Path) -> Result<Vec<Vec<P>>, TsumeError> {
    parse_lines(&read(path)?, &format!("'{}'", path.display()), |_, content| {
        parse_game(content)
    })
}

pub(super) fn parse_game<P: Position>(content: &str) -> Result<Vec<P>, String> {
    let content = content.strip_prefix("position ").unwrap_or(content);
    let content = content.strip_prefix(P::GAME.notation()).unwrap_or(content);
    let (start, moves) = content.split_once(" moves").unwrap_or((content, ""));
    let mut position = P::parse(start.trim()).map_err(|error| error.to_string())?;
    let mut positions = vec![position.clone()];
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text).map_err(|error| error.to_string())?;
        position.make(mv);
        positions.push(position.clone());
    }
    Ok(positions)
}

/// The problems, short mates first and in the order of the games, numbered from 1, on the threads of the current pool. Long
/// mates, being rare, choose their games first. `None` if it was interrupted.
pub fn mine<P: Position>(spec: MineSpec, games: &[Vec<P>], interrupt: &Interrupt) -> Option<Vec<Problem<P>>> {
    let found: Option<Vec<Vec<(u32, &P)>>> = games
        .par_iter()
        .map(|game| {
            let mates = mates(spec, game);
            (!interrupt.is_requested()).then_some(mates)
        })
        .collect();
    let mut found = found?;
    let mut keys = HashSet::new();
    let mut chosen: Vec<(u32, usize, &P)> = Vec::new();
    for plies in (1..=spec.plies_max).rev().filter(|plies| plies % 2 == 1) {
        let mut left = spec.per_length;
        for (game, mates) in found.iter_mut().enumerate() {
            let candidate = mates.iter().find(|(length, _)| *length == plies);
            if let Some(&(_, position)) = candidate
                && left > 0
                && keys.insert(position.key())
            {
                chosen.push((plies, game, position));
                left -= 1;
                mates.clear();
            }
        }
    }
    chosen.sort_by_key(|&(plies, game, _)| (plies, game));
    let numbered = (1..).zip(chosen);
    let problem = |(line, (plies, _, position)): (u32, (u32, usize, &P))| Problem {
        line,
        position: position.clone(),
        plies,
    };
    Some(numbered.map(problem).collect())
}

/// The shortest mates of the last positions of a game, the last position first.
fn mates<P: Position>(spec: MineSpec, game: &[P]) -> Vec<(u32, &P)> {
    let ending = game.iter().rev().take(spec.plies_max as usize + 3);
    let mate = |position| {
        let plies = MateSolver::new(spec.nodes_max).shortest(position, spec.plies_max);
        Some((plies.ok()??, position))
    };
    ending.filter_map(mate).collect()
}
