//! A conversation with one running engine, by USI or UCI.

use std::io;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use super::connection::{Connection, quote};
use super::engine_line::{BestMove, EngineLine, Info, in_plies, texts};
use super::fault::Fault;
use super::fitness::{CHESS960, missing_folder, offers_chess960};
use super::log::Log;
use super::option::{EngineOption, find};
use super::program::ExaminedFiles;
use super::referee_rules;
use crate::config::{EngineProtocol, ProcessSpec, Rules, Timeouts};
use crate::interrupt::Interrupt;
use crate::platform::{lock, missing_resource};
use crate::player::{EnvironmentError, GameEnd, ProgramChange, ProgramChangeKind};
use crate::record::Reason;

/// How long an engine may take to stop where more time is not left.
const STOP_TIME: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("interrupted")]
    Interrupted,
    /// It could not be asked, through no fault of its own.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
}

impl NoAnswer {
    pub(super) fn is_stall(&self) -> bool {
        matches!(self, NoAnswer::Fault(fault) if fault.reason == Reason::Stall)
    }

    fn map_fault(self, map: impl FnOnce(Fault) -> Fault) -> NoAnswer {
        match self {
            NoAnswer::Fault(fault) => NoAnswer::Fault(map(fault)),
            other => other,
        }
    }

    /// Whose time is up is late for the reason that the limit gives.
    fn late_for(self, late: Reason) -> NoAnswer {
        self.map_fault(|fault| match fault.reason {
            Reason::Stall => Fault::new(late, fault.detail),
            _ => fault,
        })
    }
}

/// How an engine is started.
#[derive(Debug, Clone)]
pub struct Launch {
    pub spec: ProcessSpec,
    pub timeouts: Timeouts,
    pub hash_mib: usize,
    /// The referee's, which engines with options for them are told.
    pub rules: Option<Rules>,
    /// The folder where everything that is said is written down, and what names of files there begin with.
    pub log: Option<(PathBuf, &'static str)>,
    /// What the program's files must be whenever it is started.
    pub files: ExaminedFiles,
    pub interrupt: Interrupt,
}

impl Launch {
    pub fn new(spec: ProcessSpec, timeouts: Timeouts, hash_mib: usize, interrupt: &Interrupt) -> Launch {
        Launch {
            spec,
            timeouts,
            hash_mib,
            rules: None,
            log: None,
            files: ExaminedFiles::default(),
            interrupt: interrupt.clone(),
        }
    }

    /// The engine in `running`, started if there is none or if it is to be started for every game; and whether it was.
    pub(super) fn engine<'a>(
        &self,
        running: &'a mut Option<Engine>,
    ) -> Result<(&'a mut Engine, bool), NoAnswer> {
        if self.spec.restarts_each_game {
            *running = None;
        }
        match running {
            Some(engine) => Ok((engine, false)),
            missing => Ok((missing.insert(Engine::start(self)?), true)),
        }
    }
}

/// What an engine says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Introduction {
    /// Empty if it did not say.
    pub name: String,
    pub options: Vec<EngineOption>,
}

/// What came with the answer to a `go`; the answer itself is [`Engine::best`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SearchReply {
    pub(super) info: Info,
    /// From the moment the question was written to the moment the answer was read.
    pub(super) time: Duration,
}

#[derive(Debug)]
pub(super) struct Engine {
    pub(super) protocol: EngineProtocol,
    pub(super) connection: Connection,
    pub(super) introduction: Introduction,
    /// The options of its player that it was told.
    options: Vec<(String, String)>,
    is_chess960: bool,
    answer: Vec<u8>,
    answer_before: Vec<u8>,
    variation: Vec<u8>,
    comment: Vec<u8>,
}

/// What begins a text that is meant for the record of the game, wherever it stands; another is if nothing stands between it and the move.
const COMMENT: &[u8] = b"pgncomment ";

impl Engine {
    /// Starts the engine, sets its options and waits until it is ready, twice as long as the timeouts allow for starting at
    /// most.
    pub(super) fn start(launch: &Launch) -> Result<Engine, NoAnswer> {
        let check = || launch.files.check(&launch.spec);
        // That a log can be written was seen before; one that cannot be any more is no fault of the engine.
        let log = launch
            .log
            .as_ref()
            .and_then(|(folder, name)| Log::open(folder, name).ok());
        check()?;
        let started = {
            // Most engines load what takes long before their first `readyok`.
            let _permit = StartPermit::acquire();
            Engine::start_with(launch, log)
        };
        // It may have been replaced while it started. Another machine is asked once.
        if launch.spec.host.is_none() {
            check()?;
        }
        started
    }

