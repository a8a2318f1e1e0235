//! What bounds the search of one move.
//!
//! In: the keys of one side. Out: a [`MoveLimit`]. Must not: run a clock.

use std::fmt;

use super::declare::keys;
use super::{ClockLimit, ConfigError, of_player};

/// Where nobody says anything.
const NODES_DEFAULT: u64 = 1000;

/// The bound of each move of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveLimit {
    /// So many nodes.
    Nodes(u64),
    /// So many plies.
    Depth(u32),
    /// So many milliseconds.
    MoveTimeMs(u64),
    /// A clock that runs through the game.
    Clock(ClockLimit),
}

impl MoveLimit {
    /// What a player has for its moves, as words for people.
    pub fn words(self) -> String {
        match self {
            MoveLimit::Nodes(nodes) => format!("{nodes} nodes a move"),
            MoveLimit::MoveTimeMs(time_ms) => format!("{time_ms} milliseconds a move"),
            MoveLimit::Depth(_) | MoveLimit::Clock(_) => self.to_string(),
        }
    }

    /// Does the time that passes decide what is played?
    pub fn is_timed(self) -> bool {
        match self {
            MoveLimit::Nodes(_) | MoveLimit::Depth(_) => false,
            MoveLimit::MoveTimeMs(_) | MoveLimit::Clock(_) => true,
        }
    }
}

/// What a player has more or less of by its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resource {
    /// What it is counted in: `nodes` or `milliseconds`.
    pub unit: &'static str,
    /// How much: nodes, time for a move, or the first part of a clock that is there at all.
    pub amount: u64,
}

impl MoveLimit {
    /// What a ratio between two players can be of; none of a depth.
    pub fn resource(self) -> Option<Resource> {
        let of = |unit, amount| Some(Resource { unit, amount });
        match self {
            MoveLimit::Nodes(nodes) => of("nodes", nodes),
            MoveLimit::Depth(_) => None,
            MoveLimit::MoveTimeMs(time_ms) => of("milliseconds", time_ms),
            MoveLimit::Clock(clock) => {
                let parts = [clock.base_ms, clock.increment_ms, clock.byoyomi_ms];
                of("milliseconds", parts.into_iter().find(|&part| part > 0)?)
            }
        }
    }

    /// What is as much on a machine of `nps` nodes a second as this is on one of `reference_nps`; a limit that is no time stays as
    /// it is.
    #[must_use]
    pub fn at_pace(self, nps: u64, reference_nps: u64) -> MoveLimit {
        let Some(resource) = self.resource().filter(|_| self.is_timed()) else {
            return self;
        };
        let (amount, nps) = (u128::from(resource.amount), u128::from(nps.max(1)));
        let scaled = (amount * u128::from(reference_nps) * 2 + nps) / (2 * nps);
        self.with_amount(u64::try_from(scaled).unwrap_or(u64::MAX).max(1))
    }

    /// The limit of this kind with another amount of its [`resource`](MoveLimit::resource), which must be positive; all parts
    /// of a clock change alike.
    #[must_use]
    pub fn with_amount(self, amount: u64) -> MoveLimit {
        let before = self.resource().map_or(1, |resource| u128::from(resource.amount));
        // To the nearest millisecond, and never to nothing.
        let scaled = |part: u64| match part {
            0 => 0,
            part => (((u128::from(part) * u128::from(amount) * 2 + before) / (2 * before)) as u64).max(1),
        };
        match self {
            MoveLimit::Nodes(_) => MoveLimit::Nodes(amount),
            MoveLimit::Depth(depth) => MoveLimit::Depth(depth),
            MoveLimit::MoveTimeMs(_) => MoveLimit::MoveTimeMs(amount),
            MoveLimit::Clock(clock) => MoveLimit::Clock(ClockLimit {
                base_ms: scaled(clock.base_ms),
                period_moves: clock.period_moves,
                increment_ms: scaled(clock.increment_ms),
                byoyomi_ms: scaled(clock.byoyomi_ms),
            }),
        }
    }
}

impl fmt::Display for MoveLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveLimit::Nodes(nodes) => write!(f, "nodes {nodes}"),
            MoveLimit::Depth(depth) => write!(f, "depth {depth}"),
            MoveLimit::MoveTimeMs(time_ms) => write!(f, "movetime {time_ms} ms"),
            MoveLimit::Clock(clock) => clock.fmt(f),
        }
    }
}

keys! {
    /// The keys of a player's seat, as far as they were given. `tc` and `byoyomi` are one limit together.
    SeatKeys {
        label: String, "LABEL", "What reports call the player", "What reports call {}, instead of the player itself or its file's name";
        nodes: u64, "N", "Nodes a move", "Nodes a move of {} alone",
            default format!("{NODES_DEFAULT} if no limit is given");
        depth: u32, "D", "Depth of each move in plies", "Depth of {} alone";
        movetime: u64, "MS", "Time for each move in milliseconds", "Time for each move of {} alone in milliseconds";
        tc: String, "BASE+INC", "Game clock, [MOVES/]BASE+INC in seconds: 10+0.1, 5:00+3, 40/60+0.5 (after every 40 moves the base is added again); together with --byoyomi or alone",
            "Game clock of {} alone";
        byoyomi: u64, "MS", "Milliseconds for each move when the clock is used up", "Byoyomi of {} alone";
    }
}

