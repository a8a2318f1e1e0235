//! The clocks of a game.

use crate::config::{ClockLimit, ClockRules, Counting};
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
        let counted_us = match self.rules.counting {
            Counting::Exact => used_us,
            Counting::WholeSeconds => used_us / 1_000_000 * 1_000_000,
        };
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

    const EXACT: ClockRules = ClockRules {
        margin_ms: 0,
        overhead_ms: 0,
        counting: Counting::Exact,
    };

    #[test]
    fn a_clock_shows_what_is_left_after_each_turn() {
        let limit = |base_ms, increment_ms, byoyomi_ms| ClockLimit {
            base_ms,
            increment_ms,
            byoyomi_ms,
            ..ClockLimit::default()
        };
        let forgiving = ClockRules {
            margin_ms: 20,
            ..EXACT
        };
        let seconds = ClockRules {
            counting: Counting::WholeSeconds,
            ..EXACT
        };
        // Microseconds used, and the milliseconds that are shown then; none where the clock ran out.
        type Turns = &'static [(u64, Option<u64>)];
        let cases: [(&str, ClockLimit, ClockRules, Turns); 5] = [
            (
                "the increment is there for the turn it belongs to",
                limit(1000, 500, 0),
                EXACT,
                &[(1_500_000, Some(0)), (200_000, Some(300)), (800_001, None)],
            ),
            (
                "byoyomi is there anew for each move and is never saved",
                limit(1000, 0, 100),
                EXACT,
                &[
                    (1_100_000, Some(0)),
                    (50_000, Some(0)),
                    (100_000, Some(0)),
                    (100_001, None),
                ],
            ),
            (
                "the margin forgives and gives no time",
                limit(1000, 0, 0),
                forgiving,
                &[(990_000, Some(10)), (30_000, Some(0)), (20_001, None)],
            ),
            (
                "whole seconds forgive fractions but not the end",
                limit(3000, 0, 0),
                seconds,
                &[(999_999, Some(3000)), (2_900_000, Some(1000)), (1_000_001, None)],
            ),
            (
                "parts of a millisecond add up",
                limit(1, 0, 0),
                EXACT,
                &[(600, Some(0)), (400, Some(0)), (1, None)],
            ),
        ];
        for (what, limit, rules, turns) in cases {
            let mut clock = Clock::new(limit, rules);
            for &(used_us, left_ms) in turns {
                let is_in_time = clock.charge(used_us);
                let shown = is_in_time.then(|| clock.face().remaining_ms);
                assert_eq!(shown, left_ms, "{what}: {used_us}");
            }
        }
    }

    #[test]
    fn the_base_is_added_again_after_the_moves_of_a_period_and_not_before() {
        let limit = ClockLimit {
            base_ms: 1000,
            period_moves: 40,
            ..ClockLimit::default()
        };
        let mut clock = Clock::new(limit, EXACT);
        let to_go = |clock: &Clock| clock.face().period.map(|period| period.moves_to_go);
        assert_eq!(to_go(&clock), Some(40));
        for _ in 0..39 {
            assert!(clock.charge(25_000));
        }
        assert_eq!((clock.face().remaining_ms, to_go(&clock)), (25, Some(1)));
        let mut late = clock;
        assert!(!late.charge(25_001));
        assert!(clock.charge(20_000));
        assert_eq!((clock.face().remaining_ms, to_go(&clock)), (1005, Some(40)));
    }
}
