//! Lines of input, however long.
//!
//! In: bytes. Out: lines. Must not: understand them.

use std::io::{self, BufRead, Read};

/// The longest game has some thousand moves of five letters.
pub(super) const LINE_BYTES_MAX: usize = 1 << 20;

/// Reads the next line, of one that is too long the first [`LINE_BYTES_MAX`] bytes; false at the end of the input.
pub(super) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
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
