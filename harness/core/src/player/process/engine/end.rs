//! How an engine ended.

use std::process::ExitStatus;
use std::time::Duration;

use super::super::engine_stderr::EngineStderr;
use super::super::fault::Fault;
use super::{Engine, NoAnswer, quote};
use crate::record::Reason;

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

impl Engine {
    /// The engine closed its end of a pipe, or a child of it holds that: has it ended?
    pub(super) fn end_of_output(&mut self) -> NoAnswer {
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
            Some(status) => self.fault_of_end(status).into(),
            None => Fault::new(Reason::Disconnect, "it closed its output but runs on").into(),
        }
    }

    fn fault_of_end(&mut self, status: ExitStatus) -> Fault {
        let said = self.messages.as_ref().map(EngineStderr::tail).unwrap_or_default();
        let last = last_line(&said);
        let words = if last.is_empty() {
            String::new()
        } else {
            format!(", its last words: {}", quote(last))
        };
        let mut is_by_memory = |mib: u64| match self.child.is_ended_by_bound() {
            Some(is_by_bound) => is_by_bound,
            None => !status.success() && is_by_memory(mib, self.child.peak_kib(), &said),
        };
        match self.memory_mib.filter(|&mib| is_by_memory(mib)) {
            Some(mib) => Fault::new(
                Reason::Memory,
                format!("the process ended ({status}) at its bound of {mib} MiB{words}"),
            ),
            None => Fault::new(Reason::Crash, format!("the process ended ({status}){words}")),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_ended_by_memory_if_it_held_nearly_all_or_said_so() {
        let held = |mib: u64| Some(mib << 10);
        assert!(is_by_memory(100, held(91), b""));
        assert!(!is_by_memory(100, held(89), b"Illegal instruction"));
        assert!(!is_by_memory(100, None, b""));
        for words in [
            "terminate called after throwing an instance of 'std::bad_alloc'",
            "memory allocation of 1073741824 bytes failed\nstack backtrace:\n   0: main\n",
            "Failed to allocate 1024MB for transposition table.",
            "java.lang.OutOfMemoryError: Java heap space",
        ] {
            assert!(is_by_memory(100, held(3), words.as_bytes()), "{words}");
        }
        let long_ago = format!("failed to allocate large pages\n{}", "x".repeat(LAST_BYTES));
        assert!(!is_by_memory(100, held(3), long_ago.as_bytes()));
    }

    #[test]
    fn the_last_words_are_the_last_line_that_says_something() {
        assert_eq!(last_line(b"one\ntwo \n\n"), b"two");
        assert_eq!(last_line(b"\n"), b"");
    }
}
