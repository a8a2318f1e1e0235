//! A player for tests that follows a script or a rule.

use std::time::Duration;

use tanren_engine::game::{Path, Position};

use super::{Action, Clocks, Player, Thought};
use crate::config::{ClockLimit, MoveLimit};
use crate::record::Score;

type MoveScript<P> = Box<dyn FnMut(&P, usize, u32) -> Option<Action<<P as Position>::Move>> + Send>;
type Scores = Box<dyn Fn(usize) -> Option<Score> + Send>;

/// Acts by a function of position, ply and game seed; `None` is an interruption.
pub struct Scripted<P: Position> {
    seed: u32,
    script: MoveScript<P>,
    scores: Scores,
    clock: Option<(ClockLimit, Duration)>,
}

impl<P: Position> Scripted<P> {
    pub fn new(script: impl FnMut(&P, usize, u32) -> Option<Action<P::Move>> + Send + 'static) -> Self {
        Scripted {
            seed: 0,
            script: Box::new(script),
            scores: Box::new(|_| Some(Score::Centipawns(-1))),
            clock: None,
        }
    }

    pub fn boxed(
        script: impl FnMut(&P, usize, u32) -> Option<Action<P::Move>> + Send + 'static,
    ) -> Box<dyn Player<P>> {
        Box::new(Scripted::new(script))
    }

    pub fn with_scores(self, scores: impl Fn(usize) -> Option<Score> + Send + 'static) -> Self {
        let scores = Box::new(scores);
        Scripted { scores, ..self }
    }

    /// With a clock, and so much time for each turn.
    pub fn with_clock(self, clock: ClockLimit, turn: Duration) -> Self {
        let clock = Some((clock, turn));
        Scripted { clock, ..self }
    }
}

impl<P: Position> Player<P> for Scripted<P> {
    fn new_game(&mut self, _: &P, game_seed: u32) {
        self.seed = game_seed;
    }

    fn limit(&self) -> Option<MoveLimit> {
        self.clock.map(|(limit, _)| MoveLimit::Clock(limit))
    }

    fn think(&mut self, position: &P, path: &Path, clocks: &Clocks) -> Option<Thought<P::Move>> {
        assert_eq!(clocks.own.is_some(), self.clock.is_some());
        std::thread::sleep(self.clock.map_or(Duration::ZERO, |(_, turn)| turn));
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
