//! A child process anywhere: two threads stand between its blocking pipes and our deadlines.

use std::io::{self, Read, Write};
use std::process::{ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Instant;

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::{ChildLimits, END_PAUSE, Received, WriteOutcome, wait_for_end};

/// Blocks of output that may wait to be asked for; a child that says more waits, as at a full pipe.
const BLOCKS_WAITING: usize = 16;
const BLOCK_BYTES: usize = 4096;

#[derive(Debug)]
pub struct Child {
    /// And, on Windows, all that it starts.
    process: Box<dyn ChildWrapper>,
    #[cfg(windows)]
    _ends_with_us: super::job::EndsWithUs,
    #[cfg_attr(
        unix,
        expect(dead_code, reason = "tests on Unix start no engine by this half")
    )]
    pub number: u32,
    input: Option<SyncSender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    messages: Option<ChildStderr>,
    /// What has come but was not asked for yet, and how much of it was.
    block: Vec<u8>,
    taken: usize,
}

impl Child {
    pub fn spawn(mut command: Command, bounds: ChildLimits) -> io::Result<Child> {
        if bounds.memory_mib.is_some() {
            let what = "the memory of a program cannot be bounded on this system";
            return Err(io::Error::new(io::ErrorKind::Unsupported, what));
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut command = CommandWrap::from(command);
        // A job of its own, out of reach of Ctrl-C and of the closing of the window, which are for this program: it ends its children
        // when it has saved what is finished.
        #[cfg(windows)]
        let ends_with_us = super::job::EndsWithUs::default();
        #[cfg(windows)]
        command
            .wrap(ends_with_us.clone())
            .wrap(process_wrap::std::CreationFlags(
                windows::Win32::System::Threading::CREATE_NO_WINDOW,
            ))
            .wrap(process_wrap::std::JobObject);
        let mut process = command.spawn()?;
        let messages = process.stderr().take();
        let (Some(mut stdin), Some(mut stdout)) = (process.stdin().take(), process.stdout().take()) else {
            unreachable!("all streams are piped");
        };
        let (input, orders) = sync_channel::<Vec<u8>>(1);
        thread::Builder::new()
            .name("engine-input".to_owned())
            .spawn(move || {
                while let Ok(bytes) = orders.recv() {
                    if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                        return;
                    }
                }
            })?;
        let (blocks, output) = sync_channel(BLOCKS_WAITING);
        thread::Builder::new()
            .name("engine-output".to_owned())
            .spawn(move || {
                let mut buffer = [0; BLOCK_BYTES];
                while let Ok(bytes @ 1..) = stdout.read(&mut buffer) {
                    if blocks.send(buffer[..bytes].to_vec()).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Child {
            number: process.id(),
            process,
            #[cfg(windows)]
            _ends_with_us: ends_with_us,
            input: Some(input),
            output,
            messages,
            block: Vec::new(),
            taken: 0,
        })
    }

    pub fn take_messages(&mut self) -> Option<ChildStderr> {
        self.messages.take()
    }

    pub fn receive_ready(&mut self, buffer: &mut [u8]) -> Received {
        self.receive(buffer, Instant::now())
    }

    /// Not known here.
    #[cfg_attr(
        unix,
        expect(dead_code, reason = "tests on Unix start no engine by this half")
    )]
    pub fn is_silent(&mut self) -> bool {
        false
    }

    pub fn receive(&mut self, buffer: &mut [u8], deadline: Instant) -> Received {
        if self.taken == self.block.len() {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(block) => (self.block, self.taken) = (block, 0),
                Err(RecvTimeoutError::Timeout) => return Received::TimedOut,
                Err(RecvTimeoutError::Disconnected) => return Received::Closed,
            }
        }
        let left = &self.block[self.taken..];
        let bytes = left.len().min(buffer.len());
        buffer[..bytes].copy_from_slice(&left[..bytes]);
        self.taken += bytes;
        Received::Bytes(bytes)
    }

    pub fn send(&mut self, bytes: &[u8], deadline: Instant) -> WriteOutcome {
        let Some(input) = &self.input else {
            return WriteOutcome::Closed;
        };
        let mut bytes = bytes.to_vec();
        loop {
            match input.try_send(bytes) {
                Ok(()) => return WriteOutcome::All,
                Err(TrySendError::Disconnected(_)) => return WriteOutcome::Closed,
                Err(TrySendError::Full(_)) if Instant::now() >= deadline => return WriteOutcome::TimedOut,
                // Only a child that does not read gets here.
                Err(TrySendError::Full(again)) => {
                    bytes = again;
                    thread::sleep(END_PAUSE);
                }
            }
        }
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn ended(&mut self) -> Option<ExitStatus> {
        wait_for_end(|| self.process.try_wait())
    }

    pub fn is_gone(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(Some(_)))
    }

    pub fn is_ended_by_bound(&mut self) -> Option<bool> {
        None
    }

    pub fn peak_kib(&mut self) -> Option<u64> {
        None
    }

    pub fn kill(&mut self) {
        self.input = None;
        let _ = self.process.start_kill();
        // Waiting for it bounded by a time: nothing here may hold a run up.
        let _ = self.ended();
    }
}
