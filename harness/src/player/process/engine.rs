//! A conversation with one running engine, by USI or UCI.
//!
//! In: what to tell and until when to wait. Out: answers, or the [`Fault`] that happened instead. Must not: wait without a
//! deadline, trust an answer, or know the rules of a game.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::fault::Fault;
use super::lines::{Heard, Lines};
use super::log::Log;
use super::option::{EngineOption, find};
use super::said::{Best, Info, Said, texts};
use super::start::StartPermit;
use crate::config::{EngineProtocol, Patience, ProcessSpec};
use crate::interrupt::Interrupt;
use crate::platform::{Child, Sent};
use crate::record::Reason;

/// How long an engine may take to leave when it is asked to.
const QUIT_TIME: Duration = Duration::from_secs(1);
/// How often a wait in silence looks whether the run is to end.
const INTERRUPT_PAUSE: Duration = Duration::from_millis(100);
/// How long what ends this program too may take to be heard of here after it ended an engine.
const INTERRUPT_LAG: Duration = Duration::from_millis(60);
/// Bytes that an engine may say between two questions.
const UNASKED_BYTES_MAX: usize = 1 << 20;
/// Characters of an engine's own words in a message.
const QUOTE_CHARS_MAX: usize = 80;

/// Why an engine gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Silence {
    /// It is at fault.
    Fault(Fault),
    /// The run is to end; nobody is at fault.
    Interrupted,
}

impl Silence {
    /// Was nothing heard in time?
    fn is_stall(&self) -> bool {
        matches!(self, Silence::Fault(fault) if fault.reason == Reason::Stall)
    }
}

impl From<Fault> for Silence {
    fn from(fault: Fault) -> Silence {
        Silence::Fault(fault)
    }
}

/// What came with the answer to a `go`; the answer itself is [`Engine::best`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Search {
    /// What the engine said of its search.
    pub(super) info: Info,
    /// From the moment the question was written to the moment the answer was read.
    pub(super) time: Duration,
}

/// A running engine that has introduced itself.
#[derive(Debug)]
pub(super) struct Engine {
    child: Child,
    lines: Lines,
    log: Option<Log>,
    interrupt: Interrupt,
    name: String,
    options: Vec<EngineOption>,
    is_thinking: bool,
    is_lost: bool,
    answer: Vec<u8>,
    /// Of the last search, as it was said.
    variation: Vec<u8>,
}

impl Engine {
    /// Starts the engine, sets its options and waits until it is ready, twice as long as `patience` allows for starting at
    /// most.
    pub(super) fn start(
        spec: &ProcessSpec,
        patience: Patience,
        hash_mib: usize,
        log: Option<Log>,
        interrupt: &Interrupt,
    ) -> Result<Engine, Silence> {
        // Most engines load what takes long before their first `readyok`.
        let _permit = StartPermit::acquire();
        let mut engine = Engine::spawn(spec, patience, log, interrupt)?;
        engine.prepare(spec, patience, hash_mib)?;
        Ok(engine)
    }

