//! Books of Polyglot (<http://hgm.nubati.net/book_format.html>): moves of chess, by the key of a position.

use std::collections::HashMap;

use tanren_engine::chess::{Board, Color, File, Move, Piece, Rank, Square};
use tanren_engine::game::Position;

use super::entry::{BadLine, EntrySink};
use super::walk;

const ENTRY_BYTES: usize = 16;
/// The numbers of the format: for pieces on squares, castling, files of captures in passing, and the side to move.
const KEYS: &[u8; 781 * 8] = include_bytes!("polyglot.keys");
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;
const PROMOTIONS: [Option<Piece>; 5] = [
    None,
    Some(Piece::Knight),
    Some(Piece::Bishop),
    Some(Piece::Rook),
    Some(Piece::Queen),
];

struct PolyglotEntry {
    bits: u16,
    weight: u16,
    number: u32,
}

/// Hands on the positions that the book leads to; moves of weight 0 are not to be played.
pub(super) fn each(bytes: &[u8], plies: Option<u32>, found: &mut EntrySink<'_, Board>) {
    if !bytes.len().is_multiple_of(ENTRY_BYTES) {
        let message = format!("a book of Polyglot has {ENTRY_BYTES} bytes an entry, and this one is cut off");
        let number = (bytes.len() / ENTRY_BYTES) as u32 + 1;
        return found(
            number,
            Err(BadLine::new(number, &format!("{} bytes", bytes.len()), message)),
        );
    }
    let mut entries: HashMap<u64, Vec<PolyglotEntry>> = HashMap::new();
    for (number, entry) in (1..).zip(bytes.chunks_exact(ENTRY_BYTES)) {
        let word = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
        let key = (0..4).fold(0, |key, part| key << 16 | u64::from(word(2 * part)));
        let (bits, weight) = (word(8), word(10));
        if weight > 0 {
            entries
                .entry(key)
                .or_default()
                .push(PolyglotEntry { bits, weight, number });
        }
    }
    entries
        .values_mut()
        .for_each(|moves| moves.sort_by_key(|entry| std::cmp::Reverse(entry.weight)));
    let mut moves = |board: &Board| -> Result<Vec<Move>, BadLine> {
        let entries = entries.get(&key(board)).map_or(&[][..], Vec::as_slice);
        let legal = entries.iter().map(|entry| {
            move_of(board, entry.bits).ok_or_else(|| {
                let message = format!("entry {} has no legal move for {board}", entry.number);
                BadLine::new(entry.number, &format!("{:04x}", entry.bits), message)
            })
        });
        legal.collect()
    };
    walk::each(plies, &mut moves, found);
}

/// The legal move that the bits mean: destination, origin, promotion; castling is the king's capture of its rook.
fn move_of(board: &Board, bits: u16) -> Option<Move> {
    let square = |bits: u16| Square::index(usize::from(bits & 63));
    let (mut to, from) = (square(bits), square(bits >> 6));
    let promotion = *PROMOTIONS.get(usize::from(bits >> 12))?;
    let us = board.turn();
    let castles = board.piece_on(from) == Some((us, Piece::King)) && board.colors(us).has(to);
    if castles && from.file() == File::E {
        let file = if to.file() > from.file() { File::G } else { File::C };
        to = Square::new(file, from.rank());
    }
    let mv = Move::new(from, to, promotion);
    board.is_pseudo_legal(mv).then_some(mv)
}

fn key(board: &Board) -> u64 {
    let mut key = 0;
    for square in board.occupied() {
        if let Some((color, piece)) = board.piece_on(square) {
            let kind = 2 * piece as usize + usize::from(color == Color::White);
            key ^= number(64 * kind + square as usize);
        }
    }
    for (at, color) in [(0, Color::White), (2, Color::Black)] {
        let rights = board.castle_rights(color);
        for (at, right) in [(at, rights.short), (at + 1, rights.long)] {
            if right.is_some() {
                key ^= number(CASTLING + at);
            }
        }
    }
    let passed = board.en_passant_square().map(|square| square.file());
    if let Some(file) = passed.filter(|&file| can_capture_in_passing(board, file)) {
        key ^= number(EN_PASSANT + file as usize);
    }
    match board.turn() {
        Color::White => key ^ number(WHITE_TO_MOVE),
        Color::Black => key,
    }
}

fn can_capture_in_passing(board: &Board, file: File) -> bool {
    let us = board.turn();
    let pawns = board.colored_pieces(us, Piece::Pawn);
    let beside = file.adjacent() & Rank::Fifth.relative_to(us).bitboard();
    !(pawns & beside).is_empty()
}

fn number(index: usize) -> u64 {
    let bytes = KEYS.as_chunks::<8>().0;
    u64::from_be_bytes(bytes[index])
}

#[cfg(test)]
mod tests {
    use super::super::tests::{after, read};
    use super::*;
    use crate::openings::book::{Book, Format};

    #[test]
    fn keys_are_those_of_the_format() {
        for (moves, expected) in [
            ("", 0x463b96181691fc9c),
            ("e2e4", 0x823c9b50fd114196),
            ("e2e4 d7d5", 0x0756b94461c50fb0),
            ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
        ] {
            assert_eq!(key(&after(moves)), expected, "{moves}");
        }
    }

    fn entry(moves: &str, text: &str, weight: u16) -> Vec<u8> {
        let board: Board = after(moves);
        let mv = board.parse_move(text).unwrap();
        let bits = (mv.from() as u16) << 6 | mv.to() as u16;
        let parts = [key(&board).to_be_bytes().to_vec(), bits.to_be_bytes().to_vec()];
        [parts.concat(), weight.to_be_bytes().to_vec(), vec![0; 4]].concat()
    }

    fn found(bytes: &[u8], plies: Option<u32>) -> String {
        read::<Board>(&Book {
            origin: "a book".to_owned(),
            format: Format::Polyglot,
            bytes: bytes.to_owned(),
            plies,
        })
    }

    #[test]
    fn a_book_leads_to_where_it_ends_by_moves_that_are_to_be_played() {
        let book = [
            entry("", "d2d4", 1),
            entry("", "e2e4", 7),
            entry("", "a2a4", 0),
            entry("e2e4", "e7e5", 1),
            entry("e2e4", "c7c5", 3),
        ]
        .concat();
        let positions = |moves: &[&str]| -> String {
            let numbered = (1..).zip(moves);
            numbered
                .map(|(number, moves)| format!("{number}: {}, by {moves}\n", after::<Board>(moves)))
                .collect()
        };
        assert_eq!(found(&book, None), positions(&["d2d4", "e2e4 c7c5", "e2e4 e7e5"]));
        assert_eq!(found(&book, Some(1)), positions(&["e2e4", "d2d4"]));
        assert!(found(&book[1..], None).contains("this one is cut off"));
        assert_eq!(found(&[], None), "a book holds no opening\n");
        let mut wrong = entry("", "e2e4", 1);
        wrong[9] = 0;
        assert!(found(&wrong, None).contains("entry 1 has no legal move"));
    }

    #[test]
    fn castling_is_the_king_that_takes_its_rook() {
        let board = Board::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        for (to, expected) in [(Square::H1, "e1g1"), (Square::A1, "e1c1")] {
            let bits = (Square::E1 as u16) << 6 | to as u16;
            let mv = move_of(&board, bits).map(|mv| mv.to_string());
            assert_eq!(mv.as_deref(), Some(expected));
        }
    }
}
