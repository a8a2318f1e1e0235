//! What a program does in a game that is no fault.

use serde::{Deserialize, Serialize};

/// What was noticed of one external engine in one game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineWarnings {
    /// Times that it was started for this game.
    pub starts: u32,
    /// Turns whose last variation holds an illegal move.
    pub illegal_variations: u32,
    /// Announced mates that were taken back, or that did not come.
    pub contradicted_mates: u32,
    /// Times that it answered late after it was told to stop.
    pub late_stops: u32,
    /// Promotions whose piece it wrote in upper case, as UCI does not.
    pub uppercase_promotions: u32,
    /// Turns of which it told its own time.
    pub latency_turns: u32,
    /// Sum over these of what was measured here beyond that, in microseconds.
    pub latency_us: u64,
    pub latency_max_us: u64,
    /// Turns at which its score says of who is ahead what its opponent's last one said.
    pub matching_scores: u32,
    /// Turns at which both said that they were ahead, or behind.
    pub contrary_scores: u32,
    /// Turns at which it said that it was ahead.
    pub ahead: u32,
    pub behind: u32,
    /// What its clock showed at the end of the game, if it had one.
    pub time_left_ms: Option<u64>,
}

impl EngineWarnings {
    /// Counts a turn by who leads in its view and in its opponent's, as [`Score::leader`](super::Score::leader) has it.
    pub fn add_leader(&mut self, own: i32, opponent: i32) {
        *match own {
            0 => return,
            1 => &mut self.ahead,
            _ => &mut self.behind,
        } += 1;
        match own * opponent {
            1 => self.contrary_scores += 1,
            -1 => self.matching_scores += 1,
            _ => {}
        }
    }

    /// Counts a turn that took so much longer than the player itself says.
    pub fn add_latency(&mut self, us: u64) {
        self.latency_turns += 1;
        self.latency_us += us;
        self.latency_max_us = self.latency_max_us.max(us);
    }
}
