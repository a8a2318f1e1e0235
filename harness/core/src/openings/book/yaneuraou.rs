//! Books of YaneuraOu (`#YANEURAOU-DB2016`): moves of shogi, by positions.

use std::collections::HashMap;

use tanren_engine::game::{ParseError, Position};
use tanren_engine::shogi::{Board, Move};

use super::entry::{BadLine, Found, numbered_lines};
use super::walk;

const NO_MOVE: [&str; 4] = ["none", "resign", "win", "None"];

pub(super) fn each(text: &str, plies: Option<u32>, found: &mut Found<'_, Board>) {
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

#[cfg(test)]
mod tests {
    use super::super::tests::texts_of;
    use super::*;

    const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    fn read(text: &str, plies: Option<u32>) -> Vec<(u32, Result<String, BadLine>)> {
        texts_of(|found| each(text, plies, found))
    }

    #[test]
    fn a_book_leads_to_where_it_has_nothing_more_to_say() {
        let mut after = Board::start();
        after.make(after.parse_move("7g7f").unwrap());
        let book = format!(
            "#YANEURAOU-DB2016 1.00\n# NOE:2\n{START}\n7g7f 3c3d 12 20 4\n2g2f none 3 20\nsfen {after}\n3c3d none 0 10 1\n"
        );
        let found = read(&book, None);
        let boards: Vec<&String> = found.iter().map(|(_, found)| found.as_ref().unwrap()).collect();
        assert_eq!(
            boards,
            [
                "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2",
                "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"
            ]
        );
        assert_eq!(read(&book, Some(1)).len(), 2);
    }

    #[test]
    fn every_wrong_line_is_named() {
        let found = read(
            &format!("#YANEURAOU-DB2016 1.00\n7g7f\n{START}\n7g7f none 0 1 1\n7g5f\nsfen 9/9 b - 1\n"),
            None,
        );
        let lines: Vec<u32> = found
            .iter()
            .map(|(line, found)| (found.is_err(), *line).1)
            .collect();
        assert_eq!(lines, [2, 5, 6]);
    }
}
