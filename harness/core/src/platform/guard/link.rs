//! What a guard and this program say to each other.

use std::io::{self, Read, Write};
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use rustix::io::{FdFlags, fcntl_setfd};

/// How long a guard may take to start an engine: it does nothing else.
const START_TIME: Duration = Duration::from_secs(30);
/// How long a guard may take to end an engine and all that it started.
const END_TIME: Duration = Duration::from_secs(5);

/// Bytes of each message.
const MESSAGE_BYTES: usize = 14;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Message {
    Started,
    /// The engine cannot be started: the system's number of the error.
    Refused(i32),
    /// The engine ended: as `wait` has it, the most memory that it held in KiB, and whether its group was ended for want of
    /// memory, if it had one.
    Ended {
        status: i32,
        peak_kib: u64,
        is_by_group: Option<bool>,
    },
}

impl Message {
    fn encode(self) -> [u8; MESSAGE_BYTES] {
        let (kind, group, number, size) = match self {
            Message::Started => (b'S', b'-', 0, 0),
            Message::Refused(error) => (b'R', b'-', error, 0),
            Message::Ended {
                status,
                peak_kib,
                is_by_group,
            } => (b'E', is_by_group.map_or(b'-', u8::from), status, peak_kib),
        };
        let mut bytes = [kind; MESSAGE_BYTES];
        bytes[1] = group;
        bytes[2..6].copy_from_slice(&number.to_le_bytes());
        bytes[6..].copy_from_slice(&size.to_le_bytes());
        bytes
    }

    fn decode(bytes: [u8; MESSAGE_BYTES]) -> Option<Message> {
        let [kind, group, n0, n1, n2, n3, size @ ..] = bytes;
        let number = i32::from_le_bytes([n0, n1, n2, n3]);
        match kind {
            b'S' => Some(Message::Started),
            b'R' => Some(Message::Refused(number)),
            b'E' => Some(Message::Ended {
                status: number,
                peak_kib: u64::from_le_bytes(size),
                is_by_group: (group != b'-').then_some(group == 1),
            }),
            _ => None,
        }
    }

    /// Says it; whoever does not listen any more has ended.
    pub(super) fn say(self, stream: &mut UnixStream) {
        let _ = stream.write_all(&self.encode());
    }
}

/// The guard's end of the link, which only the guard keeps.
pub(super) fn inherited(fd: RawFd) -> io::Result<UnixStream> {
    // SAFETY: the number was handed over for this, and nothing else in this process has it.
    let owned = unsafe { OwnedFd::from_raw_fd(fd) };
    fcntl_setfd(&owned, FdFlags::CLOEXEC)?;
    Ok(UnixStream::from(owned))
}

/// The end of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    pub status: ExitStatus,
    pub peak_kib: u64,
    pub is_by_group: Option<bool>,
}

/// This program's end of the link to a guard.
#[derive(Debug)]
pub struct Link {
    stream: UnixStream,
    ended: Option<Ended>,
}

impl Link {
    pub(super) fn new(stream: UnixStream) -> Link {
        Link { stream, ended: None }
    }

    /// Waits until the engine runs.
    pub fn wait_for_start(&mut self) -> io::Result<()> {
        match self.on_event(Instant::now() + START_TIME)? {
            Some(Message::Started) => Ok(()),
            Some(Message::Refused(error)) => Err(io::Error::from_raw_os_error(error)),
            _ => Err(io::Error::other("the process that guards it ended")),
        }
    }

    /// How the engine ended, if that is said before `deadline`.
    pub fn ended(&mut self, deadline: Instant) -> Option<Ended> {
        if self.ended.is_none()
            && let Ok(Some(Message::Ended {
                status,
                peak_kib,
                is_by_group,
            })) = self.on_event(deadline)
        {
            self.ended = Some(Ended {
                status: ExitStatus::from_raw(status),
                peak_kib,
                is_by_group,
            });
        }
        self.ended
    }

    /// Has the engine and all that it started ended, and waits until the guard is gone too.
    pub fn shut(mut self) {
        // Whatever is said to a guard means this, as does silence for good.
        let _ = self.stream.write_all(b"\n");
        let deadline = Instant::now() + END_TIME;
        while let Ok(Some(_)) = self.on_event(deadline) {}
    }

    /// The next message; nothing when the guard is gone.
    fn on_event(&mut self, deadline: Instant) -> io::Result<Option<Message>> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.stream
            .set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        let mut bytes = [0; MESSAGE_BYTES];
        // A message is one write and far smaller than what a stream takes at once.
        match self.stream.read_exact(&mut bytes) {
            Ok(()) => Ok(Message::decode(bytes)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_comes_back_as_it_was_said() {
        for message in [
            Message::Started,
            Message::Refused(-2),
            Message::Ended {
                status: 134,
                peak_kib: u64::MAX,
                is_by_group: None,
            },
            Message::Ended {
                status: -9,
                peak_kib: 0,
                is_by_group: Some(true),
            },
            Message::Ended {
                status: 0,
                peak_kib: 1,
                is_by_group: Some(false),
            },
        ] {
            assert_eq!(Message::decode(message.encode()), Some(message));
        }
        assert_eq!(Message::decode([0; MESSAGE_BYTES]), None);
    }

    #[test]
    fn a_guard_that_is_gone_has_not_started_an_engine() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        drop(theirs);
        assert!(Link::new(ours).wait_for_start().is_err());
    }

    #[test]
    fn what_the_system_said_of_a_start_is_heard() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        Message::Refused(2).say(&mut theirs);
        let error = Link::new(ours).wait_for_start().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
