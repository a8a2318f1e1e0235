//! Which root moves are searched, and for how many lines (`searchmoves`, MultiPV).

/// Which root moves are searched, and for how many lines: all, for the best line, by default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Focus<M> {
    /// The root moves that are searched; all if none of these is legal.
    pub moves: Vec<M>,
    /// The best moves that are wanted, each with its line (multi-PV).
    pub lines: usize,
}

impl<M> Default for Focus<M> {
    fn default() -> Self {
        Focus {
            moves: Vec::new(),
            lines: 1,
        }
    }
}

impl<M: PartialEq> Focus<M> {
    /// Is it the whole root, for the best move alone?
    pub(super) fn is_whole(&self) -> bool {
        self.moves.is_empty() && self.lines <= 1
    }

    /// Leaves those of `moves` that are asked for.
    pub(super) fn narrow<const N: usize>(&self, moves: &mut arrayvec::ArrayVec<M, N>) {
        if moves.iter().any(|mv| self.moves.contains(mv)) {
            moves.retain(|mv| self.moves.contains(mv));
        }
    }
}