    fn start_with(launch: &Launch, log: Option<Log>) -> Result<Engine, NoAnswer> {
        let (spec, deadline) = (&launch.spec, Instant::now() + launch.timeouts.startup());
        let connection = Connection::open(spec, log, &launch.interrupt);
        let mut engine = Engine {
            protocol: spec.protocol,
            connection: connection.map_err(|error| unstarted(spec, &error))?,
            introduction: Introduction::default(),
            options: spec.options.clone(),
            is_chess960: false,
            answer: Vec::new(),
            answer_before: Vec::new(),
            variation: Vec::new(),
            comment: Vec::new(),
        };
        // A fault before the engine is ready is a failure to start.
        let failed = |no_answer: NoAnswer| {
            no_answer.map_fault(|fault| {
                let reason = match fault.reason {
                    Reason::Memory => Reason::Memory,
                    _ => Reason::StartFailure,
                };
                let detail = format!("'{}' did not start: {}", spec.command.display(), fault.detail);
                Fault::new(reason, detail)
            })
        };
        engine.introduce(deadline).map_err(failed)?;
        let settings = engine.settings(launch);
        let text = settings.map_err(|detail| Fault::new(Reason::RefusedOption, detail))?;
        let deadline = Instant::now() + launch.timeouts.startup();
        engine.ready(&text, deadline).map_err(failed)?;
        Ok(engine)
    }

    fn introduce(&mut self, deadline: Instant) -> Result<(), NoAnswer> {
        let name = self.protocol.name();
        self.connection.send(format!("{name}\n").as_bytes(), deadline)?;
        let Introduction { name: own, options } = &mut self.introduction;
        let heard = self.connection.listen(deadline, name, |_, said| {
            match said {
                EngineLine::Introduced => return true,
                EngineLine::Name(text) => *own = String::from_utf8_lossy(text).into_owned(),
                // An option that is announced wrongly cannot be set, and is refused if it is wanted.
                EngineLine::Option(text) => {
                    options.extend(EngineOption::parse(&String::from_utf8_lossy(text)));
                }
                _ => {}
            }
            false
        });
        let other = match self.protocol {
            EngineProtocol::Usi => "is it a UCI engine? Describe it as uci:COMMAND, with --game chess",
            EngineProtocol::Uci => "is it a USI engine? Describe it as usi:COMMAND",
        };
        heard.map_err(|no_answer| {
            let is_stall = no_answer.is_stall();
            no_answer.map_fault(|fault| match is_stall {
                true => Fault::new(fault.reason, format!("{}; {other}", fault.detail)),
                false => fault,
            })
        })
    }

    /// What sets options and gives the initial commands, up to `isready`.
    fn settings(&self, launch: &Launch) -> Result<String, String> {
        let (spec, options) = (&launch.spec, &self.introduction.options);
        let mut text = String::new();
        for (name, value) in &spec.options {
            text += &find(options, name)?.set_line(value)?;
        }
        let is_set = |name: &str| {
            spec.options
                .iter()
                .any(|(given, _)| given.eq_ignore_ascii_case(name))
        };
        let (hash, ponder) = (&launch.hash_mib.to_string(), &spec.ponder.to_string());
        // Exactly these names: an engine may have a setting of its own called `hash`.
        for (name, value) in [
            ("USI_Hash", hash),
            ("Hash", hash),
            ("USI_Ponder", ponder),
            ("Ponder", ponder),
        ] {
            match options.iter().find(|option| option.name == name) {
                Some(option) if !is_set(name) => text += &option.set_line(value)?,
                _ => {}
            }
        }
        if let Some(rules) = &launch.rules {
            text += &referee_rules::lines(rules, spec, options);
        }
        for command in &spec.initial_commands {
            text = text + command + "\n";
        }
        Ok(text + "isready\n")
    }

