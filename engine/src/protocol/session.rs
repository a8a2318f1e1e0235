//! One conversation with a GUI: the only place where the engine reads, writes and looks at the clock.
//!
//! In: lines. Out: lines. Must not: panic on anything it is told.
//!
//! Every `go` runs on a thread of its own that takes the searcher along and brings it back; the reading thread stays
//! free for `stop`, `ponderhit` and `isready`.

use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::command::{Command, Go};
use super::{limits, usi};
use crate::bench;
use crate::config::{Config, DeclarationRule};
use crate::game::{Claim, GameMove, Path};
use crate::search::{Iteration, Observer, Report, Searchable, Searcher};
use crate::time::Limits;

const HASH_MIB: usize = 64;
const HASH_MIB_MAX: usize = 65_536;
/// Time lost between the engine and a GUI's clock.
const OVERHEAD_MS: u64 = 30;
const OVERHEAD_MS_MAX: u64 = 10_000;

/// The longest game has some thousand moves of five letters.
const LINE_BYTES_MAX: usize = 1 << 20;

/// A conversation about one game.
pub struct Session<P: Searchable, W: Write + Send + 'static> {
    output: Arc<Mutex<W>>,
    config: Config,
    overhead_ms: u64,
    hash_mib: usize,
    position: P,
    path: Path,
    engine: Engine<P>,
    signal: Arc<Signal>,
}

enum Engine<P: Searchable> {
    /// Not made yet, so that options can come first.
    Absent,
    Idle(Box<Searcher<P>>),
    Thinking(JoinHandle<Box<Searcher<P>>>),
}

/// What the reading thread tells the thinking one.
struct Signal {
    stop: AtomicBool,
    clock: Mutex<Clock>,
    changed: Condvar,
}

struct Clock {
    /// When the engine's own time began; `None` while pondering.
    started: Option<Instant>,
    /// The answer must wait for `stop` or `ponderhit`.
    waits: bool,
    /// The search ends by itself sooner or later.
    has_limit: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Watcher<W> {
    signal: Arc<Signal>,
    output: Arc<Mutex<W>>,
    asked: Instant,
}

impl<M: GameMove, W: Write> Observer<M> for Watcher<W> {
    fn elapsed_ms(&mut self) -> u64 {
        lock(&self.signal.clock)
            .started
            .map_or(0, |started| started.elapsed().as_millis() as u64)
    }

    fn is_pondering(&mut self) -> bool {
        lock(&self.signal.clock).started.is_none()
    }

    fn is_stop_requested(&mut self) -> bool {
        self.signal.stop.load(Ordering::Relaxed)
    }

    fn iteration(&mut self, iteration: &Iteration<'_, M>) {
        say(
            &self.output,
            &usi::info(iteration, self.asked.elapsed().as_millis() as u64),
        );
    }
}

/// Writes one line. A reader that has gone away will soon close our input too, so its absence is no error here.
fn say<W: Write>(output: &Mutex<W>, line: &str) {
    let mut output = lock(output);
    let _ = writeln!(output, "{line}");
    let _ = output.flush();
}

/// Reads the next line, of one that is too long the first [`LINE_BYTES_MAX`] bytes; false at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    let mut read = |line: &mut Vec<u8>| {
        line.clear();
        input.take(LINE_BYTES_MAX as u64).read_until(b'\n', line)
    };
    let bytes = read(line)?;
    let mut rest = Vec::new();
    let mut is_whole = bytes < LINE_BYTES_MAX || line.ends_with(b"\n");
    while !is_whole {
        is_whole = read(&mut rest)? < LINE_BYTES_MAX || rest.ends_with(b"\n");
    }
    Ok(bytes > 0)
}

