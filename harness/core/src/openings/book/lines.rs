//! A position a line.
//!
//! Blank lines and lines that start with `#` are skipped. A line is a position in the game's notation (`sfen ` in front
//! is allowed, operations of EPD behind) or `startpos`, either with ` moves …` behind.

use tanren_engine::game::{Game, Position};
use tanren_engine::{chess, shogi};

use super::entry::{BadLine, EntrySink, numbered_lines};
use crate::openings::Entry;

/// The lines that are not blank and no comments.
pub(in crate::openings) fn numbered(text: &str) -> impl Iterator<Item = (u32, &str)> {
    numbered_lines(text).filter(|(_, content)| !content.is_empty() && !content.starts_with('#'))
}

pub(super) fn each<P: Position>(text: &str, plies: Option<u32>, found: &mut EntrySink<'_, P>) {
    for (line, content) in numbered(text) {
        let entry = parse(content, plies.unwrap_or(u32::MAX) as usize);
        found(
            line,
            entry.map_err(|message| BadLine::new(line, content, message)),
        );
    }
}

/// Why a position is refused; one of the other game is called that.
fn refusal(game: Game, start: &str, message: String) -> String {
    let other = match game {
        Game::Shogi => {
            let is_chess = |text: &str| chess::Board::parse(text).is_ok();
            let is_either = is_chess(start) || fen_of_epd(start).is_ok_and(|fen| is_chess(&fen));
            is_either.then_some(Game::Chess)
        }
        Game::Chess => shogi::Board::parse(start).is_ok().then_some(Game::Shogi),
    };
    other.map_or(message, |other| {
        let name = other.name();
        format!("it is a position of {name}: add --game {name}")
    })
}

pub(in crate::openings) fn parse<P: Position>(content: &str, plies_max: usize) -> Result<Entry<P>, String> {
    let (start, moves) = moves_of::<P>(content, plies_max)?;
    let mut position = start.clone();
    for &mv in &moves {
        position.make(mv);
    }
    Ok(Entry::after(&start, &moves, position))
}

/// The start and at most `plies_max` of the moves of a line.
pub fn moves_of<P: Position>(content: &str, plies_max: usize) -> Result<(P, Vec<P::Move>), String> {
    let content = content.strip_prefix("position ").unwrap_or(content);
    let content = content.strip_prefix("sfen ").unwrap_or(content);
    if P::GAME == Game::Chess && has_operations(content) {
        let position = P::parse(&fen_of_epd(content)?).map_err(|error| error.to_string())?;
        return Ok((position, Vec::new()));
    }
    let (start, moves) = match content.split_once(" moves") {
        Some((start, moves)) => (start, moves),
        None => (content, ""),
    };
    let start: P =
        P::parse(start.trim()).map_err(|error| refusal(P::GAME, start.trim(), error.to_string()))?;
    let (mut position, mut made) = (start.clone(), Vec::new());
    for text in moves.split_whitespace().take(plies_max) {
        let mv = position.parse_move(text).map_err(|error| error.to_string())?;
        position.make(mv);
        made.push(mv);
    }
    Ok((start, made))
}

/// Is a line of chess an EPD with operations? Many books leave out the ';' of the last one.
fn has_operations(line: &str) -> bool {
    let fen = line.strip_prefix("fen ").unwrap_or(line);
    let is_name = |word: &str| word.starts_with(|first: char| first.is_ascii_alphabetic());
    let is_game = line.contains(" moves") || fen.starts_with("startpos");
    line.contains([';', '"']) || !is_game && fen.split_ascii_whitespace().skip(4).take(3).any(is_name)
}

/// The FEN of a line with operations behind (Edwards, "Extended Position Description", 1994).
fn fen_of_epd(line: &str) -> Result<String, String> {
    let line = line.strip_prefix("fen ").unwrap_or(line);
    let mut rest = line;
    let mut fields = Vec::with_capacity(6);
    while fields.len() < 4 {
        let (field, behind) = word(rest);
        if field.is_empty() || field.ends_with(';') {
            return Err(format!(
                "it has {} of 4 fields before its operations",
                fields.len()
            ));
        }
        fields.push(field);
        rest = behind;
    }
    let mut counters = ["0", "1"];
    for counter in &mut counters {
        let (field, behind) = word(rest);
        let number = field.trim_end_matches(';');
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        (*counter, rest) = (number, behind);
    }
    for operation in operations(rest)? {
        let (name, operand) = word(operation);
        match name {
            "hmvc" => counters[0] = operand.trim(),
            "fmvn" => counters[1] = operand.trim(),
            "moves" => {
                return Err(
                    "moves stand at the end of a line without operations: take the ';' away".to_owned(),
                );
            }
            _ => {}
        }
    }
    fields.extend(counters);
    Ok(fields.join(" "))
}

fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

fn operations(text: &str) -> Result<Vec<&str>, String> {
    let mut found = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b';' if !is_quoted => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    match text[start..].trim() {
        "" => {}
        _ if is_quoted => return Err("a quotation is not closed".to_owned()),
        // Many books leave out the last ';'.
        left => found.push(left),
    }
    Ok(found)
}
