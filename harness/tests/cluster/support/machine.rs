//! A program of a fleet: a worker or a coordinator.
//!
//! In: arguments. Out: a process that ends with the value, and what it said. Must not: wait for ever.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::fleet::BOUND;
use crate::common::tanren;

static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// A clock of the day that is wrong; clocks that only measure go on as they do.
pub(crate) struct Clock {
    pub(crate) library: PathBuf,
    pub(crate) hours: i64,
}

impl Clock {
    pub(crate) fn set(&self, command: &mut Command) {
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAKETIME", format!("{:+}h", self.hours))
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .env("DONT_FAKE_MONOTONIC", "1")
            .env("NO_FAKE_STAT", "1");
    }
}

/// A process of `tanren`.
pub(crate) struct Machine {
    child: Child,
    words: PathBuf,
}

impl Machine {
    pub(crate) fn start(folder: &Path, args: &[&str]) -> Machine {
        Machine::start_at(folder, args, None)
    }

    /// With a clock that is wrong.
    pub(crate) fn start_at(folder: &Path, args: &[&str], clock: Option<&Clock>) -> Machine {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let words = folder.join(format!("stderr-{number}"));
        let mut command = tanren();
        clock.inspect(|clock| clock.set(&mut command));
        let child = command
            .args(args)
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(fs::File::create(&words).unwrap())
            .spawn()
            .unwrap();
        Machine { child, words }
    }

    /// What it said on stderr so far.
    pub(crate) fn said(&self) -> String {
        fs::read_to_string(&self.words).unwrap()
    }

    /// Waits until it has said this.
    pub(crate) fn wait_for(&mut self, words: &str) {
        let until = Instant::now() + BOUND;
        while !self.said().contains(words) {
            let is_over = self.child.try_wait().unwrap().is_some() && !self.said().contains(words);
            assert!(
                !is_over && Instant::now() < until,
                "'{words}' was not said, but: {}",
                self.said()
            );
            sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        signal(self.id(), name);
    }

    /// SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits until it has ended by itself.
    pub(crate) fn end(&mut self) -> ExitStatus {
        self.end_within(BOUND)
    }

    /// As [`end`](Machine::end); fails if it takes longer.
    pub(crate) fn end_within(&mut self, time: Duration) -> ExitStatus {
        let until = Instant::now() + time;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(
                Instant::now() < until,
                "it has not ended within {time:?}; it said: {}",
                self.said()
            );
            sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            let words = fs::read_to_string(&self.words).unwrap_or_default();
            eprintln!("{}: {words}", self.words.display());
        }
    }
}

/// Sends a signal to a process of ours.
pub(crate) fn signal(id: u32, name: &str) {
    let sent = std::process::Command::new("kill")
        .args([&format!("-{name}"), &id.to_string()])
        .status();
    assert!(sent.unwrap().success(), "{name} to {id}");
}
