//! Opening suites: the positions that pairs start from.
//!
//! In: text, one position a line. Out: [`OpeningSuite`]s of distinct, playable positions.
//! Must not: decide the order in which openings are played.

mod figures;
mod generate;

pub use figures::Figures;
pub use generate::{GenerateError, GenerateSpec, Phase, generate};

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tanren_engine::game::{Game, Position};

/// The suite that is part of the program.
const SHOGI: &str = include_str!("../../../openings/shogi.sfen");
const CHESS: &str = include_str!("../../../openings/chess.epd");
/// Positions of whole games, for what is searched and not played on.
const SHOGI_NODES: &str = include_str!("../../../openings/shogi-nodes.sfen");
const CHESS_NODES: &str = include_str!("../../../openings/chess-nodes.epd");

/// One opening.
#[derive(Debug, Clone)]
pub struct Opening<P> {
    /// Its line in the file, from 1.
    pub line: u32,
    /// The position.
    pub position: P,
}

/// The distinct openings of one file, in file order.
#[derive(Debug, Clone)]
pub struct OpeningSuite<P> {
    /// The openings.
    pub openings: Vec<Opening<P>>,
    /// Lines that repeat an earlier position, with the line they repeat.
    pub duplicates: Vec<(u32, u32)>,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

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
    /// There is nothing in it.
    #[error("{origin} holds no opening")]
    Empty {
        /// The file.
        origin: String,
    },
}

/// The text of the built-in suite of `game`.
pub fn built_in(game: Game) -> &'static str {
    match game {
        Game::Shogi => SHOGI,
        Game::Chess => CHESS,
    }
}

/// The text of the built-in positions of `game` for counting nodes: few, from all parts of a game.
pub fn built_in_nodes(game: Game) -> &'static str {
    match game {
        Game::Shogi => SHOGI_NODES,
        Game::Chess => CHESS_NODES,
    }
}

/// Reads the suite at `path`.
///
/// # Errors
/// Unreadable, empty, or a line that is no position.
pub fn load<P: Position>(path: &Path) -> Result<OpeningSuite<P>, OpeningError> {
    let text = std::fs::read_to_string(path).map_err(|source| OpeningError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    parse(&text, &format!("'{}'", path.display()))
}

/// Parses a suite; `origin` is what messages call it. Blank lines and lines that start with `#` are skipped. A line is
/// a position in the game's notation (`sfen ` in front is allowed) or `startpos`, either with ` moves …` behind.
///
/// # Errors
/// The first line that is not such a position, or one without a legal move; no position at all.
pub fn parse<P: Position>(text: &str, origin: &str) -> Result<OpeningSuite<P>, OpeningError> {
    let mut openings = Vec::new();
    let mut duplicates = Vec::new();
    let mut line_of_key = HashMap::new();
    for (line, parsed) in lines::<P>(text, origin) {
        let position = parsed?;
        let first_line = *line_of_key.entry(position.key()).or_insert(line);
        if first_line == line {
            openings.push(Opening { line, position });
        } else {
            duplicates.push((line, first_line));
        }
    }
    if openings.is_empty() {
        return Err(OpeningError::Empty {
            origin: origin.to_owned(),
        });
    }
    let digest = Sha256::digest(text.as_bytes());
    Ok(OpeningSuite {
        openings,
        duplicates,
        sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
    })
}

/// Every line of a suite that is no opening.
pub fn wrong_lines<P: Position>(text: &str, origin: &str) -> Vec<OpeningError> {
    lines::<P>(text, origin)
        .filter_map(|(_, parsed)| parsed.err())
        .collect()
}

/// The lines that hold something, numbered from 1.
fn lines<P: Position>(text: &str, origin: &str) -> impl Iterator<Item = (u32, Result<P, OpeningError>)> {
    let numbered = (1..).zip(text.lines().map(str::trim));
    let filled = numbered.filter(|(_, content)| !content.is_empty() && !content.starts_with('#'));
    filled.map(move |(line, content)| {
        let parsed = parse_line::<P>(content).map_err(|message| OpeningError::BadLine {
            origin: origin.to_owned(),
            line,
            text: content.to_owned(),
            message,
        });
        (line, parsed)
    })
}

fn parse_line<P: Position>(content: &str) -> Result<P, String> {
    let content = content.strip_prefix("position ").unwrap_or(content);
    let content = content.strip_prefix("sfen ").unwrap_or(content);
    let (start, moves) = match content.split_once(" moves") {
        Some((start, moves)) => (start, moves),
        None => (content, ""),
    };
    let mut position = P::parse(start.trim()).map_err(|error| error.to_string())?;
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text).map_err(|error| error.to_string())?;
        position.make(mv);
    }
    if position.count_legal_all() == 0 {
        return Err("the side to move has no legal move".to_owned());
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Toy;

    #[test]
    fn blank_lines_and_comments_are_skipped_and_lines_keep_their_numbers() {
        let suite = parse::<Toy>("# a comment\n\n9 a\n  8 b  \n", "here").unwrap();
        let lines: Vec<u32> = suite.openings.iter().map(|opening| opening.line).collect();
        assert_eq!(lines, [3, 4]);
    }

    #[test]
    fn a_position_that_stands_twice_is_used_once_and_reported() {
        let suite = parse::<Toy>("9 a\n8 b\n9 a\n", "here").unwrap();
        assert_eq!(suite.openings.len(), 2);
        assert_eq!(suite.duplicates, [(3, 1)]);
    }

    #[test]
    fn a_wrong_line_is_reported_by_its_number_and_text() {
        let text = "9 a\n".repeat(16) + "nine\n";
        let message = parse::<Toy>(&text, "'x.sfen'").unwrap_err().to_string();
        assert!(
            message.starts_with("'x.sfen', line 17:") && message.ends_with("'nine'"),
            "{message}"
        );
    }

    #[test]
    fn a_position_without_a_legal_move_is_refused() {
        let message = parse::<Toy>("0 a\n", "here").unwrap_err().to_string();
        assert!(message.contains("no legal move"), "{message}");
    }

    #[test]
    fn a_file_of_comments_alone_is_refused() {
        let message = parse::<Toy>("# nothing\n", "'x.sfen'").unwrap_err().to_string();
        assert_eq!(message, "'x.sfen' holds no opening");
    }

    #[test]
    fn a_start_position_with_moves_is_an_opening() {
        let suite = parse::<Toy>("startpos moves 3 2\n", "here").unwrap();
        assert_eq!(suite.openings[0].position.to_string(), "15 a");
    }
}
