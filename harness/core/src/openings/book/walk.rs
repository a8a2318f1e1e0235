//! The positions that a book of moves leads to.

use std::collections::HashSet;

use tanren_engine::game::Position;

use super::entry::{BadLine, EntrySink};
use crate::openings::Entry;

/// Plies from the start unless something else is said.
const PLIES: u32 = 16;
const POSITIONS_MAX: usize = 2_000_000;

/// What gives the moves of a book for a position, the best first.
type Moves<'a, P> = dyn FnMut(&P) -> Result<Vec<<P as Position>::Move>, BadLine> + 'a;

/// Hands on the positions, numbered from 1; `moves` gives the moves of the book, the best first.
pub(super) fn each<P: Position>(plies: Option<u32>, moves: &mut Moves<'_, P>, found: &mut EntrySink<'_, P>) {
    let mut number = 0;
    let mut leaf = |entry: Result<Entry<P>, BadLine>| {
        number += 1;
        found(number, entry);
    };
    let start = P::start();
    let mut seen = HashSet::from([start.repetition_key()]);
    let mut level = vec![(start.clone(), Vec::new())];
    let plies = plies.unwrap_or(PLIES);
    for ply in 0..=plies {
        let mut next = Vec::new();
        for (position, moves_before) in level {
            let known = if ply < plies {
                moves(&position)
            } else {
                Ok(Vec::new())
            };
            let known = match known {
                Ok(known) => known,
                Err(wrong) => {
                    leaf(Err(wrong));
                    continue;
                }
            };
            if known.is_empty() && ply > 0 {
                leaf(Ok(Entry::after(&start, &moves_before, position)));
                continue;
            }
            for mv in known {
                let mut after = position.clone();
                after.make(mv);
                if seen.insert(after.repetition_key()) {
                    let moves = moves_before.iter().copied().chain([mv]);
                    next.push((after, moves.collect()));
                }
            }
        }
        if seen.len() > POSITIONS_MAX {
            let message = format!(
                "it has more than {POSITIONS_MAX} positions so far: give fewer plies (--plies {ply})"
            );
            return leaf(Err(BadLine::new(1, &format!("{} plies", ply + 1), message)));
        }
        level = next;
    }
}