    /// Starts the engine and waits until it has introduced itself.
    fn spawn(
        spec: &ProcessSpec,
        patience: Patience,
        log: Option<Log>,
        interrupt: &Interrupt,
    ) -> Result<Engine, Silence> {
        let deadline = Instant::now() + patience.startup();
        let mut command = Command::new(&spec.command);
        command
            .args(&spec.arguments)
            .envs(spec.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        let stderr = log.as_ref().and_then(Log::stderr).unwrap_or_else(Stdio::null);
        command.stderr(stderr);
        let child = Child::spawn(command).map_err(|error| {
            Fault::new(
                Reason::StartFailure,
                format!("cannot start '{}': {error}", spec.command.display()),
            )
        })?;
        let mut engine = Engine {
            child,
            lines: Lines::new(),
            log,
            interrupt: interrupt.clone(),
            name: String::new(),
            options: Vec::new(),
            is_thinking: false,
            is_lost: false,
            answer: Vec::new(),
            variation: Vec::new(),
        };
        engine
            .introduce(spec.protocol, deadline)
            .map_err(|silence| as_start_failure(silence, spec))?;
        Ok(engine)
    }

    fn introduce(&mut self, protocol: EngineProtocol, deadline: Instant) -> Result<(), Silence> {
        let greeting = match protocol {
            EngineProtocol::Usi => "usi",
            EngineProtocol::Uci => "uci",
        };
        self.send(format!("{greeting}\n").as_bytes(), deadline)?;
        let (mut name, mut options) = (String::new(), Vec::new());
        self.listen(deadline, greeting, |_, said| {
            match said {
                Said::Introduced => return true,
                Said::Name(text) => name = String::from_utf8_lossy(text).into_owned(),
                // An option that is announced wrongly cannot be set, and is refused if it is wanted.
                Said::Option(text) => options.extend(EngineOption::parse(&String::from_utf8_lossy(text))),
                _ => {}
            }
            false
        })?;
        (self.name, self.options) = (name, options);
        Ok(())
    }

    /// What the engine calls itself; empty if it did not say.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What the engine announced.
    pub(super) fn options(&self) -> &[EngineOption] {
        &self.options
    }

    /// Sets options, gives the initial commands and waits until the engine is ready.
    fn prepare(&mut self, spec: &ProcessSpec, patience: Patience, hash_mib: usize) -> Result<(), Silence> {
        let refused = |detail| Fault::new(Reason::RefusedOption, detail);
        let mut text = String::new();
        for (name, value) in &spec.options {
            let option = find(&self.options, name).map_err(refused)?;
            option.check(value).map_err(refused)?;
            text.push_str(&option.set_line(value));
        }
        for (name, value) in self.common_options(spec, hash_mib) {
            // Exactly these names: an engine may have a setting of its own called `hash`.
            let Some(option) = self.options.iter().find(|option| option.name == name) else {
                continue;
            };
            option.check(&value).map_err(refused)?;
            text.push_str(&option.set_line(&value));
        }
        for command in &spec.initial_commands {
            text.push_str(command);
            text.push('\n');
        }
        let deadline = Instant::now() + patience.startup();
        text.push_str("isready\n");
        self.ready(&text, deadline)
            .map_err(|silence| as_start_failure(silence, spec))
    }

    /// What every engine is told if it has such an option and the user did not set it.
    fn common_options(&self, spec: &ProcessSpec, hash_mib: usize) -> Vec<(&'static str, String)> {
        let is_set = |name: &str| {
            spec.options
                .iter()
                .any(|(given, _)| given.eq_ignore_ascii_case(name))
        };
        let (hash, ponder) = (hash_mib.to_string(), spec.ponder.to_string());
        let common = [
            ("USI_Hash", hash.clone()),
            ("Hash", hash),
            ("USI_Ponder", ponder.clone()),
            ("Ponder", ponder),
        ];
        common.into_iter().filter(|(name, _)| !is_set(name)).collect()
    }

    /// Tells `lines`, of which `isready` is the last, and waits until the engine is ready, so that what it does for a
    /// new game is on nobody's clock.
    pub(super) fn ready(&mut self, lines: &str, deadline: Instant) -> Result<(), Silence> {
        self.send(lines.as_bytes(), deadline)?;
        self.listen(deadline, "isready", |_, said| matches!(said, Said::Ready))
    }

    /// Asks `question` (a position and a `go`, in one write) and waits for the answer until `time` is over. `late` is
    /// the reason if it does not come.
    pub(super) fn think(&mut self, question: &[u8], time: Duration, late: Reason) -> Result<Search, Silence> {
        self.refuse_old_answers()?;
        let asked = Instant::now();
        let deadline = asked + time;
        self.send(question, deadline)
            .map_err(|silence| as_late(silence, late))?;
        self.is_thinking = true;
        self.wait_for_answer(asked, deadline, late)
    }

    /// Waits for the answer to a question that was asked at `asked`.
    pub(super) fn wait_for_answer(
        &mut self,
        asked: Instant,
        deadline: Instant,
        late: Reason,
    ) -> Result<Search, Silence> {
        let heard = self.hear_answer("go", deadline);
        let time = asked.elapsed();
        let info = heard.map_err(|silence| as_late(silence, late))?;
        Ok(Search { info, time })
    }

    /// Hears lines until the answer to what was told last, `to`.
    fn hear_answer(&mut self, to: &str, deadline: Instant) -> Result<Info, Silence> {
        let mut info = Info::default();
        let mut answer = std::mem::take(&mut self.answer);
        let mut variation = std::mem::take(&mut self.variation);
        answer.clear();
        variation.clear();
        let heard = self.listen(deadline, to, |line, said| {
            match said {
                Said::Info(later, words) => {
                    info.update(later);
                    if !words.is_empty() {
                        variation.clear();
                        variation.extend_from_slice(words);
                    }
                }
                Said::Best(_) => answer.extend_from_slice(line),
                _ => {}
            }
            !answer.is_empty()
        });
        self.answer = answer;
        self.variation = variation;
        heard?;
        self.is_thinking = false;
        Ok(info)
    }

    /// The last answer.
    pub(super) fn best(&self) -> Best<'_> {
        match Said::parse(&self.answer) {
            Said::Best(best) => best,
            _ => Best::Nonsense,
        }
    }

    /// The words of the principal variation that came last with the last answer.
    pub(super) fn variation(&self) -> impl Iterator<Item = &str> {
        texts(&self.variation)
    }

    /// The line of the last answer, for a message.
    pub(super) fn answer_quoted(&self) -> String {
        quote(&self.answer)
    }

