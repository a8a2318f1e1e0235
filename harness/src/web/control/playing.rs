//! The run that is played, as a child of the server.
//!
//! In: a child, wishes. Out: an end that it is asked for, what it said where it failed. Must not: end a run that has not saved.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::line::{self, Waiting};
use crate::platform::OwnChild;

/// What is played now.
pub(super) struct Playing {
    pub(super) run: Waiting,
    pub(super) child: OwnChild,
    /// Was it asked to end? Before it hears signals that kills it, which is no failure.
    pub(super) is_asked: bool,
    /// Does it wait again once it has ended?
    pub(super) stays: bool,
}

impl Playing {
    /// Asks it to save and end; where it `stays`, it waits again afterwards.
    pub(super) fn ask_to_end(&mut self, stays: bool) -> io::Result<()> {
        self.stays = stays;
        // A second signal would end it before it has saved.
        if !self.is_asked {
            self.child.ask_to_end()?;
            self.is_asked = true;
        }
        Ok(())
    }

    /// Why it failed, if it did so by itself, in its own last words.
    pub(super) fn failure(&self, root: &Path, code: i32) -> Option<String> {
        if code == 0 || self.is_asked {
            return None;
        }
        let said = fs::read_to_string(log_of(root, &self.run.name)).unwrap_or_default();
        let said = said.lines().last().unwrap_or("it said nothing");
        Some(format!("{said} (exit code {code})"))
    }
}

/// Where a run's words are kept.
pub(super) fn log_of(root: &Path, name: &str) -> PathBuf {
    line::folder(root).join(format!("{}.log", name.replace('/', "+")))
}