    /// Sets what differs from the options that it was told before.
    pub(super) fn set_options(
        &mut self,
        options: &[(String, String)],
        deadline: Instant,
    ) -> Result<(), NoAnswer> {
        if self.options == options {
            return Ok(());
        }
        let changed = options.iter().filter(|option| !self.options.contains(option));
        let lines = changed.map(|(name, value)| find(&self.introduction.options, name)?.set_line(value));
        let lines: Result<String, String> = lines.collect();
        let lines = lines.map_err(|detail| Fault::new(Reason::RefusedOption, detail))?;
        self.options = options.to_vec();
        self.connection.send(lines.as_bytes(), deadline)
    }

    /// Tells `lines`, of which `isready` is the last, and waits until the engine is ready, so that what it does for a
    /// new game is on nobody's clock.
    pub(super) fn ready(&mut self, lines: &str, deadline: Instant) -> Result<(), NoAnswer> {
        self.connection.send(lines.as_bytes(), deadline)?;
        self.connection
            .listen(deadline, "isready", |_, said| matches!(said, EngineLine::Ready))
    }

    /// Begins another game, after one that ended so for the engine; each wait takes `timeout` at most.
    pub(super) fn new_game(
        &mut self,
        end: Option<GameEnd>,
        is_chess960: bool,
        timeout: Duration,
    ) -> Result<(), NoAnswer> {
        if is_chess960 != self.is_chess960 {
            if is_chess960 && !offers_chess960(&self.introduction.options) {
                let detail = format!("it does not offer {CHESS960}, but the game is one of Chess960");
                return Err(Fault::new(Reason::RefusedOption, detail).into());
            }
            self.is_chess960 = is_chess960;
            let line = format!("setoption name {CHESS960} value {is_chess960}\n");
            self.connection.send(line.as_bytes(), Instant::now() + timeout)?;
        }
        let text = match (self.protocol, end) {
            (EngineProtocol::Uci, _) => "ucinewgame\nisready\n",
            (EngineProtocol::Usi, None) => "usinewgame\nisready\n",
            (EngineProtocol::Usi, Some(GameEnd::Win)) => "gameover win\nusinewgame\nisready\n",
            (EngineProtocol::Usi, Some(GameEnd::Loss)) => "gameover lose\nusinewgame\nisready\n",
            (EngineProtocol::Usi, Some(GameEnd::Draw)) => "gameover draw\nusinewgame\nisready\n",
        };
        // A new game may well begin as the last one did.
        self.answer.clear();
        self.ready(text, Instant::now() + timeout)
    }

    /// Sees to it that the engine is awake and has nothing to say: asked for a move next, it does not lose time to waking up.
    pub(super) fn ping(&mut self, deadline: Instant) -> Result<(), NoAnswer> {
        self.connection.send(b"isready\n", deadline)?;
        let mut unasked = None;
        self.connection.listen(deadline, "isready", |line, said| {
            if let EngineLine::Best(_) = said {
                unasked.get_or_insert_with(|| quote(line));
            }
            matches!(said, EngineLine::Ready)
        })?;
        self.connection.is_silent = true;
        unasked.map_or(Ok(()), |answer| self.connection.refuse_answer(&answer))
    }

    /// Asks `question` (a position and a `go`, in one write) and waits for the answer until `time` is over. `late` is
    /// the reason if it does not come.
    pub(super) fn think(
        &mut self,
        question: &[u8],
        time: Duration,
        late: Reason,
    ) -> Result<SearchReply, NoAnswer> {
        self.connection.refuse_old_answers()?;
        let asked = Instant::now();
        let deadline = asked + time;
        self.connection
            .send(question, deadline)
            .map_err(|no_answer| no_answer.late_for(late))?;
        self.connection.is_thinking = true;
        self.wait_for_answer(asked, deadline, late)
    }

