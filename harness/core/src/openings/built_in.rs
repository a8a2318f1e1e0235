//! Suites that are part of the program, packed by `build.rs`: a run unpacks the blocks of the openings that it plays.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::DeflateDecoder;
use tanren_engine::game::{Game, Position};

use super::book::lines;
use super::{Book, Opening, OpeningSuite, Start};

/// A test reads its file as any other and compares lines and digest.
#[derive(Debug)]
pub(super) struct BuiltIn {
    packed: PackedSuite,
    name: &'static str,
    sha256: &'static str,
    /// Of each block, once it was needed.
    texts: OnceLock<Vec<OnceLock<String>>>,
}

#[derive(Debug)]
struct PackedSuite {
    lines_per_block: usize,
    lines: u32,
    blocks: &'static [&'static [u8]],
}

impl BuiltIn {
    const fn new(packed: PackedSuite, name: &'static str, sha256: &'static str) -> BuiltIn {
        BuiltIn {
            packed,
            name,
            sha256,
            texts: OnceLock::new(),
        }
    }

    fn text(&self, block: usize) -> &str {
        let blocks = self.packed.blocks;
        let texts = self.texts.get_or_init(|| vec![OnceLock::new(); blocks.len()]);
        texts[block].get_or_init(|| {
            let mut text = String::new();
            let read = DeflateDecoder::new(blocks[block]).read_to_string(&mut text);
            read.unwrap_or_else(|error| unreachable!("the built-in suites are good: {error}"));
            text
        })
    }

    /// The opening of this line, from 1.
    pub(super) fn position<P: Position>(&self, line: u32) -> P {
        let index = line as usize - 1;
        let text = self.text(index / self.packed.lines_per_block);
        let line = text.lines().nth(index % self.packed.lines_per_block);
        let line = line.unwrap_or_default();
        let entry = lines::parse(line, usize::MAX);
        entry
            .unwrap_or_else(|message| unreachable!("the built-in suites are good: {message}: {line}"))
            .position
    }

    fn suite<P>(&'static self) -> OpeningSuite<P> {
        // The first line says how the suite was made.
        let lines = 2..=self.packed.lines;
        let openings = lines.map(|line| Opening {
            line,
            start: Start::BuiltIn(self),
        });
        OpeningSuite {
            openings: openings.collect(),
            duplicates: Vec::new(),
            sha256: self.sha256.to_owned(),
        }
    }

    fn book(&self) -> Book {
        let texts = (0..self.packed.blocks.len()).map(|block| self.text(block));
        Book::of_lines(&texts.collect::<String>(), self.name)
    }
}

const GAMES: &str = "the built-in suite";
const NODES: &str = "the built-in positions for counting nodes";

/// Shogi's and chess's, each for games and for counts of nodes.
static SUITES: [BuiltIn; 4] = [
    BuiltIn::new(
        include!(concat!(env!("OUT_DIR"), "/shogi.sfen.rs")),
        GAMES,
        "4a0e5337248c880da20d44226b79795e2c531f9448275fb0adad1fb7521d9416",
    ),
    BuiltIn::new(
        include!(concat!(env!("OUT_DIR"), "/shogi-nodes.sfen.rs")),
        NODES,
        "7e434b218a414870dba0b5f433f19e0c69239fda32a05eeb822193b0203c4335",
    ),
    BuiltIn::new(
        include!(concat!(env!("OUT_DIR"), "/chess.epd.rs")),
        GAMES,
        "6fa56e79df65367299b11535bef68da743a46ccc52bbd69b40e2754b2ebba124",
    ),
    BuiltIn::new(
        include!(concat!(env!("OUT_DIR"), "/chess-nodes.epd.rs")),
        NODES,
        "47dc38c431739c2788db6b7ed210296f0c8e3c07ba30ebf470799e5256d1c1a3",
    ),
];

fn of_game(game: Game) -> &'static [BuiltIn] {
    match game {
        Game::Shogi => &SUITES[..2],
        Game::Chess => &SUITES[2..],
    }
}

pub fn built_in<P: Position>() -> OpeningSuite<P> {
    of_game(P::GAME)[0].suite()
}

/// The built-in positions for counting nodes: few, from all parts of a game, for what is searched and not played on.
pub fn built_in_nodes<P: Position>() -> OpeningSuite<P> {
    of_game(P::GAME)[1].suite()
}

impl Book {
    pub fn built_in(game: Game) -> Book {
        of_game(game)[0].book()
    }
}

#[cfg(test)]
mod tests {
    use tanren_engine::{chess, shogi};

    use super::*;

    fn is_as_if_it_were_read<P: Position>() {
        for built_in in of_game(P::GAME) {
            let (read, ours) = (built_in.book().suite::<P>().unwrap(), built_in.suite::<P>());
            assert!(read.duplicates.is_empty());
            assert_eq!(read.sha256, ours.sha256, "the file is another: name its digest");
            let texts = |suite: &OpeningSuite<P>| -> Vec<(u32, String)> {
                let openings = suite.openings.iter();
                openings
                    .map(|opening| (opening.line, opening.position().to_string()))
                    .collect()
            };
            assert!(texts(&read) == texts(&ours));
        }
    }

    #[test]
    fn a_built_in_suite_is_what_its_file_is() {
        is_as_if_it_were_read::<shogi::Board>();
        is_as_if_it_were_read::<chess::Board>();
    }
}
