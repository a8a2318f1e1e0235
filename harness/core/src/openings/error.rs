//! Why a file of openings cannot be used.

use std::path::PathBuf;

use tanren_engine::game::Game;

/// An opening file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("cannot read the openings '{}': {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// A line is not a position that can be played on.
    #[error("{origin}, line {line}: {message}: '{text}'")]
    BadLine {
        origin: String,
        /// Its line, from 1.
        line: u32,
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// It is a book of one game, and another is played.
    #[error("{origin} is {format}, openings of {}: add --game {}", game.name(), game.name())]
    OtherGame {
        origin: String,
        format: &'static str,
        game: Game,
    },
    /// There is nothing in it.
    #[error("{origin} holds no opening")]
    Empty { origin: String },
}
