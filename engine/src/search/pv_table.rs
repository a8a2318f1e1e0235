//! Principal variations, collected from the leaves up.

use super::PLY_MAX;
use crate::game::GameMove;

/// The best line found so far from each ply of the tree.
#[derive(Debug)]
pub(super) struct PvTable<M> {
    /// `moves[ply]` is the line that starts at `ply`.
    moves: Box<[[M; PLY_MAX]]>,
    lens: [usize; PLY_MAX + 1],
}

impl<M: GameMove> PvTable<M> {
    pub(super) fn new() -> Self {
        PvTable {
            moves: vec![[M::from_bits(0); PLY_MAX]; PLY_MAX + 1].into_boxed_slice(),
            lens: [0; PLY_MAX + 1],
        }
    }

    pub(super) fn clear(&mut self, ply: usize) {
        self.lens[ply] = 0;
    }

    /// The line of `ply` is `mv` and then the line of the next ply.
    pub(super) fn extend(&mut self, ply: usize, mv: M) {
        let len = self.lens[ply + 1].min(PLY_MAX - 1);
        let (upper, lower) = self.moves.split_at_mut(ply + 1);
        upper[ply][0] = mv;
        upper[ply][1..=len].copy_from_slice(&lower[0][..len]);
        self.lens[ply] = len + 1;
    }

    pub(super) fn root(&self) -> &[M] {
        &self.moves[0][..self.lens[0]]
    }
}
