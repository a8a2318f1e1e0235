//! A fleet as an executor of runs.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use super::audit::{AuditShare, SHARE_PARTS};
use super::drive::{Drive, raised};
use super::log::log_to;
use super::speed::Speed;
use super::{CoordinatorFile, FleetError, MakeTables};
use crate::interrupt::Interrupt;
use crate::runner::{Auditor, Executor, LocalExecutor, Played, Stop, Work};

/// Before a server that was there is looked for again.
const SERVER_PAUSE: Duration = Duration::from_secs(2);
const TURN_PAUSE: Duration = Duration::from_millis(50);

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
    /// The speed that they are meant for in nodes a second; that of this machine if it is not said.
    pub reference_nps: Option<u64>,
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
    /// The speed of this machine, measured when it is asked for, once for all runs whose options are clones of one another.
    pub own_nps: Arc<OnceLock<u64>>,
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
    /// What the built-in engine does here.
    pub(super) engine: String,
    /// This machine, as far as it plays.
    pub(super) local: Option<LocalExecutor>,
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
        let file = CoordinatorFile::open(&options.file)?;
        let engine = tables.engine();
        Ok(FleetExecutor {
            file,
            slots: AtomicUsize::new(local.as_ref().map_or(0, Executor::concurrency).max(1)),
            options,
            tables,
            process,
            engine,
            local,
            audited: AtomicU64::new(0),
            was_there: AtomicBool::new(false),
        })
    }

    /// Nobody who plays can know which pairs are audited: the secret is a signature of the coordinator.
    pub(super) fn audit_share(&self, run: &str) -> Result<AuditShare, FleetError> {
        let unusable = |error| FleetError::server("sign", error);
        let key = self.file.seed.key_pair().map_err(unusable)?;
        Ok(AuditShare {
            parts: (self.options.audit * f64::from(SHARE_PARTS)).round() as u32,
            secret: key.sign(run.as_bytes()).map_err(unusable)?,
        })
    }

    /// The speed that limits by time are meant for; 0 if for every speed.
    pub(super) fn reference_nps(&self) -> u64 {
        if !self.options.scales_time {
            return 0;
        }
        self.options.reference_nps.unwrap_or_else(|| {
            *self.options.own_nps.get_or_init(|| {
                let nps = Speed::measured(&*self.tables, self.options.slots, 0.0).nps();
                self.options.tell(&format!(
                    "time is scaled to this machine, {} thousand nodes/s; --reference-nps {nps} says so on another one",
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
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(FleetError::System)?;
        let say_waiting = || {
            let text = "another job of this process plays the same run; this one begins when that is over";
            self.options.tell(text);
        };
        let Some(_turn) = Turn::take(work.run_id(), work.interrupt(), say_waiting) else {
            return Ok(());
        };
        runtime.block_on(async {
            let mut drive = tokio::select! {
                begun = self.begin(work, sender) => begun?,
                () = raised(work.interrupt()) => return Ok(()),
            };
            let driven = drive.run().await;
            let is_ours = !matches!(driven, Err(FleetError::Coordinated(_)));
            drive.end(is_ours).await;
            driven
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
                    tokio::time::sleep(SERVER_PAUSE).await;
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

static RUNNING: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<String>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to coordinate a run within this process; between processes the lease decides.
struct Turn(String);

impl Turn {
    /// `None` if an end was asked for first.
    fn take(run: &str, interrupt: &Interrupt, say_waiting: impl Fn()) -> Option<Turn> {
        let mut is_said = false;
        while !running().insert(run.to_owned()) {
            if interrupt.is_requested() {
                return None;
            }
            if !is_said {
                say_waiting();
                is_said = true;
            }
            thread::sleep(TURN_PAUSE);
        }
        Some(Turn(run.to_owned()))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        running().remove(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_run_waits_for_the_first_one_and_another_run_does_not() {
        let interrupt = Interrupt::default();
        let waits = AtomicUsize::new(0);
        let take = |run: &str| {
            Turn::take(run, &interrupt, || {
                waits.fetch_add(1, Ordering::Relaxed);
            })
        };
        let first = take("turn-a").unwrap();
        let _other = take("turn-b").unwrap();
        assert_eq!(waits.load(Ordering::Relaxed), 0);
        thread::scope(|scope| {
            let second = scope.spawn(|| take("turn-a").is_some());
            while waits.load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
            assert!(!second.is_finished());
            drop(first);
            assert!(second.join().unwrap());
        });
        let _first = take("turn-c").unwrap();
        let ended = Turn::take("turn-c", &interrupt, || interrupt.end_job());
        assert!(ended.is_none(), "an end was asked for while it waited");
    }
}
