//! A child process on Unix: its own process group, non-blocking pipes, `poll` for every wait. No process of the group is left behind, and
//! behind a guard on Linux nothing that the child started.

use std::cell::RefCell;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
#[cfg(target_os = "linux")]
use std::os::unix::process::ExitStatusExt;
use std::process::{self, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, read};
#[cfg(target_os = "linux")]
use rustix::process::kill_process;
use rustix::process::{Pid, Signal, kill_process_group};

#[cfg(target_os = "linux")]
use super::END_LAG;
use super::{ChildLimits, Received, WriteOutcome, wait_for_end};
use crate::platform::elsewhere;
#[cfg(target_os = "linux")]
use crate::platform::guard;
use crate::platform::unix::bound_memory;

/// A running child process, the leader of a process group, or the guard of one.
#[derive(Debug)]
pub struct Child {
    process: process::Child,
    /// Of the engine, behind a guard or not.
    pub number: u32,
    input: Option<ChildStdin>,
    output: Arc<Output>,
    messages: Option<ChildStderr>,
    #[cfg(target_os = "linux")]
    guard: Option<guard::Link>,
}

/// What a child says.
#[derive(Debug)]
struct Output {
    pipe: ChildStdout,
    /// Was it seen to have nothing to say, while another child of this thread was waited for, since it last said something?
    is_silent: AtomicBool,
}

thread_local! {
    /// Of the child that this thread heard last.
    static HEARD: RefCell<Weak<Output>> = const { RefCell::new(Weak::new()) };
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
        Child::of(elsewhere(|| pipe(&mut command).spawn())?)
    }

    #[cfg(target_os = "linux")]
    fn spawn_guarded(command: &Command, bounds: ChildLimits) -> io::Result<Child> {
        let (mut command, theirs, mut link) = guard::command(command, bounds.memory_mib)?;
        let process = elsewhere(|| pipe(&mut command).spawn())?;
        drop(theirs);
        let mut child = Child::of(process)?;
        match link.wait_for_start() {
            Ok(engine) => child.number = engine,
            Err(error) => {
                let _ = child.process.kill();
                let _ = child.process.wait();
                return Err(error);
            }
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
            number: process.id(),
            process,
            input: Some(input),
            output: Arc::new(Output {
                pipe: output,
                is_silent: AtomicBool::new(false),
            }),
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
            match read(&self.output.pipe, &mut *buffer) {
                Ok(0) => return Received::Closed,
                Ok(bytes) => return Received::Bytes(bytes),
                Err(Errno::AGAIN) => return Received::TimedOut,
                Err(Errno::INTR) => {}
                Err(_) => return Received::Closed,
            }
        }
    }

    /// Reads the next output, waiting for it until `deadline`.
    ///
    /// The child that was heard before is listened to as well: two that play each other answer in turn, and whether one of them has
    /// anything to say that it was not asked is known without another system call.
    pub fn receive(&mut self, buffer: &mut [u8], deadline: Instant) -> Received {
        // A child that ends with its thread is heard when this is gone.
        let before = HEARD.try_with(|heard| heard.borrow().upgrade()).ok().flatten();
        let before = before.filter(|before| !Arc::ptr_eq(before, &self.output));
        let own = PollFd::from_borrowed_fd(self.output.pipe.as_fd(), PollFlags::IN);
        let is_ready = match &before {
            None => wait(&mut [own], deadline),
            Some(before) => {
                let mut both = [own, PollFd::from_borrowed_fd(before.pipe.as_fd(), PollFlags::IN)];
                let is_ready = wait(&mut both, deadline);
                before
                    .is_silent
                    .store(both[1].revents().is_empty(), Ordering::Relaxed);
                // Of one that talks on more is not to be known.
                is_ready && (!both[0].revents().is_empty() || wait(&mut both[..1], deadline))
            }
        };
        if !is_ready {
            return Received::TimedOut;
        }
        let _ = HEARD.try_with(|heard| {
            let mut heard = heard.borrow_mut();
            if before.is_some() || heard.strong_count() == 0 {
                *heard = Arc::downgrade(&self.output);
            }
        });
        self.output.is_silent.store(false, Ordering::Relaxed);
        self.receive_ready(buffer)
    }

    /// Has it nothing to say, as far as was seen while the other child was listened to? Asked again, it is not known.
    pub fn is_silent(&mut self) -> bool {
        self.output.is_silent.swap(false, Ordering::Relaxed)
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
                    let taken = PollFd::from_borrowed_fd(input.as_fd(), PollFlags::OUT);
                    if !wait(&mut [taken], deadline) {
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

/// Waits until one of `fds` is ready (or closed); false at `deadline`.
fn wait(fds: &mut [PollFd<'_>], deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec {
            tv_sec: left.as_secs() as i64,
            tv_nsec: left.subsec_nanos().into(),
        };
        match poll(fds, Some(&timeout)) {
            Ok(0) if left.is_zero() => return false,
            Ok(0) | Err(Errno::INTR) => {}
            _ => return true,
        }
    }
}
