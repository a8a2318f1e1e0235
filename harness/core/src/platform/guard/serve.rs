//! The guard's own part: an engine, started, watched and ended with all that it started.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Signal, getpid, kill_process_group, set_child_subreaper, set_parent_process_death_signal,
};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use super::cgroup::Group;
use super::children::{self, WaitResult};
use super::link::{GuardMessage, ProcessEnd, inherited};
use crate::platform::unix::bound_memory;

/// How long processes that are killed may take to be gone.
const END_TIME: Duration = Duration::from_secs(3);
/// How often those are looked for that were not there, or not ours, at the last look.
const END_PAUSE: Duration = Duration::from_millis(5);

/// Starts the engine that `words` ask for and watches it to its end; the exit code.
pub(super) fn serve(words: impl Iterator<Item = OsString>) -> i32 {
    match Guard::start(words) {
        Ok(Some(mut guard)) => {
            guard.watch();
            guard.end_all();
            0
        }
        Ok(None) => 1,
        // Only by hand can it be called with anything else than what this program says.
        Err(_) => 2,
    }
}

struct Guard {
    link: UnixStream,
    /// Something to read: a child ended.
    ends: UnixStream,
    engine: Pid,
    /// That bounds its memory, if there is a bound and this user may make one.
    group: Option<Group>,
    has_ended: bool,
}

impl Guard {
    /// `None`: there is no engine, and the other end was told why.
    fn start(mut words: impl Iterator<Item = OsString>) -> io::Result<Option<Guard>> {
        let mut text = || words.next().and_then(|word| word.into_string().ok());
        let fd = text().and_then(|fd| fd.parse().ok()).filter(|&fd: &i32| fd > 2);
        let link = inherited(fd.ok_or(io::ErrorKind::InvalidInput)?)?;
        // What is no number is no bound.
        let memory_mib = text().and_then(|bound| bound.parse().ok());
        let program = words.next().ok_or(io::ErrorKind::InvalidInput)?;
        let started = Guard::spawn(Command::new(program).args(words), memory_mib);
        match started {
            Ok((engine, group, ends)) => {
                let_go_of_streams()?;
                GuardMessage::Started(engine.as_raw_nonzero().get().unsigned_abs()).say(&link);
                Ok(Some(Guard {
                    link,
                    ends,
                    engine,
                    group,
                    has_ended: false,
                }))
            }
            Err(error) => {
                GuardMessage::Refused(error.raw_os_error().unwrap_or(libc::EINVAL)).say(&link);
                Ok(None)
            }
        }
    }

    fn spawn(command: &mut Command, memory_mib: Option<u64>) -> io::Result<(Pid, Option<Group>, UnixStream)> {
        set_child_subreaper(Some(getpid()))?;
        let (ends, told) = UnixStream::pair()?;
        ends.set_nonblocking(true)?;
        signal_hook::low_level::pipe::register(SIGCHLD, told)?;
        // What ends the guard is the link; a signal to everything here ends the engine, and then the guard.
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
        }
        let group = memory_mib.and_then(Group::make);
        let entrance = group.as_ref().and_then(|group| group.entrance().ok());
        // SAFETY: between fork and exec nothing is called but system calls, which take no lock and no memory.
        unsafe {
            command.pre_exec(move || {
                set_parent_process_death_signal(Some(Signal::KILL))?;
                let has_entered = entrance
                    .as_ref()
                    .is_some_and(|mut entrance| entrance.write(b"0").is_ok());
                match memory_mib {
                    Some(mib) if !has_entered => bound_memory(mib),
                    _ => Ok(()),
                }
            });
        }
        let engine = command.process_group(0).spawn()?;
        let group = group.filter(Group::is_entered);
        Ok((Pid::from_child(&engine), group, ends))
    }

    /// Until the engine has ended, or is to.
    fn watch(&mut self) {
        while !self.has_ended {
            let mut fds = [
                PollFd::new(&self.link, PollFlags::IN),
                PollFd::new(&self.ends, PollFlags::IN),
            ];
            // Interrupted by a signal: whether a child ended stands in the stream.
            let _ = poll(&mut fds, None);
            if !fds[0].revents().is_empty() {
                return;
            }
            self.note_ends();
        }
    }

    /// Takes note of what has ended; false if nothing is left.
    fn note_ends(&mut self) -> bool {
        let _ = (&self.ends).read(&mut [0; 64]);
        loop {
            match children::next() {
                WaitResult::Ended(pid, ended) if pid == self.engine => {
                    self.has_ended = true;
                    let is_by_group = self.group.as_ref().map(Group::has_killed);
                    GuardMessage::Ended(ProcessEnd { is_by_group, ..ended }).say(&self.link);
                }
                WaitResult::Ended(..) => {}
                WaitResult::Running => return true,
                WaitResult::None => return false,
            }
        }
    }

    /// Ends what is left: each child that is killed leaves its own to this process.
    fn end_all(&mut self) {
        let until = Instant::now() + END_TIME;
        if !self.has_ended {
            let _ = kill_process_group(self.engine, Signal::KILL);
        }
        while self.note_ends() && Instant::now() < until {
            children::kill_all();
            let pause = Timespec {
                tv_sec: 0,
                tv_nsec: END_PAUSE.subsec_nanos().into(),
            };
            let _ = poll(
                &mut [PollFd::from_borrowed_fd(self.ends.as_fd(), PollFlags::IN)],
                Some(&pause),
            );
        }
    }
}

/// Were the guard to hold them too, nobody would see the engine close them.
fn let_go_of_streams() -> io::Result<()> {
    let nothing = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(())
}
