//! What all readers of books share: numbered lines, the replay of a game, and what is wrong with a line.

use std::borrow::Cow;

use tanren_engine::game::Position;

use crate::openings::Entry;
use crate::platform::works_for_page;
use crate::sanitize;

/// Of a book in a message.
const TEXT_CHARS: usize = 200;
const BINARY_CHARS: usize = 30;

/// A place in a book that is no opening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}: '{text}'")]
pub struct BadLine {
    pub(super) line: u32,
    pub(super) text: String,
    pub(super) message: String,
}

impl BadLine {
    pub(super) fn new(line: u32, text: &str, message: impl ToString) -> BadLine {
        if works_for_page() {
            let message = "a page is told no words of a file".to_owned();
            let text = "...".to_owned();
            return BadLine { line, text, message };
        }
        BadLine {
            line,
            text: shown(text).into_owned(),
            message: shown(&message.to_string()).into_owned(),
        }
    }
}

/// Of a line of bytes that are no text a short piece is enough.
fn shown(text: &str) -> Cow<'_, str> {
    let is_binary =
        |letter: char| letter == char::REPLACEMENT_CHARACTER || (letter.is_control() && letter != '\t');
    let chars = if text.contains(is_binary) {
        BINARY_CHARS
    } else {
        TEXT_CHARS
    };
    sanitize::short(text, chars)
}

/// What takes the entries of a book: where each stands, and what it is.
pub(super) type EntrySink<'a, P> = dyn FnMut(u32, Result<Entry<P>, BadLine>) + 'a;

/// The lines of a text without the blanks around them, numbered from 1.
pub(super) fn numbered_lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let is_blank = |letter: char| letter == '\u{feff}' || letter.is_whitespace();
    (1..).zip(text.lines().map(move |line| line.trim_matches(is_blank)))
}

/// A game that is played up to its opening: its last move, or the first `plies` of them.
pub(super) struct Replay<P: Position> {
    pub(super) line: u32,
    pub(super) board: Option<P>,
    plies: Option<u32>,
    /// Where the first of the moves was made.
    start: Option<P>,
    moves: Vec<P::Move>,
    wrong: Option<BadLine>,
}

impl<P: Position> Replay<P> {
    pub(super) fn new(line: u32, plies: Option<u32>) -> Replay<P> {
        Replay {
            line,
            board: None,
            plies,
            start: None,
            moves: Vec::new(),
            wrong: None,
        }
    }

    pub(super) fn is_played_out(&self) -> bool {
        self.wrong.is_some() || self.plies.is_some_and(|plies| self.moves.len() >= plies as usize)
    }

    pub(super) fn play(&mut self, mv: P::Move) {
        if let Some(board) = &mut self.board {
            self.start.get_or_insert_with(|| board.clone());
            board.make(mv);
            self.moves.push(mv);
        }
    }

    /// The first thing that is wrong with a game is told.
    pub(super) fn refuse(&mut self, line: u32, text: &str, message: impl ToString) {
        self.wrong
            .get_or_insert_with(|| BadLine::new(line, text, message));
    }

    /// Hands on the opening; `start` is that of a game without a move. Where no move was read from the game's own start, and some were
    /// wanted, there is none.
    pub(super) fn end(self, start: impl FnOnce() -> Option<Result<P, String>>, found: &mut EntrySink<'_, P>) {
        let is_start = |board: &P| board.repetition_key() == P::start().repetition_key();
        let is_empty = |board: &P| self.moves.is_empty() && self.plies != Some(0) && is_start(board);
        let entry = match (self.wrong, self.board) {
            (Some(wrong), _) => Some(Err(wrong)),
            (None, Some(board)) if is_empty(&board) => None,
            (None, Some(board)) => Some(Ok(match &self.start {
                Some(start) => Entry::after(start, &self.moves, board),
                None => Entry::new(board),
            })),
            (None, None) => match start() {
                Some(Ok(board)) if is_empty(&board) => None,
                Some(Ok(board)) => Some(Ok(Entry::new(board))),
                Some(Err(message)) => Some(Err(BadLine::new(self.line, "", message))),
                None => None,
            },
        };
        if let Some(entry) = entry {
            found(self.line, entry);
        }
    }
}
