//! Books from files.

use std::fs;

use tanren_engine::chess;
use tanren_engine::shogi;

use super::super::load;
use super::*;
use compression::tests::compressed;

const PGN: &str = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n";

#[test]
fn a_compressed_book_is_the_same_book_with_the_same_digest() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("book.pgn");
    fs::write(&plain, PGN).unwrap();
    let expected = load::<chess::Board>(&plain, Some(2)).unwrap();
    assert_eq!(expected.openings.len(), 2);
    for (extension, bytes) in compressed(PGN.as_bytes()) {
        let path = folder.path().join(format!("book.pgn.{extension}"));
        fs::write(&path, bytes).unwrap();
        let suite = load::<chess::Board>(&path, Some(2)).unwrap();
        assert_eq!(suite.sha256, expected.sha256, "{extension}");
        let boards = |suite: &crate::openings::OpeningSuite<chess::Board>| -> Vec<(u32, String)> {
            let openings = suite.openings.iter();
            openings
                .map(|opening| (opening.line, opening.position().to_string()))
                .collect()
        };
        assert_eq!(boards(&suite), boards(&expected), "{extension}");
    }
}

#[test]
fn a_book_of_another_game_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.pgn");
    fs::write(&path, PGN).unwrap();
    let message = load::<shogi::Board>(&path, None).unwrap_err().to_string();
    assert!(
        message.contains("is PGN") && message.contains("--game chess"),
        "{message}"
    );
}

#[test]
fn a_game_that_is_over_is_no_opening_unless_it_is_left_earlier() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mate.pgn");
    fs::write(&path, "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    let message = load::<chess::Board>(&path, None).unwrap_err().to_string();
    assert!(
        message.contains("line 1") && message.contains("--plies"),
        "{message}"
    );
    assert_eq!(load::<chess::Board>(&path, Some(3)).unwrap().openings.len(), 1);
}

#[test]
fn lines_of_moves_are_left_after_so_many_plies_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.sfen");
    fs::write(&path, "startpos moves 7g7f 3c3d\nstartpos moves 7g7f 8c8d\n").unwrap();
    assert_eq!(load::<shogi::Board>(&path, None).unwrap().openings.len(), 2);
    let suite = load::<shogi::Board>(&path, Some(1)).unwrap();
    assert_eq!((suite.openings.len(), suite.duplicates), (1, vec![(2, 1)]));
}

#[test]
fn operations_of_epd_stand_behind_positions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.epd");
    let board = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    fs::write(
        &path,
        format!("{board} hmvc 0; fmvn 2; id \"sicilian\";\r\n{board} c0 x\n"),
    )
    .unwrap();
    let message = load::<chess::Board>(&path, None).unwrap_err().to_string();
    assert!(message.contains("line 2"), "{message}");
    fs::write(&path, format!("{board} hmvc 0; fmvn 2; id \"sicilian\";\r\n")).unwrap();
    let suite = load::<chess::Board>(&path, None).unwrap();
    assert_eq!(suite.openings[0].position().to_string(), format!("{board} 0 2"));
}

#[test]
fn a_text_in_utf_16_and_a_position_that_is_drawn_already_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pgn");
    let wide: Vec<u8> = "\u{feff}1. e4 *\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    fs::write(&path, wide).unwrap();
    let message = load::<chess::Board>(&path, None).unwrap_err().to_string();
    assert!(message.contains("x.pgn': it is UTF-16"), "{message}");
    let path = folder.path().join("x.epd");
    for fen in [
        "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/3R4/4K3 w - - 100 90",
    ] {
        fs::write(&path, fen).unwrap();
        let message = load::<chess::Board>(&path, None).unwrap_err().to_string();
        assert!(message.contains("line 1: it is a draw by the rules"), "{message}");
    }
}

#[test]
fn two_orders_of_moves_to_one_position_are_one_opening_also_after_a_double_step_that_nobody_can_take() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pgn");
    fs::write(&path, "1. d4 e6 2. c4 *\n\n1. c4 e6 2. d4 *\n").unwrap();
    let suite = load::<chess::Board>(&path, None).unwrap();
    assert_eq!((suite.openings.len(), suite.duplicates), (1, vec![(3, 1)]));
    // Here the pawn can be taken.
    let path = folder.path().join("y.epd");
    let board = "4k3/8/8/8/3pP3/8/8/4K3 b";
    fs::write(&path, format!("{board} - e3 0 1\n{board} - - 0 1\n")).unwrap();
    assert_eq!(load::<chess::Board>(&path, None).unwrap().openings.len(), 2);
}
