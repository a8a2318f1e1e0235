//! The engine's voice: USI (shogi) and UCI (chess) over lines of text.
//!
//! In: lines of a GUI or a match runner. Out: lines. The only module of the crate that reads, writes or looks at a clock.

mod chances;
mod command;
mod dialect;
mod info;
mod limits;
mod lines;
mod options;
mod session;
mod thinking;

use std::io::{self, BufRead, Read, Write};

pub use command::{Command, Go};
pub use session::Session;

use crate::{chess, shogi};

/// Talks in the protocol that the first command asks for: UCI about chess after `uci`, USI about shogi after any other.
///
/// # Errors
/// If the input cannot be read.
pub fn converse<W: Write + Send + 'static>(mut input: impl BufRead, output: W) -> io::Result<()> {
    let mut line = Vec::new();
    while lines::read_line(&mut input, &mut line)? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let is_uci = line.trim_ascii() == b"uci";
        // Of a line that is too long the end is gone.
        if !line.ends_with(b"\n") {
            line.push(b'\n');
        }
        let input = line.as_slice().chain(input);
        return if is_uci {
            Session::<chess::Board, W>::new(output).run(input)
        } else {
            Session::<shogi::Board, W>::new(output).run(input)
        };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Said(Arc<Mutex<Vec<u8>>>);

    impl Write for Said {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn said(input: &str) -> String {
        let output = Said::default();
        converse(input.as_bytes(), output.clone()).unwrap();
        let bytes = output.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_first_command_chooses_the_protocol() {
        assert!(said("uci\n").ends_with("uciok\n"));
        assert!(said("\n  \r\n uci \r\nquit\n").ends_with("uciok\n"));
        assert!(said("usi\n").ends_with("usiok\n"));
        let later = said("setoption name MultiPV value 2\nuci\n");
        assert!(
            later.ends_with("usiok\n"),
            "the first command was none of UCI: {later}"
        );
        assert_eq!(said(""), "");
    }
}
