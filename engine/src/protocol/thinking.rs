//! One search of a conversation: what the thinking thread does, and what the reading one tells it.
//!
//! In: a [`Question`] and a [`Signal`]. Out: lines, `bestmove` the last. Must not: read.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::dialect::Dialect;
use super::info;
use crate::config::DeclarationRule;
use crate::game::{Claim, GameMove, Path, Position};
use crate::search::{Focus, Iteration, Observer, Searchable, Searcher};
use crate::time::Limits;

/// What the reading thread tells the thinking one.
pub(super) struct Signal {
    stop: AtomicBool,
    clock: Mutex<Clock>,
    changed: Condvar,
}

/// The clock of a search.
pub(super) struct Clock {
    /// When the engine's own time began; `None` while pondering.
    pub(super) started: Option<Instant>,
    /// The answer must wait for `stop` or `ponderhit`.
    pub(super) waits: bool,
    /// The search ends by itself sooner or later.
    pub(super) has_limit: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Signal {
    pub(super) fn new() -> Self {
        Signal {
            stop: AtomicBool::new(false),
            clock: Mutex::new(Clock {
                started: None,
                waits: false,
                has_limit: true,
            }),
            changed: Condvar::new(),
        }
    }

    /// A search begins.
    pub(super) fn begin(&self, clock: Clock) {
        self.stop.store(false, Ordering::Relaxed);
        *lock(&self.clock) = clock;
    }

    /// Ends the search, if there is one.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        lock(&self.clock).waits = false;
        self.changed.notify_all();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// From now on it is the engine's own time.
    pub(super) fn ponder_hit(&self) {
        let mut clock = lock(&self.clock);
        if clock.started.is_none() {
            clock.started = Some(Instant::now());
            clock.waits = !clock.has_limit;
        }
        self.changed.notify_all();
    }

    fn wait_for_leave(&self) {
        let mut clock = lock(&self.clock);
        while clock.waits {
            clock = self.changed.wait(clock).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Writes one line. A reader that has gone away will soon close our input too, so its absence is no error here.
pub(super) fn say<W: Write>(output: &Mutex<W>, line: &str) {
    let mut output = lock(output);
    let _ = writeln!(output, "{line}");
    let _ = output.flush();
}

/// What to think about.
pub(super) struct Question<P: Position> {
    pub(super) position: P,
    pub(super) path: Path,
    pub(super) limits: Limits,
    pub(super) focus: Focus<P::Move>,
    pub(super) declaration: DeclarationRule,
}

/// Listens to a search and tells what it finds.
pub(super) struct Watcher<W> {
    pub(super) signal: Arc<Signal>,
    pub(super) output: Arc<Mutex<W>>,
    pub(super) dialect: Dialect,
    /// When the question was heard.
    pub(super) asked: Instant,
    /// How many lines are wanted.
    pub(super) lines: usize,
    /// Pieces on the board, if scores are to be told as chances, too.
    pub(super) pieces: Option<usize>,
}

impl<W: Write> Watcher<W> {
    /// Time since the question, in milliseconds.
    fn time_ms(&self) -> u64 {
        self.asked.elapsed().as_millis() as u64
    }

    /// Thinks, and answers when it may.
    pub(super) fn answer<P: Searchable>(mut self, searcher: &mut Searcher<P>, question: &Question<P>) {
        let answer = self.think(searcher, question);
        self.signal.wait_for_leave();
        say(&self.output, &format!("bestmove {answer}"));
    }

    fn think<P: Searchable>(&mut self, searcher: &mut Searcher<P>, question: &Question<P>) -> String {
        let Question { position, path, .. } = question;
        if position.claim(question.declaration.points()) == Claim::Win {
            return "win".to_owned();
        }
        let report = searcher.analyse(position, path, &question.limits, &question.focus, self);
        // An iteration that was cut short has no line of its own, but its nodes count.
        let total = info::total(self.dialect, &report, self.pieces, self.time_ms());
        say(&self.output, &total);
        match (report.best, report.ponder) {
            (Some(best), Some(ponder)) => format!("{best} ponder {ponder}"),
            (Some(best), None) => best.to_string(),
            (None, _) => self.dialect.no_move().to_owned(),
        }
    }
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
        self.signal.is_stopped()
    }

    fn iteration(&mut self, iteration: &Iteration<'_, M>) {
        let line = info::info(self.dialect, iteration, self.lines, self.pieces, self.time_ms());
        say(&self.output, &line);
    }
}
