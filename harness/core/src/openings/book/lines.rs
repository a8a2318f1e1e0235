//! A position a line.
//!
//! Blank lines and lines that start with `#` are skipped. A line is a position in the game's notation (`sfen ` in front
//! is allowed, operations of EPD behind) or `startpos`, either with ` moves …` behind.

use tanren_engine::game::{Game, Position};
use tanren_engine::{chess, shogi};

use super::entry::{Found, Wrong};
use super::epd;

/// The lines that are not blank and no comments, each with its number from 1.
pub(in crate::openings) fn numbered(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    (1..)
        .zip(lines)
        .filter(|(_, content)| !content.is_empty() && !content.starts_with('#'))
}

pub(super) fn each<P: Position>(text: &str, plies: Option<u32>, found: &mut Found<'_, P>) {
    for (line, content) in numbered(text) {
        let position = parse(content, plies.unwrap_or(u32::MAX) as usize);
        found(
            line,
            position.map_err(|message| Wrong::new(line, content, message)),
        );
    }
}

/// Why a position is refused; one of the other game is called that.
fn refusal(game: Game, start: &str, message: String) -> String {
    let other = match game {
        Game::Shogi => chess::Board::parse(start).is_ok().then_some(Game::Chess),
        Game::Chess => shogi::Board::parse(start).is_ok().then_some(Game::Shogi),
    };
    other.map_or(message, |other| {
        let name = other.name();
        format!("it is a position of {name}: add --game {name}")
    })
}

pub(in crate::openings) fn parse<P: Position>(content: &str, plies_max: usize) -> Result<P, String> {
    let content = content.strip_prefix("position ").unwrap_or(content);
    let content = content.strip_prefix("sfen ").unwrap_or(content);
    if P::GAME == Game::Chess && content.contains(';') {
        return P::parse(&epd::fen(content)?).map_err(|error| error.to_string());
    }
    let (start, moves) = match content.split_once(" moves") {
        Some((start, moves)) => (start, moves),
        None => (content, ""),
    };
    let mut position =
        P::parse(start.trim()).map_err(|error| refusal(P::GAME, start.trim(), error.to_string()))?;
    for text in moves.split_whitespace().take(plies_max) {
        let mv = position.parse_move(text).map_err(|error| error.to_string())?;
        position.make(mv);
    }
    Ok(position)
}
