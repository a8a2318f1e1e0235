//! Who plays: one position in, one action out.

mod builtin;
mod environment_error;
mod process;
#[cfg(test)]
mod scripted;

pub use builtin::{Builtin, BuiltinRules, nodes_per_second, signature};
pub use environment_error::{EnvironmentError, ProgramChange, ProgramChangeKind};
#[cfg(feature = "fuzzing")]
pub use process::fuzzing::{hear as fuzz_lines, option as fuzz_option};
pub use process::{
    AnalysisLimits, Analyst, EngineOption, ExaminedFiles, FaultLog, Finding, Introduction, Launch, NoAnswer,
    Process, ProcessRules, ProgramDigests, command_of, comply, file_sha256, loaded_files, offers_chess960,
    probe, program_path, rule_warnings, unfit, unused_us,
};
#[cfg(test)]
pub use scripted::Scripted;

use std::time::Duration;

use tanren_engine::game::{Path, Position};

use crate::config::{FaultPolicy, MoveLimit};
use crate::record::{EngineWarnings, Reason, Score};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action<M> {
    Move(M),
    Resign,
    Declare,
    /// Do nothing that could be judged: it lost for this reason.
    Fault(Reason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEnd {
    Win,
    Loss,
    Draw,
}

/// What a player did at one turn and what it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thought<M> {
    pub action: Action<M>,
    /// What it expects, from its own view; `None` if it did not say.
    pub score: Option<Score>,
    pub nodes: u64,
    pub depth: u32,
    /// How long it took, if the player knows that better than who waits for it.
    pub time: Option<Duration>,
}

impl<M> Thought<M> {
    fn of(action: Action<M>) -> Thought<M> {
        Thought {
            action,
            score: None,
            nodes: 0,
            depth: 0,
            time: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockFace {
    pub remaining_ms: u64,
    /// What each turn adds when it begins: it may be used on that very turn.
    pub increment_ms: u64,
    /// Free for each move when all else is used up.
    pub byoyomi_ms: u64,
    pub period: Option<PeriodFace>,
}

impl ClockFace {
    pub fn allowed_ms(&self) -> u64 {
        self.remaining_ms + self.increment_ms + self.byoyomi_ms
    }

    /// What it shows after a move that took `time`.
    #[must_use]
    pub fn after(mut self, time: Duration) -> ClockFace {
        let filled_ms = self.remaining_ms + self.increment_ms;
        self.remaining_ms = filled_ms.saturating_sub(time.as_millis() as u64);
        if let Some(period) = &mut self.period {
            period.moves_to_go -= 1;
            if period.moves_to_go == 0 {
                self.remaining_ms += period.added_ms;
                period.moves_to_go = period.moves;
            }
        }
        self
    }
}

/// Where in its period of moves a clock stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodFace {
    /// Moves until time is added, that of this turn included.
    pub moves_to_go: u32,
    pub moves: u32,
    pub added_ms: u64,
}

/// Both clocks when a turn begins; a player without a game clock has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clocks {
    pub own: Option<ClockFace>,
    pub opponent: Option<ClockFace>,
}

/// A player of any kind. One worker owns it and uses it for many games.
pub trait Player<P: Position>: Send {
    /// Forgets the last game; the next one begins at `start`, and `game_seed` is all that it may vary by.
    fn new_game(&mut self, start: &P, game_seed: u32);
    /// Decides at `position`, which `path` ends with. `None`: interrupted or the environment failed; the game will be thrown away.
    fn think(&mut self, position: &P, path: &Path, clocks: &Clocks) -> Option<Thought<P::Move>>;
    /// The limit of each of its moves, where somebody else has to know it.
    fn limit(&self) -> Option<MoveLimit> {
        None
    }
    /// What kept it from thinking, if nobody interrupted it; it is forgotten then.
    fn environment_error(&mut self) -> Option<EnvironmentError> {
        None
    }
    /// How far it may overstep its clock, where that is not what the match allows.
    fn margin_ms(&self) -> Option<u64> {
        None
    }
    /// What follows from its faults, where that is not what the match says.
    fn on_fault(&self) -> FaultPolicy {
        FaultPolicy::UNSAID
    }
    /// The moves' bits that it expected when it last thought, its own first; empty if it did not say.
    fn variation(&self) -> &[u16] {
        &[]
    }
    /// What it wrote about its last turn, once.
    fn comment(&mut self) -> Option<String> {
        None
    }
    /// Hears which game is next: the number of its pair, and its index in it.
    fn named(&mut self, _pair: u64, _index: usize) {}
    /// What it is warned of in this game so far, if it is watched: external engines are.
    fn warnings(&self) -> Option<&EngineWarnings> {
        None
    }
    /// Hears of a fault of its own that the referee found, and which in words.
    fn faulted(&mut self, _: Reason, _: &str) {}
    /// Hears that its fault is no result: the pair is played again.
    fn replayed(&mut self, _: Reason) {}
    /// Hears of a move on the board, its own or its opponent's.
    fn moved(&mut self, _: P::Move) {}
    fn game_over(&mut self, _: GameEnd) {}
    /// Plays with these options from the next game on; false if it cannot and is to be made anew.
    fn set_options(&mut self, _: &[(String, String)]) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_may_take_all_that_is_left_and_a_period_adds_more_after_its_last() {
        let face = |times: [u64; 3], period| ClockFace {
            remaining_ms: times[0],
            increment_ms: times[1],
            byoyomi_ms: times[2],
            period,
        };
        let after = |face: ClockFace, ms| face.after(Duration::from_millis(ms));
        let byoyomi = face([1000, 50, 300], None);
        let allowed = [byoyomi, after(byoyomi, 250), after(byoyomi, 1200)].map(|face| face.allowed_ms());
        assert_eq!(allowed, [1350, 1150, 350]);
        let period = |moves_to_go| {
            Some(PeriodFace {
                moves_to_go,
                moves: 40,
                added_ms: 9000,
            })
        };
        let first = after(face([1000, 0, 0], period(2)), 400);
        assert_eq!(first, face([600, 0, 0], period(1)));
        assert_eq!(after(first, 600), face([9000, 0, 0], period(40)));
    }
}
