//! A process and, on Windows, all that it starts.
//!
//! In: a command. Out: its streams, its end. Must not: know what is said.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};

#[cfg(windows)]
use process_wrap::std::{ChildWrapper, CommandWrap, CreationFlags, JobObject};
#[cfg(windows)]
use windows::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

/// The ends of streams that are ours.
pub(super) type Streams = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

/// A process that was started with its streams piped.
#[derive(Debug)]
pub(super) struct Family {
    #[cfg(windows)]
    process: Box<dyn ChildWrapper>,
    #[cfg(not(windows))]
    process: std::process::Child,
}

impl Family {
    /// Starts `command` in a job of its own, and out of reach of Ctrl-C, which is for this program: it ends its children
    /// when it has saved what is finished.
    #[cfg(windows)]
    pub(super) fn spawn(command: Command) -> io::Result<Family> {
        let mut command = CommandWrap::from(command);
        command
            .wrap(CreationFlags(CREATE_NEW_PROCESS_GROUP))
            .wrap(JobObject);
        command.spawn().map(|process| Family { process })
    }

    /// Starts `command`.
    #[cfg(not(windows))]
    pub(super) fn spawn(mut command: Command) -> io::Result<Family> {
        command.spawn().map(|process| Family { process })
    }

    #[cfg(windows)]
    pub(super) fn take_streams(&mut self) -> Streams {
        let process = &mut *self.process;
        let input = ChildWrapper::stdin(process).take();
        let output = ChildWrapper::stdout(process).take();
        (input, output, ChildWrapper::stderr(process).take())
    }

    #[cfg(not(windows))]
    pub(super) fn take_streams(&mut self) -> Streams {
        let process = &mut self.process;
        (process.stdin.take(), process.stdout.take(), process.stderr.take())
    }

    /// How the process ended, if it has.
    pub(super) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.process.try_wait()
    }

    /// Begins to end it.
    #[cfg(windows)]
    pub(super) fn start_kill(&mut self) {
        let _ = self.process.start_kill();
    }

    /// Begins to end it.
    #[cfg(not(windows))]
    pub(super) fn start_kill(&mut self) {
        let _ = self.process.kill();
    }
}
