//! Lines out of a stream of bytes that may hold anything.

use std::time::Instant;

use crate::platform::{Child, Received};

/// Longer lines are dropped whole. The longest line that means something, a principal variation, has a few thousand.
const LINE_BYTES_MAX: usize = 1 << 16;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard<'a> {
    Line(&'a [u8]),
    Closed,
    TimedOut,
}

#[derive(Debug)]
pub(super) struct LineBuffer {
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    /// Before this there is no end of a line.
    searched: usize,
    /// In a line that is too long, up to its end.
    is_skipping: bool,
}

impl LineBuffer {
    pub(super) fn new() -> LineBuffer {
        LineBuffer {
            buffer: vec![0; LINE_BYTES_MAX].into_boxed_slice(),
            start: 0,
            end: 0,
            searched: 0,
            is_skipping: false,
        }
    }

    pub(super) fn next(&mut self, child: &mut Child, deadline: Instant) -> Heard<'_> {
        loop {
            if let Some((from, to)) = self.take() {
                return Heard::Line(self.buffer[from..to].trim_ascii());
            }
            // Also asked when output never ends: a flood must not put the deadline off.
            if Instant::now() >= deadline {
                return Heard::TimedOut;
            }
            match child.receive(&mut self.buffer[self.end..], deadline) {
                Received::Bytes(bytes) => self.end += bytes,
                Received::Closed => return Heard::Closed,
                Received::TimedOut => return Heard::TimedOut,
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The next line that has come already; stops after so many bytes as one buffer holds.
    pub(super) fn next_ready(&mut self, child: &mut Child) -> Heard<'_> {
        if self.is_empty() {
            match child.receive_ready(&mut self.buffer[self.end..]) {
                Received::Bytes(bytes) => self.end += bytes,
                Received::Closed => return Heard::Closed,
                Received::TimedOut => return Heard::TimedOut,
            }
        }
        let line = self.take();
        line.map_or(Heard::TimedOut, |(from, to)| {
            Heard::Line(self.buffer[from..to].trim_ascii())
        })
    }

    /// The bounds of the next whole line in the buffer; makes room if there is none.
    fn take(&mut self) -> Option<(usize, usize)> {
        loop {
            let Some(at) = self.buffer[self.searched..self.end]
                .iter()
                .position(|&byte| byte == b'\n')
            else {
                self.make_room();
                return None;
            };
            let (from, to) = (self.start, self.searched + at);
            self.start = to + 1;
            self.searched = self.start;
            if self.start == self.end {
                (self.start, self.end, self.searched) = (0, 0, 0);
            }
            if !std::mem::take(&mut self.is_skipping) {
                return Some((from, to));
            }
        }
    }

    #[cfg(any(test, feature = "fuzzing"))]
    pub(super) fn feed(&mut self, bytes: &[u8], mut visit: impl FnMut(&[u8])) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = self.buffer.len() - self.end;
            assert!(room > 0, "there is always room to read");
            let (now, later) = rest.split_at(rest.len().min(room));
            self.buffer[self.end..self.end + now.len()].copy_from_slice(now);
            self.end += now.len();
            rest = later;
            while let Some((from, to)) = self.take() {
                visit(self.buffer[from..to].trim_ascii());
            }
        }
    }

    /// Without a whole line in the buffer: moves its beginning to the front, or gives it up if it is too long.
    fn make_room(&mut self) {
        if self.is_skipping || self.end - self.start == self.buffer.len() {
            self.is_skipping = true;
            (self.start, self.end) = (0, 0);
        } else if self.end == self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        self.searched = self.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = LineBuffer::new();
        let mut found = Vec::new();
        for chunk in chunks {
            lines.feed(chunk, |line| {
                found.push(String::from_utf8_lossy(line).into_owned());
            });
        }
        found
    }

    #[test]
    fn lines_are_found_however_they_are_cut_and_one_that_is_too_long_is_dropped() {
        let huge = vec![b'x'; 3 * LINE_BYTES_MAX + 5];
        let filler = vec![b'a'; LINE_BYTES_MAX - 10];
        let filled = String::from_utf8_lossy(&filler);
        for (chunks, expected) in [
            (
                &[&b"one\r\ntwo\nth"[..], b"ree", b"\n\n four \n"],
                &["one", "two", "three", "", "four"][..],
            ),
            (&[b"before\n", &huge, b"tail\nafter\n"], &["before", "after"]),
            // A long line at the end of the buffer is moved, not lost.
            (&[&filler, b"\nbest", b"move 7g7f\n"], &[&filled, "bestmove 7g7f"]),
            // Bytes that are no text are a line like any other.
            (
                &[b"\xff\xfe\n", b"bestmove", b"\n"],
                &["\u{fffd}\u{fffd}", "bestmove"],
            ),
        ] {
            assert_eq!(lines_of(chunks), expected);
        }
    }
}
