//! What all readers of books share: numbered lines, the replay of a game, and what is wrong with a line.

use tanren_engine::game::Position;

use crate::platform::works_for_page;
use crate::sanitize;

/// Of a book in a message.
const TEXT_CHARS: usize = 200;

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
            text: sanitize::short(text, TEXT_CHARS).into_owned(),
            message: sanitize::short(&message.to_string(), TEXT_CHARS).into_owned(),
        }
    }
}

/// What takes the entries of a book: where each stands, and its position.
pub(super) type EntrySink<'a, P> = dyn FnMut(u32, Result<P, BadLine>) + 'a;

/// The lines of a text without the blanks around them, numbered from 1.
pub(super) fn numbered_lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let is_blank = |letter: char| letter == '\u{feff}' || letter.is_whitespace();
    (1..).zip(text.lines().map(move |line| line.trim_matches(is_blank)))
}

/// A game that is played up to its opening: its last move, or the first `plies` of them.
pub(super) struct Replay<P> {
    pub(super) line: u32,
    pub(super) board: Option<P>,
    plies: Option<u32>,
    played: u32,
    wrong: Option<BadLine>,
}

impl<P: Position> Replay<P> {
    pub(super) fn new(line: u32, plies: Option<u32>) -> Replay<P> {
        Replay {
            line,
            board: None,
            plies,
            played: 0,
            wrong: None,
        }
    }

    pub(super) fn is_played_out(&self) -> bool {
        self.wrong.is_some() || self.plies.is_some_and(|plies| self.played >= plies)
    }

    pub(super) fn play(&mut self, mv: P::Move) {
        if let Some(board) = &mut self.board {
            board.make(mv);
            self.played += 1;
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
        let is_without_move = self.played == 0 && self.plies != Some(0);
        let is_start = |board: &P| board.repetition_key() == P::start().repetition_key();
        let position = match (self.wrong, self.board) {
            (Some(wrong), _) => Some(Err(wrong)),
            (None, Some(board)) => Some(Ok(board)),
            (None, None) => {
                start().map(|start| start.map_err(|message| BadLine::new(self.line, "", message)))
            }
        };
        let position =
            position.filter(|position| !(is_without_move && position.as_ref().is_ok_and(is_start)));
        if let Some(position) = position {
            found(self.line, position);
        }
    }
}
