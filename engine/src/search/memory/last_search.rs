//! How far the last search by the clock came.
//!
//! In: finished iterations. Out: how many there were. Must not: look at a clock.

use super::learnt::{Learnt, Setup};

/// What is kept of the last search.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LastSearch {
    /// Iterations of this game's last search by the clock that did not begin on the opponent's time.
    pub(crate) iterations: Option<u32>,
}

impl Learnt for LastSearch {
    fn empty(_: Setup<'_>) -> Self {
        LastSearch::default()
    }

    fn new_game(&mut self) {
        self.iterations = None;
    }
}
