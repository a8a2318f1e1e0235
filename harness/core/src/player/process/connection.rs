//! The pipes of one running engine: what is told and heard, and how it ends.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::engine::NoAnswer;
use super::engine_line::EngineLine;
use super::engine_stderr::EngineStderr;
use super::fault::Fault;
use super::lines::{Heard, LineBuffer};
use super::log::Log;
use super::remote::{BROKEN, command_of};
use crate::config::ProcessSpec;
use crate::interrupt::Interrupt;
use crate::platform::{Child, ChildLimits, WriteOutcome};
use crate::player::EnvironmentError;
use crate::record::Reason;

/// How long an engine may take to leave when it is asked to.
const QUIT_TIME: Duration = Duration::from_secs(1);
/// How often a wait looks whether the run is to end.
const INTERRUPT_PAUSE: Duration = Duration::from_millis(100);
/// Bytes that an engine may say between two questions.
const UNASKED_BYTES_MAX: usize = 1 << 20;
/// Characters of an engine's own words in a message.
const QUOTE_CHARS_MAX: usize = 80;
/// How long what ends this program too may take to be heard of here after it ended an engine.
const INTERRUPT_LAG: Duration = Duration::from_millis(60);
/// Percent of a bound on memory above which an engine that ended is taken to have ended by it: what it was refused is not in
/// what it held.
const NEAR_BOUND_PERCENT: u64 = 90;
/// Bytes of the end of what an engine said in which it may say so: a trace of calls may follow.
const LAST_BYTES: usize = 1 << 13;
/// What runtimes and engines say at their end when they are refused memory, in small letters.
const OUT_OF_MEMORY: [&str; 6] = [
    "bad_alloc",
    "memory allocation of",
    "out of memory",
    "outofmemory",
    "cannot allocate",
    "failed to allocate",
];

#[derive(Debug)]
pub(super) struct Connection {
    pub(super) child: Child,
    lines: LineBuffer,
    stderr: Option<EngineStderr>,
    memory_mib: Option<u64>,
    host: Option<String>,
    log: Option<Log>,
    interrupt: Interrupt,
    /// Was it told a `go` that it has not answered yet?
    pub(super) is_thinking: bool,
    /// Has it nothing to say, as far as is known since it last spoke?
    pub(super) is_silent: bool,
    is_lost: bool,
}

impl Connection {
    pub(super) fn open(
        spec: &ProcessSpec,
        log: Option<Log>,
        interrupt: &Interrupt,
    ) -> io::Result<Connection> {
        // What bounds an engine elsewhere is told to that machine.
        let memory_mib = spec.memory_mib.filter(|_| spec.host.is_none());
        let mut child = Child::spawn(command_of(spec), ChildLimits { memory_mib })?;
        let stderr = child.take_messages().map(|stream| {
            let file = log.as_ref().and_then(Log::stderr);
            EngineStderr::follow(stream, file)
        });
        Ok(Connection {
            stderr: stderr.transpose()?,
            memory_mib,
            host: spec.host.clone(),
            child,
            lines: LineBuffer::new(),
            log,
            interrupt: interrupt.clone(),
            is_thinking: false,
            is_silent: false,
            is_lost: false,
        })
    }

    /// Writes a line of our own in the log.
    pub(super) fn note(&mut self, text: &str) {
        if let Some(log) = &mut self.log {
            log.note(text);
        }
    }

    pub(super) fn send(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), NoAnswer> {
        if let Some(log) = &mut self.log {
            log.told(bytes);
        }
        match self.child.send(bytes, deadline) {
            WriteOutcome::All => Ok(()),
            WriteOutcome::Closed => Err(self.end_of_output()),
            WriteOutcome::TimedOut => self.lose(Reason::Stall, "it does not read what it is told"),
        }
    }

