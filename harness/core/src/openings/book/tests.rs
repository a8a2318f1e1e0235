//! What is read of books: `tests/*.txt` hold the books, each after a line with its name and the plies that are played of it (`-`: all).

use std::fmt::Write;

use tanren_engine::game::Game;
use tanren_engine::{chess, shogi};

use super::*;
use compression::tests::compressed;

/// The start position after these moves.
pub(super) fn after<P: Position>(moves: &str) -> P {
    let mut board = P::start();
    for text in moves.split_whitespace() {
        board.make(board.parse_move(text).unwrap());
    }
    board
}

fn book(name: &str, bytes: &[u8], plies: Option<u32>) -> Result<Book, OpeningError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let mut book = Book::read(&path, plies)?;
    book.origin = name.to_owned();
    Ok(book)
}

fn moves_in(book: &str) -> String {
    let moves = book.split_once(" moves ");
    moves.map_or(String::new(), |(_, moves)| format!(", by {moves}"))
}

/// All that is read of a book.
pub(super) fn read<P: Position>(book: &Book) -> String {
    let mut text = String::new();
    let each = book.each::<P>(&mut |line, found| {
        match found {
            Ok(entry) => writeln!(text, "{line}: {}{}", entry.position, moves_in(&entry.book)),
            Err(wrong) => writeln!(text, "{line}: wrong, {wrong}"),
        }
        .unwrap();
    });
    match each.and_then(|()| book.suite::<P>()) {
        Ok(suite) => {
            for (line, first) in suite.duplicates {
                writeln!(text, "{line} repeats {first}").unwrap();
            }
        }
        Err(error) => writeln!(text, "{error}").unwrap(),
    }
    text
}

#[test]
fn books_are_read_as_they_are_written() {
    for (name, text) in [
        ("pgn", include_str!("tests/pgn.txt")),
        ("kif", include_str!("tests/kif.txt")),
        ("csa", include_str!("tests/csa.txt")),
        ("yaneuraou", include_str!("tests/yaneuraou.txt")),
        ("lines", include_str!("tests/lines.txt")),
        ("formats", include_str!("tests/formats.txt")),
    ] {
        let mut found = String::new();
        for case in text.split("=== ").skip(1) {
            let (head, content) = case.split_once('\n').unwrap();
            let mut words = head.split(' ');
            let name = words.next().unwrap();
            for plies in words.map(|word| word.parse().ok()) {
                let book = book(name, content.as_bytes(), plies).unwrap();
                let of_plies = plies.map_or(String::new(), |plies: u32| format!(", {plies} plies"));
                writeln!(found, "=== {name}{of_plies}: {}", book.format.name()).unwrap();
                found += &match book.format.game() {
                    Some(Game::Shogi) => read::<shogi::Board>(&book),
                    None if name.ends_with("sfen") => read::<shogi::Board>(&book),
                    _ => read::<chess::Board>(&book),
                };
            }
        }
        insta::assert_snapshot!(name, found);
    }
}

/// Files as users of other programs have them, in `tests/cases`: dialects, encodings, what is cut off or garbled.
#[test]
fn files_of_other_programs_are_read_or_refused_with_the_line() {
    let mut found = String::new();
    for folder in ["csa", "db", "kif", "sfen", "epd", "pgn"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src/openings/book/tests/cases")
            .join(folder);
        let files = std::fs::read_dir(path).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<_> = files.collect();
        files.sort();
        for path in files {
            let name = path.file_name().unwrap().to_str().unwrap();
            let mut book = Book::read(&path, None).unwrap();
            book.origin = name.to_owned();
            writeln!(found, "=== {folder}/{name}: {}", book.format.name()).unwrap();
            found += &match folder {
                "epd" | "pgn" => read::<chess::Board>(&book),
                _ => read::<shogi::Board>(&book),
            };
        }
    }
    insta::assert_snapshot!("cases", found);
}

const PGN: &str = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n";

#[test]
fn a_compressed_book_is_the_same_book_with_the_same_digest() {
    let expected = book("book.pgn", PGN.as_bytes(), Some(2)).unwrap();
    for (extension, bytes) in compressed(PGN.as_bytes()) {
        let packed = book(&format!("book.pgn.{extension}"), &bytes, Some(2)).unwrap();
        assert_eq!(packed.sha256(), expected.sha256(), "{extension}");
        let [packed, expected] = [&packed, &expected].map(read::<chess::Board>);
        assert_eq!(packed, expected, "{extension}");
    }
}

#[test]
fn a_book_of_the_other_game_or_in_another_encoding_is_refused_with_what_to_do() {
    let error = read::<shogi::Board>(&book("book.pgn", PGN.as_bytes(), None).unwrap());
    assert!(
        error.contains("is PGN") && error.contains("--game chess"),
        "{error}"
    );
    let utf_16: Vec<u8> = "\u{feff}1. e4 *\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let error = book("x.pgn", &utf_16, None).unwrap_err().to_string();
    assert!(error.contains("x.pgn': it is UTF-16"), "{error}");
    let kif = "手数----\n   1 ７六歩(77)\n";
    let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(kif);
    let book = book("x.kif", &bytes, None).unwrap();
    assert_eq!(
        read::<shogi::Board>(&book),
        format!("1: {}, by 7g7f\n", after::<shogi::Board>("7g7f"))
    );
}

#[test]
fn zero_bytes_are_of_a_book_of_polyglot_unless_a_name_says_otherwise() {
    assert_eq!(Format::of(Path::new("x"), &[0x46, 0x3b, 0, 1]), Format::Polyglot);
    assert_eq!(Format::of(Path::new("x.pgn"), b"1. e4 \0 e5"), Format::Pgn);
}
