//! A child process on Unix: its own process group, non-blocking pipes, `poll` for every wait.
//!
//! In: a command. Out: bytes both ways, an exit status. Must not: block longer than its deadline, or leave a process
//! of the group behind.

use std::io::{self, Read, Write};
use std::os::fd::BorrowedFd;
use std::os::unix::process::CommandExt;
use std::process::{self, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal, kill_process_group};

use super::{Received, Sent};

/// How long the end of a process may lag behind the closing of its pipes.
const END_LAG: Duration = Duration::from_millis(100);
/// Pause between two looks at a process that is ending; never while a game is played.
const END_PAUSE: Duration = Duration::from_millis(1);

/// A running child process, the leader of a process group.
#[derive(Debug)]
pub(crate) struct Child {
    process: process::Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
}

impl Child {
    /// Starts `command`; its input and output become ours.
    pub(crate) fn spawn(mut command: Command) -> io::Result<Child> {
        end_with_this_thread(&mut command);
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            unreachable!("both streams are piped");
        };
        ioctl_fionbio(&input, true)?;
        ioctl_fionbio(&output, true)?;
        Ok(Child {
            process,
            input: Some(input),
            output,
        })
    }

    /// Reads what has come already, without waiting.
    pub(crate) fn receive_ready(&mut self, buffer: &mut [u8]) -> Received {
        loop {
            match self.output.read(buffer) {
                Ok(0) => return Received::Closed,
                Ok(bytes) => return Received::Bytes(bytes),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Received::TimedOut,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Received::Closed,
            }
        }
    }

    /// Reads the next output, waiting for it until `deadline`.
    pub(crate) fn receive(&mut self, buffer: &mut [u8], deadline: Instant) -> Received {
        use std::os::fd::AsFd;
        if !wait(self.output.as_fd(), PollFlags::IN, deadline) {
            return Received::TimedOut;
        }
        self.receive_ready(buffer)
    }

    /// Writes all of `bytes`, waiting for the child to take them until `deadline`.
    pub(crate) fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> Sent {
        use std::os::fd::AsFd;
        let Some(input) = &mut self.input else {
            return Sent::Closed;
        };
        while !bytes.is_empty() {
            match input.write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if !wait(input.as_fd(), PollFlags::OUT, deadline) {
                        return Sent::TimedOut;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Sent::Closed,
            }
        }
        Sent::All
    }

    /// Tells the child that nothing more will be said.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// How the process ended, if it has; for use after its output was closed.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + END_LAG;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => std::thread::sleep(END_PAUSE),
                _ => return None,
            }
        }
    }

    /// Ends the process and all that it started in its group.
    pub(crate) fn kill(&mut self) {
        self.input = None;
        // The group can outlive its leader; a group that is gone is no error.
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Has the system end the child when the thread that starts it is gone, as it is when this process is killed: an engine
/// that is stuck would not notice the end of its input. A worker keeps its engines, so they never outlive it otherwise.
#[cfg(target_os = "linux")]
fn end_with_this_thread(command: &mut Command) {
    use rustix::process::set_parent_process_death_signal;
    // SAFETY: between fork and exec nothing is called but one system call, which takes no lock and no memory.
    unsafe {
        command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::KILL))?));
    }
}

#[cfg(not(target_os = "linux"))]
fn end_with_this_thread(_: &mut Command) {}

/// Waits until `fd` is ready (or closed); false at `deadline`.
fn wait(fd: BorrowedFd<'_>, flags: PollFlags, deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec {
            tv_sec: left.as_secs() as i64,
            tv_nsec: left.subsec_nanos().into(),
        };
        match poll(&mut [PollFd::from_borrowed_fd(fd, flags)], Some(&timeout)) {
            Ok(0) if left.is_zero() => return false,
            Ok(0) | Err(Errno::INTR) => {}
            _ => return true,
        }
    }
}
