//! A child process anywhere: two threads stand between its blocking pipes and our deadlines.
//!
//! In: a command. Out: bytes both ways, an exit status. Must not: block longer than its deadline.

use std::io::{self, Read, Write};
use std::process::{ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::family::Family;
use super::{Bounds, Received, Sent};

/// Blocks of output that may wait to be asked for; a child that says more waits, as at a full pipe.
const BLOCKS_WAITING: usize = 16;
const BLOCK_BYTES: usize = 4096;
const END_LAG: Duration = Duration::from_millis(100);
const END_PAUSE: Duration = Duration::from_millis(1);

/// A running child process.
#[derive(Debug)]
pub struct Child {
    process: Family,
    input: Option<SyncSender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    messages: Option<ChildStderr>,
    /// What has come but was not asked for yet, and how much of it was.
    block: Vec<u8>,
    taken: usize,
}

impl Child {
    /// Starts `command`; its streams become ours.
    ///
    /// # Errors
    /// The system's; there are no `bounds` here.
    pub fn spawn(mut command: Command, bounds: Bounds) -> io::Result<Child> {
        if bounds.memory_mib.is_some() {
            let what = "the memory of a program cannot be bounded on this system";
            return Err(io::Error::new(io::ErrorKind::Unsupported, what));
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = Family::spawn(command)?;
        let (Some(mut stdin), Some(mut stdout), messages) = process.take_streams() else {
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
            process,
            input: Some(input),
            output,
            messages,
            block: Vec::new(),
            taken: 0,
        })
    }

    /// What it writes to its standard error, for the first who asks.
    pub fn take_messages(&mut self) -> Option<ChildStderr> {
        self.messages.take()
    }

    /// Reads what has come already, without waiting.
    pub fn receive_ready(&mut self, buffer: &mut [u8]) -> Received {
        if self.taken == self.block.len() {
            match self.output.try_recv() {
                Ok(block) => self.refill(block),
                Err(TryRecvError::Empty) => return Received::TimedOut,
                Err(TryRecvError::Disconnected) => return Received::Closed,
            }
        }
        self.take(buffer)
    }

    /// Reads the next output, waiting for it until `deadline`.
    pub fn receive(&mut self, buffer: &mut [u8], deadline: Instant) -> Received {
        if self.taken == self.block.len() {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(block) => self.refill(block),
                Err(RecvTimeoutError::Timeout) => return Received::TimedOut,
                Err(RecvTimeoutError::Disconnected) => return Received::Closed,
            }
        }
        self.take(buffer)
    }

    fn refill(&mut self, block: Vec<u8>) {
        self.block = block;
        self.taken = 0;
    }

    fn take(&mut self, buffer: &mut [u8]) -> Received {
        let left = &self.block[self.taken..];
        let bytes = left.len().min(buffer.len());
        buffer[..bytes].copy_from_slice(&left[..bytes]);
        self.taken += bytes;
        Received::Bytes(bytes)
    }

    /// Writes all of `bytes`, waiting for the child to take earlier ones until `deadline`.
    pub fn send(&mut self, bytes: &[u8], deadline: Instant) -> Sent {
        let Some(input) = &self.input else {
            return Sent::Closed;
        };
        let mut bytes = bytes.to_vec();
        loop {
            match input.try_send(bytes) {
                Ok(()) => return Sent::All,
                Err(TrySendError::Disconnected(_)) => return Sent::Closed,
                Err(TrySendError::Full(_)) if Instant::now() >= deadline => return Sent::TimedOut,
                // Only a child that does not read gets here.
                Err(TrySendError::Full(again)) => {
                    bytes = again;
                    thread::sleep(END_PAUSE);
                }
            }
        }
    }

    /// Tells the child that nothing more will be said.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// How the process ended, if it has; for use after its output was closed.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + END_LAG;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(END_PAUSE),
                _ => return None,
            }
        }
    }

    /// Has the process ended, though what it started may still hold its output?
    pub fn is_gone(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(Some(_)))
    }

    /// Was it ended for want of memory? Not known here.
    pub fn is_ended_by_bound(&mut self) -> Option<bool> {
        None
    }

    /// The most memory that the process held: not known here.
    pub fn peak_kib(&mut self) -> Option<u64> {
        None
    }

    /// Ends the process, and on Windows all that it started.
    pub fn kill(&mut self) {
        self.input = None;
        self.process.start_kill();
        // Waiting for it bounded by a time: nothing here may hold a run up.
        let _ = self.ended();
    }
}
