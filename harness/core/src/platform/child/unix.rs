//! A child process on Unix: its own process group, non-blocking pipes, `poll` for every wait. No process of the group is left behind, and
//! behind a guard on Linux nothing that the child started.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{self, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

#[cfg(target_os = "linux")]
use super::END_LAG;
use super::{ChildLimits, Received, WriteOutcome, wait_for_end};
#[cfg(target_os = "linux")]
use crate::platform::guard;
use crate::platform::unix::bound_memory;

/// A running child process, the leader of a process group, or the guard of one.
#[derive(Debug)]
pub struct Child {
    process: process::Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    messages: Option<ChildStderr>,
    #[cfg(target_os = "linux")]
    guard: Option<guard::Link>,
}

impl Child {
    pub fn spawn(command: Command, bounds: ChildLimits) -> io::Result<Child> {
        #[cfg(target_os = "linux")]
        if guard::is_offered() {
            return Child::spawn_guarded(&command, bounds);
        }
        Child::spawn_alone(command, bounds)
    }

    fn spawn_alone(mut command: Command, bounds: ChildLimits) -> io::Result<Child> {
        prepare(&mut command, bounds);
        Child::of(pipe(&mut command).spawn()?)
    }

    #[cfg(target_os = "linux")]
    fn spawn_guarded(command: &Command, bounds: ChildLimits) -> io::Result<Child> {
        let (mut command, theirs, mut link) = guard::command(command, bounds.memory_mib)?;
        let process = pipe(&mut command).spawn()?;
        drop(theirs);
        let mut child = Child::of(process)?;
        if let Err(error) = link.wait_for_start() {
            let _ = child.process.kill();
            let _ = child.process.wait();
            return Err(error);
        }
        child.guard = Some(link);
        Ok(child)
    }

    fn of(mut process: process::Child) -> io::Result<Child> {
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            unreachable!("all streams are piped");
        };
        ioctl_fionbio(&input, true)?;
        ioctl_fionbio(&output, true)?;
        Ok(Child {
            messages: process.stderr.take(),
            process,
            input: Some(input),
            output,
            #[cfg(target_os = "linux")]
            guard: None,
        })
    }

    /// What it writes to its standard error, for the first who asks.
    pub fn take_messages(&mut self) -> Option<ChildStderr> {
        self.messages.take()
    }

    /// Reads what has come already, without waiting.
    pub fn receive_ready(&mut self, buffer: &mut [u8]) -> Received {
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
    pub fn receive(&mut self, buffer: &mut [u8], deadline: Instant) -> Received {
        if !wait(self.output.as_fd(), PollFlags::IN, deadline) {
            return Received::TimedOut;
        }
        self.receive_ready(buffer)
    }

    /// Writes all of `bytes`, waiting for the child to take them until `deadline`.
    pub fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> WriteOutcome {
        let Some(input) = &mut self.input else {
            return WriteOutcome::Closed;
        };
        while !bytes.is_empty() {
            match input.write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if !wait(input.as_fd(), PollFlags::OUT, deadline) {
                        return WriteOutcome::TimedOut;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return WriteOutcome::Closed,
            }
        }
        WriteOutcome::All
    }

    /// Tells the child that nothing more will be said.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// How the process ended, if it has; for use after its output was closed.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        #[cfg(target_os = "linux")]
        if let Some(link) = &mut self.guard {
            let ended = link.ended(Instant::now() + END_LAG);
            return ended.map(|ended| ExitStatus::from_raw(ended.status));
        }
        wait_for_end(|| self.process.try_wait())
    }

    /// Has the process ended, though what it started may still hold its output?
    pub fn is_gone(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(Some(_)))
    }

    /// Was the process, once it [`ended`](Child::ended), ended for want of memory within its bound? `None`: nobody knows.
    pub fn is_ended_by_bound(&mut self) -> Option<bool> {
        #[cfg(target_os = "linux")]
        if let Some(link) = &mut self.guard {
            return link.ended(Instant::now()).and_then(|ended| ended.is_by_group);
        }
        None
    }

    /// The most memory that the process held in KiB, where that is known once it [`ended`](Child::ended).
    pub fn peak_kib(&mut self) -> Option<u64> {
        #[cfg(target_os = "linux")]
        if let Some(link) = &mut self.guard {
            return link.ended(Instant::now()).map(|ended| ended.peak_kib);
        }
        None
    }

    /// Ends the process and all that it started, behind a guard; in its group, without one.
    pub fn kill(&mut self) {
        self.input = None;
        #[cfg(target_os = "linux")]
        if let Some(link) = self.guard.take() {
            // One that was stopped hears nothing.
            let _ = kill_process(Pid::from_child(&self.process), Signal::CONT);
            link.shut();
        }
        // The group can outlive its leader; a group that is gone is no error.
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A process group of its own, which no Ctrl-C reaches, and streams that are ours.
fn pipe(command: &mut Command) -> &mut Command {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
}

/// Has the system bound the child, and on Linux end it when the thread that starts it is gone, as it is when this process is
/// killed: an engine that is stuck would not notice the end of its input. A worker keeps its engines, so they never outlive it
/// otherwise.
fn prepare(command: &mut Command, bounds: ChildLimits) {
    let prepare = move || {
        #[cfg(target_os = "linux")]
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        bounds.memory_mib.map_or(Ok(()), bound_memory)
    };
    // SAFETY: between fork and exec nothing is called but system calls, which take no lock and no memory.
    unsafe {
        command.pre_exec(prepare);
    }
}

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
