//! One search: what the searching thread does, and what the reading one tells it.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::Protocol;
use super::info;
use crate::chess::Tables;
use crate::config::DeclarationRule;
use crate::game::{Claim, GameMove, Path, Position};
use crate::search::{Focus, Iteration, MATE_IN_MAX, Observer, Searchable, Searcher};
use crate::time::Limits;

/// From when on a search tells the root move that it is at. Before that nobody could read it.
const CURRMOVE_MS: u64 = 1000;

#[derive(Default)]
pub(super) struct StopSignal {
    stop: AtomicBool,
    clock: Mutex<ThinkingState>,
    changed: Condvar,
}

#[derive(Default)]
pub(super) struct ThinkingState {
    /// When the engine's own time began; `None` while it ponders.
    pub(super) started: Option<Instant>,
    /// The answer must wait for `stop` or `ponderhit`.
    pub(super) waits: bool,
    /// The search ends by itself.
    pub(super) has_limit: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl StopSignal {
    pub(super) fn begin(&self, clock: ThinkingState) {
        self.stop.store(false, Ordering::Relaxed);
        *lock(&self.clock) = clock;
    }

    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        lock(&self.clock).waits = false;
        self.changed.notify_all();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn ponder_hit(&self) {
        let mut clock = lock(&self.clock);
        if clock.started.is_none() {
            clock.started = Some(Instant::now());
            // A `stop` before it has released the answer.
            clock.waits = !clock.has_limit && !self.is_stopped();
        }
        self.changed.notify_all();
    }

    pub(super) fn wait_until_allowed(&self) {
        let mut clock = lock(&self.clock);
        while clock.waits {
            clock = self.changed.wait(clock).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Writes one line. A GUI that has gone away will soon close our input too, so that is no error here.
pub(super) fn say<W: Write>(output: &Mutex<W>, line: &str) {
    let mut output = lock(output);
    let _ = writeln!(output, "{line}");
    let _ = output.flush();
}

pub(super) struct SearchTask<P: Position> {
    pub(super) position: P,
    pub(super) path: Path,
    pub(super) limits: Limits,
    pub(super) focus: Focus<P::Move>,
    pub(super) declaration: DeclarationRule,
}

pub(super) struct Reporter<W> {
    pub(super) signal: Arc<StopSignal>,
    pub(super) output: Arc<Mutex<W>>,
    pub(super) protocol: Protocol,
    /// When `go` was read.
    pub(super) asked: Instant,
    pub(super) multi_pv: usize,
    /// The tables of endings, and how many positions they had found before.
    pub(super) tables: Option<(u64, Arc<Tables>)>,
    /// The score of the position, if the tables know it.
    pub(super) known: Option<i32>,
    /// Pieces on the board, if scores are to have a `wdl`.
    pub(super) pieces: Option<usize>,
}

impl<W: Write> Reporter<W> {
    /// What is told of a score: what the tables know, but for mates.
    fn told(&self, score: i32) -> i32 {
        self.known.filter(|_| score.abs() < MATE_IN_MAX).unwrap_or(score)
    }

    fn time_ms(&self) -> u64 {
        self.asked.elapsed().as_millis() as u64
    }

    pub(super) fn answer<P: Searchable>(mut self, searcher: &mut Searcher<P>, task: &SearchTask<P>) {
        let answer = self.think(searcher, task);
        self.signal.wait_until_allowed();
        say(&self.output, &format!("bestmove {answer}"));
    }

    fn think<P: Searchable>(&mut self, searcher: &mut Searcher<P>, task: &SearchTask<P>) -> String {
        let SearchTask { position, path, .. } = task;
        if position.claim(task.declaration.claim()) == Claim::Win {
            let line = format!("info depth 0 score mate 1 nodes 0 time {}", self.time_ms());
            say(&self.output, &line);
            return "win".to_owned();
        }
        let mut report = searcher.analyse(position, path, &task.limits, &task.focus, self);
        report.score = self.told(report.score);
        // An iteration that was cut short has no line of its own, but its nodes count.
        let (lines, time_ms) = (task.focus.lines, self.time_ms());
        let total = info::total(self.protocol, &report, lines, self.pieces, time_ms);
        say(&self.output, &total);
        match (report.best, report.ponder) {
            (Some(best), Some(ponder)) => format!("{best} ponder {ponder}"),
            (Some(best), None) => best.to_string(),
            (None, _) => self.protocol.no_move().to_owned(),
        }
    }
}

impl<M: GameMove, W: Write> Observer<M> for Reporter<W> {
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

    fn root_move(&mut self, depth: u32, mv: M, number: u32) {
        if self.time_ms() >= CURRMOVE_MS {
            let line = format!("info depth {depth} currmove {mv} currmovenumber {number}");
            say(&self.output, &line);
        }
    }

    fn iteration(&mut self, iteration: &Iteration<'_, M>) {
        let score = self.told(iteration.score);
        let line = info::info(
            self.protocol,
            &Iteration { score, ..*iteration },
            self.multi_pv,
            self.pieces,
            self.tables
                .as_ref()
                .map(|(before, tables)| tables.hits() - before),
            self.time_ms(),
        );
        say(&self.output, &line);
    }
}
