//! What a program does in a game that is no fault.

use serde::{Deserialize, Serialize};

/// What an engine does wrong that does not end its game by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineWarning {
    /// It expected a move that the rules forbid.
    IllegalVariation,
    /// It announced a mate and took that back, or did not win.
    ContradictedMate,
    /// It wrote the piece of a promotion in upper case, as UCI does not.
    UppercasePromotion,
    /// It answered late after it was told to stop.
    LateStop,
}

/// What was noticed of one external engine in one game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineWarnings {
    /// Times that it was started for this game.
    pub starts: u32,
    /// Turns whose last variation holds an illegal move.
    pub illegal_variations: u32,
    /// Announced mates that were taken back, or that did not come.
    pub contradicted_mates: u32,
    pub late_stops: u32,
    pub uppercase_promotions: u32,
    /// Turns of which it told its own time.
    pub latency_turns: u32,
    /// Sum over these of what was measured here beyond that, in microseconds.
    pub latency_us: u64,
    pub latency_max_us: u64,
    /// What its clock showed at the end of the game, if it had one.
    pub time_left_ms: Option<u64>,
}

impl EngineWarnings {
    pub fn add(&mut self, warning: EngineWarning) {
        *match warning {
            EngineWarning::IllegalVariation => &mut self.illegal_variations,
            EngineWarning::ContradictedMate => &mut self.contradicted_mates,
            EngineWarning::LateStop => &mut self.late_stops,
            EngineWarning::UppercasePromotion => &mut self.uppercase_promotions,
        } += 1;
    }

    /// Counts a turn that took so much longer than the player itself says.
    pub fn add_latency(&mut self, us: u64) {
        self.latency_turns += 1;
        self.latency_us += us;
        self.latency_max_us = self.latency_max_us.max(us);
    }
}
