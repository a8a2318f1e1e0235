//! A player for tests that follows a script or a rule.

use std::time::Duration;

use tanren_engine::game::{Path, Position};

use super::{Action, Clocks, Player, Thought};
use crate::config::{ClockLimit, MoveLimit};
use crate::record::Score;

type Script<P> = Box<dyn FnMut(&P, usize, u32) -> Option<Action<<P as Position>::Move>> + Send>;
type Scores = Box<dyn Fn(usize) -> Option<Score> + Send>;

/// Acts by a function of position, ply and game seed; `None` is an interruption.
pub struct Scripted<P: Position> {
    seed: u32,
    script: Script<P>,
    scores: Scores,
    clock: Option<ClockLimit>,
    turn: Duration,
}

impl<P: Position> Scripted<P> {
    pub fn new(script: impl FnMut(&P, usize, u32) -> Option<Action<P::Move>> + Send + 'static) -> Self {
        Scripted {
            seed: 0,
            script: Box::new(script),
            scores: Box::new(|_| Some(Score::Centipawns(-1))),
            clock: None,
            turn: Duration::ZERO,
        }
    }

    pub fn boxed(
        script: impl FnMut(&P, usize, u32) -> Option<Action<P::Move>> + Send + 'static,
    ) -> Box<dyn Player<P>> {
        Box::new(Scripted::new(script))
    }

    pub fn with_scores(mut self, scores: impl Fn(usize) -> Option<Score> + Send + 'static) -> Self {
        self.scores = Box::new(scores);
        self
    }

    pub fn with_clock(mut self, clock: ClockLimit, turn: Duration) -> Self {
        self.clock = Some(clock);
        self.turn = turn;
        self
    }
}

impl<P: Position> Player<P> for Scripted<P> {
    fn new_game(&mut self, _: &P, game_seed: u32) {
        self.seed = game_seed;
    }

    fn limit(&self) -> Option<MoveLimit> {
        self.clock.map(MoveLimit::Clock)
    }

    fn think(&mut self, position: &P, path: &Path, clocks: &Clocks) -> Option<Thought<P::Move>> {
        assert_eq!(clocks.own.is_some(), self.clock.is_some());
        std::thread::sleep(self.turn);
        let ply = path.len() - 1;
        let action = (self.script)(position, ply, self.seed)?;
        Some(Thought {
            action,
            score: (self.scores)(ply),
            nodes: 10,
            depth: 3,
            time: None,
        })
    }
}
