//! A fleet as an executor of runs.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use super::audit::{AuditShare, SHARE_PARTS};
use super::drive::{Drive, raised};
use super::orders::block_on;
use super::speed::Speed;
use super::timeouts::{LOOK, RETRY_PAUSE};
use super::{CoordinatorFile, FleetError, MakeTables, log_to};
use crate::interrupt::Interrupt;
use crate::record::TimeScale;
use crate::runner::{Auditor, Executor, LocalExecutor, Played, Stop, Work};

/// How a command uses a fleet; nothing of it changes a result.
#[derive(Debug, Clone)]
pub struct FleetOptions {
    /// The file of the coordinator.
    pub file: PathBuf,
    /// Jobs of a higher priority are played first, 0 to 9.
    pub priority: u8,
    /// How much of the fleet it gets, compared with others of its priority, 1 to 100.
    pub weight: u32,
    /// The share of pairs that the coordinator plays a second time, 0 to 1.
    pub audit: f64,
    /// Pairs that this machine plays at the same time itself.
    pub slots: usize,
    /// Are limits by time scaled to the speed of each machine?
    pub scales_time: bool,
    /// The speed that they are meant for in nodes a second; that of this machine, at `pace`, if it is not said.
    pub reference_nps: Option<u64>,
    /// What time is worth on this machine, if limits are meant for another.
    pub pace: Option<TimeScale>,
    /// May plain text go to another machine?
    pub is_insecure: bool,
    /// Where events of the fleet are logged.
    pub log: Option<PathBuf>,
    /// Is called with what the user should know while it waits.
    pub tell: fn(&str),
    /// Makes the tables of pairs that the coordinator plays itself.
    pub make_tables: fn() -> Arc<dyn MakeTables>,
    /// What the run is called there, where this process has several.
    pub name: Option<String>,
    /// The speed that they are meant for where it is not said, measured when it is asked for, once for all runs whose options are clones of
    /// one another.
    pub measured_nps: Arc<OnceLock<u64>>,
}

impl FleetOptions {
    pub(super) fn tell(&self, text: &str) {
        tracing::info!("told: {text}");
        match &self.name {
            Some(name) => (self.tell)(&format!("{name}: {text}")),
            None => (self.tell)(text),
        }
    }
}

/// Pairs are played by the workers of a fleet.
pub struct FleetExecutor {
    pub(super) file: CoordinatorFile,
    pub(super) options: FleetOptions,
    pub(super) tables: Arc<dyn MakeTables>,
    pub(super) process: Interrupt,
    /// This machine, as far as it plays.
    pub(super) local: Option<LocalExecutor>,
    /// Of other machines, and of this one.
    slots: AtomicUsize,
    /// Pairs played a second time.
    pub(super) audited: AtomicU64,
    /// Was the server there since this command began?
    pub(super) was_there: AtomicBool,
}

impl FleetExecutor {
    /// `local` plays too, if there is one.
    pub fn new(
        options: FleetOptions,
        local: Option<LocalExecutor>,
        tables: Arc<dyn MakeTables>,
        process: Interrupt,
    ) -> Result<FleetExecutor, FleetError> {
        options.log.as_deref().map_or(Ok(()), log_to)?;
        let fleet = FleetExecutor {
            file: CoordinatorFile::open(&options.file)?,
            slots: AtomicUsize::new(0),
            options,
            tables,
            process,
            local,
            audited: AtomicU64::new(0),
            was_there: AtomicBool::new(false),
        };
        fleet.set_slots(0);
        Ok(fleet)
    }

    /// Nobody who plays can know which pairs are audited: the secret is a signature of the coordinator.
    pub(super) fn audit_share(&self, run: &str) -> Result<AuditShare, FleetError> {
        Ok(AuditShare {
            parts: (self.options.audit * f64::from(SHARE_PARTS)).round() as u32,
            secret: self.file.seed.key_pair()?.sign(run.as_bytes())?,
        })
    }

    /// The speed that limits by time are meant for; 0 if for every speed.
    pub(super) fn reference_nps(&self) -> u64 {
        if !self.options.scales_time {
            return 0;
        }
        self.options.reference_nps.unwrap_or_else(|| {
            *self.options.measured_nps.get_or_init(|| {
                let own = Speed::measured(|| self.tables.nps(), self.options.slots, 0.0).nps();
                let pace = self.options.pace;
                let nps = pace.map_or(own, |pace| ((own as f64 * pace.scale()) as u64).max(1));
                self.options.tell(&format!(
                    "time limits are scaled to {}, {} thousand nodes/s; pass --reference-nps {nps} for the same limits on another machine",
                    if pace.is_some() {
                        "the machine that they are meant for"
                    } else {
                        "this machine"
                    },
                    nps / 1000
                ));
                nps
            })
        })
    }

