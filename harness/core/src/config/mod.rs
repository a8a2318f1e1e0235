//! From what the user wrote to a specification that can be played.
//!
//! In: command lines and TOML files as [`wire`] structs. Out: a validated [`MatchSpec`] and its [`Identity`].
//! Must not: play anything, or create a file.

mod adjudication;
mod clock;
mod conditions;
mod declare;
mod diagnosis;
mod document;
mod engines;
mod fault;
mod identity;
mod limit;
mod mistake;
mod nearest;
mod place;
mod player;
mod player_file;
mod process;
mod process_text;
mod range;
mod rules;
mod seat;
mod spec;
mod sprt;
#[cfg(test)]
mod tests;
mod toml_file;
mod tournament;
pub mod wire;

pub use adjudication::{AdjudicationError, Agreement, DrawRule, ResignRule};
pub use clock::{ClockLimit, ClockRules, Counting};
pub use conditions::{ConditionKeys, Conditions, OpeningOrder, OpeningSource, TableFolder};
pub use declare::{Key, KeyKind, Keys};
pub use diagnosis::{Refusal, RefusalKind, diagnose};
pub use document::{Document, is_word_of};
pub use engines::Engines;
pub use fault::{FaultAction, FaultPolicy, FaultPolicyError};
pub use identity::{Difference, Identity};
pub use limit::{MoveLimit, Resource, SeatKeys};
pub use mistake::{Mistake, Mistakes, Place};
pub use nearest::{did_you_mean, nearest, with_suggestion};
pub use place::{relative, resolve_files};
pub use player::{PlayerKind, PlayerSpec};
pub use process::{EngineProtocol, Patience, ProcessSpec, Restart};
pub use rules::{RepetitionRule, Rules};
pub use seat::Seat;
pub use spec::MatchSpec;
pub use sprt::{SprtTextError, elo_model_name, parse_elo_model, parse_sprt, sprt_text};
pub use tournament::{TournamentFile, TournamentPlayer, TournamentSpec};

use std::path::PathBuf;

