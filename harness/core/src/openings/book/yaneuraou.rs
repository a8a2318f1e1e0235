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
        let mut moves = |board: &Board| {
            let turned = || {
                let turned = Board::parse(&turned_sfen(&board.to_string())).ok()?;
                let moves = book.get(&turned.key())?.iter();
                let texts = moves.map(|mv| turned_move(&mv.to_string()));
                Some(texts.filter_map(|text| board.parse_move(&text).ok()).collect())
            };
            Ok(book
                .get(&board.key())
                .cloned()
                .or_else(turned)
                .unwrap_or_default())
        };
        walk::each(plies, &mut moves, found);
    }
}

/// The position from the other side of the board: YaneuraOu stores one of the two (`FlippedBook`, on by default).
fn turned_sfen(sfen: &str) -> String {
    let mut words = sfen.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let mut squares = String::new();
    for letter in word().chars().rev() {
        match letter {
            '+' => squares.insert(squares.len() - 1, '+'),
            _ => squares.push(swap_case(letter)),
        }
    }
    let side = if word() == "b" { "w" } else { "b" };
    let hands: String = word().chars().map(swap_case).collect();
    format!("{squares} {side} {hands} 1")
}

fn swap_case(letter: char) -> char {
    if letter.is_ascii_uppercase() {
        letter.to_ascii_lowercase()
    } else {
        letter.to_ascii_uppercase()
    }
}

fn turned_move(text: &str) -> String {
    let turn = |letter| match letter {
        '1'..='9' => char::from(b'1' + b'9' - letter as u8),
        'a'..='i' => char::from(b'a' + b'i' - letter as u8),
        of_piece => of_piece,
    };
    text.chars().map(turn).collect()
}

/// The move of a line: what is expected next, its score, depth and count follow.
fn move_of(board: &Board, content: &str) -> Result<Option<Move>, ParseError> {
    let text = content.split_whitespace().next().unwrap_or(content);
    if NO_MOVE.contains(&text) {
        return Ok(None);
    }
    board.parse_move(text).map(Some)
}
