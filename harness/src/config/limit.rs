//! What bounds the search of one move.
//!
//! In: the keys of one side. Out: a [`MoveLimit`]. Must not: know of clocks that run through a game.

use std::fmt;

use super::ConfigError;

/// The bound of each move of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveLimit {
    /// So many nodes.
    Nodes(u64),
    /// So many plies.
    Depth(u32),
    /// So many milliseconds.
    MoveTimeMs(u64),
}

impl fmt::Display for MoveLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveLimit::Nodes(nodes) => write!(f, "nodes {nodes}"),
            MoveLimit::Depth(depth) => write!(f, "depth {depth}"),
            MoveLimit::MoveTimeMs(time_ms) => write!(f, "movetime {time_ms} ms"),
        }
    }
}

/// The three keys of a limit, as far as they were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LimitKeys {
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    pub(super) movetime: Option<u64>,
}

impl LimitKeys {
    /// The limit that these keys give `player`; `None` if none is given.
    pub(super) fn limit(self, player: &'static str) -> Result<Option<MoveLimit>, ConfigError> {
        let given: Vec<MoveLimit> = [
            self.nodes.map(MoveLimit::Nodes),
            self.depth.map(MoveLimit::Depth),
            self.movetime.map(MoveLimit::MoveTimeMs),
        ]
        .into_iter()
        .flatten()
        .collect();
        match given[..] {
            [] => Ok(None),
            [limit] => check(player, limit).map(Some),
            _ => Err(ConfigError::SeveralLimits {
                player,
                limits: given
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }
}

fn check(player: &'static str, limit: MoveLimit) -> Result<MoveLimit, ConfigError> {
    let refuse = |name: &str, value: u64, expected| {
        Err(ConfigError::OutOfRange {
            name: format!("{name} of player {player}"),
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
        _ => Ok(limit),
    }
}