    /// Waits for the answer to a question that was asked at `asked`.
    pub(super) fn wait_for_answer(
        &mut self,
        asked: Instant,
        deadline: Instant,
        late: Reason,
    ) -> Result<SearchReply, NoAnswer> {
        let heard = self.hear_answer("go", deadline, |_, _| ControlFlow::Continue(()));
        let time = asked.elapsed();
        let info = heard.map_err(|no_answer| no_answer.late_for(late))?;
        Ok(SearchReply { info, time })
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
        std::mem::swap(&mut self.answer, &mut self.answer_before);
        let (protocol, answer, variation) = (self.protocol, &mut self.answer, &mut self.variation);
        let (comment, mut is_meant) = (&mut self.comment, false);
        answer.clear();
        variation.clear();
        comment.clear();
        let heard = self.connection.listen(deadline, to, |line, said| {
            match said {
                EngineLine::Text(text) => {
                    let meant = text.strip_prefix(COMMENT);
                    if meant.is_some() || !is_meant {
                        comment.clear();
                        comment.extend_from_slice(meant.unwrap_or(text));
                    }
                    is_meant |= meant.is_some();
                }
                EngineLine::Info(mut later, words) => {
                    if !is_meant {
                        comment.clear();
                    }
                    later.score = later.score.map(|score| in_plies(protocol, score));
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
        self.connection.is_thinking &= heard.is_err() || self.answer.is_empty();
        heard.map(|()| info)
    }

    pub(super) fn best(&self) -> Result<BestMove<'_>, Fault> {
        match EngineLine::parse(&self.answer) {
            EngineLine::Best(Some(best)) => Ok(best),
            _ => Err(Fault::new(Reason::MalformedBestmove, self.answer_quoted())),
        }
    }

    /// Is the last answer the one before it once more? It may have been said before it was asked for, and be read only now.
    pub(super) fn repeats_answer(&self) -> bool {
        self.answer == self.answer_before
    }

    /// The words of the principal variation that came last with the last answer.
    pub(super) fn variation(&self) -> impl Iterator<Item = &str> {
        texts(&self.variation)
    }

    /// What it wrote for the record of the game with the last answer.
    pub(super) fn comment(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.comment);
        (!text.is_empty()).then(|| text.into_owned())
    }

    pub(super) fn answer_quoted(&self) -> String {
        format!("it said '{}'", quote(&self.answer))
    }

    pub(super) fn ponder(&mut self, question: &[u8], deadline: Instant) -> Result<(), NoAnswer> {
        self.connection.refuse_old_answers()?;
        self.connection.send(question, deadline)?;
        self.connection.is_thinking = true;
        Ok(())
    }

    /// Stops a search, if there is one, and waits for its answer.
    pub(super) fn stop(&mut self, deadline: Instant) -> Result<(), NoAnswer> {
        if !self.connection.is_thinking {
            return Ok(());
        }
        self.connection.send(b"stop\n", deadline)?;
        self.hear_answer("stop", deadline, |_, _| ControlFlow::Continue(()))
            .map(drop)
    }

    /// Waits until `deadline`, through which a search without an end must give no answer.
    pub(super) fn stay_silent(&mut self, deadline: Instant) -> Result<(), NoAnswer> {
        let is_answer = |_: &[u8], said: EngineLine<'_>| matches!(said, EngineLine::Best(_));
        match self.connection.listen(deadline, "nothing", is_answer) {
            Err(no_answer) if no_answer.is_stall() => Ok(()),
            Err(other) => Err(other),
            Ok(()) => {
                self.connection.is_thinking = false;
                Err(Fault::new(
                    Reason::MalformedBestmove,
                    "it sent its move before 'stop' or 'ponderhit'",
                )
                .into())
            }
        }
    }
}

/// What the system refused to start: for want of something of ours, or because of the program's file.
fn unstarted(spec: &ProcessSpec, error: &io::Error) -> EnvironmentError {
    let path = match spec.host {
        Some(_) => PathBuf::from("ssh"),
        None => spec.command.clone(),
    };
    match missing_resource(error) {
        Some(lack) => EnvironmentError::MissingResource {
            lack,
            detail: format!("cannot start '{}' ({error})", path.display()),
        },
        None => EnvironmentError::Program(ProgramChange {
            path,
            change: ProgramChangeKind::Unstartable(missing_folder(spec).unwrap_or_else(|| error.to_string())),
        }),
    }
}

static STARTING: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// The right to start one engine; given back when dropped.
///
/// An engine may load a large network while it starts. A start for each core at a time is as fast as all at once, and
/// none runs into its deadline because of the others.
struct StartPermit;

impl StartPermit {
    fn acquire() -> StartPermit {
        let most = available_parallelism().map_or(1, NonZero::get);
        let starting = FREED.wait_while(lock(&STARTING), |starting| *starting >= most);
        *starting.unwrap_or_else(PoisonError::into_inner) += 1;
        StartPermit
    }
}

impl Drop for StartPermit {
    fn drop(&mut self) {
        *lock(&STARTING) -= 1;
        FREED.notify_one();
    }
}
