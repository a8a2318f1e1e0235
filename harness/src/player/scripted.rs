//! A player for tests that follows a script or a rule.
//!
//! In: a function from the position and the game's seed to an action. Out: that action.
//! Must not: be part of the program.

use tanren_engine::game::{Path, Position};

use super::{Action, Player, Thought};

type Script<P> = Box<dyn FnMut(&P, usize, u32) -> Option<Action<<P as Position>::Move>> + Send>;

/// Acts by a function of position, ply and game seed; `None` is an interruption.
pub(crate) struct Scripted<P: Position> {
    seed: u32,
    script: Script<P>,
}

impl<P: Position> Scripted<P> {
    pub(crate) fn boxed(
        script: impl FnMut(&P, usize, u32) -> Option<Action<P::Move>> + Send + 'static,
    ) -> Box<dyn Player<P>> {
        Box::new(Scripted {
            seed: 0,
            script: Box::new(script),
        })
    }
}

impl<P: Position> Player<P> for Scripted<P> {
    fn new_game(&mut self, game_seed: u32) {
        self.seed = game_seed;
    }

    fn think(&mut self, position: &P, path: &Path) -> Option<Thought<P::Move>> {
        let action = (self.script)(position, path.len() - 1, self.seed)?;
        Some(Thought {
            action,
            nodes: 10,
            depth: 3,
        })
    }
}
