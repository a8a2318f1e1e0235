//! Workers on other machines, as an executor.
//!
//! In: the file of a coordinator, work. Out: finished pairs, as they come. Must not: store or count.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::audit::{Audits, SHARE_PARTS};
use super::speed::Speed;
use super::{CoordinatorFile, FleetError, MakeTables};
use crate::interrupt::Interrupt;
use crate::runner::{Executor, LocalExecutor};

/// How a command uses a fleet; nothing of it changes a result.
#[derive(Debug, Clone)]
pub struct FleetOptions {
    /// The file of the coordinator.
    pub file: PathBuf,
    /// Jobs of a higher priority are played first, 0 to 9.
    pub priority: u8,
    /// How much of the fleet it gets beside others of its priority, 1 to 100.
    pub weight: u32,
    /// The share of pairs that are played a second time by somebody else, 0 to 1.
    pub audit: f64,
    /// Pairs that this machine plays at the same time itself.
    pub slots: usize,
    /// Are limits by time scaled to the speed of each machine?
    pub scales_time: bool,
    /// The speed that they are meant for in nodes a second; that of this machine if it is not said.
    pub reference_nps: Option<u64>,
    /// May plain text go to another machine?
    pub is_insecure: bool,
    /// Is told what the user should know while it waits.
    pub tell: fn(&str),
    /// What the run is called there beside others of this process.
    pub name: Option<String>,
    /// The speed of this machine, measured when it is asked for, once for all runs whose options are clones of one another.
    pub own_nps: Arc<OnceLock<u64>>,
}

impl FleetOptions {
    /// Tells the user something, and of which run.
    pub(super) fn tell(&self, text: &str) {
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
    pub(super) slots: AtomicUsize,
    /// Pairs played a second time.
    pub(super) audited: AtomicU64,
    /// Was the server there since this command began?
    pub(super) was_there: AtomicBool,
}

impl FleetExecutor {
    /// Reads the file and finds out what the built-in engine does here; `local` plays too, if there is one.
    ///
    /// # Errors
    /// The file cannot be read, or says what cannot be.
    pub fn new(
        options: FleetOptions,
        local: Option<LocalExecutor>,
        tables: Arc<dyn MakeTables>,
        process: Interrupt,
    ) -> Result<FleetExecutor, FleetError> {
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

    /// What is played a second time of `run`. Nobody who plays can know it: the secret is a signature of the coordinator.
    pub(super) fn audits(&self, run: &str) -> Result<Audits, FleetError> {
        let unusable = |error| FleetError::server("sign", error);
        let share = (self.options.audit * f64::from(SHARE_PARTS)).round() as u32;
        let key = self.file.seed.key_pair().map_err(unusable)?;
        let secret = key.sign(run.as_bytes()).map_err(unusable)?;
        Ok(Audits::new(share, secret))
    }

    /// The speed that limits by time are meant for; 0 if for every speed.
    pub(super) fn reference_nps(&self) -> u64 {
        if !self.options.scales_time {
            return 0;
        }
        self.options.reference_nps.unwrap_or_else(|| {
            *self.options.own_nps.get_or_init(|| {
                let nps = Speed::measured(&*self.tables, self.options.slots, 0.0).nps();
                self.tell(&format!(
                    "time is scaled to this machine, {} thousand nodes/s; --reference-nps {nps} says so on another one",
                    nps / 1000
                ));
                nps
            })
        })
    }

    /// Tells the user something, and of which run.
    pub(super) fn tell(&self, text: &str) {
        self.options.tell(text);
    }

    /// Does this machine play, too?
    pub(super) fn has_own_slots(&self) -> bool {
        self.local.is_some()
    }

    /// So many slots are there now, those of this machine included; for the window and for what is shown.
    pub(super) fn set_slots(&self, slots: u64) {
        let own = self.local.as_ref().map_or(0, Executor::concurrency);
        self.slots.store((slots as usize + own).max(1), Ordering::Relaxed);
    }
}
