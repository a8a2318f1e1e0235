//! The clocks of a game.

use crate::config::{ClockLimit, ClockRules};
use crate::player::{ClockFace, PeriodFace};

#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    limit: ClockLimit,
    rules: ClockRules,
    remaining_us: u64,
    moves: u32,
}

impl Clock {
    pub(super) fn new(limit: ClockLimit, rules: ClockRules) -> Clock {
        Clock {
            limit,
            rules,
            remaining_us: limit.base_ms * 1000,
            moves: 0,
        }
    }

    /// What the clock shows. Whole milliseconds, downwards: nobody is promised time that is not there.
    pub(super) fn face(&self) -> ClockFace {
        ClockFace {
            remaining_ms: self.remaining_us / 1000,
            increment_ms: self.limit.increment_ms,
            byoyomi_ms: self.limit.byoyomi_ms,
            period: self.period(),
        }
    }

    fn period(&self) -> Option<PeriodFace> {
        let moves = self.limit.period_moves;
        (moves > 0).then(|| PeriodFace {
            moves_to_go: moves - self.moves % moves,
            moves,
            added_ms: self.limit.base_ms,
        })
    }

    /// Takes a turn's time off the clock, if it was there, after its increment was added, and begins a new period after its last move.
    pub(super) fn charge(&mut self, used_us: u64) -> bool {
        let filled_us = self.remaining_us + self.limit.increment_ms * 1000;
        let allowed_us = filled_us + (self.limit.byoyomi_ms + self.rules.margin_ms) * 1000;
        if used_us > allowed_us {
            return false;
        }
        let unit_us = if self.rules.whole_seconds { 1_000_000 } else { 1 };
        let counted_us = used_us / unit_us * unit_us;
        self.remaining_us = filled_us.saturating_sub(counted_us);
        self.moves += 1;
        if self.limit.period_moves > 0 && self.moves.is_multiple_of(self.limit.period_moves) {
            self.remaining_us += self.limit.base_ms * 1000;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Base, increment, byoyomi and margin in milliseconds and the moves of a period; then microseconds used, and the milliseconds and
    /// moves that are shown then, or that the time ran out.
    const CASES: &str = "\
        1000 500 0 0 0: 1500000 0, 200000 300, 800001 out; the increment is there for the turn it belongs to
        1000 0 100 0 0: 1100000 0, 50000 0, 100000 0, 100001 out; byoyomi is there anew for each move and is never saved
        1000 0 0 20 0: 990000 10, 30000 0, 20001 out; the margin forgives and gives no time
        3000 0 0 0 0 seconds: 999999 3000, 2900000 1000, 1000001 out; whole seconds forgive fractions but not the end
        1 0 0 0 0: 600 0, 400 0, 1 out; parts of a millisecond add up
        1000 0 0 0 3: 400000 600/2, 500000 100/1, 60000 1040/3, 1000000 40/2; the base is added again after a period
        1000 0 0 0 2: 400000 600/1, 600001 out; and not before";

    #[test]
    fn a_clock_shows_what_is_left_after_each_turn() {
        for case in CASES.lines() {
            let (clock, turns) = case.split_once(':').unwrap();
            let (turns, _) = turns.split_once(';').unwrap();
            let numbers: Vec<u64> = clock
                .split_whitespace()
                .filter_map(|word| word.parse().ok())
                .collect();
            let limit = ClockLimit {
                base_ms: numbers[0],
                increment_ms: numbers[1],
                byoyomi_ms: numbers[2],
                period_moves: numbers[4] as u32,
            };
            let rules = ClockRules {
                margin_ms: numbers[3],
                overhead_ms: 0,
                whole_seconds: clock.ends_with("seconds"),
            };
            let mut clock = Clock::new(limit, rules);
            for turn in turns.split(',') {
                let (used_us, expected) = turn.trim().split_once(' ').unwrap();
                let is_in_time = clock.charge(used_us.parse().unwrap());
                let face = clock.face();
                let to_go = face
                    .period
                    .map_or_else(String::new, |period| format!("/{}", period.moves_to_go));
                let shown = format!("{}{to_go}", face.remaining_ms);
                assert_eq!(
                    if is_in_time { &shown } else { "out" },
                    expected,
                    "{case}: {turn}"
                );
            }
        }
    }
}
