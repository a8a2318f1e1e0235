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
pub(super) struct Lines {
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    /// Before this there is no end of a line.
    searched: usize,
    /// In a line that is too long, up to its end.
    is_skipping: bool,
}

impl Lines {
    pub(super) fn new() -> Lines {
        Lines {
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
                return Heard::Line(trim(&self.buffer[from..to]));
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

    /// The next line that has come already; stops after so many bytes as one buffer holds.
    pub(super) fn next_ready(&mut self, child: &mut Child) -> Heard<'_> {
        if self.start == self.end {
            match child.receive_ready(&mut self.buffer[self.end..]) {
                Received::Bytes(bytes) => self.end += bytes,
                Received::Closed => return Heard::Closed,
                Received::TimedOut => return Heard::TimedOut,
            }
        }
        match self.take() {
            Some((from, to)) => Heard::Line(trim(&self.buffer[from..to])),
            None => Heard::TimedOut,
        }
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
                visit(trim(&self.buffer[from..to]));
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

fn trim(line: &[u8]) -> &[u8] {
    line.trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::new();
        let mut found = Vec::new();
        for chunk in chunks {
            lines.feed(chunk, |line| {
                found.push(String::from_utf8_lossy(line).into_owned());
            });
        }
        found
    }

    #[test]
    fn lines_are_found_however_they_are_cut() {
        assert_eq!(
            lines_of(&[b"one\r\ntwo\nth", b"ree", b"\n\n four \n"]),
            ["one", "two", "three", "", "four"]
        );
    }

    #[test]
    fn a_line_that_is_too_long_is_dropped_and_the_next_one_is_heard() {
        let huge = vec![b'x'; 3 * LINE_BYTES_MAX + 5];
        assert_eq!(
            lines_of(&[b"before\n", &huge, b"tail\nafter\n"]),
            ["before", "after"]
        );
    }

    #[test]
    fn a_long_line_at_the_end_of_the_buffer_is_moved_not_lost() {
        let filler = vec![b'a'; LINE_BYTES_MAX - 10];
        let found = lines_of(&[&filler, b"\nbest", b"move 7g7f\n"]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1], "bestmove 7g7f");
    }

    #[test]
    fn bytes_that_are_no_text_are_a_line_like_any_other() {
        assert_eq!(lines_of(&[b"\xff\xfe\nbestmove 7g7f\n"]).len(), 2);
    }
}
