//! A child process with its streams, and its end. Every wait has a deadline.
//!
//! On Unix the waiting is done by the system (`poll`), so an exchange costs no thread and no sleep. Elsewhere two threads
//! a child stand between blocking pipes and the deadlines; that half is tested on Unix too.

#[cfg(windows)]
mod job;
#[cfg(any(not(unix), test))]
mod threads;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use threads::Child;
#[cfg(unix)]
pub use unix::Child;

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// How long the end of a process may lag behind the closing of its pipes.
const END_LAG: Duration = Duration::from_millis(100);
/// Pause between two looks at a process that is ending; never while a game is played.
const END_PAUSE: Duration = Duration::from_millis(1);

fn wait_for_end(mut try_wait: impl FnMut() -> io::Result<Option<ExitStatus>>) -> Option<ExitStatus> {
    let until = Instant::now() + END_LAG;
    loop {
        match try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => std::thread::sleep(END_PAUSE),
            _ => return None,
        }
    }
}

/// What a child may use at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChildLimits {
    /// Memory in MiB: on Unix the address space of each of its processes.
    pub memory_mib: Option<u64>,
}

/// What a wait for output ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// So many bytes, at least one.
    Bytes(usize),
    /// The child closed its output, most often by ending.
    Closed,
    TimedOut,
}

/// What an attempt to write ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteOutcome {
    /// All of it was taken.
    All,
    /// The child closed its input.
    Closed,
    /// The child did not take it in time.
    TimedOut,
}

#[cfg(all(test, unix))]
mod tests;