impl SeatKeys {
    /// Is there a limit among these keys?
    pub fn has_limit(&self) -> bool {
        let label = self.label.clone();
        *self
            != SeatKeys {
                label,
                ..SeatKeys::default()
            }
    }

    /// The limit that these keys give `player`, or all if none is named; `None` if none is given.
    pub(super) fn limit(&self, player: Option<&str>) -> Result<Option<MoveLimit>, ConfigError> {
        let given: Vec<MoveLimit> = [
            self.nodes.map(MoveLimit::Nodes),
            self.depth.map(MoveLimit::Depth),
            self.movetime.map(MoveLimit::MoveTimeMs),
            self.clock(player)?.map(MoveLimit::Clock),
        ]
        .into_iter()
        .flatten()
        .collect();
        match given[..] {
            [] => Ok(None),
            [limit] => check(player, limit).map(Some),
            _ => Err(ConfigError::SeveralLimits {
                player: player.map(str::to_owned),
                limits: given
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    /// The limit that these keys give `player`, else that of `common`, else the default.
    pub(super) fn limit_or(&self, common: &SeatKeys, player: &str) -> Result<MoveLimit, ConfigError> {
        // Both are checked, so that a wrong common limit is reported even where it is overridden.
        let (own, common) = (self.limit(Some(player))?, common.limit(None)?);
        Ok(own.or(common).unwrap_or(MoveLimit::Nodes(NODES_DEFAULT)))
    }

    fn clock(&self, player: Option<&str>) -> Result<Option<ClockLimit>, ConfigError> {
        if self.tc.is_none() && self.byoyomi.is_none() {
            return Ok(None);
        }
        let text = self.tc.as_deref().unwrap_or("0+0");
        let refuse = |reason| ConfigError::BadClock {
            player: player.map(str::to_owned),
            text: text.to_owned(),
            reason,
        };
        let clock = ClockLimit {
            byoyomi_ms: self.byoyomi.unwrap_or_default(),
            ..ClockLimit::parse_tc(text).map_err(refuse)?
        };
        if clock.is_empty() {
            return Err(refuse("there is no time on this clock"));
        }
        Ok(Some(clock))
    }
}

/// The keys that give this limit again.
impl From<MoveLimit> for SeatKeys {
    fn from(limit: MoveLimit) -> Self {
        let keys = SeatKeys::default();
        match limit {
            MoveLimit::Nodes(nodes) => SeatKeys {
                nodes: Some(nodes),
                ..keys
            },
            MoveLimit::Depth(depth) => SeatKeys {
                depth: Some(depth),
                ..keys
            },
            MoveLimit::MoveTimeMs(time_ms) => SeatKeys {
                movetime: Some(time_ms),
                ..keys
            },
            MoveLimit::Clock(clock) => SeatKeys {
                tc: clock.tc(),
                byoyomi: (clock.byoyomi_ms > 0).then_some(clock.byoyomi_ms),
                ..keys
            },
        }
    }
}

fn check(player: Option<&str>, limit: MoveLimit) -> Result<MoveLimit, ConfigError> {
    let refuse = |name: &str, value: u64, expected| {
        Err(ConfigError::OutOfRange {
            name: format!("{name}{}", of_player(player)),
            value: value.to_string(),
            expected,
        })
    };
    match limit {
        MoveLimit::Nodes(nodes) if !(1..=1_000_000_000_000).contains(&nodes) => {
            refuse("nodes", nodes, "from 1 to 1000000000000")
        }
        MoveLimit::Depth(depth) if !(1..=100).contains(&depth) => {
            refuse("depth", u64::from(depth), "from 1 to 100")
        }
        MoveLimit::MoveTimeMs(time_ms) if !(1..=86_400_000).contains(&time_ms) => {
            refuse("movetime", time_ms, "from 1 to 86400000 milliseconds")
        }
        MoveLimit::Clock(clock) if clock.byoyomi_ms > 86_400_000 => {
            refuse("byoyomi", clock.byoyomi_ms, "from 0 to 86400000 milliseconds")
        }
        _ => Ok(limit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_of_a_clock_change_alike_and_none_to_nothing() {
        let clock = MoveLimit::Clock(ClockLimit {
            base_ms: 2_000,
            increment_ms: 11,
            ..ClockLimit::default()
        });
        assert_eq!(clock.resource().map(|resource| resource.amount), Some(2_000));
        let expected = |base_ms, increment_ms| {
            MoveLimit::Clock(ClockLimit {
                base_ms,
                increment_ms,
                ..ClockLimit::default()
            })
        };
        assert_eq!(clock.with_amount(1_000), expected(1_000, 6));
        assert_eq!(clock.with_amount(2_000), clock);
        assert_eq!(clock.with_amount(1), expected(1, 1));
        assert_eq!(MoveLimit::Nodes(7).with_amount(9), MoveLimit::Nodes(9));
        assert_eq!(MoveLimit::Depth(7).resource(), None);
    }
}
