//! Which format a book is in.

use std::path::Path;

use tanren_engine::game::Game;

use super::kif;

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

/// Name, game and extensions, in the order of the formats.
const FORMATS: [(Format, &str, Option<Game>, &[&str]); 6] = [
    (Format::Lines, "positions", None, &[]),
    (Format::Pgn, "PGN", Some(Game::Chess), &["pgn"]),
    (
        Format::Polyglot,
        "a book of Polyglot",
        Some(Game::Chess),
        &["bin"],
    ),
    (
        Format::Kif,
        "KIF or KI2",
        Some(Game::Shogi),
        &["kif", "kifu", "ki2"],
    ),
    (Format::Csa, "CSA", Some(Game::Shogi), &["csa"]),
    (
        Format::YaneuraOu,
        "a book of YaneuraOu",
        Some(Game::Shogi),
        &["db"],
    ),
];

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
        let text = kif::text(head);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with("#YANEURAOU-DB") {
            return Some(Format::YaneuraOu);
        }
        let begins_csa = ["V2", "V3", "'CSA", "N+", "N-", "PI", "P1", "$EVENT:"];
        if begins_csa.iter().any(|start| text.starts_with(start)) {
            return Some(Format::Csa);
        }
        if text.starts_with("# KIF")
            || text.starts_with("# ----")
            || text.lines().any(|line| kif::is_telling(line.trim()))
        {
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
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let (rest, last) = name.rsplit_once('.')?;
        let extension = match COMPRESSED.contains(&last) {
            true => rest.rsplit_once('.')?.1,
            false => last,
        };
        let known = FORMATS
            .iter()
            .find(|(.., extensions)| extensions.contains(&extension));
        known.map(|(format, ..)| *format)
    }

    pub(super) fn game(self) -> Option<Game> {
        FORMATS[self as usize].2
    }

    pub(super) fn name(self) -> &'static str {
        FORMATS[self as usize].1
    }
}
