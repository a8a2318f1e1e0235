//! Time management: what a clock allows becomes a soft and a hard bound.
//!
//! In: [`Limits`]. Out: [`TimeBounds`]. Must not: read a clock.

use crate::config::SearchConfig;

/// What the clock allows for this move, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// Exactly this long.
    MoveTime {
        /// The time.
        move_ms: u64,
    },
    /// A game clock.
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
    /// Most nodes.
    pub nodes_max: Option<u64>,
    /// Last iteration.
    pub depth_max: Option<u32>,
    /// Time.
    pub time: Option<TimeLimit>,
    /// Time lost on the way between the engine and the clock, taken off what `time` allows, in milliseconds.
    pub overhead_ms: u64,
}

/// When to stop thinking, in milliseconds since the start of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBounds {
    /// Start no new iteration after this.
    pub soft_ms: u64,
    /// Break off after this.
    pub hard_ms: u64,
}

/// What a time limit means for this search.
///
/// A fixed time and pure byoyomi are used to the end (less the overhead), since unused time is lost. The rest of a clock
/// is spread over `time.moves_left` moves; one move may take `time.hard_percent` of its share, but never more than the
/// clock holds. Both bounds are at least 1 ms.
pub fn bounds(limit: TimeLimit, overhead_ms: u64, config: &SearchConfig) -> TimeBounds {
    let usable = |ms: u64| ms.saturating_sub(overhead_ms).max(1);
    match limit {
        TimeLimit::MoveTime { move_ms } => TimeBounds {
            soft_ms: usable(move_ms),
            hard_ms: usable(move_ms),
        },
        TimeLimit::Clock {
            remaining_ms,
            increment_ms,
            byoyomi_ms,
        } => {
            let share_ms = remaining_ms / u64::from(config.time_moves_left.unsigned_abs()) + increment_ms;
            let most_ms = usable(remaining_ms + byoyomi_ms);
            let hard_ms = share_ms * u64::from(config.time_hard_percent.unsigned_abs()) / 100 + byoyomi_ms;
            TimeBounds {
                soft_ms: usable(share_ms + byoyomi_ms).min(most_ms),
                hard_ms: usable(hard_ms).min(most_ms),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD_MS: u64 = 30;

    fn of(remaining_ms: u64, increment_ms: u64, byoyomi_ms: u64) -> TimeBounds {
        let limit = TimeLimit::Clock {
            remaining_ms,
            increment_ms,
            byoyomi_ms,
        };
        bounds(limit, OVERHEAD_MS, &SearchConfig::default())
    }

    #[test]
    fn byoyomi_alone_is_used_up_to_the_overhead() {
        assert_eq!(of(0, 0, 1000).hard_ms, 1000 - OVERHEAD_MS);
        assert_eq!(of(0, 0, 1000).soft_ms, 1000 - OVERHEAD_MS);
    }

    #[test]
    fn no_bound_exceeds_what_the_clock_holds_and_none_is_zero() {
        for (remaining_ms, increment_ms, byoyomi_ms) in [
            (0, 0, 0),
            (10, 0, 0),
            (50, 2000, 0),
            (100, 0, 10),
            (600_000, 5000, 0),
            (60_000, 0, 10_000),
        ] {
            let TimeBounds { soft_ms, hard_ms } = of(remaining_ms, increment_ms, byoyomi_ms);
            assert!(1 <= soft_ms && soft_ms <= hard_ms, "{soft_ms} {hard_ms}");
            assert!(
                hard_ms <= (remaining_ms + byoyomi_ms).max(1),
                "{remaining_ms}: {hard_ms}"
            );
        }
    }
}
