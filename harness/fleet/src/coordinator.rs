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
    /// The speed that they are meant for in the run that these options are of; 0 if for every speed.
    pub run_nps: Arc<OnceLock<u64>>,
}

impl FleetOptions {
    /// The same for another run.
    #[must_use]
    pub fn of_new_run(&self) -> FleetOptions {
        FleetOptions {
            run_nps: Arc::default(),
            ..self.clone()
        }
    }

    /// The speed that limits by time of this run are meant for, 0 if for every speed; `kept` if it began with that. Measures this machine if
    /// nothing is said, which takes a second.
    pub fn settle_reference(&self, kept: Option<u64>) -> Result<u64, FleetError> {
        let asked = if self.scales_time {
            self.reference_nps
        } else {
            Some(0)
        };
        let nps = match (kept, asked) {
            (Some(kept), _) if asked.map_or(kept == 0, |asked| asked != kept) => {
                return Err(FleetError::OtherReference {
                    before: in_words(Some(kept)),
                    now: in_words(asked),
                });
            }
            (Some(nps), None) => {
                let text = "time limits are scaled to the speed that this run began with";
                self.tell(&format!("{text}, {} thousand nodes/s", nps / 1000));
                nps
            }
            (Some(nps), Some(_)) | (None, Some(nps)) => nps,
            (None, None) => self.measured_reference(),
        };
        Ok(*self.run_nps.get_or_init(|| nps))
    }

    /// What time is worth on the slots of this machine, which is measured.
    pub fn own_pace(&self, reference_nps: u64) -> TimeScale {
        let tables = (self.make_tables)();
        Speed::measured(|| tables.nps(), self.slots, 0.0).pace(reference_nps)
    }

    fn measured_reference(&self) -> u64 {
        *self.measured_nps.get_or_init(|| {
            let tables = (self.make_tables)();
            let own = Speed::measured(|| tables.nps(), self.slots, 0.0).nps();
            let nps = self
                .pace
                .map_or(own, |pace| ((own as f64 * pace.scale()) as u64).max(1));
            self.tell(&format!(
                "time limits are scaled to {}, {} thousand nodes/s; pass --reference-nps {nps} for the same limits on another machine",
                if self.pace.is_some() {
                    "the machine that they are meant for"
                } else {
                    "this machine"
                },
                nps / 1000
            ));
            nps
        })
    }

    pub(super) fn tell(&self, text: &str) {
        tracing::info!("told: {text}");
        match &self.name {
            Some(name) => (self.tell)(&format!("{name}: {text}")),
            None => (self.tell)(text),
        }
    }
}

/// A speed that limits by time are meant for as the command line has it.
fn in_words(reference_nps: Option<u64>) -> String {
    match reference_nps {
        None => "--scale-time nps".to_owned(),
        Some(0) => "--scale-time off".to_owned(),
        Some(nps) => format!("--reference-nps {nps}"),
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
    pub(super) fn reference_nps(&self) -> Result<u64, FleetError> {
        let settled = self.options.run_nps.get();
        settled.map_or_else(|| self.options.settle_reference(None), |nps| Ok(*nps))
    }

    /// So many slots of other machines are there now.
    pub(super) fn set_slots(&self, slots: u64) {
        let own = self.local.as_ref().map_or(0, Executor::concurrency);
        self.slots.store((slots as usize + own).max(1), Ordering::Relaxed);
    }

    fn coordinate(&self, work: &dyn Work, sender: &Sender<Played>) -> Result<(), FleetError> {
        if work.is_timed() {
            // It takes a while, in which nobody is to wait for an answer.
            self.reference_nps()?;
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

    fn options(scales_time: bool, reference_nps: Option<u64>) -> FleetOptions {
        FleetOptions {
            file: PathBuf::new(),
            priority: 5,
            weight: 1,
            audit: 0.0,
            slots: 0,
            scales_time,
            reference_nps,
            pace: None,
            is_insecure: false,
            log: None,
            tell: |_| (),
            make_tables: || unreachable!("this machine is not measured"),
            name: None,
            measured_nps: Arc::new(OnceLock::from(700)),
            run_nps: Arc::default(),
        }
    }

    #[test]
    fn a_run_keeps_the_speed_that_its_time_limits_are_meant_for() {
        let settled = |scales, asked, kept| {
            let settled = options(scales, asked).settle_reference(kept);
            settled.map_err(|error| error.to_string())
        };
        assert_eq!(settled(true, None, None), Ok(700));
        assert_eq!(settled(true, Some(500), None), Ok(500));
        assert_eq!(settled(false, None, None), Ok(0));
        for same in [(true, None, 500), (true, Some(500), 500), (false, None, 0)] {
            assert_eq!(settled(same.0, same.1, Some(same.2)), Ok(same.2), "{same:?}");
        }
        for (scales, asked, kept, remedy) in [
            (true, Some(600), 500, "--reference-nps 500"),
            (false, None, 500, "--reference-nps 500"),
            (true, Some(500), 0, "--scale-time off"),
            (true, None, 0, "--scale-time off"),
        ] {
            let said = settled(scales, asked, Some(kept)).unwrap_err();
            assert!(said.contains(&format!("pass {remedy}")), "{said}");
        }
    }

    #[test]
    fn two_runs_of_one_command_share_what_was_measured_and_no_reference() {
        let one = options(true, Some(500));
        let other = FleetOptions {
            reference_nps: None,
            ..one.of_new_run()
        };
        assert_eq!(one.settle_reference(None).unwrap(), 500);
        assert_eq!(other.settle_reference(None).unwrap(), 700);
    }

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
