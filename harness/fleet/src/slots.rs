//! The threads of a worker, each with a table of its own.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{io, mem};

use tokio::sync::mpsc::UnboundedSender;

use super::speed::Speed;
use super::wire::{GAMES_MAX, GameOfRun, Job, JobPair};
use crate::interrupt::Interrupt;
use crate::play::{LiveGames, LiveSlot, Unplayed};
use crate::record::{Finished, Pace};

/// A search goes a hundred plies deep and keeps its move lists on the stack.
pub(super) const STACK_BYTES: usize = 16 << 20;

/// Makes tables of the text of jobs.
pub trait MakeTables: Send + Sync {
    /// For pairs of a job with these keys of a match, limits by time at this pace; what is played ends when `interrupt` is raised. The error says
    /// why it cannot be played here.
    fn table(
        &self,
        keys: &str,
        pace: Option<Pace>,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn PlayJobs>, String>;

    /// Is there an engine of this name and digest here?
    fn has_engine(&self, name: &str, digest: &str) -> bool;

    /// What the built-in engine does here, in 16 hexadecimal digits: two machines where it differs may not play one run.
    fn engine(&self) -> String;

    /// Nodes in a second of the built-in engine on the calling thread; takes some tenths of a second.
    fn nps(&self) -> u64;
}

/// A table for the pairs of jobs. One thread owns it.
pub trait PlayJobs {
    /// Plays a pair, or makes the search of this number.
    fn play(&mut self, pair: &JobPair) -> Result<Finished, Unplayed>;

    /// Shows its games from here on.
    fn show_in(&mut self, _: LiveSlot) {}
}

#[derive(Debug)]
pub(super) enum SlotNews {
    Pair(Box<Finished>, Duration),
    Finished,
    /// The rest is for somebody else.
    HandedBack,
    /// It cannot be played here, and why.
    Refused(String),
}

pub(super) struct Assignment {
    pub(super) job: Arc<Job>,
    /// Raised when its run is over.
    pub(super) interrupt: Interrupt,
    pub(super) news: UnboundedSender<SlotNews>,
}

pub(super) struct Slots {
    assignments: Option<Sender<Assignment>>,
    threads: Vec<JoinHandle<()>>,
    shown: Vec<Arc<Shown>>,
}

impl Slots {
    /// Without a speed they play no timed games.
    pub(super) fn start(
        count: usize,
        tables: &Arc<dyn MakeTables>,
        speed: Option<&Arc<Speed>>,
    ) -> io::Result<Slots> {
        let (sender, receiver) = channel::<Assignment>();
        let receiver = Arc::new(Mutex::new(receiver));
        let shown: Vec<Arc<Shown>> = (0..count).map(|_| Arc::default()).collect();
        let threads = shown.iter().enumerate().map(|(index, shown)| {
            let (receiver, tables, speed) = (Arc::clone(&receiver), Arc::clone(tables), speed.cloned());
            let shown = Arc::clone(shown);
            thread::Builder::new()
                .name(format!("slot-{index}"))
                .stack_size(STACK_BYTES)
                .spawn(move || serve(&receiver, &*tables, speed.as_deref(), &shown))
        });
        Ok(Slots {
            threads: threads.collect::<io::Result<_>>()?,
            assignments: Some(sender),
            shown,
        })
    }

    /// Some of the games in progress.
    pub(super) fn games(&self) -> Vec<GameOfRun> {
        let games = self.shown.iter().filter_map(|shown| shown.game());
        games.take(GAMES_MAX).collect()
    }

