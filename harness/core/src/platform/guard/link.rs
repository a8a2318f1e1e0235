//! What a guard and this program say to each other.

use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::io::{FdFlags, fcntl_setfd};
use serde::{Deserialize, Serialize};

/// How long a guard may take to start an engine: it does nothing else.
const START_TIME: Duration = Duration::from_secs(30);
/// How long a guard may take to end an engine and all that it started.
const END_TIME: Duration = Duration::from_secs(5);

/// A line of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum GuardMessage {
    /// And by which number the system knows the engine.
    Started(u32),
    /// The engine cannot be started: the system's number of the error.
    Refused(i32),
    Ended(ProcessEnd),
}

/// The end of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessEnd {
    /// The exit status as `wait` returns it.
    pub status: i32,
    /// The most memory that it held.
    pub peak_kib: u64,
    /// Was its group, if it had one, ended for want of memory?
    pub is_by_group: Option<bool>,
}

impl GuardMessage {
    /// Says it; whoever does not listen any more has ended.
    pub(super) fn say(self, mut stream: &UnixStream) {
        let text = serde_json::to_string(&self).unwrap_or_default();
        let _ = stream.write_all(format!("{text}\n").as_bytes());
    }
}

/// The guard's end of the link, which only the guard keeps.
pub(super) fn inherited(fd: RawFd) -> io::Result<UnixStream> {
    // SAFETY: the number was handed over for this, and nothing else in this process has it.
    let owned = unsafe { OwnedFd::from_raw_fd(fd) };
    fcntl_setfd(&owned, FdFlags::CLOEXEC)?;
    Ok(UnixStream::from(owned))
}

/// This program's end of the link to a guard.
#[derive(Debug)]
pub struct Link {
    stream: BufReader<UnixStream>,
    ended: Option<ProcessEnd>,
}

impl Link {
    pub(super) fn new(stream: UnixStream) -> Link {
        Link {
            stream: BufReader::new(stream),
            ended: None,
        }
    }

    /// Waits until the engine runs; its number.
    pub fn wait_for_start(&mut self) -> io::Result<u32> {
        match self.next(Instant::now() + START_TIME)? {
            Some(GuardMessage::Started(engine)) => Ok(engine),
            Some(GuardMessage::Refused(error)) => Err(io::Error::from_raw_os_error(error)),
            _ => Err(io::Error::other("the process that guards it ended")),
        }
    }

    /// How the engine ended, if that is said before `deadline`.
    pub fn ended(&mut self, deadline: Instant) -> Option<ProcessEnd> {
        if self.ended.is_none()
            && let Ok(Some(GuardMessage::Ended(ended))) = self.next(deadline)
        {
            self.ended = Some(ended);
        }
        self.ended
    }

    /// Has the engine and all that it started ended, and waits until the guard is gone too.
    pub fn shut(mut self) {
        // Whatever is said to a guard means this, as does silence for good.
        let _ = self.stream.get_mut().write_all(b"\n");
        let deadline = Instant::now() + END_TIME;
        while let Ok(Some(_)) = self.next(deadline) {}
    }

    /// The next message; nothing when the guard is gone.
    fn next(&mut self, deadline: Instant) -> io::Result<Option<GuardMessage>> {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Some(left.max(Duration::from_millis(1)));
        self.stream.get_mut().set_read_timeout(left)?;
        let mut line = String::new();
        // A message is one write and far smaller than what a stream takes at once.
        self.stream.read_line(&mut line)?;
        Ok(serde_json::from_str(&line).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_that_is_gone_has_not_started_an_engine() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        drop(theirs);
        assert!(Link::new(ours).wait_for_start().is_err());
    }

    #[test]
    fn what_the_system_said_of_a_start_is_heard() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        GuardMessage::Refused(2).say(&theirs);
        let error = Link::new(ours).wait_for_start().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
