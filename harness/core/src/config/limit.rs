//! What bounds the search of one move.

use std::fmt;
use std::ops::RangeInclusive;

use toml::Value;

use super::keys::count;
use super::{ClockLimit, LimitKeys, Mistakes};

pub(super) const NODES_DEFAULT: u64 = 1000;
/// The keys of limits.
pub const LIMITS: [&str; 5] = ["nodes", "depth", "movetime", "tc", "byoyomi"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveLimit {
    Nodes(u64),
    Depth(u32),
    MoveTimeMs(u64),
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

impl MoveLimit {
    /// Reads `nodes=500`, `movetime=100`, `depth=6`, `tc=10+0.1` or `byoyomi=200`; a number alone counts nodes.
    ///
    /// # Errors
    /// Anything else.
    pub fn parse(text: &str) -> Result<MoveLimit, String> {
        let text = text.trim();
        let (name, value) = text.split_once('=').unwrap_or(("nodes", text));
        let refused =
            || format!("'{text}' is no limit such as 10k (nodes), movetime=100, depth=6 or tc=10+0.1");
        let number = || count(value.trim()).map_err(|_| refused());
        let mut keys = LimitKeys::default();
        match name.trim() {
            "nodes" => keys.nodes = Some(number()?),
            "depth" => keys.depth = Some(u32::try_from(number()?).unwrap_or(u32::MAX)),
            "movetime" => keys.movetime = Some(number()?),
            "tc" => keys.tc = Some(value.trim().to_owned()),
            "byoyomi" => keys.byoyomi = Some(number()?),
            _ => return Err(refused()),
        }
        let mut wrong = Mistakes::default();
        let limit = keys.limit(None, "", &mut wrong);
        match wrong.into_iter().next() {
            Some(mistake) => Err(mistake.message),
            None => limit.ok_or_else(refused),
        }
    }

    /// As it is written in a player's text: `nodes=500`.
    pub fn text(self) -> String {
        let entries = self.entries();
        let entries = entries.map(|(key, value)| match value {
            toml::Value::String(text) => format!("{key}={text}"),
            value => format!("{key}={value}"),
        });
        entries.collect::<Vec<_>>().join(",")
    }
}

impl LimitKeys {
    pub fn is_empty(&self) -> bool {
        *self == LimitKeys::default()
    }

    /// The limit that these keys of a player (`a`, `b`, a number, or nobody) give, which end in `suffix`; nothing if none is given or it
    /// is refused.
    pub(super) fn limit(
        &self,
        player: Option<&str>,
        suffix: &str,
        wrong: &mut Mistakes,
    ) -> Option<MoveLimit> {
        let of = player.map_or_else(String::new, |player| format!(" of player {player}"));
        let mut in_range = |name: &str, value: u64, range: RangeInclusive<u64>, unit: &str| {
            wrong.unless(range.contains(&value), &format!("{name}{suffix}"), || {
                format!(
                    "{name}{of} is {value}, but must be from {} to {}{unit}",
                    range.start(),
                    range.end()
                )
            });
        };
        let mut given: Vec<(&str, MoveLimit)> = Vec::new();
        if let Some(nodes) = self.nodes {
            in_range("nodes", nodes, 1..=1_000_000_000_000, "");
            given.push(("nodes", MoveLimit::Nodes(nodes)));
        }
        if let Some(depth) = self.depth {
            in_range("depth", depth.into(), 1..=100, "");
            given.push(("depth", MoveLimit::Depth(depth)));
        }
        if let Some(time_ms) = self.movetime {
            in_range("movetime", time_ms, 1..=86_400_000, " milliseconds");
            given.push(("movetime", MoveLimit::MoveTimeMs(time_ms)));
        }
        if let Some(byoyomi) = self.byoyomi {
            in_range("byoyomi", byoyomi, 0..=86_400_000, " milliseconds");
        }
        if self.tc.is_some() || self.byoyomi.is_some() {
            let name = if self.tc.is_some() { "tc" } else { "byoyomi" };
            let text = self.tc.as_deref().unwrap_or("0+0");
            let clock = ClockLimit::parse_tc(text).map(|tc| ClockLimit {
                byoyomi_ms: self.byoyomi.unwrap_or_default(),
                ..tc
            });
            let clock = match clock {
                Ok(clock) if clock.is_empty() => Err("there is no time on this clock"),
                other => other,
            };
            let refusal = |reason| format!("time control{of} '{text}': {reason}");
            if let Some(clock) = wrong.take(&format!("{name}{suffix}"), clock.map_err(refusal)) {
                given.push((name, MoveLimit::Clock(clock)));
            }
        }
        if let [_, .., (last, _)] = given[..] {
            let limits: Vec<String> = given.iter().map(|(_, limit)| limit.to_string()).collect();
            let player = player.map_or_else(String::new, |player| format!("player {player} has "));
            let limits = limits.join(", ");
            wrong.push(
                format!("{last}{suffix}"),
                format!("{player}several limits ({limits}): give one of nodes, depth, movetime and tc"),
            );
        }
        given.first().map(|(_, limit)| *limit)
    }
}

impl From<MoveLimit> for LimitKeys {
    fn from(limit: MoveLimit) -> Self {
        let mut keys = LimitKeys::default();
        match limit {
            MoveLimit::Nodes(nodes) => keys.nodes = Some(nodes),
            MoveLimit::Depth(depth) => keys.depth = Some(depth),
            MoveLimit::MoveTimeMs(time_ms) => keys.movetime = Some(time_ms),
            MoveLimit::Clock(clock) => {
                keys.tc = clock.tc();
                keys.byoyomi = (clock.byoyomi_ms > 0).then_some(clock.byoyomi_ms);
            }
        }
        keys
    }
}

impl MoveLimit {
    /// The keys that give this limit again.
    pub fn entries(self) -> impl Iterator<Item = (&'static str, Value)> {
        let keys = LimitKeys::from(self);
        let number = |number: u64| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        let entries = [
            ("nodes", keys.nodes.map(number)),
            ("depth", keys.depth.map(u64::from).map(number)),
            ("movetime", keys.movetime.map(number)),
            ("tc", keys.tc.map(Value::String)),
            ("byoyomi", keys.byoyomi.map(number)),
        ];
        entries.into_iter().filter_map(|(key, value)| Some((key, value?)))
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
