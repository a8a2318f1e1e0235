//! A conversation with one running engine, by USI or UCI.

mod end;
mod launch;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::engine_line::{Best, EngineLine, Info, texts};
use super::engine_stderr::EngineStderr;
use super::fault::Fault;
use super::fitness::{CHESS960, offers_chess960};
use super::lines::{Heard, Lines};
use super::log::Log;
use super::option::EngineOption;
use crate::interrupt::Interrupt;
use crate::platform::{Child, Sent};
use crate::player::{EnvironmentError, ProgramChange};
use crate::record::Reason;

/// How long an engine may take to leave when it is asked to.
const QUIT_TIME: Duration = Duration::from_secs(1);
/// How long an engine may take to stop where more time is not left.
const STOP_TIME: Duration = Duration::from_secs(1);
/// How often a wait looks whether the run is to end.
const INTERRUPT_PAUSE: Duration = Duration::from_millis(100);
/// Bytes that an engine may say between two questions.
const UNASKED_BYTES_MAX: usize = 1 << 20;
/// Characters of an engine's own words in a message.
const QUOTE_CHARS_MAX: usize = 80;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    Fault(Fault),
    Interrupted,
    /// It could not be asked, through no fault of its own.
    Environment(EnvironmentError),
}

impl NoAnswer {
    pub(super) fn is_stall(&self) -> bool {
        matches!(self, NoAnswer::Fault(fault) if fault.reason == Reason::Stall)
    }
}

impl From<EnvironmentError> for NoAnswer {
    fn from(environment_error: EnvironmentError) -> NoAnswer {
        NoAnswer::Environment(environment_error)
    }
}

impl From<ProgramChange> for NoAnswer {
    fn from(change: ProgramChange) -> NoAnswer {
        NoAnswer::Environment(change.into())
    }
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> NoAnswer {
        NoAnswer::Fault(fault)
    }
}

/// What came with the answer to a `go`; the answer itself is [`Engine::best`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Search {
    pub(super) info: Info,
    /// From the moment the question was written to the moment the answer was read.
    pub(super) time: Duration,
}

#[derive(Debug)]
pub(super) struct Engine {
    child: Child,
    lines: Lines,
    messages: Option<EngineStderr>,
    memory_mib: Option<u64>,
    log: Option<Log>,
    interrupt: Interrupt,
    /// Empty if it did not say.
    pub(super) name: String,
    pub(super) options: Vec<EngineOption>,
    is_thinking: bool,
    is_lost: bool,
    is_chess960: bool,
    answer: Vec<u8>,
    variation: Vec<u8>,
}

impl Engine {
    /// Tells `lines`, of which `isready` is the last, and waits until the engine is ready, so that what it does for a
    /// new game is on nobody's clock.
    pub(super) fn ready(&mut self, lines: &str, deadline: Instant) -> Result<(), NoAnswer> {
        self.send(lines.as_bytes(), deadline)?;
        self.listen(deadline, "isready", |_, said| matches!(said, EngineLine::Ready))
    }

    /// Tells the engine whether what comes is Chess960, unless it knows.
    pub(super) fn play_chess960(&mut self, is_chess960: bool, deadline: Instant) -> Result<(), NoAnswer> {
        if is_chess960 == self.is_chess960 {
            return Ok(());
        }
        if is_chess960 && !offers_chess960(&self.options) {
            let detail = format!("it does not offer {CHESS960}, but the game is one of Chess960");
            return Err(Fault::new(Reason::RefusedOption, detail).into());
        }
        let line = format!("setoption name {CHESS960} value {is_chess960}\n");
        self.is_chess960 = is_chess960;
        self.send(line.as_bytes(), deadline)
    }

    /// Asks `question` (a position and a `go`, in one write) and waits for the answer until `time` is over. `late` is
    /// the reason if it does not come.
    pub(super) fn think(
        &mut self,
        question: &[u8],
        time: Duration,
        late: Reason,
    ) -> Result<Search, NoAnswer> {
        self.refuse_old_answers()?;
        let asked = Instant::now();
        let deadline = asked + time;
        self.send(question, deadline)
            .map_err(|no_answer| as_late(no_answer, late))?;
        self.is_thinking = true;
        self.wait_for_answer(asked, deadline, late)
    }

