//! Books of YaneuraOu (`#YANEURAOU-DB2016`): moves of shogi, by positions.

use std::collections::HashMap;

use tanren_engine::game::{ParseError, Position};
use tanren_engine::shogi::{Board, Move};

use super::entry::{BadLine, EntrySink, numbered_lines};
use super::walk;

const NO_MOVE: [&str; 4] = ["none", "resign", "win", "None"];

pub(super) fn each(text: &str, plies: Option<u32>, found: &mut EntrySink<'_, Board>) {
    let mut book: HashMap<u64, Vec<Move>> = HashMap::new();
    let mut current: Option<(Board, Vec<Move>)> = None;
    let mut is_wrong = false;
    let mut keep = |entry: Option<(Board, Vec<Move>)>| {
        if let Some((board, moves)) = entry {
            book.entry(board.key()).or_default().extend(moves);
        }
    };
    for (line, content) in numbered_lines(text) {
        if content.is_empty() || content.starts_with('#') || content.starts_with("//") {
            continue;
        }
        let read = match content.strip_prefix("sfen ") {
            Some(sfen) => Board::parse(sfen).map(|board| keep(current.replace((board, Vec::new())))),
            None => match &mut current {
                None => Err(ParseError("a move stands before any position".to_owned())),
                Some((board, moves)) => move_of(board, content).map(|mv| moves.extend(mv)),
            },
        };
        if let Err(error) = read {
            is_wrong = true;
            found(line, Err(BadLine::new(line, content, error)));
        }
    }
    keep(current);
    if !is_wrong {
        walk::each(
            plies,
            &mut |board: &Board| Ok(book.get(&board.key()).cloned().unwrap_or_default()),
            found,
        );
    }
}

/// The move of a line: what is expected next, its score, depth and count follow.
fn move_of(board: &Board, content: &str) -> Result<Option<Move>, ParseError> {
    let text = content.split_whitespace().next().unwrap_or(content);
    if NO_MOVE.contains(&text) {
        return Ok(None);
    }
    board.parse_move(text).map(Some)
}