    /// Hears lines until `is_last` of one of them; `to` is what should be answered.
    pub(super) fn listen(
        &mut self,
        deadline: Instant,
        to: &str,
        mut is_last: impl FnMut(&[u8], EngineLine<'_>) -> bool,
    ) -> Result<(), NoAnswer> {
        let began = Instant::now();
        let mut unknown = Vec::new();
        while !self.interrupt.is_requested() {
            let until = deadline.min(Instant::now() + INTERRUPT_PAUSE);
            match self.lines.next(&mut self.child, until) {
                Heard::Line(line) => {
                    if let Some(log) = &mut self.log {
                        log.heard(line);
                    }
                    let said = EngineLine::parse(line);
                    if said == EngineLine::Other && !line.trim_ascii().is_empty() {
                        unknown.clear();
                        unknown.extend_from_slice(&line[..line.len().min(QUOTE_CHARS_MAX)]);
                    }
                    if is_last(line, said) {
                        return Ok(());
                    }
                }
                Heard::Closed => return Err(self.end_of_output()),
                // A child that it left may hold its output open.
                Heard::TimedOut if self.child.is_gone() => return Err(self.end_of_output()),
                Heard::TimedOut if Instant::now() < deadline => {}
                Heard::TimedOut => {
                    let waited_ms = began.elapsed().as_millis();
                    let more = match to {
                        "usi" | "uci" | "isready" => "; --startup-ms gives it more time",
                        _ => "",
                    };
                    let said = match unknown.is_empty() {
                        true => String::new(),
                        false => format!(" (its line '{}' is no answer)", quote(&unknown)),
                    };
                    let detail = format!("no answer to '{to}' within {waited_ms} ms{said}{more}");
                    return Err(Fault::new(Reason::Stall, detail).into());
                }
            }
        }
        Err(NoAnswer::Interrupted)
    }

    /// An answer without a question would be taken for the answer to the next one.
    pub(super) fn refuse_old_answers(&mut self) -> Result<(), NoAnswer> {
        let is_silent = std::mem::take(&mut self.is_silent) | self.child.is_silent();
        if is_silent && self.lines.is_empty() {
            return Ok(());
        }
        let mut bytes = 0;
        while bytes < UNASKED_BYTES_MAX {
            match self.lines.next_ready(&mut self.child) {
                Heard::Line(line) => {
                    bytes += line.len() + 1;
                    if let Some(log) = &mut self.log {
                        log.heard(line);
                    }
                    if let EngineLine::Best(_) = EngineLine::parse(line) {
                        let answer = quote(line);
                        return self.refuse_answer(&answer);
                    }
                }
                Heard::Closed => return Err(self.end_of_output()),
                Heard::TimedOut => return Ok(()),
            }
        }
        self.lose(
            Reason::Stall,
            "it keeps sending output although nothing was asked",
        )
    }

    pub(super) fn refuse_answer(&mut self, answer: &str) -> Result<(), NoAnswer> {
        let detail = format!("'{answer}' was said without being asked for");
        self.lose(Reason::MalformedBestmove, detail)
    }

    /// Nothing more can be asked: the engine is only to be ended.
    fn lose(&mut self, reason: Reason, detail: impl Into<String>) -> Result<(), NoAnswer> {
        self.is_lost = true;
        Err(Fault::new(reason, detail).into())
    }

    /// Asks the engine to leave and waits for its end.
    pub(super) fn quit(&mut self, deadline: Instant) -> Result<(), NoAnswer> {
        self.send(b"quit\n", deadline)?;
        self.hear_out(deadline);
        match self.child.ended() {
            Some(_) => {
                self.is_lost = true;
                Ok(())
            }
            None => self.lose(Reason::Stall, "it runs on after 'quit'"),
        }
    }

    fn hear_out(&mut self, deadline: Instant) {
        self.child.close_input();
        while let Heard::Line(_) = self.lines.next(&mut self.child, deadline) {}
    }

    /// Ends the engine at once, with all that it started.
    pub(super) fn kill(mut self) {
        self.is_lost = true;
    }

    /// The engine closed its end of a pipe, or a child of it holds that: has it ended?
    fn end_of_output(&mut self) -> NoAnswer {
        self.is_lost = true;
        let ended = self.child.ended();
        // A closed console or a stopped service ends everything in it at the same time, by signals or politely; a code of its
        // own is the engine's alone.
        let has_failed = ended
            .and_then(|status| status.code())
            .is_some_and(|code| code > 0);
        let lag = if has_failed { Duration::ZERO } else { INTERRUPT_LAG };
        if self.interrupt.is_requested_within(lag) {
            return NoAnswer::Interrupted;
        }
        match ended {
            Some(status) => self.no_answer_after(status),
            None => Fault::new(Reason::Disconnect, "it closed its output but runs on").into(),
        }
    }

    fn no_answer_after(&mut self, status: ExitStatus) -> NoAnswer {
        let said = self.stderr.as_ref().map(EngineStderr::tail).unwrap_or_default();
        let words = match last_line(&said) {
            [] => String::new(),
            last => format!(", last line on stderr: {}", quote(last)),
        };
        if let Some(host) = self.host.as_ref().filter(|_| status.code() == Some(BROKEN)) {
            let detail = format!("an engine on {host} is out of reach{words}");
            return EnvironmentError::Connection { detail }.into();
        }
        let mut is_by_memory = |mib: u64| match self.child.is_ended_by_bound() {
            Some(is_by_bound) => is_by_bound,
            None => !status.success() && is_by_memory(mib, self.child.peak_kib(), &said),
        };
        match self.memory_mib.filter(|&mib| is_by_memory(mib)) {
            Some(mib) => Fault::new(
                Reason::Memory,
                format!("the process ended ({status}) at its memory limit of {mib} MiB{words}"),
            ),
            None => Fault::new(Reason::Crash, format!("the process ended ({status}){words}")),
        }
        .into()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let deadline = Instant::now() + QUIT_TIME;
        let farewell: &[u8] = if self.is_thinking {
            b"stop\nquit\n"
        } else {
            b"quit\n"
        };
        if let Some(log) = &mut self.log {
            log.told(farewell);
        }
        if !self.is_lost && self.child.send(farewell, deadline) == WriteOutcome::All {
            self.hear_out(deadline);
        }
        self.child.kill();
    }
}

/// Did a bound of `mib` end an engine that held so much at most and said this?
fn is_by_memory(mib: u64, peak_kib: Option<u64>, said: &[u8]) -> bool {
    let near_kib = (mib << 10) / 100 * NEAR_BOUND_PERCENT;
    let last = &said[said.len().saturating_sub(LAST_BYTES)..];
    let last = String::from_utf8_lossy(last).to_lowercase();
    peak_kib.is_some_and(|peak_kib| peak_kib >= near_kib)
        || OUT_OF_MEMORY.iter().any(|words| last.contains(words))
}

fn last_line(said: &[u8]) -> &[u8] {
    let mut lines = said.rsplit(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty()).unwrap_or_default()
}

pub(super) fn quote(line: &[u8]) -> String {
    String::from_utf8_lossy(line)
        .chars()
        .take(QUOTE_CHARS_MAX)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_ended_by_memory_if_it_held_nearly_all_or_said_so() {
        let long_ago = format!("failed to allocate large pages\n{}", "x".repeat(LAST_BYTES));
        for (held_mib, said, expected) in [
            (Some(91), "", true),
            (Some(89), "Illegal instruction", false),
            (None, "", false),
            (
                Some(3),
                "terminate called after throwing an instance of 'std::bad_alloc'",
                true,
            ),
            (
                Some(3),
                "memory allocation of 1073741824 bytes failed\nstack backtrace:\n   0: main\n",
                true,
            ),
            (
                Some(3),
                "Failed to allocate 1024MB for transposition table.",
                true,
            ),
            (Some(3), "java.lang.OutOfMemoryError: Java heap space", true),
            (Some(3), &long_ago, false),
        ] {
            let held_kib = held_mib.map(|mib: u64| mib << 10);
            assert_eq!(is_by_memory(100, held_kib, said.as_bytes()), expected, "{said}");
        }
    }

    #[test]
    fn the_last_words_are_the_last_line_that_says_something() {
        assert_eq!(last_line(b"one\ntwo \n\n"), b"two");
        assert_eq!(last_line(b"\n"), b"");
    }
}
