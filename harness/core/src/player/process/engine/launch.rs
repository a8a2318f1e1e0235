//! From a command to an engine that is ready.

use std::io;
use std::num::NonZero;
use std::process::Command;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;
use std::time::Instant;

use super::super::engine_line::EngineLine;
use super::super::engine_stderr::EngineStderr;
use super::super::fault::Fault;
use super::super::fitness::missing_folder;
use super::super::lines::Lines;
use super::super::log::Log;
use super::super::option::{EngineOption, find};
use super::{Engine, NoAnswer};
use crate::config::{EngineProtocol, ProcessSpec, Timeouts};
use crate::interrupt::Interrupt;
use crate::platform::{Bounds, Child, missing_resource};
use crate::player::{Change, EnvironmentError, ProgramChange};
use crate::record::Reason;

impl Engine {
    /// Starts the engine, sets its options and waits until it is ready, twice as long as `timeouts` allows for starting at
    /// most.
    pub(in crate::player::process) fn start(
        spec: &ProcessSpec,
        timeouts: Timeouts,
        hash_mib: usize,
        log: Option<Log>,
        interrupt: &Interrupt,
    ) -> Result<Engine, NoAnswer> {
        // Most engines load what takes long before their first `readyok`.
        let _permit = StartPermit::acquire();
        let deadline = Instant::now() + timeouts.startup();
        let mut engine = Engine::launch(spec, log, interrupt)?;
        engine
            .introduce(spec.protocol, deadline)
            .map_err(|no_answer| as_start_failure(no_answer, spec))?;
        engine.prepare(spec, timeouts, hash_mib)?;
        Ok(engine)
    }

    fn launch(spec: &ProcessSpec, log: Option<Log>, interrupt: &Interrupt) -> Result<Engine, NoAnswer> {
        let mut command = Command::new(&spec.command);
        command
            .args(&spec.arguments)
            .envs(spec.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        let bounds = Bounds {
            memory_mib: spec.memory_mib,
        };
        let failed = |error: io::Error| unstarted(spec, &error);
        let mut child = Child::spawn(command, bounds).map_err(failed)?;
        let messages = child.take_messages().map(|stream| {
            let file = log.as_ref().and_then(Log::stderr);
            EngineStderr::follow(stream, file)
        });
        Ok(Engine {
            messages: messages.transpose().map_err(failed)?,
            memory_mib: spec.memory_mib,
            child,
            lines: Lines::new(),
            log,
            interrupt: interrupt.clone(),
            name: String::new(),
            options: Vec::new(),
            is_thinking: false,
            is_chess960: false,
            is_lost: false,
            answer: Vec::new(),
            variation: Vec::new(),
        })
    }

    fn introduce(&mut self, protocol: EngineProtocol, deadline: Instant) -> Result<(), NoAnswer> {
        self.send(format!("{}\n", protocol.name()).as_bytes(), deadline)?;
        let mut name = std::mem::take(&mut self.name);
        let mut options = std::mem::take(&mut self.options);
        let heard = self.listen(deadline, protocol.name(), |_, said| {
            match said {
                EngineLine::Introduced => return true,
                EngineLine::Name(text) => name = String::from_utf8_lossy(text).into_owned(),
                // An option that is announced wrongly cannot be set, and is refused if it is wanted.
                EngineLine::Option(text) => {
                    options.extend(EngineOption::parse(&String::from_utf8_lossy(text)))
                }
                _ => {}
            }
            false
        });
        (self.name, self.options) = (name, options);
        heard.map_err(|no_answer| match no_answer {
            NoAnswer::Fault(fault) if fault.reason == Reason::Stall => {
                let other = match protocol {
                    EngineProtocol::Usi => {
                        "is it a UCI engine? Describe it as uci:COMMAND, with --game chess"
                    }
                    EngineProtocol::Uci => "is it a USI engine? Describe it as usi:COMMAND",
                };
                Fault::new(Reason::Stall, format!("{}; {other}", fault.detail)).into()
            }
            other => other,
        })
    }

    /// Sets options, gives the initial commands and waits until the engine is ready.
    fn prepare(&mut self, spec: &ProcessSpec, timeouts: Timeouts, hash_mib: usize) -> Result<(), NoAnswer> {
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
        let deadline = Instant::now() + timeouts.startup();
        text.push_str("isready\n");
        self.ready(&text, deadline)
            .map_err(|no_answer| as_start_failure(no_answer, spec))
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
}

/// What the system refused to start: for want of something of ours, or because of the program's file.
fn unstarted(spec: &ProcessSpec, error: &io::Error) -> EnvironmentError {
    let path = spec.command.clone();
    match missing_resource(error) {
        Some(lack) => EnvironmentError::MissingResource {
            lack,
            detail: format!("cannot start '{}' ({error})", path.display()),
        },
        None => EnvironmentError::Program(ProgramChange {
            path,
            change: Change::Unstartable(missing_folder(spec).unwrap_or_else(|| error.to_string())),
        }),
    }
}

/// A fault before the engine is ready is a failure to start.
fn as_start_failure(no_answer: NoAnswer, spec: &ProcessSpec) -> NoAnswer {
    match no_answer {
        NoAnswer::Fault(fault) => {
            let detail = format!("'{}' did not start: {}", spec.command.display(), fault.detail);
            let reason = match fault.reason {
                Reason::Memory => Reason::Memory,
                _ => Reason::StartFailure,
            };
            Fault::new(reason, detail).into()
        }
        NoAnswer::Interrupted | NoAnswer::Environment(_) => no_answer,
    }
}

static STARTING: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// The right to start one engine; given back when dropped.
///
/// An engine may load a large network while it starts. A start for each core at a time is as fast as all at once, and
/// none runs into its deadline because of the others.
#[derive(Debug)]
struct StartPermit(());

impl StartPermit {
    fn acquire() -> StartPermit {
        let most = available_parallelism().map_or(1, NonZero::get);
        let mut starting = lock();
        while *starting >= most {
            starting = FREED.wait(starting).unwrap_or_else(PoisonError::into_inner);
        }
        *starting += 1;
        StartPermit(())
    }
}

impl Drop for StartPermit {
    fn drop(&mut self) {
        *lock() -= 1;
        FREED.notify_one();
    }
}

fn lock() -> MutexGuard<'static, usize> {
    STARTING.lock().unwrap_or_else(PoisonError::into_inner)
}
