//! Counts the leaves of the tree of legal moves: the test of every rule at once.

use crate::game::{MoveList, Position};

/// Deeper than any count ends, and far from what the stack holds.
pub const DEPTH_MAX: u32 = 64;

/// Subtrees of so many plies are counted without asking whether to stop.
const PLIES_UNASKED: u32 = 2;

fn for_each_move<P: Position>(position: &mut P, mut visit: impl FnMut(&mut P, P::Move)) {
    let mut list = MoveList::new();
    position.legal_all(&mut list);
    for mv in list {
        let undo = position.make(mv);
        visit(position, mv);
        position.unmake(mv, undo);
    }
}

/// Leaves after `depth` plies; the last ply is counted without being played.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        1 => return position.count_legal_all() as u64,
        _ => {}
    }
    let mut nodes = 0;
    for_each_move(position, |position, _| nodes += perft(position, depth - 1));
    nodes
}

/// As [`perft`], or nothing once `is_stopped` says so, which is asked some hundreds of leaves apart.
pub fn perft_until<P: Position>(position: &mut P, depth: u32, is_stopped: &impl Fn() -> bool) -> Option<u64> {
    if is_stopped() {
        return None;
    }
    if depth <= PLIES_UNASKED {
        return Some(perft(position, depth));
    }
    let mut nodes = Some(0);
    for_each_move(position, |position, _| {
        nodes = nodes.and_then(|nodes| Some(nodes + perft_until(position, depth - 1, is_stopped)?));
    });
    nodes
}

/// [`perft`] split by the first move, in generation order; `depth` must be at least 1.
pub fn divide<P: Position>(position: &mut P, depth: u32) -> Vec<(P::Move, u64)> {
    let mut split = Vec::new();
    for_each_move(position, |position, mv| {
        split.push((mv, perft(position, depth.saturating_sub(1))))
    });
    split
}
