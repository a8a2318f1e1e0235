//! An engine that is asked in the wrong language.

use std::time::{Duration, Instant};

use super::super::fault::Fault;
use super::super::start::StartPermit;
use super::launch::as_start_failure;
use super::{Engine, NoAnswer, quote};
use crate::config::{EngineProtocol, ProcessSpec, Timeouts};
use crate::interrupt::Interrupt;
use crate::record::Reason;

/// NoAnswer that raises the question.
const DOUBT: Duration = Duration::from_secs(1);
/// How long two engines are listened to in turn.
const SLICE: Duration = Duration::from_millis(20);

impl Engine {
    /// As [`start`](Engine::start), where an engine that does not answer is started a second time and asked in the other
    /// protocol while the first is waited for.
    pub(in crate::player::process) fn start_examined(
        spec: &ProcessSpec,
        timeouts: Timeouts,
        hash_mib: usize,
        interrupt: &Interrupt,
    ) -> Result<Engine, NoAnswer> {
        let _permit = StartPermit::acquire();
        let deadline = Instant::now() + timeouts.startup();
        let mut engine = Engine::launch(spec, None, interrupt)?;
        let introduced = introduce(&mut engine, spec, deadline, interrupt);
        introduced.map_err(|no_answer| as_start_failure(no_answer, spec))?;
        engine.prepare(spec, timeouts, hash_mib)?;
        Ok(engine)
    }
}

fn introduce(
    engine: &mut Engine,
    spec: &ProcessSpec,
    deadline: Instant,
    interrupt: &Interrupt,
) -> Result<(), NoAnswer> {
    let began = Instant::now();
    let greeting = spec.protocol.name();
    engine.greet(spec.protocol, deadline)?;
    let mut refusal: Option<String> = None;
    let mut other: Option<Other> = None;
    let (mut is_asked, mut understood) = (false, None);
    loop {
        let until = deadline.min(Instant::now() + SLICE);
        let heard = engine.hear_introduction(spec.protocol, until, |line| {
            if refusal.is_none() && is_refusal(line, greeting) {
                refusal = Some(quote(line));
            }
        });
        match heard {
            Err(no_answer) if no_answer.is_stall() => {}
            other => return other,
        }
        let is_over = Instant::now() >= deadline;
        // Both loaded the same, and the first began earlier.
        let is_late = |time: Duration| is_over || refusal.is_some() || began.elapsed() >= 2 * time + DOUBT;
        if understood.is_some_and(is_late) {
            return Err(Fault::new(Reason::StartFailure, mismatch(spec.protocol, refusal)).into());
        }
        if is_over {
            let waited_ms = began.elapsed().as_millis();
            let detail = format!("no answer to '{greeting}' within {waited_ms} ms");
            return Err(Fault::new(Reason::Stall, detail).into());
        }
        if !is_asked && (refusal.is_some() || began.elapsed() >= DOUBT) {
            is_asked = true;
            other = Other::ask(spec, deadline, interrupt);
        }
        match other
            .as_mut()
            .map_or(Progress::Waits, |other| other.listen(spec.protocol, deadline))
        {
            Progress::Waits => {}
            Progress::Understands(time) => (other, understood) = (None, Some(time)),
            Progress::TellsNothing => other = None,
        }
    }
}

fn other_of(protocol: EngineProtocol) -> EngineProtocol {
    match protocol {
        EngineProtocol::Usi => EngineProtocol::Uci,
        EngineProtocol::Uci => EngineProtocol::Usi,
    }
}

fn mismatch(protocol: EngineProtocol, refusal: Option<String>) -> String {
    let (asked, other) = (protocol.name(), other_of(protocol).name());
    let said = refusal.map_or_else(
        || "it said nothing".to_owned(),
        |line| format!("it said '{line}'"),
    );
    let game = match other_of(protocol) {
        EngineProtocol::Uci => ", with --game chess",
        EngineProtocol::Usi => "",
    };
    format!(
        "it speaks {}, not {}: describe it as {other}:COMMAND{game} (to '{asked}' {said}, to '{other}' it answered)",
        other.to_uppercase(),
        asked.to_uppercase()
    )
}

/// Does a line say that the greeting was not understood?
fn is_refusal(line: &[u8], greeting: &str) -> bool {
    const WORDS: [&str; 4] = ["unknown", "unrecogni", "invalid", "not understood"];
    let line = String::from_utf8_lossy(line).to_lowercase();
    let is_about = line.contains("command") || line.contains(greeting);
    is_about && WORDS.iter().any(|word| line.contains(word))
}

/// The same program once more, asked in the other protocol.
struct Other {
    engine: Engine,
    asked: Instant,
    /// How long it took to answer, and since when it is asked in the protocol of its specification as well.
    answered: Option<(Duration, Instant)>,
}

/// What is known of it so far.
enum Progress {
    Waits,
    /// It understands this protocol, after so long, and not that of its specification.
    Understands(Duration),
    TellsNothing,
}

impl Other {
    fn ask(spec: &ProcessSpec, deadline: Instant, interrupt: &Interrupt) -> Option<Other> {
        let mut engine = Engine::launch(spec, None, interrupt).ok()?;
        engine.greet(other_of(spec.protocol), deadline).ok()?;
        Some(Other {
            engine,
            asked: Instant::now(),
            answered: None,
        })
    }

    fn listen(&mut self, protocol: EngineProtocol, deadline: Instant) -> Progress {
        let until = deadline.min(Instant::now() + SLICE);
        let Some((time, since)) = self.answered else {
            return match self.engine.hear_introduction(other_of(protocol), until, |_| ()) {
                Ok(()) if self.engine.greet(protocol, deadline).is_ok() => {
                    self.answered = Some((self.asked.elapsed(), Instant::now()));
                    Progress::Waits
                }
                Err(no_answer) if no_answer.is_stall() => Progress::Waits,
                _ => Progress::TellsNothing,
            };
        };
        let mut is_refused = false;
        let heard = self.engine.hear_introduction(protocol, until, |line| {
            is_refused |= is_refusal(line, protocol.name());
        });
        match heard {
            Err(no_answer) if no_answer.is_stall() && !is_refused && since.elapsed() < DOUBT => {
                Progress::Waits
            }
            Err(no_answer) if no_answer.is_stall() => Progress::Understands(time),
            // It speaks both, and the first is only slow; or it left.
            _ => Progress::TellsNothing,
        }
    }
}

/// It is ended at once: nobody waits for it.
impl Drop for Other {
    fn drop(&mut self) {
        self.engine.is_lost = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_refuses_the_greeting_is_told_from_a_banner() {
        for line in [
            "Unknown command: 'usi'. Type help for more information.",
            "info string unknown command",
            "Error (unknown command): usi",
            "invalid command",
        ] {
            assert!(is_refusal(line.as_bytes(), "usi"), "{line}");
        }
        for line in ["Stockfish dev-unknown by them", "usiok", "", "id name x"] {
            assert!(!is_refusal(line.as_bytes(), "usi"), "{line}");
        }
    }
}
