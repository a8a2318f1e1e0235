//! Opening suites: the positions that pairs start from.

mod book;
mod built_in;
mod chess960;
mod generate;
mod random;
mod relatives;

#[cfg(feature = "fuzzing")]
pub use book::fuzz as fuzz_book;
use book::lines;
pub use book::lines::moves_of;
pub use book::{BadLine, Book};
use built_in::BuiltIn;
pub use built_in::{built_in, built_in_nodes};
pub use chess960::{Starts, is_chess960, is_text_of_chess960};
pub use generate::{GenerateError, GenerateSpec, Phase, generate};
pub use random::{PLIES, RandomOpenings};
pub use relatives::Relatives;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tanren_engine::game::{Game, Position, Side};

#[derive(Debug, Clone)]
pub struct Opening<P> {
    /// Its line in the file, from 1; where a book of moves leads to is numbered instead.
    pub line: u32,
    start: Start<P>,
}

/// A position to start from.
#[derive(Debug, Clone)]
struct Entry<P> {
    position: P,
    /// The moves that lead to it where a book has moves, as `START moves …`; empty otherwise.
    book: String,
}

impl<P: Position> Entry<P> {
    fn new(position: P) -> Entry<P> {
        let book = String::new();
        Entry { position, book }
    }

    /// A position that these moves lead to.
    fn after(start: &P, moves: &[P::Move], position: P) -> Entry<P> {
        let mut book = String::new();
        if !moves.is_empty() {
            let (own, usual) = (start.to_string(), P::start().to_string());
            book = if own == usual { "startpos".to_owned() } else { own } + " moves";
            moves.iter().for_each(|mv| book += &format!(" {mv}"));
        }
        Entry { position, book }
    }
}

#[derive(Debug, Clone)]
enum Start<P> {
    Entry(Box<Entry<P>>),
    /// A line of a built-in suite. To parse all 20,000 of them would take longer than to play a pair.
    BuiltIn(&'static BuiltIn),
    Random(Arc<random::Walks<P>>),
}

impl<P: Position> Opening<P> {
    pub fn new(line: u32, position: P) -> Opening<P> {
        Opening::of_entry(line, Entry::new(position))
    }

    fn of_entry(line: u32, entry: Entry<P>) -> Opening<P> {
        let start = Start::Entry(Box::new(entry));
        Opening { line, start }
    }

    /// What [`text`](Opening::text) says.
    pub fn parse(line: u32, text: &str) -> Result<Opening<P>, String> {
        lines::parse(text, usize::MAX).map(|entry| Opening::of_entry(line, entry))
    }

    /// Is it made of random moves from the start position?
    pub fn is_random(&self) -> bool {
        matches!(self.start, Start::Random(_))
    }

    pub fn position(&self) -> P {
        match &self.start {
            Start::Entry(entry) => entry.position.clone(),
            Start::BuiltIn(suite) => suite.position(self.line),
            Start::Random(walks) => walks.entry(self.line).position,
        }
    }

    /// The moves that lead to it where a book has moves, as `START moves …`; empty otherwise.
    pub fn book(&self) -> String {
        match &self.start {
            Start::Entry(entry) => entry.book.clone(),
            Start::BuiltIn(_) => String::new(),
            Start::Random(walks) => walks.entry(self.line).book,
        }
    }

    /// Its moves, or its position where no book has moves.
    pub fn text(&self) -> String {
        let book = self.book();
        if book.is_empty() {
            self.position().to_string()
        } else {
            book
        }
    }
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

/// Why a file of openings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    #[error("cannot read the openings '{}': {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{origin}, {wrong}")]
    BadLine { origin: String, wrong: BadLine },
    #[error("{origin} is {format}, openings of {}: add --game {}", game.name(), game.name())]
    OtherGame {
        origin: String,
        format: &'static str,
        game: Game,
    },
    #[error("{origin} holds no opening")]
    Empty { origin: String },
    #[error("{origin} is {format}, and no move was understood in a file of {lines} lines")]
    NoMove {
        origin: String,
        format: &'static str,
        lines: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    pub positions: usize,
    pub duplicates: usize,
    pub second_to_move: usize,
    pub in_check: usize,
    pub legal_moves_mean: f64,
}

impl Figures {
    /// Of a suite that holds at least one opening.
    pub fn of<P: Position>(suite: &OpeningSuite<P>) -> Figures {
        let positions = || suite.openings.iter().map(Opening::position);
        let moves: usize = positions().map(|position| position.count_legal_all()).sum();
        Figures {
            positions: suite.openings.len(),
            duplicates: suite.duplicates.len(),
            second_to_move: positions()
                .filter(|position| position.side_to_move() == Side::Second)
                .count(),
            in_check: positions().filter(|position| position.in_check()).count(),
            legal_moves_mean: moves as f64 / suite.openings.len() as f64,
        }
    }
}

pub fn load<P: Position>(path: &Path, plies: Option<u32>) -> Result<OpeningSuite<P>, OpeningError> {
    Book::read(path, plies)?.suite()
}

/// Parses lines of positions; `origin` is what messages call them.
pub fn parse<P: Position>(text: &str, origin: &str) -> Result<OpeningSuite<P>, OpeningError> {
    Book::of_lines(text, origin).suite()
}

impl Book {
    pub fn suite<P: Position>(&self) -> Result<OpeningSuite<P>, OpeningError> {
        let mut openings: Vec<Opening<P>> = Vec::new();
        let mut duplicates = Vec::new();
        let mut line_of_key = HashMap::new();
        let mut wrong = None;
        self.each::<P>(&mut |line, entry| match entry {
            Ok(entry) => {
                let first_line = *line_of_key.entry(entry.position.repetition_key()).or_insert(line);
                if first_line == line {
                    openings.push(Opening::of_entry(line, entry));
                } else {
                    duplicates.push((line, first_line));
                }
            }
            Err(found) => {
                wrong.get_or_insert(found);
            }
        })?;
        if let Some(wrong) = wrong {
            return Err(self.refused(wrong));
        }
        if openings.is_empty() {
            return Err(self.empty());
        }
        Ok(OpeningSuite {
            openings,
            duplicates,
            sha256: self.sha256(),
        })
    }

    fn refused(&self, wrong: BadLine) -> OpeningError {
        let origin = self.origin().to_owned();
        OpeningError::BadLine { origin, wrong }
    }

    pub fn wrong<P: Position>(&self) -> Vec<OpeningError> {
        let mut all = Vec::new();
        let read = self.each::<P>(&mut |_, entry| {
            all.extend(entry.err().map(|wrong| self.refused(wrong)));
        });
        all.extend(read.err());
        all
    }
}
