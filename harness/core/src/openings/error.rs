//! Why a file of openings cannot be used.

use std::path::PathBuf;

use tanren_engine::game::Game;

#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    #[error("cannot read the openings '{}': {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// A line is not a position that can be played on.
    #[error("{origin}, line {line}: {message}: '{text}'")]
    BadLine {
        origin: String,
        line: u32,
        text: String,
        message: String,
    },
    /// It is a book of one game, and another is played.
    #[error("{origin} is {format}, openings of {}: add --game {}", game.name(), game.name())]
    OtherGame {
        origin: String,
        format: &'static str,
        game: Game,
    },
    #[error("{origin} holds no opening")]
    Empty { origin: String },
}
