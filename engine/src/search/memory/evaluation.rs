//! What evaluations remember, as a part of the memory.
//!
//! In: a game's evaluation. Out: [`Evaluation`]. Must not: know what it is.

use super::learnt::{Learnt, Setup};
use crate::config::SearchConfig;
use crate::eval::{Evaluate, Evaluated};

/// The memory of a game's evaluation.
pub(crate) struct Evaluation<P: Evaluated>(pub(crate) <P::Evaluator as Evaluate<P>>::Memory);

impl<P: Evaluated> Learnt for Evaluation<P> {
    fn empty(_: Setup<'_>) -> Self {
        Evaluation(Default::default())
    }

    /// It changes no value, so that it may stay.
    fn new_game(&mut self) {}

    fn new_search(&mut self, _: &SearchConfig) {}
}
