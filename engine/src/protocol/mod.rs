//! USI (shogi) and UCI (chess) over lines of text: the only module of the crate that reads, writes or looks at a clock.

mod command;
mod info;
mod limits;
mod options;
mod session;
mod thinking;
mod wdl;

use std::io::{self, BufRead, Read, Write};

pub use session::ProtocolSession;

use crate::game::{Game, Side};
use crate::{chess, shogi};

/// The longest game has some thousand moves of five letters.
const LINE_BYTES_MAX: usize = 1 << 20;

/// Speaks the protocol that the first command asks for, UCI about chess after `uci`, USI about shogi after any other, until `quit` or
/// the end of `input`. `setoption` and `debug` choose none and are kept until one is chosen. With `tunables`, every setting is
/// announced as an option.
pub fn converse<W: Write + Send + 'static>(
    mut input: impl BufRead,
    output: W,
    tunables: bool,
) -> io::Result<()> {
    let (mut line, mut held) = (Vec::new(), Vec::new());
    let mut is_uci = false;
    while read_line(&mut input, &mut line)? {
        let text = line.trim_ascii();
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        if text.is_empty() {
            continue;
        }
        held.extend_from_slice(text);
        held.push(b'\n');
        let word = text.split(u8::is_ascii_whitespace).next();
        if !matches!(word, Some(b"setoption" | b"debug")) || held.len() > LINE_BYTES_MAX {
            is_uci = text == b"uci";
            break;
        }
    }
    let input = held.as_slice().chain(input);
    if is_uci {
        let mut session = ProtocolSession::<chess::Board, W>::new(output);
        session.shows_tunables = tunables;
        session.run(input)
    } else {
        let mut session = ProtocolSession::<shogi::Board, W>::new(output);
        session.shows_tunables = tunables;
        session.run(input)
    }
}

/// Reads the next line, of one that is too long the first [`LINE_BYTES_MAX`] bytes; false at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    let mut read = |line: &mut Vec<u8>| {
        line.clear();
        input.take(LINE_BYTES_MAX as u64).read_until(b'\n', line)
    };
    let bytes = read(line)?;
    let mut rest = Vec::new();
    let mut is_whole = bytes < LINE_BYTES_MAX || line.ends_with(b"\n");
    while !is_whole {
        is_whole = read(&mut rest)? < LINE_BYTES_MAX || rest.ends_with(b"\n");
    }
    Ok(bytes > 0)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Usi,
    Uci,
}

impl Protocol {
    const fn of(game: Game) -> Protocol {
        match game {
            Game::Shogi => Protocol::Usi,
            Game::Chess => Protocol::Uci,
        }
    }

    /// What ends the engine's introduction.
    fn introduced(self) -> &'static str {
        match self {
            Protocol::Usi => "usiok",
            Protocol::Uci => "uciok",
        }
    }

    /// The `bestmove` of a side that has no move.
    fn no_move(self) -> &'static str {
        match self {
            Protocol::Usi => "resign",
            Protocol::Uci => "(none)",
        }
    }

    /// The side whose clock is `btime`.
    fn black(self) -> Side {
        match self {
            Protocol::Usi => Side::First,
            Protocol::Uci => Side::Second,
        }
    }

    /// Does the remaining time that a GUI tells hold this move's increment already?
    fn clock_has_increment(self) -> bool {
        self == Protocol::Uci
    }
}
