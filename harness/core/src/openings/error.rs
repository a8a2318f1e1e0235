//! Why a file of openings cannot be used.
//!
//! In: a file, a place in it. Out: one clear line.

use std::path::PathBuf;

use tanren_engine::game::Game;

/// An opening file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("cannot read the openings '{}': {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is not a position that can be played on.
    #[error("{origin}, line {line}: {message}: '{text}'")]
    BadLine {
        /// The file.
        origin: String,
        /// Its line, from 1.
        line: u32,
        /// The line's text.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// It is a book of one game, and another is played.
    #[error("{origin} is {format}, openings of {}: add --game {}", game.name(), game.name())]
    OtherGame {
        /// The file.
        origin: String,
        /// What it is.
        format: &'static str,
        /// Whose openings they are.
        game: Game,
    },
    /// There is nothing in it.
    #[error("{origin} holds no opening")]
    Empty {
        /// The file.
        origin: String,
    },
}
