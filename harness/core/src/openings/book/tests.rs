//! Books from files.

use std::fs;

use tanren_engine::chess;
use tanren_engine::shogi;

use super::super::{OpeningSuite, load};
use super::*;
use compression::tests::compressed;

/// What a reader finds, as text.
pub(super) fn texts_of<P: Position>(
    each: impl FnOnce(&mut Found<'_, P>),
) -> Vec<(u32, Result<String, BadLine>)> {
    let mut all = Vec::new();
    each(&mut |line, found| all.push((line, found.map(|board| board.to_string()))));
    all
}

/// The start position after these moves, as text.
pub(super) fn after<P: Position>(moves: &str) -> String {
    let mut board = P::start();
    for text in moves.split(' ') {
        board.make(board.parse_move(text).unwrap());
    }
    board.to_string()
}

fn loaded<P: Position>(
    name: &str,
    bytes: impl AsRef<[u8]>,
    plies: Option<u32>,
) -> Result<OpeningSuite<P>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    load::<P>(&path, plies).map_err(|error| error.to_string())
}

const PGN: &str = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n";

#[test]
fn a_compressed_book_is_the_same_book_with_the_same_digest() {
    let expected = loaded::<chess::Board>("book.pgn", PGN, Some(2)).unwrap();
    assert_eq!(expected.openings.len(), 2);
    for (extension, bytes) in compressed(PGN.as_bytes()) {
        let suite = loaded::<chess::Board>(&format!("book.pgn.{extension}"), bytes, Some(2)).unwrap();
        assert_eq!(suite.sha256, expected.sha256, "{extension}");
        let boards = |suite: &OpeningSuite<chess::Board>| -> Vec<(u32, String)> {
            let openings = suite.openings.iter();
            openings
                .map(|opening| (opening.line, opening.position().to_string()))
                .collect()
        };
        assert_eq!(boards(&suite), boards(&expected), "{extension}");
    }
}

#[test]
fn what_cannot_be_played_is_refused_with_what_to_do() {
    let other_game = loaded::<shogi::Board>("book.pgn", PGN, None).unwrap_err();
    assert!(
        other_game.contains("is PGN") && other_game.contains("--game chess"),
        "{other_game}"
    );
    let utf_16: Vec<u8> = "\u{feff}1. e4 *\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let epd = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; id \"a\";\r\n";
    for (name, bytes, reason) in [
        ("x.pgn", utf_16, "x.pgn': it is UTF-16"),
        (
            "x.pgn",
            MATE.into(),
            "line 1: the side to move has no legal move (--plies",
        ),
        (
            "x.epd",
            "8/8/8/4k3/8/8/8/4K3 w - - 0 1".into(),
            "line 1: it is a draw by the rules",
        ),
        (
            "x.epd",
            "4k3/8/8/8/8/8/3R4/4K3 w - - 100 90".into(),
            "line 1: it is a draw by the rules",
        ),
        ("x.epd", format!("{epd}{}", epd.replace(';', "")).into(), "line 2"),
    ] {
        let message = loaded::<chess::Board>(name, bytes, None).unwrap_err();
        assert!(message.contains(reason), "{message}");
    }
    assert_eq!(
        loaded::<chess::Board>("mate.pgn", MATE, Some(3))
            .unwrap()
            .openings
            .len(),
        1
    );
}

const MATE: &str = "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

#[test]
fn lines_of_moves_are_left_after_so_many_plies_as_well() {
    let lines = "startpos moves 7g7f 3c3d\nstartpos moves 7g7f 8c8d\n";
    let found = |plies| {
        let suite = loaded::<shogi::Board>("x.sfen", lines, plies).unwrap();
        (suite.openings.len(), suite.duplicates)
    };
    assert_eq!((found(None), found(Some(1))), ((2, vec![]), (1, vec![(2, 1)])));
}

#[test]
fn two_orders_of_moves_to_one_position_are_one_opening_also_after_a_double_step_that_nobody_can_take() {
    let suite = loaded::<chess::Board>("x.pgn", "1. d4 e6 2. c4 *\n\n1. c4 e6 2. d4 *\n", None).unwrap();
    assert_eq!((suite.openings.len(), suite.duplicates), (1, vec![(3, 1)]));
    // Here the pawn can be taken.
    let board = "4k3/8/8/8/3pP3/8/8/4K3 b";
    let suite = loaded::<chess::Board>("y.epd", format!("{board} - e3 0 1\n{board} - - 0 1\n"), None);
    assert_eq!(suite.unwrap().openings.len(), 2);
}