use tanren_engine::config::{PRESETS, SettingError};

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
    /// A file that a user wrote cannot be what it should be.
    #[error(transparent)]
    File(#[from] Mistakes),
    /// A player's settings do not parse.
    #[error(
        "player {player}: {source}{}; `tanren params` lists all settings",
        preset_meant(source)
    )]
    Setting {
        /// `a`, `b`, or a file.
        player: String,
        /// Which setting and why.
        source: SettingError,
    },
    /// A player that is another program is not described as one.
    #[error(
        "player {player}: {message}; expected usi:COMMAND ARGUMENTS,option.NAME=value or the keys of a file"
    )]
    Process {
        /// `a`, `b`, or a file.
        player: String,
        /// What is wrong.
        message: String,
    },
    /// An engine of chess in games of shogi.
    #[error(
        "player '{label}' speaks UCI, so it plays chess, but the game is shogi: add --game chess (game = \"chess\" in a file), or write \
         usi:COMMAND for an engine of shogi"
    )]
    ChessEngine {
        /// The player.
        label: String,
    },
    /// Another program where the built-in engine is needed.
    #[error("'{label}' is another program, but here only the built-in engine will do")]
    NotBuiltin {
        /// The player.
        label: String,
    },
    /// No engine of this machine has that name.
    #[error("no engine is called '@{name}' here (engines: {}); name it in the file that `engines` of the machine's own file says", if known.is_empty() { "none" } else { known })]
    UnknownEngine {
        /// As it was asked for.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// The game is not known.
    #[error("unknown game '{0}' (games: shogi, chess)")]
    UnknownGame(String),
    /// A player knows another declaration rule than the match.
    #[error("player {player} has declaration={rule}, but the rule is the match's: use --declaration")]
    PlayerDeclaration {
        /// `a`, `b`, or its number.
        player: String,
        /// The player's rule.
        rule: &'static str,
    },
    /// The declaration rule is not known.
    #[error("unknown declaration rule '{0}' (rules: 27, 24, off)")]
    UnknownDeclaration(String),
    /// More than one limit for one side.
    #[error(
        "{}several limits ({limits}): give one of nodes, depth, movetime and clock",
        player.as_ref().map_or_else(String::new, |player| format!("player {player} has "))
    )]
    SeveralLimits {
        /// `a`, `b`, or its number; nothing if the limit is that of all.
        player: Option<String>,
        /// Those given.
        limits: String,
    },
    /// A game clock that is none.
    #[error("clock{} '{text}': {reason}", of_player(player.as_deref()))]
    BadClock {
        /// `a`, `b`, or its number; nothing if the clock is that of all.
        player: Option<String>,
        /// The text given.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A setting of clocks where there is none.
    #[error("{0} is about game clocks, but neither player has one: give tc or byoyomi, or leave it out")]
    NoClock(&'static str),
    /// A rule of adjudication does not parse.
    #[error(transparent)]
    Adjudication(#[from] AdjudicationError),
    /// What is to follow from faults does not parse.
    #[error(transparent)]
    Fault(#[from] FaultPolicyError),
    /// The repetition rule is not known.
    #[error("unknown repetition rule '{0}' (rules: on, off)")]
    UnknownRepetition(String),
    /// The order of the openings is not known.
    #[error("unknown order of the openings '{0}' (orders: random, sequential)")]
    UnknownOrder(String),
    /// A game could go on for ever.
    #[error("without the repetition rule a game needs an end: give max_plies")]
    EndlessGame,
    /// There are no games to play so many plies of.
    #[error("plies are those of the games of an openings file: give openings, or leave plies out")]
    PliesWithoutOpenings,
    /// Tables are of another game.
    #[error("Syzygy tables are of chess: give --game chess, or leave --syzygy out")]
    TablesWithoutChess,
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
        /// `a`, `b`, or its number.
        player: String,
        /// Its limit.
        limit: String,
    },
    /// The stop rule does not parse.
    #[error(transparent)]
    Sprt(#[from] SprtTextError),
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
    /// A player of a tournament that cannot play.
    #[error("player {number} ('{text}'): {source}")]
    TournamentPlayer {
        /// Its place in the list, from 1.
        number: usize,
        /// As it was given.
        text: String,
        /// What is wrong with it.
        source: Box<ConfigError>,
    },
    /// A tournament that has no sense.
    #[error("{0}")]
    Tournament(String),
    /// A label with a character that no terminal and no file should get.
    #[error(
        "the label of player {player}, '{}', holds the character {character}, which cannot be shown",
        crate::foreign::line(label)
    )]
    UnsafeLabel {
        /// `a`, `b`, or its number.
        player: String,
        /// The label.
        label: String,
        /// Its number in Unicode.
        character: String,
    },
    /// A name that cannot be part of a folder's name.
    #[error("name '{0}' must be made of letters, digits, '.', '_' and '-'")]
    BadName(String),
}

/// Whose a value is, behind its name.
fn of_player(player: Option<&str>) -> String {
    player.map_or_else(String::new, |player| format!(" of player {player}"))
}

/// The preset that is probably meant, as the end of a message.
fn preset_meant(error: &SettingError) -> String {
    match error {
        SettingError::UnknownPreset { name, .. } => {
            did_you_mean(name, PRESETS.iter().map(|(preset, _)| *preset))
        }
        _ => String::new(),
    }
}

impl ConfigError {
    /// What the refusal is about.
    pub fn refusal_kind(&self) -> RefusalKind {
        match self {
            ConfigError::NoClock(_)
            | ConfigError::JitterWithoutNodes { .. }
            | ConfigError::TooFewOpenings { .. }
            | ConfigError::PliesWithoutOpenings
            | ConfigError::TablesWithoutChess
            | ConfigError::EndlessGame => RefusalKind::Together,
            _ => RefusalKind::Key,
        }
    }
}