    /// Waits for the answer to a question that was asked at `asked`.
    pub(super) fn wait_for_answer(
        &mut self,
        asked: Instant,
        deadline: Instant,
        late: Reason,
    ) -> Result<Search, NoAnswer> {
        let heard = self.hear_answer("go", deadline, |_, _| ControlFlow::Continue(()));
        let time = asked.elapsed();
        let info = heard.map_err(|no_answer| as_late(no_answer, late))?;
        Ok(Search { info, time })
    }

    /// Asks `question` and hands every `info` line, with the words of its principal variation, to `visit` until the answer
    /// comes. The search is stopped once `visit` has heard enough.
    pub(super) fn watch(
        &mut self,
        question: &[u8],
        time: Duration,
        visit: impl FnMut(Info, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), NoAnswer> {
        let deadline = Instant::now() + time;
        self.ponder(question, deadline)?;
        self.hear_answer("go", deadline, visit)?;
        self.stop(deadline.max(Instant::now() + STOP_TIME))
    }

    /// Hears lines until the answer to what was told last, `to`, or until `visit` has heard enough.
    fn hear_answer(
        &mut self,
        to: &str,
        deadline: Instant,
        mut visit: impl FnMut(Info, &[u8]) -> ControlFlow<()>,
    ) -> Result<Info, NoAnswer> {
        let mut info = Info::default();
        let mut answer = std::mem::take(&mut self.answer);
        let mut variation = std::mem::take(&mut self.variation);
        answer.clear();
        variation.clear();
        let heard = self.listen(deadline, to, |line, said| {
            match said {
                EngineLine::Info(later, words) => {
                    info.update(later);
                    if !words.is_empty() {
                        variation.clear();
                        variation.extend_from_slice(words);
                    }
                    return visit(later, words).is_break();
                }
                EngineLine::Best(_) => answer.extend_from_slice(line),
                _ => {}
            }
            !answer.is_empty()
        });
        self.is_thinking &= heard.is_err() || answer.is_empty();
        self.answer = answer;
        self.variation = variation;
        heard.map(|()| info)
    }

    pub(super) fn best(&self) -> Best<'_> {
        match EngineLine::parse(&self.answer) {
            EngineLine::Best(best) => best,
            _ => Best::Nonsense,
        }
    }

    /// The words of the principal variation that came last with the last answer.
    pub(super) fn variation(&self) -> impl Iterator<Item = &str> {
        texts(&self.variation)
    }

    pub(super) fn answer_quoted(&self) -> String {
        quote(&self.answer)
    }

    pub(super) fn ponder(&mut self, question: &[u8], deadline: Instant) -> Result<(), NoAnswer> {
        self.refuse_old_answers()?;
        self.send(question, deadline)?;
        self.is_thinking = true;
        Ok(())
    }

    /// Stops a search, if there is one, and waits for its answer.
    pub(super) fn stop(&mut self, deadline: Instant) -> Result<(), NoAnswer> {
        if !self.is_thinking {
            return Ok(());
        }
        self.send(b"stop\n", deadline)?;
        self.hear_answer("stop", deadline, |_, _| ControlFlow::Continue(()))
            .map(drop)
    }

    /// Waits until `deadline`, through which a search without an end must give no answer.
    pub(super) fn stay_silent(&mut self, deadline: Instant) -> Result<(), NoAnswer> {
        let heard = self.listen(deadline, "nothing", |_, said| matches!(said, EngineLine::Best(_)));
        match heard {
            Err(no_answer) if no_answer.is_stall() => Ok(()),
            Err(other) => Err(other),
            Ok(()) => {
                self.is_thinking = false;
                Err(Fault::new(Reason::MalformedBestmove, "it answered before it was asked to").into())
            }
        }
    }