    /// So many slots of other machines are there now.
    pub(super) fn set_slots(&self, slots: u64) {
        let own = self.local.as_ref().map_or(0, Executor::concurrency);
        self.slots.store((slots as usize + own).max(1), Ordering::Relaxed);
    }

    fn coordinate(&self, work: &dyn Work, sender: &Sender<Played>) -> Result<(), FleetError> {
        if work.is_timed() {
            // It takes a while, in which nobody is to wait for an answer.
            self.reference_nps();
        }
        let waits = || {
            let text = "another job of this process plays the same run; this one begins when that is over";
            self.options.tell(text);
        };
        in_turn(&work.queue().run_id, &work.queue().interrupt, waits, || {
            block_on(async {
                let mut drive = tokio::select! {
                    begun = self.begin(work, sender) => begun?,
                    () = raised(&work.queue().interrupt) => return Ok(()),
                };
                let driven = drive.run().await;
                let is_ours = !matches!(driven, Err(FleetError::Coordinated(_)));
                drive.end(is_ours).await;
                driven
            })
        })
    }

    /// Takes the run. A server that was there is waited for: it may be restarted while a lease is waited for, or between two runs of a study.
    async fn begin<'a>(
        &'a self,
        work: &'a dyn Work,
        sender: &'a Sender<Played>,
    ) -> Result<Drive<'a>, FleetError> {
        loop {
            match Drive::begin(self, work, sender).await {
                Err(error) if error.may_pass() && self.was_there.load(Ordering::Relaxed) => {
                    self.options.tell(&format!("{error}; waiting for it"));
                    tokio::time::sleep(RETRY_PAUSE).await;
                }
                begun => return begun,
            }
        }
    }
}

impl Executor for FleetExecutor {
    fn concurrency(&self) -> usize {
        self.slots.load(Ordering::Relaxed)
    }

    fn run(&self, work: &dyn Work, collect: &mut dyn FnMut(Receiver<Played>)) {
        // Sending fails once the collector has gone; then the work is over, too.
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            if let Some(local) = &self.local {
                let sender = sender.clone();
                scope.spawn(move || {
                    local.run(work, &mut |results| {
                        let _ = results.into_iter().all(|played| sender.send(played).is_ok());
                    });
                });
            }
            scope.spawn(move || {
                if let Err(error) = self.coordinate(work, &sender) {
                    tracing::info!("the run ends: {error}");
                    let _ = sender.send(Err(Stop::Executor(Box::new(error))));
                }
            });
            collect(receiver);
        });
    }

    fn suspended_pairs(&self) -> u64 {
        self.local.as_ref().map_or(0, Executor::suspended_pairs)
    }

    fn audited_pairs(&self) -> u64 {
        self.audited.load(Ordering::Relaxed)
    }

    fn auditor(&self, run: &str) -> Option<Auditor> {
        let share = self.audit_share(run).ok().filter(|share| share.parts > 0)?;
        Some(Box::new(move |pair| share.chooses(pair)))
    }
}

/// Coordinates a run once no other job of this process does so; between processes the lease decides. Does nothing if an end is asked for
/// before that.
fn in_turn<E>(
    run: &str,
    interrupt: &Interrupt,
    waits: impl FnOnce(),
    coordinate: impl FnOnce() -> Result<(), E>,
) -> Result<(), E> {
    static RUNNING: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let running = || RUNNING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut waits = Some(waits);
    while !running().insert(run.to_owned()) {
        if interrupt.is_requested() {
            return Ok(());
        }
        waits.take().into_iter().for_each(|waits| waits());
        thread::sleep(LOOK);
    }
    let coordinated = coordinate();
    running().remove(run);
    coordinated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_run_waits_for_the_first_one_and_another_run_does_not() {
        let interrupt = Interrupt::default();
        let order = Mutex::new(Vec::new());
        let say = |what: &'static str| order.lock().unwrap().push(what);
        let play = |run, waits: &dyn Fn(), plays: &dyn Fn()| {
            let plays = || {
                plays();
                Ok::<(), ()>(())
            };
            in_turn(run, &interrupt, waits, plays).unwrap();
        };
        thread::scope(|scope| {
            play("one", &|| say("first waits"), &|| {
                play("other", &|| say("other waits"), &|| say("other"));
                scope.spawn(|| play("one", &|| say("second waits"), &|| say("second")));
                while order.lock().unwrap().len() < 2 {
                    thread::yield_now();
                }
                say("first");
            });
        });
        play("two", &|| (), &|| {
            play("two", &|| interrupt.end_job(), &|| say("never"))
        });
        assert_eq!(
            *order.lock().unwrap(),
            ["other", "second waits", "first", "second"]
        );
    }
}