impl<P: Searchable, W: Write + Send + 'static> Session<P, W> {
    /// A conversation that answers on `output`.
    pub fn new(output: W) -> Self {
        let position = P::start();
        Session {
            output: Arc::new(Mutex::new(output)),
            config: Config::base(P::GAME),
            overhead_ms: OVERHEAD_MS,
            hash_mib: HASH_MIB,
            path: Path::new(&position),
            position,
            engine: Engine::Absent,
            signal: Arc::new(Signal {
                stop: AtomicBool::new(false),
                clock: Mutex::new(Clock {
                    started: None,
                    waits: false,
                    has_limit: true,
                }),
                changed: Condvar::new(),
            }),
        }
    }

    /// The same with another configuration to start from.
    #[must_use]
    pub fn with_config(self, config: Config) -> Self {
        Session { config, ..self }
    }

    /// Talks until `quit` or the end of the input, which both end a search at once: nobody is there who waits for it.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn run(mut self, mut input: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        while read_line(&mut input, &mut line)? {
            if line.len() == LINE_BYTES_MAX {
                self.say("info string a line that is too long was ignored");
            } else if !self.obey(Command::parse(&String::from_utf8_lossy(&line))) {
                break;
            }
        }
        self.stop();
        self.join();
        Ok(())
    }

    fn say(&self, line: &str) {
        say(&self.output, line);
    }

    /// Does what it is told; false for `quit`.
    fn obey(&mut self, command: Command) -> bool {
        match command {
            Command::Usi => self.introduce(),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::IsReady => {
                if !matches!(self.engine, Engine::Thinking(_)) {
                    let searcher = self.searcher();
                    self.engine = Engine::Idle(searcher);
                }
                self.say("readyok");
            }
            Command::NewGame => {
                let mut searcher = self.searcher();
                searcher.new_game();
                self.engine = Engine::Idle(searcher);
            }
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::Go(go) if go.mate => self.say("checkmate notimplemented"),
            Command::Go(go) => self.go(&go),
            Command::Stop | Command::GameOver => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Bench => self.bench(),
            Command::Quit => return false,
            Command::Nothing => {}
            Command::Unknown(line) => self.say(&format!("info string unknown command: {line}")),
        }
        true
    }

    fn introduce(&self) {
        self.say(&format!("id name Tanren {}", env!("CARGO_PKG_VERSION")));
        self.say("id author the Tanren developers");
        self.say(&format!(
            "option name USI_Hash type spin default {HASH_MIB} min 1 max {HASH_MIB_MAX}"
        ));
        self.say("option name USI_Ponder type check default false");
        self.say(&format!(
            "option name Overhead_ms type spin default {OVERHEAD_MS} min 0 max {OVERHEAD_MS_MAX}"
        ));
        for setting in Config::settings(P::GAME) {
            self.say(&usi::option(setting));
        }
        self.say("usiok");
    }

    fn set_option(&mut self, name: &str, value: &str) {
        self.stop();
        self.join();
        let result = match name {
            "USI_Hash" => match value.parse() {
                Ok(hash_mib @ 1..=HASH_MIB_MAX) => self.set_hash(hash_mib),
                _ => Err(format!(
                    "'{value}' is not a value of 'USI_Hash': expected 1 to {HASH_MIB_MAX}"
                )),
            },
            // Pondering needs nothing kept: it happens when the GUI says `go ponder`.
            "USI_Ponder" => Ok(()),
            "Overhead_ms" => match value.parse() {
                Ok(overhead_ms @ 0..=OVERHEAD_MS_MAX) => {
                    self.overhead_ms = overhead_ms;
                    Ok(())
                }
                _ => Err(format!(
                    "'{value}' is not a value of 'Overhead_ms': expected 0 to {OVERHEAD_MS_MAX}"
                )),
            },
            _ => self
                .config
                .set(P::GAME, name, value)
                .map_err(|error| error.to_string()),
        };
        if let Err(error) = result {
            self.say(&format!("info string {error}"));
        } else if let Engine::Idle(searcher) = &mut self.engine {
            searcher.set_config(&self.config);
        }
    }

    /// Keeps the size that there is if the system refuses the new one: to ask for too much later would end the program.
    fn set_hash(&mut self, hash_mib: usize) -> Result<(), String> {
        if hash_mib == self.hash_mib {
            return Ok(());
        }
        self.engine = Engine::Absent;
        if Vec::<u8>::new().try_reserve_exact(hash_mib << 20).is_err() {
            let kept = self.hash_mib;
            return Err(format!(
                "USI_Hash stays {kept}: the system does not give {hash_mib} MiB of memory"
            ));
        }
        self.hash_mib = hash_mib;
        Ok(())
    }

    fn set_position(&mut self, start: &str, moves: &[String]) {
        self.stop();
        self.join();
        let parsed = P::parse(start).and_then(|mut position| {
            let mut path = Path::new(&position);
            for text in moves {
                let mv = position.parse_move(text)?;
                position.make(mv);
                path.push(&position);
            }
            Ok((position, path))
        });
        match parsed {
            Ok((position, path)) => (self.position, self.path) = (position, path),
            Err(error) => self.say(&format!("info string position ignored: {error}")),
        }
    }

    fn go(&mut self, go: &Go) {
        let mut searcher = self.searcher();
        self.signal.stop.store(false, Ordering::Relaxed);
        let asked = Instant::now();
        *lock(&self.signal.clock) = Clock {
            started: (!go.ponder).then_some(asked),
            waits: limits::waits(go),
            has_limit: limits::has_limit(go),
        };
        let limits = limits::limits(go, self.position.side_to_move(), self.overhead_ms);
        let (signal, output) = (Arc::clone(&self.signal), Arc::clone(&self.output));
        let (position, path, declaration) = (
            self.position.clone(),
            self.path.clone(),
            self.config.search.declaration,
        );
        self.engine = Engine::Thinking(thread::spawn(move || {
            let mut watcher = Watcher {
                signal: Arc::clone(&signal),
                output: Arc::clone(&output),
                asked,
            };
            let answer = think(
                &mut searcher,
                &position,
                &path,
                &limits,
                declaration,
                &mut watcher,
            );
            signal.wait_for_leave();
            say(&output, &answer);
            searcher
        }));
    }

    fn ponder_hit(&mut self) {
        let mut clock = lock(&self.signal.clock);
        if clock.started.is_none() {
            clock.started = Some(Instant::now());
            clock.waits = !clock.has_limit;
        }
        self.signal.changed.notify_all();
    }

    fn stop(&mut self) {
        self.signal.stop.store(true, Ordering::Relaxed);
        lock(&self.signal.clock).waits = false;
        self.signal.changed.notify_all();
    }

    /// Waits for the search to end.
    fn join(&mut self) {
        if let Engine::Thinking(thread) = std::mem::replace(&mut self.engine, Engine::Absent) {
            match thread.join() {
                Ok(searcher) => self.engine = Engine::Idle(searcher),
                Err(_) => self.say("info string the search failed; starting afresh"),
            }
        }
    }

    /// The searcher, after any search has ended.
    fn searcher(&mut self) -> Box<Searcher<P>> {
        if matches!(self.engine, Engine::Thinking(_)) {
            self.stop();
            self.join();
        }
        match std::mem::replace(&mut self.engine, Engine::Absent) {
            Engine::Idle(searcher) => searcher,
            _ => Box::new(Searcher::new(&self.config, self.hash_mib)),
        }
    }

    fn bench(&mut self) {
        self.stop();
        self.join();
        let started = Instant::now();
        let nodes = bench::signature::<P>(&self.config, bench::DEPTH);
        let nps = u128::from(nodes) * 1000 / started.elapsed().as_millis().max(1);
        self.say(&format!("info string bench {nodes} nodes {nps} nps"));
    }
}

impl Signal {
    fn wait_for_leave(&self) {
        let mut clock = lock(&self.clock);
        while clock.waits {
            clock = self.changed.wait(clock).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn think<P: Searchable, W: Write>(
    searcher: &mut Searcher<P>,
    position: &P,
    path: &Path,
    limits: &Limits,
    declaration: DeclarationRule,
    watcher: &mut Watcher<W>,
) -> String {
    if position.claim(declaration.points()) == Claim::Win {
        return "bestmove win".to_owned();
    }
    let report = searcher.search(position, path, limits, watcher);
    // An iteration that was cut short has no line of its own, but its nodes count.
    let time_ms = watcher.asked.elapsed().as_millis() as u64;
    say(&watcher.output, &usi::total(&report, time_ms));
    let Report { best, ponder, .. } = report;
    match (best, ponder) {
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
        (Some(best), None) => format!("bestmove {best}"),
        (None, _) => "bestmove resign".to_owned(),
    }
}
