//! What openings are called: the table of lichess-org/chess-openings, of which the README beside this says more.

use std::collections::HashMap;
use std::io::Read;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use tanren_engine::chess::Board;

static TABLE: LazyLock<HashMap<&str, OpeningName>> = LazyLock::new(|| {
    let mut text = String::new();
    // It is part of the program; a test reads all of it.
    let _ = GzDecoder::new(&include_bytes!("names.tsv.gz")[..]).read_to_string(&mut text);
    let entry = |line: &'static str| {
        let mut fields = line.split('\t');
        let (position, eco, name) = (fields.next()?, fields.next()?, fields.next()?);
        Some((position, OpeningName { eco, name }))
    };
    text.leak().lines().filter_map(entry).collect()
});
/// No opening of the table has fewer.
const MEN_MIN: u32 = 22;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpeningName {
    pub(super) eco: &'static str,
    pub(super) name: &'static str,
}

/// What the opening that leads to this position of ordinary chess is called.
pub(super) fn opening_name(board: &Board) -> Option<OpeningName> {
    if board.occupied().len() < MEN_MIN {
        return None;
    }
    TABLE.get(key(board).as_str()).copied()
}

/// The position without its counters, with a square of an en passant capture only where there is such a capture.
fn key(board: &Board) -> String {
    let mut key = board.to_string();
    let is_written = board.can_capture_en_passant();
    let ends = key.match_indices(' ').nth(if is_written { 3 } else { 2 });
    key.truncate(ends.map_or(0, |(end, _)| end));
    if !is_written {
        key += " -";
    }
    key
}

#[cfg(test)]
mod tests {
    use tanren_engine::game::Position;

    use super::*;

    #[test]
    fn every_position_of_the_table_is_found_by_its_own_key() {
        assert_eq!(TABLE.len(), 3807);
        for (position, opening) in &*TABLE {
            let board = Board::parse(&format!("{position} 0 1")).unwrap();
            assert_eq!(key(&board), *position);
            assert_eq!(opening_name(&board), Some(*opening));
            assert!(opening.eco.len() == 3 && !opening.name.is_empty(), "{opening:?}");
        }
    }

    #[test]
    fn an_opening_is_known_by_its_position_whatever_the_moves_and_without_captures_that_are_none() {
        let after = |moves: &str| {
            let mut board = Board::start();
            for text in moves.split_whitespace() {
                board.make(board.parse_move(text).unwrap());
            }
            opening_name(&board).map(|opening| opening.name)
        };
        for (moves, expected) in [
            (
                "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6",
                Some("Sicilian Defense: Najdorf Variation"),
            ),
            (
                "e2e4 c7c5 b1c3 a7a6 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6",
                Some("Sicilian Defense: Najdorf Variation"),
            ),
            ("e2e4", Some("King's Pawn Game")),
            ("", None),
            ("e2e4 e7e5 g1f3 b8c6 f3g1", None),
        ] {
            assert_eq!(after(moves), expected, "{moves}");
        }
        let written = Board::parse("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").unwrap();
        assert_eq!(opening_name(&written).map(|opening| opening.eco), Some("B00"));
    }
}