    /// To the next slot that is free.
    pub(super) fn assign(&self, assignment: Assignment) {
        if let Some(assignments) = &self.assignments {
            // If every slot has died, the sender of news is dropped and the job handed back.
            let _ = assignments.send(assignment);
        }
    }
}

impl Drop for Slots {
    fn drop(&mut self) {
        drop(self.assignments.take());
        for thread in mem::take(&mut self.threads) {
            // A panic was reported when it happened.
            let _ = thread.join();
        }
    }
}

/// The game that a slot plays, told only while its job is played.
#[derive(Debug, Default)]
struct Shown {
    live_games: Arc<LiveGames>,
    run: Mutex<Option<String>>,
}

impl Shown {
    fn game(&self) -> Option<GameOfRun> {
        let run = lock(&self.run).clone()?;
        let game = self.live_games.games().pop();
        self.live_games.ask();
        Some(GameOfRun { run, game: game? })
    }
}

/// A table that the next job may be played at, too.
struct Kept {
    run: String,
    keys: String,
    pace: Option<Pace>,
    table: Box<dyn PlayJobs>,
}

fn serve(
    assignments: &Mutex<Receiver<Assignment>>,
    tables: &dyn MakeTables,
    speed: Option<&Speed>,
    shown: &Shown,
) {
    let mut kept: Option<Kept> = None;
    loop {
        let next = lock(assignments).recv();
        let Ok(assignment) = next else { return };
        let end = play(&assignment, &mut kept, tables, speed, shown);
        *lock(&shown.run) = None;
        // Nobody listens if the worker is about to end.
        let _ = assignment.news.send(end);
    }
}

/// The last of the news.
fn play(
    Assignment { job, interrupt, news }: &Assignment,
    kept: &mut Option<Kept>,
    tables: &dyn MakeTables,
    speed: Option<&Speed>,
    shown: &Shown,
) -> SlotNews {
    let timed = job.reference_nps.zip(speed);
    let pace = timed.map(|(reference_nps, speed)| speed.pace(reference_nps));
    if let Some((_, speed)) = timed
        && let Err(why) = speed.look(tables)
    {
        return SlotNews::Refused(why);
    }
    let fits = |kept: &Kept| (&kept.run, &kept.keys, kept.pace) == (&job.run, &job.table, pace);
    let reused = kept.take().filter(fits).map(|kept| kept.table);
    let mut table = match reused.map_or_else(|| tables.table(&job.table, pace, interrupt), Ok) {
        Ok(table) => table,
        Err(why) => return SlotNews::Refused(why),
    };
    *lock(&shown.run) = Some(job.run.clone());
    table.show_in(shown.live_games.slot());
    for pair in &job.pairs {
        if interrupt.is_requested() {
            return SlotNews::HandedBack;
        }
        let begun = Instant::now();
        let tell = |record| drop(news.send(SlotNews::Pair(Box::new(record), begun.elapsed())));
        match table.play(pair) {
            Ok(record) => {
                if let (Some((_, speed)), Finished::Pair(record)) = (timed, &record) {
                    speed.count(record);
                }
                tell(record);
            }
            Err(Unplayed::Interrupted) => return SlotNews::HandedBack,
            Err(Unplayed::Environment(error)) => return SlotNews::Refused(error.to_string()),
            Err(Unplayed::Stopped(fault)) => {
                tell(Finished::Stopped(fault));
                // Nobody is to play the rest, if the coordinator hears of it in time.
                return SlotNews::HandedBack;
            }
        }
    }
    *kept = Some(Kept {
        run: job.run.clone(),
        keys: job.table.clone(),
        pace,
        table,
    });
    SlotNews::Finished
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::LiveGame;

    #[test]
    fn a_game_is_told_of_while_its_job_is_played_and_never_under_the_name_of_the_next() {
        let shown = Shown::default();
        let begin = || {
            *lock(&shown.run) = Some("0123456789abcdef".to_owned());
            shown.live_games.slot()
        };
        let mut slot = begin();
        assert_eq!(shown.game(), None, "nobody published anything yet");
        slot.publish(LiveGame::default());
        assert_eq!(shown.game().unwrap().run, "0123456789abcdef");
        *lock(&shown.run) = None;
        assert_eq!(shown.game(), None);
        slot = begin();
        assert_eq!(shown.game(), None, "the game before is another job's");
        slot.publish(LiveGame::default());
        assert!(shown.game().is_some());
    }
}
