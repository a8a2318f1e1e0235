//! Time management: what a clock allows becomes a soft and a hard bound.

use crate::config::SearchConfig;

const SECOND_MS: u64 = 1000;

/// What the clock allows for this move, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// The move may take exactly this long.
    MoveTime {
        /// The time for the move.
        move_ms: u64,
    },
    /// The move is played on a game clock.
    Clock {
        /// All there is on the clock now, this move's increment included.
        remaining_ms: u64,
        /// Added after each move.
        increment_ms: u64,
        /// Free for each move once `remaining_ms` is used up.
        byoyomi_ms: u64,
    },
}

/// When a search must end; no limit at all means "until told to stop".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The search ends at this number of nodes.
    pub nodes_max: Option<u64>,
    /// The search ends after the iteration of this depth.
    pub depth_max: Option<u32>,
    /// A mate for either side within so many plies is enough.
    pub mate_plies_max: Option<u32>,
    /// The search ends when its share of this time is used up.
    pub time: Option<TimeLimit>,
    /// Moves until more time is added to a clock, this one included; `None` if that is far or never.
    pub moves_to_go: Option<u32>,
    /// Time lost on the way between the engine and the clock, taken off what `time` allows, in milliseconds.
    pub overhead_ms: u64,
    /// The search begins on the opponent's time; the observer tells when its own time begins.
    pub ponder: bool,
}

impl Limits {
    /// The last iteration alone.
    pub fn depth(depth_max: u32) -> Limits {
        Limits {
            depth_max: Some(depth_max),
            ..Limits::default()
        }
    }

    /// Does the engine's own clock limit the search, and nothing else?
    pub(crate) fn is_clock_alone(&self) -> bool {
        let has_other = self.depth_max.is_some() || self.nodes_max.is_some() || self.mate_plies_max.is_some();
        self.time.is_some() && !self.ponder && !has_other
    }

    /// A number of nodes alone.
    pub fn nodes(nodes_max: u64) -> Limits {
        Limits {
            nodes_max: Some(nodes_max),
            ..Limits::default()
        }
    }
}

/// When to stop thinking, in milliseconds since the start of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBounds {
    /// Start no new iteration after this.
    pub soft_ms: u64,
    /// Break off after this.
    pub hard_ms: u64,
    /// Is unused time left for later moves?
    pub is_saved: bool,
    /// Where in a second to answer when the clock counts whole seconds.
    pub second_ms: Option<u64>,
}

impl TimeBounds {
    /// The soft bound at `percent` of its time. Time that would be lost for later moves is always used to the end.
    pub fn soft_at(&self, percent: u64) -> u64 {
        if !self.is_saved || percent == 100 {
            return self.soft_ms;
        }
        to_second(self.soft_ms * percent / 100, self.second_ms).clamp(1, self.hard_ms)
    }
}

/// The point `second_ms` of the second that ends at or after `ms`: the rest of it costs nothing.
fn to_second(ms: u64, second_ms: Option<u64>) -> u64 {
    second_ms.map_or(ms, |second_ms| {
        ms.saturating_sub(1) / SECOND_MS * SECOND_MS + second_ms
    })
}

/// What a time limit means for this search.
///
/// A fixed time, and a clock that holds no more than the part of the byoyomi that is used (`time.byoyomi_percent`), are used to the end of
/// their share (less the overhead), since unused time is lost. The rest of a clock is spread over `time.moves_left` moves; one move may take
/// `time.hard_percent` of its share, but never more than the clock holds. With `whole_second` the bounds on a clock
/// lie at `time.second_fraction` of a second. All bounds are at least 1 ms. With fewer `moves_to_go` than
/// `time.moves_left` the rest is spread over those, and half a share is left for each of the others. The overhead is taken off what
/// the clock holds, not off the share of a move, and is at most half of it: an increment of 10 ms is used with an overhead of 30 ms.
pub fn bounds(
    limit: TimeLimit,
    moves_to_go: Option<u32>,
    overhead_ms: u64,
    config: &SearchConfig,
) -> TimeBounds {
    match limit {
        TimeLimit::MoveTime { move_ms } => {
            let usable_ms = move_ms.saturating_sub(overhead_ms).max(1);
            TimeBounds {
                soft_ms: usable_ms,
                hard_ms: usable_ms,
                is_saved: false,
                second_ms: None,
            }
        }
        TimeLimit::Clock {
            remaining_ms,
            increment_ms,
            byoyomi_ms,
        } => {
            let most_moves = config.time_moves_left.unsigned_abs();
            let moves = moves_to_go.map_or(most_moves, |moves| moves.clamp(1, most_moves));
            let kept_ms =
                moves_to_go.map_or(0, |_| remaining_ms / u64::from(moves) * u64::from(moves - 1) / 2);
            let share_ms = remaining_ms / u64::from(moves) + increment_ms;
            let byoyomi_ms = byoyomi_ms * u64::from(config.time_byoyomi_percent.unsigned_abs()) / 100;
            let second_ms = config.whole_second.then(|| second_ms(overhead_ms, config));
            let whole = |ms: u64| to_second(ms.max(1), second_ms);
            let total_ms = remaining_ms + byoyomi_ms;
            let usable_ms = (total_ms - overhead_ms.min(total_ms / 2)).max(1);
            // To the second below, so that the last one on the clock is not overstepped.
            let most_ms = to_second(usable_ms, second_ms).min(usable_ms);
            let hard_ms = share_ms * u64::from(config.time_hard_percent.unsigned_abs()) / 100 + byoyomi_ms;
            let hard_ms = hard_ms.min(total_ms - kept_ms);
            TimeBounds {
                soft_ms: whole((share_ms + byoyomi_ms).min(hard_ms)).min(most_ms),
                hard_ms: whole(hard_ms).min(most_ms),
                // With no more than the byoyomi on the clock a whole share uses the clock up, and byoyomi that is not used is lost.
                is_saved: remaining_ms > byoyomi_ms,
                second_ms,
            }
        }
    }
}