    /// Tells the engine something that has no answer of its own.
    pub(super) fn tell(&mut self, line: &[u8], deadline: Instant) -> Result<(), Silence> {
        self.send(line, deadline)
    }

    /// Begins to ponder.
    pub(super) fn ponder(&mut self, question: &[u8], deadline: Instant) -> Result<(), Silence> {
        self.refuse_old_answers()?;
        self.send(question, deadline)?;
        self.is_thinking = true;
        Ok(())
    }

    /// Stops a search, if there is one, and waits for its answer.
    pub(super) fn stop(&mut self, deadline: Instant) -> Result<(), Silence> {
        if !self.is_thinking {
            return Ok(());
        }
        self.send(b"stop\n", deadline)?;
        self.hear_answer("stop", deadline).map(drop)
    }

    /// Waits until `deadline`, through which a search without an end must give no answer.
    pub(super) fn stay_silent(&mut self, deadline: Instant) -> Result<(), Silence> {
        let heard = self.listen(deadline, "nothing", |_, said| matches!(said, Said::Best(_)));
        match heard {
            Err(silence) if silence.is_stall() => Ok(()),
            Err(other) => Err(other),
            Ok(()) => {
                self.is_thinking = false;
                Err(Fault::new(Reason::MalformedBestmove, "it answered before it was asked to").into())
            }
        }
    }

    /// Asks the engine to leave and waits for its end.
    pub(super) fn quit(&mut self, deadline: Instant) -> Result<(), Silence> {
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
    fn refuse_old_answers(&mut self) -> Result<(), Silence> {
        let mut bytes = 0;
        while bytes < UNASKED_BYTES_MAX {
            match self.lines.next_ready(&mut self.child) {
                Heard::Line(line) => {
                    bytes += line.len() + 1;
                    if let Some(log) = &mut self.log {
                        log.heard(line);
                    }
                    if let Said::Best(_) = Said::parse(line) {
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

    fn send(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), Silence> {
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
        mut is_last: impl FnMut(&[u8], Said<'_>) -> bool,
    ) -> Result<(), Silence> {
        let began = Instant::now();
        while !self.interrupt.is_requested() {
            let until = deadline.min(Instant::now() + INTERRUPT_PAUSE);
            match self.lines.next(&mut self.child, until) {
                Heard::Line(line) => {
                    if let Some(log) = &mut self.log {
                        log.heard(line);
                    }
                    if is_last(line, Said::parse(line)) {
                        return Ok(());
                    }
                }
                Heard::Closed => return Err(self.end_of_output()),
                Heard::TimedOut if Instant::now() < deadline => {}
                Heard::TimedOut => {
                    let waited_ms = began.elapsed().as_millis();
                    let detail = format!("no answer to '{to}' within {waited_ms} ms");
                    return Err(Fault::new(Reason::Stall, detail).into());
                }
            }
        }
        Err(Silence::Interrupted)
    }

    /// The engine closed its end of a pipe: has it ended?
    fn end_of_output(&mut self) -> Silence {
        self.is_lost = true;
        let ended = self.child.ended();
        // A closed console or a stopped service ends everything in it at the same time, by signals or politely; a code of its
        // own is the engine's alone.
        let has_failed = ended
            .and_then(|status| status.code())
            .is_some_and(|code| code > 0);
        let lag = if has_failed { Duration::ZERO } else { INTERRUPT_LAG };
        if self.interrupt.is_requested_within(lag) {
            return Silence::Interrupted;
        }
        let fault = match ended {
            Some(status) => Fault::new(Reason::Crash, format!("the process ended ({status})")),
            None => Fault::new(Reason::Disconnect, "it closed its output but runs on"),
        };
        fault.into()
    }

    /// Ends the engine at once, with all that it started.
    pub(super) fn kill(mut self) {
        self.is_lost = true;
    }
}

/// Asks the engine to leave, and makes it.
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

/// A fault before the engine is ready is a failure to start.
fn as_start_failure(silence: Silence, spec: &ProcessSpec) -> Silence {
    match silence {
        Silence::Fault(fault) => {
            let detail = format!("'{}' did not start: {}", spec.command.display(), fault.detail);
            Fault::new(Reason::StartFailure, detail).into()
        }
        Silence::Interrupted => silence,
    }
}

/// Whose time is up is late for the reason that the limit gives.
fn as_late(silence: Silence, late: Reason) -> Silence {
    match silence {
        Silence::Fault(fault) if fault.reason == Reason::Stall => Fault::new(late, fault.detail).into(),
        other => other,
    }
}

/// An engine's words for a message.
pub(super) fn quote(line: &[u8]) -> String {
    String::from_utf8_lossy(line)
        .chars()
        .take(QUOTE_CHARS_MAX)
        .collect()
}
