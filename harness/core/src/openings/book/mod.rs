//! Books of openings as their users own them.
//!
//! Games and lines of moves are openings by the position after their last move, or after the first `plies` of them. A book of moves
//! (Polyglot, YaneuraOu) holds the positions in which it has nothing more to say, or after `plies`.

mod compression;
mod csa;
mod diagram;
mod entry;
mod format;
mod kif;
pub(in crate::openings) mod lines;
mod pgn;
mod polyglot;
mod san;
mod walk;
mod yaneuraou;

use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};
use tanren_engine::game::Position;

use super::{Entry, OpeningError};
use crate::platform::read_named;
use compression::{BYTES_MAX, decompressed};
pub use entry::BadLine;
use entry::EntrySink;
use format::Format;

#[derive(Debug, Clone)]
pub struct Book {
    origin: String,
    format: Format,
    bytes: Vec<u8>,
    plies: Option<u32>,
}

impl Book {
    /// Reads the file at `path`, of whose games `plies` moves are played at most.
    pub fn read(path: &Path, plies: Option<u32>) -> Result<Book, OpeningError> {
        let unreadable = |source| OpeningError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let bytes = decompressed(read_named(path, BYTES_MAX).map_err(unreadable)?).map_err(unreadable)?;
        if Format::is_utf_16(path, &bytes) {
            let why = io::Error::new(io::ErrorKind::InvalidData, "it is UTF-16: save it as UTF-8");
            return Err(unreadable(why));
        }
        Ok(Book {
            origin: format!("'{}'", path.display()),
            format: Format::of(path, &bytes),
            bytes,
            plies,
        })
    }

    /// The lines of a text; `origin` is what messages call it.
    pub fn of_lines(text: &str, origin: &str) -> Book {
        Book {
            origin: origin.to_owned(),
            format: Format::Lines,
            bytes: text.as_bytes().to_owned(),
            plies: None,
        }
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub fn lines(&self) -> Option<Vec<String>> {
        let text = String::from_utf8_lossy(&self.bytes);
        (self.format == Format::Lines).then(|| text.lines().map(str::to_owned).collect())
    }

    /// SHA-256 of what is in it, compressed or not, in hexadecimal.
    pub fn sha256(&self) -> String {
        let digest = Sha256::digest(&self.bytes);
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// What is wrong with a book without an opening.
    pub(super) fn empty(&self) -> OpeningError {
        let origin = self.origin.clone();
        match self.format {
            Format::Pgn | Format::Csa | Format::Kif => OpeningError::NoMove {
                origin,
                format: self.format.name(),
                lines: String::from_utf8_lossy(&self.bytes).lines().count(),
            },
            _ => OpeningError::Empty { origin },
        }
    }

    pub(super) fn each<P: Position>(&self, found: &mut EntrySink<'_, P>) -> Result<(), OpeningError> {
        if let Some(game) = self.format.game().filter(|&game| game != P::GAME) {
            return Err(OpeningError::OtherGame {
                origin: self.origin.clone(),
                format: self.format.name(),
                game,
            });
        }
        let plies = self.plies;
        let bytes = &self.bytes;
        let text = || String::from_utf8_lossy(bytes);
        match self.format {
            Format::Lines => lines::each(&text(), plies, &mut playable(found)),
            Format::Pgn => pgn::each(&text(), plies, &mut playable(&mut translated(found))),
            Format::Csa => csa::each(&text(), plies, &mut playable(&mut translated(found))),
            Format::Kif => kif::each(&kif::text(bytes), plies, &mut playable(&mut translated(found))),
            Format::Polyglot => polyglot::each(bytes, plies, &mut playable(&mut translated(found))),
            Format::YaneuraOu => yaneuraou::each(&text(), plies, &mut playable(&mut translated(found))),
        }
        Ok(())
    }
}

fn playable<'a, P: Position>(
    found: &'a mut EntrySink<'_, P>,
) -> impl FnMut(u32, Result<Entry<P>, BadLine>) + 'a {
    |line, entry| {
        found(
            line,
            entry.and_then(|entry| {
                let position = &entry.position;
                let message = if position.count_legal_all() == 0 {
                    "the side to move has no legal move (--plies N plays N moves of a game only)"
                } else if position.is_draw_by_rule() {
                    "it is a draw by the rules before a move is played"
                } else {
                    return Ok(entry);
                };
                Err(BadLine::new(line, &position.to_string(), message))
            }),
        );
    }
}

/// Positions of the one game that a format knows as those of any game.
fn translated<'a, P: Position, Q: Position>(
    found: &'a mut EntrySink<'_, P>,
) -> impl FnMut(u32, Result<Entry<Q>, BadLine>) + 'a {
    |line, entry| {
        let entry = entry.and_then(|Entry { position, book }| {
            let text = position.to_string();
            let position = P::parse(&text).map_err(|error| BadLine::new(line, &text, error))?;
            Ok(Entry { position, book })
        });
        found(line, entry);
    }
}

#[cfg(feature = "fuzzing")]
pub fn fuzz<P: Position>(bytes: &[u8], name: &str, plies: Option<u32>) {
    let Ok(bytes) = compression::decompressed_to(bytes.to_owned(), 1 << 20) else {
        return;
    };
    let book = Book {
        origin: "fuzz".to_owned(),
        format: Format::of(Path::new(name), &bytes),
        bytes,
        plies,
    };
    let _ = book.each::<P>(&mut |_, entry| {
        if let Ok(Entry { position, book }) = entry {
            let text = position.to_string();
            assert_eq!(
                P::parse(&text).map(|again| again.to_string()).ok(),
                Some(text.clone())
            );
            let again = lines::parse::<P>(&book, usize::MAX).map(|entry| entry.position.to_string());
            assert!(book.is_empty() || again == Ok(text), "{book}");
        }
    });
}

#[cfg(test)]
mod tests;