/// Where in a second to answer: at the fraction asked for, earlier if the way to the clock takes longer than the rest.
fn second_ms(overhead_ms: u64, config: &SearchConfig) -> u64 {
    let fraction_ms = SECOND_MS * u64::from(config.time_second_fraction.unsigned_abs()) / 100;
    fraction_ms.min(SECOND_MS.saturating_sub(overhead_ms)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD_MS: u64 = 30;

    fn of(
        settings: &str,
        [remaining_ms, increment_ms, byoyomi_ms]: [u64; 3],
        overhead_ms: u64,
    ) -> TimeBounds {
        let limit = TimeLimit::Clock {
            remaining_ms,
            increment_ms,
            byoyomi_ms,
        };
        bounds(limit, None, overhead_ms, &SearchConfig::with(settings))
    }

    fn base(clock: [u64; 3]) -> TimeBounds {
        of("time.moves_left=35", clock, OVERHEAD_MS)
    }

    #[test]
    fn byoyomi_alone_is_used_up_to_the_overhead_or_the_share_asked_for() {
        let TimeBounds { soft_ms, hard_ms, .. } = base([0, 0, 1000]);
        assert_eq!((soft_ms, hard_ms), (970, 970));
        assert_eq!(
            of("time.byoyomi_percent=90", [0, 0, 10_000], OVERHEAD_MS).hard_ms,
            8970
        );
    }

    #[test]
    fn the_overhead_leaves_an_increment_and_half_of_a_short_byoyomi() {
        let TimeBounds { soft_ms, hard_ms, .. } = base([1000, 10, 0]);
        assert_eq!((soft_ms, hard_ms), (38, 133));
        assert_eq!(base([0, 0, 20]).hard_ms, 10);
        assert_eq!(base([40, 0, 0]).hard_ms, 3);
    }

    #[test]
    fn no_bound_exceeds_what_the_clock_holds_and_none_is_zero() {
        for clock in [
            [0, 0, 0],
            [10, 0, 0],
            [50, 2000, 0],
            [100, 0, 10],
            [600_000, 5000, 0],
            [60_000, 0, 10_000],
        ] {
            let TimeBounds { soft_ms, hard_ms, .. } = base(clock);
            assert!(1 <= soft_ms && soft_ms <= hard_ms, "{soft_ms} {hard_ms}");
            assert!(hard_ms <= (clock[0] + clock[2]).max(1), "{clock:?}: {hard_ms}");
        }
    }

    #[test]
    fn time_is_spread_over_the_moves_until_there_is_more_and_something_is_left_for_each() {
        let of = |moves_to_go| {
            let limit = TimeLimit::Clock {
                remaining_ms: 8_000,
                increment_ms: 0,
                byoyomi_ms: 0,
            };
            let bounds = bounds(limit, moves_to_go, 0, &SearchConfig::default());
            (bounds.soft_ms, bounds.hard_ms)
        };
        assert_eq!(of(Some(1)), (8_000, 8_000));
        assert_eq!(of(Some(2)), (4_000, 6_000));
        assert_eq!(of(Some(8)).0, 1_000);
        assert_eq!(of(Some(1000)), of(None));
        assert_eq!(of(Some(0)), of(Some(1)));
    }

    #[test]
    fn a_clock_of_whole_seconds_is_used_up_to_the_fraction_of_a_second_that_is_begun() {
        let whole = |clock, overhead_ms| of("whole_second=on,time.moves_left=35", clock, overhead_ms);
        // A share of 2 s of 70 s, which may grow to 7 s.
        let seventy = whole([70_000, 0, 0], OVERHEAD_MS);
        assert_eq!((seventy.soft_ms, seventy.hard_ms), (1800, 6800));
        assert_eq!((seventy.soft_at(60), seventy.soft_at(30)), (1800, 800));
        assert_eq!(whole([80_000, 0, 0], OVERHEAD_MS).soft_ms, 2800);
        // The last second is not overstepped; a way of 300 ms to the clock leaves 700 ms of it.
        for (byoyomi_ms, overhead_ms, hard_ms) in [
            (10_000, OVERHEAD_MS, 9800),
            (10_000, 0, 9800),
            (10_000, 300, 9700),
            (500, OVERHEAD_MS, 470),
            (0, OVERHEAD_MS, 1),
        ] {
            assert_eq!(whole([0, 0, byoyomi_ms], overhead_ms).hard_ms, hard_ms);
        }
    }

    #[test]
    fn only_time_that_is_saved_for_later_moves_is_scaled() {
        assert_eq!(base([35_000, 0, 0]).soft_at(50), 500);
        assert_eq!(base([35_000, 0, 0]).soft_at(1000), base([35_000, 0, 0]).hard_ms);
        assert_eq!(base([0, 0, 1000]).soft_at(50), 1000 - OVERHEAD_MS);
        for remaining_ms in [500, 1000] {
            let short = base([remaining_ms, 0, 1000]);
            assert_eq!(short.soft_at(50), short.soft_ms);
        }
        assert!(base([35_000, 0, 1000]).soft_at(50) < base([35_000, 0, 1000]).soft_ms);
        let limit = TimeLimit::MoveTime { move_ms: 1000 };
        let fixed = bounds(limit, None, OVERHEAD_MS, &SearchConfig::default());
        assert_eq!(fixed.soft_at(50), 1000 - OVERHEAD_MS);
    }
}
