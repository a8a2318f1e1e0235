//! From what the user wrote to a specification that can be played, and its [`Identity`].

mod adjudication;
mod build;
mod clock;
mod conditions;
mod difference;
mod engines;
mod fault;
mod growth;
mod identity;
mod keys;
mod library;
mod limit;
mod mistake;
mod nearest;
mod place;
mod player;
mod player_file;
mod process;
mod process_text;
mod rules;
mod seat;
mod source;
mod spec;
mod sprt;
#[cfg(test)]
mod tests;
mod tournament;

pub use adjudication::{AdjudicationError, DrawRule, ResignRule};
pub use build::{Build, BuildIdentity, check_repository};
pub use clock::{ClockLimit, ClockRules};
pub use conditions::{Conditions, OpeningOrder, OpeningSource};
pub use difference::differences;
pub use engines::Engines;
pub use fault::{FaultAction, FaultPolicy, FaultPolicyError};
pub use growth::Growth;
pub use identity::Identity;
pub use keys::{
    ADVANCED, ClockKeys, FaultKeys, GameKeys, LengthKeys, LimitKeys, MatchKeys, Of, OpeningKeys, RepeatKeys,
    RuleKeys, SeatKeys, TimeoutKeys, TournamentKeys, listed, texts,
};
pub use library::{is_library_name, library_file, library_names, library_player};
pub use limit::{LIMITS, MoveLimit, Resource};
pub use mistake::{Mistake, Mistakes, Place, SourceText};
pub use nearest::{did_you_mean, nearest};
pub use place::{relative, resolve, resolve_files};
pub use player::{PlayerKind, PlayerSpec};
pub use player_file::PlayerFile;
pub use process::{EngineProtocol, ProcessSpec, SSH, Timeouts};
pub use process_text::quote_word;
pub use rules::Rules;
pub use seat::Seat;
pub use source::{Source, read_text};
pub use spec::MatchSpec;
pub use sprt::{SPRT_PRESETS, SprtTextError, elo_model_name, parse_sprt, sprt_text};
pub use tournament::TournamentSpec;

use std::fmt;
use std::path::{Path, PathBuf};

use tanren_engine::config::{Config, PRESETS, SettingError};
use tanren_engine::game::Game;

use crate::platform::works_for_page;
use crate::plural::plural;

/// Something the user must change before anything can be played.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read '{}': {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Mistakes(Mistakes),
    /// For a page, which is told no words of files.
    #[error("'{}' has an error, and pages do not show file contents: run tanren run --dry-run on the file on the server's machine", .0.display())]
    Untold(PathBuf),
    #[error(
        "player {player}: {source}{}; `tanren params` lists all settings",
        preset_meant(source)
    )]
    Setting {
        /// `a`, `b`, or a file.
        player: String,
        source: SettingError,
    },
    #[error(
        "player {player}: {message}; expected usi:COMMAND ARGUMENTS,option.NAME=value or the keys of a file"
    )]
    Process {
        /// `a`, `b`, or a file.
        player: String,
        message: String,
    },
    #[error(
        "player '{label}' speaks UCI, so it plays chess, but the game is shogi: add --game chess (game = \"chess\" in a file), or write \
         usi:COMMAND for an engine of shogi"
    )]
    ChessEngine { label: String },
    #[error(
        "player '{label}' speaks USI, so it plays shogi, but the game is chess: write uci:COMMAND for an engine of chess"
    )]
    ShogiEngine { label: String },
    #[error("'{label}' is an external engine, but here only the built-in engine will do")]
    NotBuiltin { label: String },
    #[error("no engine is called '@{name}' here (engines: {}); name it in the file that `engines` of the machine's own file says, or write @{name} for the engine library", if known.is_empty() { "none" } else { known })]
    UnknownEngine { name: String, known: String },
    #[error("'@{}' is a commit of {}, and only `tanren test` builds commits: run it in that repository", .0, .0.repository)]
    UnbuiltCommit(Build),
    #[error(
        "no engine is called '{name}' (engines: {}){meant}; `tanren engines add {name} COMMAND` adds it; a file of that name is @./{name}",
        if known.is_empty() { "none" } else { known }
    )]
    NotInLibrary {
        name: String,
        /// What is probably meant, as the end of a message.
        meant: String,
        known: String,
    },
    #[error("there is no folder for the engine library: set HOME, or TANREN_CONFIG to a folder")]
    NoLibrary,
    #[error(
        "{} need as many openings, but there are only {openings}{}: lower --pairs, add openings, or pass --repeat \
         to reuse them",
        plural(*pairs, "pair"),
        if *before == 0 { String::new() } else { format!(" from --first-opening {} on", before + 1) }
    )]
    TooFewOpenings {
        pairs: u64,
        openings: usize,
        /// Openings that `--first-opening` leaves out.
        before: usize,
    },
    #[error(
        "the label of player {player}, '{}', holds the character {character}, which cannot be shown",
        crate::sanitize::line(label)
    )]
    UnsafeLabel {
        player: String,
        label: String,
        character: String,
    },
}

impl ConfigError {
    pub fn refused(key: impl Into<String>, message: impl fmt::Display) -> ConfigError {
        Mistake::new(key, message.to_string()).into()
    }

    /// What is wrong with the file at `path`, which another one names.
    #[must_use]
    pub fn of_named(self, path: &Path) -> ConfigError {
        if works_for_page() {
            ConfigError::Untold(path.to_owned())
        } else {
            self
        }
    }

    /// The same, each part at its key in `source`.
    #[must_use]
    pub fn placed(self, source: &Source) -> ConfigError {
        match self {
            ConfigError::Mistakes(mistakes) => source.placed(mistakes).into(),
            other => source.mistake("", other.to_string()).into(),
        }
    }
}

impl From<Mistakes> for ConfigError {
    fn from(mistakes: Mistakes) -> ConfigError {
        ConfigError::Mistakes(mistakes.sorted())
    }
}

impl From<Mistake> for ConfigError {
    fn from(mistake: Mistake) -> ConfigError {
        Mistakes::from(mistake).into()
    }
}

/// What is probably meant, as the end of a message.
fn preset_meant(error: &SettingError) -> String {
    match error {
        SettingError::UnknownName {
            name,
            suggestion: None,
        } => name
            .strip_prefix("option.")
            .filter(|name| {
                [Game::Shogi, Game::Chess]
                    .iter()
                    .any(|&game| Config::base(game).get(game, name).is_some())
            })
            .map_or_else(String::new, |name| format!(" (did you mean '{name}'?)")),
        SettingError::UnknownPreset(name, _) => did_you_mean(name, PRESETS.iter().map(|(preset, _)| *preset)),
        _ => String::new(),
    }
}
