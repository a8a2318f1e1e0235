//! From what the user wrote to a specification that can be played.
//!
//! In: command lines and TOML files as [`wire`] structs. Out: a validated [`MatchSpec`] and its [`Identity`].
//! Must not: play anything, or create a file.

mod identity;
mod limit;
mod player;
mod rules;
mod spec;
pub mod wire;

pub use identity::{Difference, Identity};
pub use limit::MoveLimit;
pub use player::PlayerSpec;
pub use rules::Rules;
pub use spec::{MatchSpec, OpeningSource};

use std::path::PathBuf;

use tanren_engine::config::SettingError;

/// Something the user must change before anything can be played.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file cannot be read.
    #[error("cannot read '{}': {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not the TOML that is expected there.
    #[error("'{}' is not a valid file of this kind: {message}", path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// Line, column and reason.
        message: String,
    },
    /// A player's settings do not parse.
    #[error("player {player}: {source}; `tanren params` lists all settings")]
    Setting {
        /// `a`, `b`, or a file.
        player: String,
        /// Which setting and why.
        source: SettingError,
    },
    /// Players that are other programs.
    #[error("player {player}: '{text}' names another program; this version plays the built-in engine only")]
    ProcessPlayer {
        /// `a` or `b`.
        player: String,
        /// The text given.
        text: String,
    },
    /// The game is not known.
    #[error("unknown game '{0}' (games: shogi, chess)")]
    UnknownGame(String),
    /// A player knows another declaration rule than the match.
    #[error("player {player} has declaration={rule}, but the rule is the match's: use --declaration")]
    PlayerDeclaration {
        /// `a` or `b`.
        player: &'static str,
        /// The player's rule.
        rule: &'static str,
    },
    /// The declaration rule is not known.
    #[error("unknown declaration rule '{0}' (rules: 27, 24, off)")]
    UnknownDeclaration(String),
    /// More than one limit for one side.
    #[error("player {player} has several limits ({limits}): give one of nodes, depth and movetime")]
    SeveralLimits {
        /// `a` or `b`.
        player: &'static str,
        /// Those given.
        limits: String,
    },
    /// A number outside its range.
    #[error("{name} is {value}, but must be {expected}")]
    OutOfRange {
        /// The key.
        name: String,
        /// The number given.
        value: String,
        /// The allowed range in words.
        expected: &'static str,
    },
    /// Jitter varies node limits and nothing else.
    #[error("node_jitter needs a node limit for both players, but player {player} plays by {limit}")]
    JitterWithoutNodes {
        /// `a` or `b`.
        player: &'static str,
        /// Its limit.
        limit: String,
    },
    /// The stop rule does not parse.
    #[error(transparent)]
    Sprt(#[from] crate::stats::SprtError),
    /// More pairs than openings.
    #[error(
        "{pairs} pairs need {pairs} openings, but there are {openings}: a pair played again under the same limits \
         tells nothing new; lower --pairs, add openings, or say --repeat"
    )]
    TooFewOpenings {
        /// Pairs wanted.
        pairs: u64,
        /// Openings there are.
        openings: usize,
    },
    /// A name that cannot be part of a folder's name.
    #[error("name '{0}' must be made of letters, digits, '.', '_' and '-'")]
    BadName(String),
}
