//! Opening suites: the positions that pairs start from.

mod book;
mod chess960;
mod error;
mod figures;
mod generate;
mod relatives;

pub use book::Book;
#[cfg(feature = "fuzzing")]
pub use book::fuzz as fuzz_book;
pub use chess960::{Starts, is_chess960, is_text_of_chess960};
pub use error::OpeningError;
pub use figures::Figures;
pub use generate::{GenerateError, GenerateSpec, Phase, generate};
pub use relatives::Relatives;

use std::collections::HashMap;
use std::path::Path;

use tanren_engine::game::{Game, Position};

/// The suite that is part of the program.
static SHOGI: &str = include_str!("../../../../openings/shogi.sfen");
static CHESS: &str = include_str!("../../../../openings/chess.epd");
/// Positions of whole games, for what is searched and not played on.
static SHOGI_NODES: &str = include_str!("../../../../openings/shogi-nodes.sfen");
static CHESS_NODES: &str = include_str!("../../../../openings/chess-nodes.epd");

#[derive(Debug, Clone)]
pub struct Opening<P> {
    /// Its line in the file, from 1; where a book of moves leads to is numbered instead.
    pub line: u32,
    pub position: P,
}

/// The distinct openings of one file, in file order. Two are one where the rule of repetition says so: in chess a double step makes
/// another position only if a pawn may really take.
#[derive(Debug, Clone)]
pub struct OpeningSuite<P> {
    pub openings: Vec<Opening<P>>,
    /// Lines that repeat an earlier position, with the line they repeat.
    pub duplicates: Vec<(u32, u32)>,
    /// SHA-256 of what is in the file, in hexadecimal; compressed it has the same.
    pub sha256: String,
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

/// Reads the suite at `path`; of games, `plies` moves are played at most.
pub fn load<P: Position>(path: &Path, plies: Option<u32>) -> Result<OpeningSuite<P>, OpeningError> {
    Book::read(path, plies)?.suite()
}

/// Parses lines of positions; `origin` is what messages call them.
///
/// # Errors
/// The first line that is no position, or one where a game is over; no position at all.
pub fn parse<P: Position>(text: &str, origin: &str) -> Result<OpeningSuite<P>, OpeningError> {
    Book::of_lines(text, origin).suite()
}

impl Book {
    /// Its distinct positions.
    ///
    /// # Errors
    /// The first thing in it that is no position, or one where a game is over; no position at all.
    pub fn suite<P: Position>(&self) -> Result<OpeningSuite<P>, OpeningError> {
        let mut openings: Vec<Opening<P>> = Vec::new();
        let mut duplicates = Vec::new();
        let mut line_of_key = HashMap::new();
        let mut wrong = None;
        self.each::<P>(&mut |line, position| match position {
            Ok(position) => {
                let first_line = line_of_key
                    .entry(position.repetition_key())
                    .or_insert((line, openings.len()));
                if first_line.1 == openings.len() {
                    openings.push(Opening { line, position });
                } else {
                    duplicates.push((line, first_line.0));
                }
            }
            Err(found) => {
                wrong.get_or_insert(found);
            }
        })?;
        if let Some(wrong) = wrong {
            return Err(wrong.error(self.origin()));
        }
        if openings.is_empty() {
            return Err(OpeningError::Empty {
                origin: self.origin().to_owned(),
            });
        }
        Ok(OpeningSuite {
            openings,
            duplicates,
            sha256: self.sha256(),
        })
    }

    /// Everything in it that is no opening.
    pub fn wrong<P: Position>(&self) -> Vec<OpeningError> {
        let mut all = Vec::new();
        let read = self.each::<P>(&mut |_, position| {
            all.extend(position.err().map(|wrong| wrong.error(self.origin())));
        });
        all.extend(read.err());
        all
    }
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
