//! The threads of a worker, each at a table of its own.
//!
//! In: jobs. Out: finished pairs, as they finish. Must not: talk to anybody.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{io, mem};

use tokio::sync::mpsc::UnboundedSender;

use super::exhibit::Exhibit;
use super::speed::Speed;
use super::tables::{MakeTables, PlayJobs};
use super::wire::{GAMES_MAX, Job, ShownGame};
use crate::interrupt::Interrupt;
use crate::play::Unplayed;
use crate::record::{Finished, Pace};

/// A search goes a hundred plies deep and keeps its move lists on the stack.
pub(super) const STACK_BYTES: usize = 16 << 20;

/// What a slot says of its job.
#[derive(Debug)]
pub(super) enum SlotNews {
    /// A pair is finished.
    Pair(Box<Finished>, Duration),
    /// All pairs are.
    Finished,
    /// The rest is for somebody else.
    HandedBack,
    /// It cannot be played here, and why.
    Refused(String),
}

/// A job for a slot.
pub(super) struct Assignment {
    pub(super) job: Arc<Job>,
    /// Raised when its run is over.
    pub(super) interrupt: Interrupt,
    pub(super) news: UnboundedSender<SlotNews>,
}

/// The threads.
pub(super) struct Slots {
    assignments: Option<Sender<Assignment>>,
    threads: Vec<JoinHandle<()>>,
    /// One a thread.
    exhibits: Vec<Arc<Exhibit>>,
}

impl Slots {
    /// Starts so many.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub(super) fn start(count: usize, tables: &Arc<dyn MakeTables>, speed: &Arc<Speed>) -> io::Result<Slots> {
        let (sender, receiver) = channel::<Assignment>();
        let receiver = Arc::new(Mutex::new(receiver));
        let exhibits: Vec<Arc<Exhibit>> = (0..count).map(|_| Arc::default()).collect();
        let threads = exhibits.iter().enumerate().map(|(index, exhibit)| {
            let (receiver, tables, speed) = (Arc::clone(&receiver), Arc::clone(tables), Arc::clone(speed));
            let exhibit = Arc::clone(exhibit);
            thread::Builder::new()
                .name(format!("slot-{index}"))
                .stack_size(STACK_BYTES)
                .spawn(move || serve(&receiver, &*tables, &speed, &exhibit))
        });
        Ok(Slots {
            threads: threads.collect::<io::Result<_>>()?,
            assignments: Some(sender),
            exhibits,
        })
    }

    /// Some of the games that are being played.
    pub(super) fn games(&self) -> Vec<ShownGame> {
        let games = self.exhibits.iter().filter_map(|exhibit| exhibit.game());
        games.take(GAMES_MAX).collect()
    }

    /// Gives a job to the next slot that is free.
    pub(super) fn assign(&self, assignment: Assignment) {
        if let Some(assignments) = &self.assignments {
            // Every slot has died; who waits for news is told nothing, and hands the job back.
            let _ = assignments.send(assignment);
        }
    }
}

impl Drop for Slots {
    fn drop(&mut self) {
        drop(self.assignments.take());
        for thread in mem::take(&mut self.threads) {
            // What a slot panicked of was told when it did.
            let _ = thread.join();
        }
    }
}

/// A table that the next job may be played at, too.
struct Seated {
    run: String,
    keys: String,
    pace: Option<Pace>,
    table: Box<dyn PlayJobs>,
}

fn serve(
    assignments: &Mutex<Receiver<Assignment>>,
    tables: &dyn MakeTables,
    speed: &Speed,
    exhibit: &Exhibit,
) {
    let mut seated: Option<Seated> = None;
    loop {
        let next = assignments.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(assignment) = next else { return };
        play(&assignment, &mut seated, tables, speed, exhibit);
        exhibit.end();
    }
}

fn play(
    assignment: &Assignment,
    seated: &mut Option<Seated>,
    tables: &dyn MakeTables,
    speed: &Speed,
    exhibit: &Exhibit,
) {
    let Assignment { job, interrupt, news } = assignment;
    // Nobody listens if the worker is about to end.
    let tell = |told: SlotNews| drop(news.send(told));
    let pace = job.reference_nps.map(|reference_nps| speed.pace(reference_nps));
    if pace.is_some()
        && let Err(why) = speed.look(tables)
    {
        return tell(SlotNews::Refused(why));
    }
    let fits = |seated: &Seated| (&seated.run, &seated.keys, seated.pace) == (&job.run, &job.table, pace);
    let kept = seated.take().filter(fits).map(|seated| seated.table);
    let mut table = match kept.map_or_else(|| tables.table(&job.table, pace, interrupt), Ok) {
        Ok(table) => table,
        Err(why) => return tell(SlotNews::Refused(why)),
    };
    table.show_in(exhibit.begin(job));
    for pair in &job.pairs {
        if interrupt.is_requested() {
            return tell(SlotNews::HandedBack);
        }
        let begun = Instant::now();
        match table.play(pair) {
            Ok(record) => {
                if let (Some(_), Finished::Pair(record)) = (pace, &record) {
                    speed.count(record);
                }
                tell(SlotNews::Pair(Box::new(record), begun.elapsed()));
            }
            Err(Unplayed::Interrupted) => return tell(SlotNews::HandedBack),
            Err(Unplayed::Environment(environment_error)) => {
                return tell(SlotNews::Refused(environment_error.to_string()));
            }
            Err(Unplayed::Stopped(fault)) => {
                tell(SlotNews::Pair(
                    Box::new(Finished::Stopped(fault)),
                    begun.elapsed(),
                ));
                // Nobody is to play the rest, if the coordinator hears of it in time.
                return tell(SlotNews::HandedBack);
            }
        }
    }
    *seated = Some(Seated {
        run: job.run.clone(),
        keys: job.table.clone(),
        pace,
        table,
    });
    tell(SlotNews::Finished);
}