    /// Asks the engine to leave and waits for its end.
    pub(super) fn quit(&mut self, deadline: Instant) -> Result<(), NoAnswer> {
        self.send(b"quit\n", deadline)?;
        self.child.close_input();
        while let Heard::Line(_) = self.lines.next(&mut self.child, deadline) {}
        self.is_lost = true;
        match self.child.ended() {
            Some(_) => Ok(()),
            None => Err(Fault::new(Reason::Stall, "it runs on after 'quit'").into()),
        }
    }

    /// An answer without a question would be taken for the answer to the next one.
    fn refuse_old_answers(&mut self) -> Result<(), NoAnswer> {
        let mut bytes = 0;
        while bytes < UNASKED_BYTES_MAX {
            match self.lines.next_ready(&mut self.child) {
                Heard::Line(line) => {
                    bytes += line.len() + 1;
                    if let Some(log) = &mut self.log {
                        log.heard(line);
                    }
                    if let EngineLine::Best(_) = EngineLine::parse(line) {
                        let detail = format!("'{}' was said without being asked for", quote(line));
                        self.is_lost = true;
                        return Err(Fault::new(Reason::MalformedBestmove, detail).into());
                    }
                }
                Heard::Closed => return Err(self.end_of_output()),
                Heard::TimedOut => return Ok(()),
            }
        }
        self.is_lost = true;
        Err(Fault::new(Reason::Stall, "it talks without an end though nothing was asked").into())
    }

    pub(super) fn send(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), NoAnswer> {
        if let Some(log) = &mut self.log {
            log.told(bytes);
        }
        match self.child.send(bytes, deadline) {
            Sent::All => Ok(()),
            Sent::Closed => Err(self.end_of_output()),
            Sent::TimedOut => {
                self.is_lost = true;
                Err(Fault::new(Reason::Stall, "it does not read what it is told").into())
            }
        }
    }

    /// Hears lines until `is_last` of one of them; `to` is what should be answered.
    fn listen(
        &mut self,
        deadline: Instant,
        to: &str,
        mut is_last: impl FnMut(&[u8], EngineLine<'_>) -> bool,
    ) -> Result<(), NoAnswer> {
        let began = Instant::now();
        while !self.interrupt.is_requested() {
            let until = deadline.min(Instant::now() + INTERRUPT_PAUSE);
            match self.lines.next(&mut self.child, until) {
                Heard::Line(line) => {
                    if let Some(log) = &mut self.log {
                        log.heard(line);
                    }
                    if is_last(line, EngineLine::parse(line)) {
                        return Ok(());
                    }
                }
                Heard::Closed => return Err(self.end_of_output()),
                // A child that it left may hold its output open.
                Heard::TimedOut if self.child.is_gone() => return Err(self.end_of_output()),
                Heard::TimedOut if Instant::now() < deadline => {}
                Heard::TimedOut => {
                    let waited_ms = began.elapsed().as_millis();
                    let detail = format!("no answer to '{to}' within {waited_ms} ms");
                    return Err(Fault::new(Reason::Stall, detail).into());
                }
            }
        }
        Err(NoAnswer::Interrupted)
    }

    /// Ends the engine at once, with all that it started.
    pub(super) fn kill(mut self) {
        self.is_lost = true;
    }
}

impl Drop for Engine {
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
        if !self.is_lost && self.child.send(farewell, deadline) == Sent::All {
            self.child.close_input();
            while let Heard::Line(_) = self.lines.next(&mut self.child, deadline) {}
        }
        self.child.kill();
    }
}

/// Whose time is up is late for the reason that the limit gives.
fn as_late(no_answer: NoAnswer, late: Reason) -> NoAnswer {
    match no_answer {
        NoAnswer::Fault(fault) if fault.reason == Reason::Stall => Fault::new(late, fault.detail).into(),
        other => other,
    }
}

pub(super) fn quote(line: &[u8]) -> String {
    String::from_utf8_lossy(line)
        .chars()
        .take(QUOTE_CHARS_MAX)
        .collect()
}
