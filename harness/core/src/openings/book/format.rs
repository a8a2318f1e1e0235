//! Which format a book is in.

use std::path::Path;

use tanren_engine::game::Game;

const COMPRESSED: [&str; 5] = ["gz", "zst", "zstd", "bz2", "bz"];
const HEAD_BYTES: usize = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Lines,
    Pgn,
    Polyglot,
    Kif,
    Csa,
    YaneuraOu,
}

impl Format {
    /// The format of what is in a file: its beginning tells, and its extension where that does not.
    pub(super) fn of(path: &Path, bytes: &[u8]) -> Format {
        let named = Format::of_extension(path);
        match Format::of_content(bytes) {
            // A zero byte that strayed into a text makes no book of moves of it.
            Some(Format::Polyglot) => named.unwrap_or(Format::Polyglot),
            Some(found) => found,
            None => named.unwrap_or(Format::Lines),
        }
    }

    fn of_content(bytes: &[u8]) -> Option<Format> {
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        if head.contains(&0) {
            return Some(Format::Polyglot);
        }
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with("#YANEURAOU-DB") {
            return Some(Format::YaneuraOu);
        }
        let begins_csa = ["V2", "V3", "'CSA", "N+", "N-", "PI", "P1", "$EVENT:"];
        if begins_csa.iter().any(|start| text.starts_with(start)) {
            return Some(Format::Csa);
        }
        if text.starts_with("# KIF") || text.starts_with("# ----") || has_word_of_kif(text) {
            return Some(Format::Kif);
        }
        let tag = text.strip_prefix('[')?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        tag.trim_start_matches(is_name)
            .trim_start()
            .starts_with('"')
            .then_some(Format::Pgn)
    }

    /// Is this text in UTF-16, which begins with a mark of its own?
    pub(super) fn is_utf_16(path: &Path, bytes: &[u8]) -> bool {
        let has_mark = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        has_mark && Format::of_extension(path) != Some(Format::Polyglot)
    }

    fn of_extension(path: &Path) -> Option<Format> {
        let extension = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
        let mut found = extension(path)?;
        if COMPRESSED.contains(&found.as_str()) {
            found = extension(Path::new(path.file_stem()?))?;
        }
        Some(match found.as_str() {
            "pgn" => Format::Pgn,
            "bin" => Format::Polyglot,
            "kif" | "kifu" | "ki2" => Format::Kif,
            "csa" => Format::Csa,
            "db" => Format::YaneuraOu,
            _ => return None,
        })
    }

    pub(super) fn game(self) -> Option<Game> {
        match self {
            Format::Lines => None,
            Format::Pgn | Format::Polyglot => Some(Game::Chess),
            Format::Kif | Format::Csa | Format::YaneuraOu => Some(Game::Shogi),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Format::Lines => "positions",
            Format::Pgn => "PGN",
            Format::Polyglot => "a book of Polyglot",
            Format::Kif => "KIF",
            Format::Csa => "CSA",
            Format::YaneuraOu => "a book of YaneuraOu",
        }
    }
}

fn has_word_of_kif(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    lines.any(|line| line.starts_with("手合割：") || line.starts_with("手数----"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_file_tells_its_format_whatever_it_is_called() {
        for (text, format) in [
            ("[Event \"x\"]\n\n1. e4 *\n", Format::Pgn),
            ("\u{feff}[Event \"x\"]", Format::Pgn),
            ("#YANEURAOU-DB2016 1.00\n", Format::YaneuraOu),
            ("V2.2\nN+a\n", Format::Csa),
            ("'CSA encoding=UTF-8\n", Format::Csa),
            ("# KIF version=2.0\n", Format::Kif),
            ("開始日時：2026/01/01\n手合割：平手\n", Format::Kif),
            ("# tanren openings generate\nstartpos\n", Format::Lines),
            ("", Format::Lines),
            ("[no tag]\n", Format::Lines),
        ] {
            assert_eq!(Format::of(Path::new("x.txt"), text.as_bytes()), format, "{text}");
        }
        assert_eq!(Format::of(Path::new("x"), &[0x46, 0x3b, 0, 1]), Format::Polyglot);
        assert_eq!(Format::of(Path::new("x.pgn"), b"1. e4 \0 e5"), Format::Pgn);
    }

    #[test]
    fn an_extension_tells_it_where_the_beginning_does_not() {
        for (name, format) in [
            ("x.pgn", Format::Pgn),
            ("x.PGN.gz", Format::Pgn),
            ("x.bin.zst", Format::Polyglot),
            ("x.db.bz2", Format::YaneuraOu),
            ("x.kifu", Format::Kif),
            ("x.csa", Format::Csa),
            ("x.epd", Format::Lines),
            ("x.gz", Format::Lines),
            ("pgn", Format::Lines),
        ] {
            assert_eq!(Format::of(Path::new(name), b"1. e4 e5"), format, "{name}");
        }
    }
}
