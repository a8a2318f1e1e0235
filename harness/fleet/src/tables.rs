//! What plays jobs: tables, each on the thread that made it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::speed::Speed;
use super::wire::{Job, JobPair};
use crate::interrupt::Interrupt;
use crate::play::{LiveGames, LiveSlot, Unplayed};
use crate::record::{Finished, TimeScale};

/// Can an engine be started here?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readiness {
    Ready,
    /// Once it is built.
    ToBuild,
    /// And why not.
    Refused(String),
}

/// Makes tables of the text of jobs.
pub trait MakeTables: Send + Sync {
    /// For pairs of a job with these keys of a match, limits by time at this pace; what is played ends when `interrupt` is raised. Its engines
    /// must be those of these names and digests, also later. The error says why it cannot be played here.
    fn table(
        &self,
        keys: &str,
        engines: &BTreeMap<String, String>,
        pace: Option<TimeScale>,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn PlayJobs>, String>;

    /// Is the engine of this name and digest here?
    fn readiness(&self, name: &str, digest: &str) -> Readiness;

    /// Builds the engine of this name and digest, which takes minutes, unless `interrupt` is raised; how that ended, `readiness` says.
    fn build(&self, name: &str, digest: &str, interrupt: &Interrupt);

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

    /// Plays on with these keys, which differ from its own in options of its engines alone; false if they differ in more.
    fn set_options(&mut self, _keys: &str) -> bool {
        false
    }
}

/// How the play of a job ended.
#[derive(Debug)]
pub(super) enum JobEnd {
    Finished,
    /// The rest is for somebody else.
    HandedBack,
    /// It cannot be played here, and why.
    Refused(String),
}

/// A table that the next job on its thread may be played at, too.
struct KeptTable {
    run: String,
    keys: String,
    pace: Option<TimeScale>,
    table: Box<dyn PlayJobs>,
}

thread_local! {
    static KEPT: Cell<Option<KeptTable>> = const { Cell::new(None) };
}

/// What a job is played with.
pub(super) struct JobResources<'a> {
    pub(super) tables: &'a dyn MakeTables,
    /// The digests of its engines, by name.
    pub(super) engines: &'a BTreeMap<String, String>,
    /// Without it no timed games are played.
    pub(super) speed: Option<&'a Speed>,
    /// Are the other slots of this machine at work?
    pub(super) are_all_busy: bool,
}

/// Plays a job on this thread until `interrupt` is raised, and `tell`s of each pair and how long it took.
pub(super) fn play_job(
    job: &Job,
    interrupt: &Interrupt,
    resources: &JobResources<'_>,
    shown: LiveSlot,
    mut tell: impl FnMut(Finished, Duration),
) -> JobEnd {
    let tables = resources.tables;
    let timed = job.reference_nps.zip(resources.speed);
    let pace = timed.map(|(reference_nps, speed)| speed.pace(reference_nps));
    if let Some((_, speed)) = timed
        && let Err(why) = speed.look(|| tables.nps(), resources.are_all_busy)
    {
        return JobEnd::Refused(why);
    }
    let fits = |kept: &mut KeptTable| {
        (&kept.run, kept.pace) == (&job.run, pace)
            && (kept.keys == job.table || kept.table.set_options(&job.table))
    };
    let reused = KEPT
        .take()
        .and_then(|mut kept| fits(&mut kept).then_some(kept.table));
    let make = || tables.table(&job.table, resources.engines, pace, interrupt);
    let mut table = match reused.map_or_else(make, Ok) {
        Ok(table) => table,
        Err(why) => return JobEnd::Refused(why),
    };
    table.show_in(shown);
    for pair in &job.pairs {
        if interrupt.is_requested() {
            return JobEnd::HandedBack;
        }
        let begun = Instant::now();
        match table.play(pair) {
            Ok(record) => {
                if let (Some((_, speed)), Finished::Pair(record)) = (timed, &record) {
                    speed.count(record);
                }
                tell(record, begun.elapsed());
            }
            Err(Unplayed::Interrupted) => return JobEnd::HandedBack,
            Err(Unplayed::Environment(error)) => return JobEnd::Refused(error.to_string()),
            Err(Unplayed::Stopped(fault)) => {
                tell(Finished::Stopped(fault), begun.elapsed());
                // Nobody is to play the rest, if the coordinator hears of it in time.
                return JobEnd::HandedBack;
            }
        }
    }
    // Its last game is not played any more.
    table.show_in(Arc::<LiveGames>::default().slot());
    KEPT.set(Some(KeptTable {
        run: job.run.clone(),
        keys: job.table.clone(),
        pace,
        table,
    }));
    JobEnd::Finished
}
