//! The positions that a book of moves leads to.

use std::collections::HashSet;

use tanren_engine::game::Position;

use super::entry::{BadLine, EntrySink};

/// Plies from the start unless something else is said.
const PLIES: u32 = 16;
const POSITIONS_MAX: usize = 2_000_000;

/// What gives the moves of a book for a position, the best first.
type Moves<'a, P> = dyn FnMut(&P) -> Result<Vec<<P as Position>::Move>, BadLine> + 'a;

/// Hands on the positions, numbered from 1; `moves` gives the moves of the book, the best first.
pub(super) fn each<P: Position>(plies: Option<u32>, moves: &mut Moves<'_, P>, found: &mut EntrySink<'_, P>) {
    let mut number = 0;
    let mut leaf = |position: Result<P, BadLine>| {
        number += 1;
        found(number, position);
    };
    let mut level = vec![P::start()];
    let mut seen = HashSet::from([level[0].repetition_key()]);
    let plies = plies.unwrap_or(PLIES);
    for ply in 0..=plies {
        let mut next = Vec::new();
        for position in level {
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
                leaf(Ok(position));
                continue;
            }
            for mv in known {
                let mut after = position.clone();
                after.make(mv);
                if seen.insert(after.repetition_key()) {
                    next.push(after);
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
