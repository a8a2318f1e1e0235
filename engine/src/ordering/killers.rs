//! Killer moves: the quiet moves that cut most recently at each ply.

use crate::game::GameMove;

#[derive(Debug)]
pub(crate) struct Killers<M> {
    plies: Box<[[M; 2]]>,
}

impl<M: GameMove> Killers<M> {
    pub(crate) fn new(plies: usize) -> Self {
        Killers {
            plies: vec![[M::from_bits(0); 2]; plies].into_boxed_slice(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.plies.fill([M::from_bits(0); 2]);
    }

    /// The killers of `ply`, latest first; bits 0 where there is none. Never the same move twice.
    pub(crate) fn at(&self, ply: usize) -> [M; 2] {
        self.plies[ply]
    }

    #[inline]
    pub(crate) fn insert(&mut self, ply: usize, mv: M) {
        let pair = &mut self.plies[ply];
        if pair[0] != mv {
            *pair = [mv, pair[0]];
        }
    }
}
