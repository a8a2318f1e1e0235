//! What changes no result: where a run goes, and how fast it is played.

use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;

use crate::config::Engines;
use crate::interrupt::Interrupt;
use crate::platform::{Cores, raise_descriptors, survey};
use crate::record::TimeScale;
use crate::runner::{Executor, LocalExecutor};
use crate::session::capacity::Demand;
use crate::session::error::{ExperimentError, Result};
use crate::shard::Shard;

#[cfg(feature = "cluster")]
use crate::fleet::{CoordinatorFile, FleetError, FleetExecutor, FleetOptions};

const CONCURRENCY_MAX: usize = 4096;

#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Where results go; a default folder if nothing is said.
    pub out: Option<PathBuf>,
    pub concurrency: Option<NonZero<usize>>,
    pub pause_after: Option<NonZero<u64>>,
    /// The share of the pairs that is played; of matches and tournaments.
    pub shard: Shard,
    pub oversubscribe: bool,
    pub pin_cores: bool,
    pub engine_log: Option<PathBuf>,
    /// What time is worth on this machine, if limits are meant for another.
    pub pace: Option<TimeScale>,
    /// What names of engines stand for here; on a fleet, besides those of the coordinator's own file.
    pub engines: Engines,
    /// Is the default folder the same on every day?
    pub undated: bool,
    #[cfg(feature = "cluster")]
    pub fleet: Option<FleetOptions>,
    /// What ends the run early; the signals of the process if nothing is said.
    pub interrupt: Option<Interrupt>,
}

impl RunOptions {
    /// The same for a run that shares nothing with others of this command.
    pub(crate) fn of_new_run(&self) -> RunOptions {
        RunOptions {
            #[cfg(feature = "cluster")]
            fleet: self.fleet.as_ref().map(|fleet| FleetOptions {
                pace: self.pace,
                ..fleet.of_new_run()
            }),
            ..self.clone()
        }
    }

    pub fn executor(&self) -> Result<LocalExecutor> {
        let available = available_parallelism().map_or(1, NonZero::get);
        self.start(self.workers_or(available)?)
    }

    pub(crate) fn workers(&self, demand: &Demand) -> Result<Box<dyn Executor>> {
        #[cfg(feature = "cluster")]
        if let Some(fleet) = &self.fleet {
            return self.fleet_workers(fleet, demand);
        }
        Ok(Box::new(self.start(self.workers_for(demand)?)?))
    }

    #[cfg(feature = "cluster")]
    fn fleet_workers(&self, fleet: &FleetOptions, demand: &Demand) -> Result<Box<dyn Executor>> {
        let process = self.interrupt()?;
        let local = match fleet.slots {
            0 => None,
            slots => {
                demand
                    .check(slots, &survey(), self.oversubscribe)
                    .map_err(ExperimentError::Input)?;
                Some(self.start(slots)?)
            }
        };
        let tables = (fleet.make_tables)();
        Ok(Box::new(FleetExecutor::new(
            fleet.clone(),
            local,
            tables,
            process,
        )?))
    }

    pub(crate) fn workers_for(&self, demand: &Demand) -> Result<usize> {
        #[cfg(feature = "cluster")]
        if let Some(fleet) = &self.fleet {
            demand.check_elsewhere().map_err(FleetError::Untellable)?;
            // What other machines are enough for they know themselves.
            return Ok(fleet.slots.max(1));
        }
        let machine = survey();
        let workers = self.workers_or(demand.workers_default(&machine))?;
        demand
            .check(workers, &machine, self.oversubscribe)
            .map_err(ExperimentError::Input)?;
        raise_descriptors(demand.descriptors(workers, &machine));
        Ok(workers)
    }

    fn start(&self, workers: usize) -> Result<LocalExecutor> {
        let executor = if self.pin_cores {
            let cores =
                Cores::available().map_err(ExperimentError::system("find out the cores for --pin-cores"))?;
            LocalExecutor::on_cores(workers, cores)
        } else {
            LocalExecutor::new(workers)
        };
        executor.map_err(ExperimentError::system("start the workers"))
    }

    pub(crate) fn interrupt(&self) -> Result<Interrupt> {
        match &self.interrupt {
            Some(interrupt) => Ok(interrupt.clone()),
            None => Interrupt::install().map_err(ExperimentError::system("watch for signals")),
        }
    }

    pub(crate) fn folder(&self, default: impl FnOnce() -> PathBuf) -> PathBuf {
        self.out.clone().unwrap_or_else(default)
    }

    pub(crate) fn engines(&self) -> Result<Engines> {
        #[cfg_attr(
            not(feature = "cluster"),
            expect(unused_mut, reason = "only a fleet has more")
        )]
        let mut engines = self.engines.clone();
        #[cfg(feature = "cluster")]
        if let Some(fleet) = &self.fleet
            && let Some(path) = CoordinatorFile::open(&fleet.file)?.engines
        {
            engines.extend(Engines::open(&path)?);
        }
        Ok(engines)
    }

    fn workers_or(&self, default: usize) -> Result<usize> {
        let workers = self.concurrency.map_or(default, NonZero::get);
        if workers > CONCURRENCY_MAX {
            let message = format!("--concurrency is {workers}, but must be {CONCURRENCY_MAX} at most");
            return Err(ExperimentError::Input(message));
        }
        Ok(workers)
    }
}
